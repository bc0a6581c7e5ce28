package mirror

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/load"
	"github.com/rowlock/rowlock/internal/object"
)

// Loaded finds, by namespace, the objects that declare a load. An object with a controller has no
// load of its own: a ReplicaSet has its Deployment's annotations, and the load would count twice.
var Loaded = Index{Name: "loaded", Values: func(v *object.Version) []string {
	if !metrics.TakesLoad(v.Type) {
		return nil
	}
	if o := v.Object(); o.GetAnnotations()[load.Annotation] == "" || metav1.GetControllerOfNoCopy(o) != nil {
		return nil
	}
	return []string{v.Namespace}
}}

// PodsOn implements metrics.ByNode.
func (v View) PodsOn(node string) []*object.Version { return v.Find(PodsByNode, node) }

// Loads implements metrics.Loaded: the objects of a namespace that declare a load.
func (v View) Loads(namespace string) []*object.Version { return v.Find(Loaded, namespace) }
