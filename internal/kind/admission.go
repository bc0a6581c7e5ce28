package kind

import (
	"github.com/rowlock/rowlock/internal/object"
)

// Cluster is what admission sees of other objects: the newest that are known. A mirror.View is one.
type Cluster interface {
	// Get returns an object, nil if there is none.
	Get(key object.Key) *object.Version
	// Each calls f with the objects of a resource, by namespace and name, until f returns false; namespace "" means all.
	Each(resource, namespace string, f func(*object.Version) bool)
}

// found returns an object of a resource, and false if there is none.
func found[T object.Object](c Cluster, resource, namespace, name string) (o T, ok bool) {
	v := c.Get(object.Key{Resource: resource, Namespace: namespace, Name: name})
	if v == nil {
		return o, false
	}
	o, ok = v.Object().(T)
	return o, ok
}
