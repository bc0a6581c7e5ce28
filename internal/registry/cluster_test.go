package registry_test

import (
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// cluster holds the namespaces that a write sees, and records its calls.
type cluster struct {
	namespaces  map[string]*corev1.Namespace
	unreachable bool // consistent reads fail
	late        bool // its namespaces are unknown until a consistent read
	trace       *[]string
}

func (c *cluster) note(what string) {
	if c.trace != nil {
		*c.trace = append(*c.trace, what)
	}
}

func (c *cluster) Get(key object.Key) *object.Version {
	ns := c.namespaces[key.Name]
	if ns == nil || c.late {
		return nil
	}
	body, err := object.Encode(&core.Namespace.Type, ns.DeepCopy()) // tests share it, and Encode sets its kind
	if err != nil {
		panic(err)
	}
	v := &object.Version{Type: &core.Namespace.Type, Name: ns.Name, UID: ns.UID, Revision: 1}
	v.SetBody(body)
	return v
}

func (c *cluster) Fresh() error {
	c.note("wait")
	c.late = false
	if c.unreachable {
		return errors.New("unreachable")
	}
	return nil
}

func (c *cluster) Read(f func(kind.Cluster)) {
	c.note("read")
	f(nothing{})
}

// nothing is a cluster without objects.
type nothing struct{}

func (nothing) Get(object.Key) *object.Version { return nil }

func (nothing) Each(string, string, func(*object.Version) bool) {}

// active makes a cluster with these namespaces.
func active(names ...string) *cluster {
	c := &cluster{namespaces: map[string]*corev1.Namespace{}}
	for _, name := range names {
		c.namespaces[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	return c
}

func configMap(name, rev string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: rev}}
}

// said returns an error with its type, without the package's name.
func said(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprintf("%T: %v", err, err), "*registry.")
}
