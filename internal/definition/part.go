package definition

import (
	"sync/atomic"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// customType returns the type for field management.
func (c *compiled) customType(s *Summary, one *Version) *object.Custom {
	versions := map[string]bool{}
	var withStatus []string
	for _, v := range s.Spec.Versions {
		versions[s.Spec.Group+"/"+v.Name] = true
		if v.Subresources != nil && v.Subresources.Status != nil {
			withStatus = append(withStatus, s.Spec.Group+"/"+v.Name)
		}
	}
	return &object.Custom{
		Converter: func() managedfields.TypeConverter {
			if types, err := c.get().TypeConverter(); err == nil {
				return types
			}
			return managedfields.NewDeducedTypeConverter() // as upstream does for a schema that does not compile
		},
		ReplicasPaths:  func() managedfields.ResourcePathMappings { return c.get().ReplicasPaths() },
		Status:         one.Subresources != nil && one.Subresources.Status != nil,
		StatusVersions: withStatus,
		Convertible:    func(apiVersion string) bool { return versions[apiVersion] },
	}
}

// to returns a copy of an object in another version.
func (c *compiled) to(name string) func(object.Object) object.Object {
	return func(o object.Object) object.Object {
		next := content(o).DeepCopy()
		_ = c.get().Convert(next, c.version(name)) // metadata that does not decode was refused, or restored, before
		return next
	}
}

// restore converts stored versions to objects of the storage version, by the definition as it is
// now. The last result is cached, because one request asks for it several times.
func (c *compiled) restore(since object.Revision) func(*object.Version) object.Object {
	type restored struct {
		of *object.Version
		as object.Object
	}
	var last atomic.Pointer[restored]
	return func(v *object.Version) object.Object {
		if v.Type.Version == c.storage && (v.Revision >= since || v.Revision == 0) {
			return v.Object()
		}
		if l := last.Load(); l != nil && l.of == v {
			return l.as
		}
		next := content(v.Object()).DeepCopy()
		if from := c.version(v.Type.Version); from != nil {
			_ = from.Restore(next) // drops metadata that does not decode
		}
		next.SetAPIVersion(v.Type.GroupVersion().String())
		_ = c.get().Convert(next, c.get().Storage) // as above
		last.Store(&restored{v, next})
		return next
	}
}

// scale returns the scale subresource of a version.
func scale(version func() *customresource.Version) *kind.Scale {
	return &kind.Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			s, _ := version().Scale.Get(content(o)) // see kind.Custom.CheckScale
			if s == nil {
				s = &autoscalingv1.Scale{
					ObjectMeta: metav1.ObjectMeta{
						Name: o.GetName(), Namespace: o.GetNamespace(), UID: o.GetUID(), CreationTimestamp: o.GetCreationTimestamp(),
					},
				}
			}
			return s
		},
		Set: func(o object.Object, replicas int32) {
			_ = version().Scale.Set(content(o), replicas) // a path through something other than an object sets nothing, and validation reports why
		},
	}
}

// selectable returns the fields by which objects of a version can be selected; nil for none.
func selectable(version func() *customresource.Version, one *Version) func(object.Object) fields.Set {
	if len(one.SelectableFields) == 0 {
		return nil
	}
	return func(o object.Object) fields.Set {
		set, _ := version().Fields(content(o)) // paths to more than one value are in no valid definition
		return set
	}
}

// compiled is a definition whose schemas are compiled on first use.
type compiled struct {
	get     func() *customresource.Definition
	storage string // the storage version
}

func (c *compiled) version(name string) *customresource.Version { return c.get().Version(name) }

func content(o object.Object) *unstructured.Unstructured { return o.(*unstructured.Unstructured) }
