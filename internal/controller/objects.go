package controller

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// orphans returns the objects without a controller that a selector may select in a namespace: those
// with the rarest of the labels that it requires, or all if it requires none.
func orphans[T object.Object](v mirror.View, index mirror.Index, namespace string, selector *metav1.LabelSelector) []T {
	in, fewest := namespace, v.EachIn(index, namespace, nil)
	if selector != nil {
		for key, value := range selector.MatchLabels {
			label := mirror.Label(namespace, key, value)
			if n := v.EachIn(index, label, nil); n < fewest || n == fewest && label < in {
				in, fewest = label, n
			}
		}
	}
	return typed[T](v, index, in)
}

// typed returns the decoded objects of one type that an index has under a value; an owner may own
// others too.
func typed[T object.Object](v mirror.View, index mirror.Index, value string) []T {
	out := make([]T, 0, v.EachIn(index, value, nil))
	v.EachIn(index, value, func(version *object.Version) {
		if o, ok := version.Object().(T); ok {
			out = append(out, o)
		}
	})
	return out
}

// decoded returns the objects of those versions that have one type.
func decoded[T object.Object](versions []*object.Version) []T {
	out := make([]T, len(versions))
	for i, v := range versions {
		out[i] = v.Object().(T)
	}
	return out
}

// byName returns a cluster-scoped object by its name; nil if there is none.
func byName[T object.Object](v mirror.View, k *kind.Kind, name string) (none T) {
	if name == "" {
		return none
	}
	o := v.Get(object.Key{Resource: k.Resource(), Name: name})
	if o == nil {
		return none
	}
	return o.Object().(T)
}

// named returns the objects with those names that exist.
func named[T object.Object](v mirror.View, resource, namespace string, names []string) map[string]T {
	found := make(map[string]T, len(names))
	for _, name := range names {
		if o := v.Get(object.Key{Resource: resource, Namespace: namespace, Name: name}); o != nil {
			found[name] = o.Object().(T)
		}
	}
	return found
}

// listed returns all objects of a resource in a namespace, or in all.
func listed[T object.Object](v mirror.View, resource, namespace string) []T {
	var list []T
	v.Each(resource, namespace, func(o *object.Version) bool {
		list = append(list, o.Object().(T))
		return true
	})
	return list
}
