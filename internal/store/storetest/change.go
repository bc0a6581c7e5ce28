package storetest

import (
	"github.com/google/uuid"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// TypeOf returns the type of a built-in resource.
func TypeOf(resource string) *object.Type { return &builtin.Catalogue().ByResource(resource).Type }

// Create creates an object of a resource, with a new uid.
func Create(resource string, o object.Object) store.Change {
	o.SetUID(NewUID())
	return store.Change{Verb: object.Created, Type: TypeOf(resource), New: o, Writer: "test"}
}

// NewUID draws a uid.
func NewUID() types.UID { return types.UID(uuid.Must(uuid.NewV7()).String()) }

// ConfigMap makes a ConfigMap in the namespace "default".
func ConfigMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

// CreateConfigMap creates a ConfigMap.
func CreateConfigMap(name string) store.Change { return Create("configmaps", ConfigMap(name)) }

// CreatePod creates a Pod without a controller, with the label app.
func CreatePod(name, app string) store.Change {
	return Create("pods", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": app}}})
}

// CreateReplicaSet creates a ReplicaSet that selects the label app.
func CreateReplicaSet(name, app string) store.Change {
	return Create("replicasets.apps", &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
	})
}

// Update changes a ConfigMap's data.
func Update(old *object.Version, value string) store.Change {
	cm := old.Object().DeepCopyObject().(*corev1.ConfigMap)
	cm.Data = map[string]string{"value": value}
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: cm, Writer: "test"}
}

// Touch changes an annotation of any object.
func Touch(old *object.Version, value string) store.Change {
	o := old.Object().DeepCopyObject().(object.Object)
	o.SetAnnotations(map[string]string{"value": value})
	return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: o, Writer: "test"}
}

// Remove deletes an object.
func Remove(old *object.Version) store.Change {
	return store.Change{Verb: object.Deleted, Type: old.Type, Old: old, Writer: "test"}
}
