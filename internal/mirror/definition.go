package mirror

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"weak"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/object"
)

// The indexes of CustomResourceDefinitions and of custom resources.
var (
	// DefinitionsByName finds definitions by their accepted names: see DefinedResource and
	// DefinedKind.
	DefinitionsByName = Index{Name: "definitions-by-name", Resource: apiextensions.CustomResourceDefinition.Resource(), Values: func(v *object.Version) []string {
		d := accepted(v)
		return DefinedNames(d.Spec.Group, d.Status.AcceptedNames)
	}}
	// DefinitionsWaiting finds definitions that lack some of the names that they want, each under
	// values of its own: see View.Waiting.
	DefinitionsWaiting = Index{Name: "definitions-waiting", Resource: apiextensions.CustomResourceDefinition.Resource(), Values: waiting}
	// CustomResources finds custom resources by the name of their definition; LiveCustomResources
	// those that are not being deleted.
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

// waiting returns the values of a definition that was refused a name. Each consists of the
// definition's name and of the values of DefinitionsByName that must be free at the same time for
// one of its wishes.
func waiting(v *object.Version) (values []string) {
	d := accepted(v)
	if !slices.ContainsFunc(d.Status.Conditions, func(c apiextensionsv1.CustomResourceDefinitionCondition) bool {
		return c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse
	}) {
		return nil
	}
	want, have := d.Spec.Names, d.Status.AcceptedNames
	wish := func(keys ...string) {
		if len(keys) > 0 {
			values = append(values, strings.Join(append([]string{v.Name}, keys...), " "))
		}
	}
	for _, n := range [][2]string{{want.Plural, have.Plural}, {want.Singular, have.Singular}} {
		if n[0] != n[1] {
			wish(DefinedResource(d.Spec.Group, n[0]))
		}
	}
	for _, n := range [][2]string{{want.Kind, have.Kind}, {want.ListKind, have.ListKind}} {
		if n[0] != n[1] {
			wish(DefinedKind(d.Spec.Group, n[0]))
		}
	}
	var short []string // short names are given all or none
	for _, name := range want.ShortNames {
		if !slices.Contains(have.ShortNames, name) {
			short = append(short, DefinedResource(d.Spec.Group, name))
		}
	}
	wish(short...)
	return values
}

// Waiting returns the definitions that were refused a name which is free now, by name, at most n;
// more says whether there are others. It reads no other definitions.
func (v View) Waiting(n int) (found []*object.Version, more bool) {
	for _, value := range v.Values(DefinitionsWaiting) {
		keys := strings.Fields(value)
		if k := len(found); k > 0 && found[k-1].Name == keys[0] || slices.ContainsFunc(keys[1:], func(key string) bool { return v.taken(key, keys[0]) }) {
			continue
		}
		if len(found) == n {
			return found, true
		}
		found = append(found, v.First(DefinitionsWaiting, value, 1)...)
	}
	return found, false
}

// taken reports whether a definition other than the named one has a name, by its value in
// DefinitionsByName.
func (v View) taken(key, name string) bool {
	return slices.ContainsFunc(v.First(DefinitionsByName, key, 2), func(o *object.Version) bool { return o.Name != name })
}

// named is the names in a definition.
type named struct {
	Spec struct {
		Group string                                        `json:"group"`
		Names apiextensionsv1.CustomResourceDefinitionNames `json:"names"`
	} `json:"spec"`
	Status struct {
		AcceptedNames apiextensionsv1.CustomResourceDefinitionNames       `json:"acceptedNames"`
		Conditions    []apiextensionsv1.CustomResourceDefinitionCondition `json:"conditions"`
	} `json:"status"`
}

// lastRead caches the names read last, because both indexes ask for them, when a version comes and
// when it goes.
var lastRead [8]atomic.Pointer[read]

type read struct {
	of    weak.Pointer[object.Version]
	names named
}

// accepted reads the names of a stored definition, without its schemas. The caller must not change
// them.
func accepted(v *object.Version) named {
	slot, key := &lastRead[v.Revision%object.Revision(len(lastRead))], weak.Make(v)
	if r := slot.Load(); r != nil && r.of == key {
		return r.names
	}
	r := &read{of: key}
	if d, ok := v.Remembered().(*apiextensionsv1.CustomResourceDefinition); ok {
		r.names.Spec.Group, r.names.Spec.Names = d.Spec.Group, d.Spec.Names
		r.names.Status.AcceptedNames, r.names.Status.Conditions = d.Status.AcceptedNames, d.Status.Conditions
	} else {
		_ = json.Unmarshal(v.Body(), &r.names) // a body that does not decode has no names
	}
	slot.Store(r)
	return r.names
}

// DefinedResource returns the value of DefinitionsByName for a name of resources in a group:
// plural, singular or short.
func DefinedResource(group, name string) string { return group + "/resource/" + name }

// DefinedKind returns the value of DefinitionsByName for the name of a kind or list kind in a
// group.
func DefinedKind(group, name string) string { return group + "/kind/" + name }

// DefinedNames returns the values of accepted names.
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
