package mirror

import (
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// The indexes of CustomResourceDefinitions and of what they define.
var (
	// DefinitionsByName finds definitions by the names that they have been given: see DefinedResource and DefinedKind.
	DefinitionsByName = Index{Name: "definitions-by-name", Resource: kind.CustomResourceDefinition.Resource(), Values: func(v *object.Version) []string {
		d := accepted(v)
		return DefinedNames(d.Spec.Group, d.Status.AcceptedNames)
	}}
	// DefinitionsWaiting finds, under "", those that have not been given all names that they want.
	DefinitionsWaiting = Index{Name: "definitions-waiting", Resource: kind.CustomResourceDefinition.Resource(), Values: func(v *object.Version) []string {
		for _, c := range accepted(v).Status.Conditions {
			if c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse {
				return []string{""}
			}
		}
		return nil
	}}
	// CustomResources finds custom resources by the name of their definition; LiveCustomResources those that are not being deleted.
	CustomResources = Index{Name: "custom", Values: func(v *object.Version) []string {
		if v.Type.Custom == nil {
			return nil
		}
		return []string{v.Type.Resource()}
	}}
	LiveCustomResources = Index{Name: "custom-live", Values: func(v *object.Version) []string {
		if v.Type.Custom == nil || v.Is(object.Terminating) && v.Object().GetDeletionTimestamp() != nil {
			return nil
		}
		return []string{v.Type.Resource()}
	}}
)

// named is what a definition says about its names.
type named struct {
	Spec struct {
		Group string `json:"group"`
	} `json:"spec"`
	Status struct {
		AcceptedNames apiextensionsv1.CustomResourceDefinitionNames       `json:"acceptedNames"`
		Conditions    []apiextensionsv1.CustomResourceDefinitionCondition `json:"conditions"`
	} `json:"status"`
}

// accepted reads the names of a stored definition, and none of its schemas.
func accepted(v *object.Version) (d named) {
	_ = json.Unmarshal(v.Body(), &d) // a body that does not decode has no names
	return d
}

// DefinedResource and DefinedKind are the values of DefinitionsByName for names of a group: plural, singular and short ones, and those of kinds
// and of their lists.
func DefinedResource(group, name string) string { return group + "/resource/" + name }

// DefinedKind is as DefinedResource says.
func DefinedKind(group, name string) string { return group + "/kind/" + name }

// DefinedNames are the values of names that have been given.
func DefinedNames(group string, names apiextensionsv1.CustomResourceDefinitionNames) (values []string) {
	for _, name := range append([]string{names.Plural, names.Singular}, names.ShortNames...) {
		if name != "" {
			values = append(values, DefinedResource(group, name))
		}
	}
	for _, name := range []string{names.Kind, names.ListKind} {
		if name != "" {
			values = append(values, DefinedKind(group, name))
		}
	}
	return values
}
