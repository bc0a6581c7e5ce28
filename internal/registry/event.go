package registry

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// NewEvent makes the Event that a plan asks for, under a key: it is about an object of a kind, and
// has been seen once, at now.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/event.go, makeEvent
func NewEvent(e plan.Event, regarding schema.GroupVersionKind, key object.Key, uid types.UID, now time.Time) object.Object {
	at := metav1.Time{Time: now.Truncate(time.Second)}
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace, UID: uid, CreationTimestamp: at},
		InvolvedObject: corev1.ObjectReference{
			Kind: regarding.Kind, APIVersion: regarding.GroupVersion().String(), Namespace: e.Regarding.GetNamespace(), Name: e.Regarding.GetName(),
			UID: e.Regarding.GetUID(), ResourceVersion: e.Regarding.GetResourceVersion(), FieldPath: e.FieldPath,
		},
		Reason: e.Reason, Message: e.Message, Type: e.Type, Count: 1,
		FirstTimestamp: at, LastTimestamp: at,
		Source:              corev1.EventSource{Component: e.Component, Host: e.Host},
		ReportingController: e.Component, ReportingInstance: e.Host,
	}
}

// RepeatEvent returns a copy of a stored Event that has been seen once more, at now.
//
// Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/events_cache.go, eventObserve
func RepeatEvent(last object.Object, now time.Time) object.Object {
	again := last.(*corev1.Event).DeepCopy()
	again.Count++
	again.LastTimestamp = metav1.Time{Time: now.Truncate(time.Second)}
	return again
}
