package definition

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/object"
)

// Summary is the content of a definition except its schemas. Decoding it takes a small part of the
// time and memory of the whole.
type Summary struct {
	Metadata struct {
		Name              string       `json:"name"`
		Generation        int64        `json:"generation"`
		DeletionTimestamp *metav1.Time `json:"deletionTimestamp"`
	} `json:"metadata"`
	Spec struct {
		Group    string                                        `json:"group"`
		Scope    apiextensionsv1.ResourceScope                 `json:"scope"`
		Names    apiextensionsv1.CustomResourceDefinitionNames `json:"names"`
		Versions []Version                                     `json:"versions"`
		Webhook  *apiextensionsv1.CustomResourceConversion     `json:"conversion"`
	} `json:"spec"`
	Status struct {
		AcceptedNames apiextensionsv1.CustomResourceDefinitionNames       `json:"acceptedNames"`
		Conditions    []apiextensionsv1.CustomResourceDefinitionCondition `json:"conditions"`
	} `json:"status"`
}

// Version is the content of a definition about a version, except its schema.
type Version struct {
	Name               string                                      `json:"name"`
	Served             bool                                        `json:"served"`
	Storage            bool                                        `json:"storage"`
	Deprecated         bool                                        `json:"deprecated"`
	DeprecationWarning *string                                     `json:"deprecationWarning"`
	SelectableFields   []apiextensionsv1.SelectableField           `json:"selectableFields"`
	Subresources       *apiextensionsv1.CustomResourceSubresources `json:"subresources"`
}

// Summarize reads the summary of a stored definition. A body that does not decode is a defect of
// its writer and panics.
func Summarize(v *object.Version) *Summary {
	s := new(Summary)
	if d, ok := v.Remembered().(*apiextensionsv1.CustomResourceDefinition); ok {
		s.take(d)
		return s
	}
	if err := json.Unmarshal(v.Body(), s); err != nil {
		panic(fmt.Sprintf("definition: body of %s at revision %d does not decode: %v", v.Key(), v.Revision, err))
	}
	return s
}

// take is Summarize for a decoded definition.
func (s *Summary) take(d *apiextensionsv1.CustomResourceDefinition) {
	s.Metadata.Name, s.Metadata.Generation, s.Metadata.DeletionTimestamp = d.Name, d.Generation, d.DeletionTimestamp
	s.Spec.Group, s.Spec.Scope, s.Spec.Names, s.Spec.Webhook = d.Spec.Group, d.Spec.Scope, d.Spec.Names, d.Spec.Conversion
	for i := range d.Spec.Versions {
		v := &d.Spec.Versions[i]
		s.Spec.Versions = append(s.Spec.Versions, Version{
			Name: v.Name, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated, DeprecationWarning: v.DeprecationWarning,
			SelectableFields: v.SelectableFields, Subresources: v.Subresources,
		})
	}
	s.Status.AcceptedNames, s.Status.Conditions = d.Status.AcceptedNames, d.Status.Conditions
}

// Is reports whether a condition is True.
func (s *Summary) Is(condition apiextensionsv1.CustomResourceDefinitionConditionType) bool {
	return slices.ContainsFunc(s.Status.Conditions, func(c apiextensionsv1.CustomResourceDefinitionCondition) bool {
		return c.Type == condition && c.Status == apiextensionsv1.ConditionTrue
	})
}

// deprecation returns the warning for a version, "" if it is not deprecated.
func (s *Summary) deprecation(one *Version) string {
	if !one.Deprecated {
		return ""
	}
	d := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{Group: s.Spec.Group, Names: s.Spec.Names}}
	for _, v := range s.Spec.Versions {
		d.Spec.Versions = append(d.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: v.Name, Served: v.Served, Deprecated: v.Deprecated, DeprecationWarning: v.DeprecationWarning,
		})
	}
	return customresource.Deprecation(d, one.Name)
}

// serves reports whether the definition's objects are served: its names are accepted, or once were.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, ServeHTTP
func (s *Summary) serves() bool {
	return s.Is(apiextensionsv1.NamesAccepted) || s.Is(apiextensionsv1.Established)
}

// sameStatus reports whether the kinds of two definitions with the same spec are the same.
func (s *Summary) sameStatus(o *Summary) bool {
	return s.Is(apiextensionsv1.Established) == o.Is(apiextensionsv1.Established) &&
		(s.Metadata.DeletionTimestamp == nil) == (o.Metadata.DeletionTimestamp == nil) &&
		reflect.DeepEqual(s.Status.AcceptedNames, o.Status.AcceptedNames)
}
