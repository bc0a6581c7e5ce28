// Package ephemeralvolume creates the PersistentVolumeClaims of a Pod's ephemeral volumes, which
// are deleted with the Pod.
//
// A Pod must be synced when it is created, and when one of its PersistentVolumeClaims is gone.
//
// Source: kubernetes v1.36 pkg/controller/volume/ephemeral/controller.go
package ephemeralvolume

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Snapshot is a Pod with the PersistentVolumeClaims that have the names of its ephemeral volumes.
// It is not modified.
type Snapshot struct {
	Pod     *corev1.Pod
	Claims  map[string]*corev1.PersistentVolumeClaim
	Refused *plan.Refusal
	// Memory is the last problem that was reported.
	Memory []byte
}

// Reconcile creates the missing PersistentVolumeClaims. If one with the name exists that was not
// made for the Pod, it reports that once.
func Reconcile(s Snapshot) (p plan.Plan) {
	if s.Pod.DeletionTimestamp != nil || podstate.Terminal(s.Pod) {
		return p
	}
	for i := range s.Pod.Spec.Volumes {
		v := &s.Pod.Spec.Volumes[i]
		if v.Ephemeral == nil || v.Ephemeral.VolumeClaimTemplate == nil {
			continue
		}
		name := s.Pod.Name + "-" + v.Name
		claim := s.Claims[name]
		var err error
		switch {
		case claim != nil:
			err = volumestate.MadeFor(s.Pod, claim)
		case s.Refused != nil:
			err = fmt.Errorf("create PVC %s: %s", name, s.Refused.Message)
		default:
			p.Creates = append(p.Creates, plan.Create{Object: claimOf(s.Pod, name, v.Ephemeral.VolumeClaimTemplate)})
		}
		if err == nil {
			continue
		}
		if reason := fmt.Sprintf("ephemeral volume %s: %v", v.Name, err); reason != string(s.Memory) {
			p.Memory = []byte(reason)
			p.Events = append(p.Events, plan.Event{
				Regarding: s.Pod, Type: corev1.EventTypeWarning, Reason: "FailedBinding", Message: reason, Component: "ephemeral_volume",
			})
		}
		return p
	}
	return p
}

func claimOf(pod *corev1.Pod, name string, t *corev1.PersistentVolumeClaimTemplate) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pod.Namespace, Name: name, Labels: maps.Clone(t.Labels), Annotations: maps.Clone(t.Annotations),
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID, Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Spec: *t.Spec.DeepCopy(),
	}
}
