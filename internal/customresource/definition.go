package customresource

import (
	"fmt"
	"slices"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"
)

// Definition is a CustomResourceDefinition prepared for serving its objects. It is immutable and
// safe for concurrent use.
type Definition struct {
	// Group and Names identify the objects. Names are the accepted names, or the requested ones
	// where none is accepted yet.
	Group string
	Names apiextensionsv1.CustomResourceDefinitionNames
	// Namespaced is true if objects live in namespaces.
	Namespaced bool
	// Versions are the versions that are served or stored, in the definition's order.
	Versions []*Version
	// Storage is the version in which objects are stored. It is one of Versions.
	Storage *Version

	converter func() (managedfields.TypeConverter, error)
}

// Compile prepares a definition. It retains def, which must not change afterwards. It does not
// compile schemas, so it takes microseconds. Errors: a definition without a storage version.
func Compile(def *apiextensionsv1.CustomResourceDefinition) (*Definition, error) {
	d := &Definition{Group: def.Spec.Group, Names: acceptedNames(def), Namespaced: def.Spec.Scope == apiextensionsv1.NamespaceScoped}
	for i := range def.Spec.Versions {
		spec := &def.Spec.Versions[i]
		if !spec.Served && !spec.Storage {
			continue
		}
		v := newVersion(d, spec)
		d.Versions = append(d.Versions, v)
		if spec.Storage {
			d.Storage = v
		}
	}
	if d.Storage == nil {
		return nil, fmt.Errorf("no storage version in CustomResourceDefinition %s", def.Name)
	}
	d.converter = sync.OnceValues(func() (managedfields.TypeConverter, error) { return newTypeConverter(d) })
	return d, nil
}

// acceptedNames returns the names under which objects are served: the accepted names, with
// requested names in place of missing ones.
func acceptedNames(def *apiextensionsv1.CustomResourceDefinition) apiextensionsv1.CustomResourceDefinitionNames {
	names, wanted := def.Status.AcceptedNames, def.Spec.Names
	for _, n := range []struct{ have, want *string }{
		{&names.Plural, &wanted.Plural}, {&names.Singular, &wanted.Singular}, {&names.Kind, &wanted.Kind}, {&names.ListKind, &wanted.ListKind},
	} {
		if *n.have == "" {
			*n.have = *n.want
		}
	}
	return names
}

// Version returns the version with the given name, or nil if it is neither served nor stored.
func (d *Definition) Version(name string) *Version {
	for _, v := range d.Versions {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// GroupResource returns the resource of the objects.
func (d *Definition) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: d.Group, Resource: d.Names.Plural}
}

// Deprecation returns the warning header for a deprecated version; "" for a version that is not
// deprecated. It does not read schemas.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, defaultDeprecationWarning
func Deprecation(def *apiextensionsv1.CustomResourceDefinition, name string) string {
	i := slices.IndexFunc(def.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name })
	if i < 0 || !def.Spec.Versions[i].Deprecated {
		return ""
	}
	v := &def.Spec.Versions[i]
	if v.DeprecationWarning != nil {
		return *v.DeprecationWarning
	}
	var newer []string
	for _, other := range def.Spec.Versions {
		if other.Served && !other.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, other.Name) < 0 {
			newer = append(newer, other.Name)
		}
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", def.Spec.Group, v.Name, def.Spec.Names.Kind)
	if len(newer) == 0 {
		return text
	}
	newest := slices.MaxFunc(newer, version.CompareKubeAwareVersionStrings)
	return text + fmt.Sprintf("; use %s/%s %s", def.Spec.Group, newest, def.Spec.Names.Kind)
}
