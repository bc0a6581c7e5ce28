package gather

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// Orphans returns the objects without a controller that a selector may select in a namespace: those
// with the rarest of the labels that it requires, or all if it requires none.
func Orphans[T object.Object](v mirror.View, index mirror.Index, namespace string, selector *metav1.LabelSelector) []T {
	in, fewest := namespace, v.EachIn(index, namespace, nil)
	if selector != nil {
		for key, value := range selector.MatchLabels {
			label := mirror.Label(namespace, key, value)
			if n := v.EachIn(index, label, nil); n < fewest || n == fewest && label < in {
				in, fewest = label, n
			}
		}
	}
	return Typed[T](v, index, in)
}

// Typed returns the decoded objects of one type that an index has under a value; an owner may own
// others too.
func Typed[T object.Object](v mirror.View, index mirror.Index, value string) []T {
	out := make([]T, 0, v.EachIn(index, value, nil))
	v.EachIn(index, value, func(version *object.Version) {
		if o, ok := version.Object().(T); ok {
			out = append(out, o)
		}
	})
	return out
}

// Decoded returns the objects of those versions that have one type.
func Decoded[T object.Object](versions []*object.Version) []T {
	out := make([]T, len(versions))
	for i, v := range versions {
		out[i] = v.Object().(T)
	}
	return out
}

// ByName looks up a cluster-scoped object, and returns nil if it does not exist.
func ByName[T object.Object](v mirror.View, k *kind.Kind, name string) T {
	return One[T](v, object.Key{Resource: k.Resource(), Name: name})
}

// Named returns the objects with those names that exist.
func Named[T object.Object](v mirror.View, resource, namespace string, names []string) map[string]T {
	found := make(map[string]T, len(names))
	for _, name := range names {
		if o := v.Get(object.Key{Resource: resource, Namespace: namespace, Name: name}); o != nil {
			found[name] = o.Object().(T)
		}
	}
	return found
}

// Listed returns all objects of a resource in a namespace, or in all.
func Listed[T object.Object](v mirror.View, resource, namespace string) []T {
	var list []T
	v.Each(resource, namespace, func(o *object.Version) bool {
		list = append(list, o.Object().(T))
		return true
	})
	return list
}

// One looks up an object, and returns nil if it does not exist.
func One[T object.Object](v mirror.View, k object.Key) (found T) {
	if o := v.Get(k); o != nil {
		found = o.Object().(T)
	}
	return found
}

// PlaceOf returns a version that stands for the place of a key, nil for the zero key.
func PlaceOf(key object.Key) *object.Version {
	if key == (object.Key{}) {
		return nil
	}
	return &object.Version{Namespace: key.Namespace, Name: key.Name}
}
