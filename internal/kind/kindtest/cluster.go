package kindtest

import (
	"reflect"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
	"github.com/rowlock/rowlock/internal/object"
)

// ToyCluster implements kind.Cluster for a few objects, in their order.
type ToyCluster []*object.Version

// Cluster returns a cluster of objects, with the PriorityClasses that every cluster has.
func Cluster(objects ...object.Object) ToyCluster {
	for _, class := range scheduling.SystemPriorityClasses() {
		objects = append(objects, class)
	}
	var c ToyCluster
	for _, o := range objects {
		var of *kind.Kind
		for _, k := range builtin.Catalogue().All() {
			if k.Stored == nil && typeOf(k.New()) == typeOf(o) {
				of = k
			}
		}
		body, err := object.Encode(&of.Type, o)
		if err != nil {
			panic(err)
		}
		v := &object.Version{Type: &of.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), Revision: 1}
		v.SetBody(body)
		c = append(c, v)
	}
	return c
}

// Get implements kind.Cluster.
func (c ToyCluster) Get(key object.Key) *object.Version {
	for _, v := range c {
		if v.Key() == key {
			return v
		}
	}
	return nil
}

// Each implements kind.Cluster.
func (c ToyCluster) Each(resource, namespace string, f func(*object.Version) bool) {
	for _, v := range c {
		if v.Type.Resource() == resource && (namespace == "" || v.Namespace == namespace) && !f(v) {
			return
		}
	}
}

func typeOf(o object.Object) reflect.Type { return reflect.TypeOf(o) }
