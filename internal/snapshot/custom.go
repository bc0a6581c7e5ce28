package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/object"
)

// isCustom reports whether a resource that is not built in can belong to a definition: its group
// contains a dot.
func isCustom(resource string) bool {
	plural, group, _ := strings.Cut(resource, ".")
	return plural != "" && strings.Contains(group, ".")
}

// custom returns the kind to check a custom resource by: its names are those in the body, because
// its definition may come later in the file. Its schema is not checked, because a definition may
// have changed after the object was written.
func (c *Checker) custom(v *Version) (*kind.Kind, error) {
	if !isCustom(v.Resource) {
		return nil, invalid("unknown resource %q", v.Resource)
	}
	var t metav1.TypeMeta
	if err := json.Unmarshal(v.Body, &t); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, v.Key(), err)
	}
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	plural, group, _ := strings.Cut(v.Resource, ".")
	wrong := slices.Concat(names.IsDNS1035Label(plural), names.IsDNS1123Subdomain(group),
		names.IsDNS1035Label(gv.Version), names.IsDNS1035Label(strings.ToLower(t.Kind)))
	if err != nil || gv.Group != group || len(wrong) > 0 { // no definition contains it
		return nil, invalid("%s: its body has the apiVersion %q and the kind %q", v.Key(), t.APIVersion, t.Kind)
	}
	if _, known := c.resources[v.Resource]; !known {
		c.resources[v.Resource] = v.Key()
	}
	return &kind.Kind{Type: object.Type{
		Group: group, Version: gv.Version, Kind: t.Kind, Plural: plural, Namespaced: v.Namespace != "", New: object.NewCustom, Custom: &object.Custom{},
	}}, nil
}

// encodeCustom checks the metadata of a custom resource, and encodes it so that its type can be
// read from its body.
func encodeCustom(k *kind.Kind, o *unstructured.Unstructured) ([]byte, error) {
	var meta metav1.ObjectMeta
	encoded, err := json.Marshal(o.Object["metadata"])
	if err == nil {
		err = json.Unmarshal(encoded, &meta)
	}
	if err != nil {
		return nil, fmt.Errorf("its metadata: %w", err)
	}
	if all := validation.ValidateObjectMeta(&meta, k.Namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata")); len(all) > 0 {
		return nil, all[:min(len(all), mostInvalid)].ToAggregate()
	}
	body, err := object.Encode(&k.Type, o)
	if err != nil {
		return nil, err
	}
	if t, err := object.TypeOf(k.Resource(), k.Namespaced, body); err != nil || t.GroupVersionKind() != k.GroupVersionKind() {
		return nil, errors.New("its body does not begin with its kind")
	}
	return body, nil
}

// undefined returns what is wrong with objects that have no definition. Those of a group that users
// may define are kept: someone has removed the finalizer of their definition. Those of Kubernetes'
// groups have a kind that another Rowlock knows.
func (c *Checker) undefined() error {
	for resource, key := range c.resources {
		_, group, _ := strings.Cut(resource, ".")
		definition := object.Key{Resource: apiextensions.CustomResourceDefinition.Resource(), Name: resource}
		if !c.names[definition] && apihelpers.IsProtectedCommunityGroup(group) {
			return invalid("%s: unknown resource %q", key, resource)
		}
	}
	return nil
}
