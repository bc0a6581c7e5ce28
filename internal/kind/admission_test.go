package kind_test

import (
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// toyCluster is a kind.Cluster of a few objects, in their order.
type toyCluster []*object.Version

// cluster makes a cluster of objects, and of the PriorityClasses that every cluster has.
func cluster(objects ...object.Object) toyCluster {
	for _, class := range kind.SystemPriorityClasses() {
		objects = append(objects, class)
	}
	var c toyCluster
	for _, o := range objects {
		var of *kind.Kind
		for _, k := range kind.Default().All() {
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

func (c toyCluster) Get(key object.Key) *object.Version {
	for _, v := range c {
		if v.Key() == key {
			return v
		}
	}
	return nil
}

func (c toyCluster) Each(resource, namespace string, f func(*object.Version) bool) {
	for _, v := range c {
		if v.Type.Resource() == resource && (namespace == "" || v.Namespace == namespace) && !f(v) {
			return
		}
	}
}

// refusal is an error's text, "" for none.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
