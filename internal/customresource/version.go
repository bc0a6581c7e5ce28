package customresource

import (
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Version is one version of a definition. It is immutable and safe for concurrent use.
type Version struct {
	// Name is the version's name, "v1".
	Name string
	// GVK is the group, version, and kind of the objects; ListGVK is that of their lists.
	GVK, ListGVK schema.GroupVersionKind
	// Served is true if the API serves the version. A version may be stored without being served.
	Served bool
	// Status is true if the version has the status subresource.
	Status bool
	// Scale is the scale subresource, or nil.
	Scale *Scale
	// SelectableFields lists the fields, other than those of metadata, that field selectors may
	// name, in the definition's order: "spec.color".
	SelectableFields []string

	definition *Definition
	spec       *apiextensionsv1.CustomResourceDefinitionVersion
	shared     func() *entry // the schema, shared with equal ones
	columns    func() []column
	selectable func() []selectable
}

func newVersion(d *Definition, spec *apiextensionsv1.CustomResourceDefinitionVersion) *Version {
	gv := schema.GroupVersion{Group: d.Group, Version: spec.Name}
	v := &Version{
		Name: spec.Name, Served: spec.Served,
		GVK: gv.WithKind(d.Names.Kind), ListGVK: gv.WithKind(d.Names.ListKind),
		definition: d, spec: spec,
		shared:     sync.OnceValue(func() *entry { return shared.entry(openAPISchema(spec)) }),
		columns:    sync.OnceValue(func() []column { return parseColumns(spec.AdditionalPrinterColumns) }),
		selectable: sync.OnceValue(func() []selectable { return parseSelectable(spec.SelectableFields) }),
	}
	for _, f := range spec.SelectableFields {
		v.SelectableFields = append(v.SelectableFields, selectableName(f))
	}
	if s := spec.Subresources; s != nil {
		v.Status = s.Status != nil
		if s.Scale != nil {
			v.Scale = newScale(s.Scale)
		}
	}
	return v
}

// openAPISchema returns the schema of a version; nil if it has none, which only old definitions
// may.
func openAPISchema(v *apiextensionsv1.CustomResourceDefinitionVersion) *apiextensionsv1.JSONSchemaProps {
	if v.Schema == nil {
		return nil
	}
	return v.Schema.OpenAPIV3Schema
}

func (v *Version) gv() string { return v.GVK.GroupVersion().String() }

// program returns the compiled schema.
func (v *Version) program() (*program, error) { return v.shared().program() }
