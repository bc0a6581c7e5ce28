package fieldmanager

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/rowlock/rowlock/internal/object"
)

// ScaleFields returns the managedFields of the Scale of an object of type t with these
// managedFields: who owns its replicas.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/scalehandler.go, ToSubresource
func ScaleFields(t *object.Type, parent []metav1.ManagedFieldsEntry) ([]metav1.ManagedFieldsEntry, error) {
	return scaleHandler(t, parent).ToSubresource()
}

// ScaledFields returns the managedFields of an object of type t, which had those of parent, after
// its Scale got those of scale.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/scalehandler.go, ToParent
func ScaledFields(t *object.Type, parent, scale []metav1.ManagedFieldsEntry) ([]metav1.ManagedFieldsEntry, error) {
	return scaleHandler(t, parent).ToParent(scale)
}

func scaleHandler(t *object.Type, parent []metav1.ManagedFieldsEntry) *managedfields.ScaleHandler {
	gv := t.GroupVersion()
	if t.Custom != nil {
		return managedfields.NewScaleHandler(parent, gv, t.Custom.ReplicasPaths())
	}
	return managedfields.NewScaleHandler(parent, gv, managedfields.ResourcePathMappings{
		gv.String(): fieldpath.MakePathOrDie("spec", "replicas"),
	})
}
