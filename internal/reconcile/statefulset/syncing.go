package statefulset

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	component = "statefulset-controller"

	// maxBurst is the maximum number of objects that one plan creates, and of Pods that it deletes;
	// later plans do the rest.
	//
	// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, MaxBatchSize
	maxBurst = 500
)

var (
	setKind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")
	podKind = corev1.SchemeGroupVersion.WithKind("Pod")
)

// syncing is the state of one sync of a StatefulSet: the objects with their changes, and the plan so
// far.
type syncing struct {
	Snapshot
	set  *appsv1.StatefulSet
	by   claim.Claimant
	plan plan.Plan

	revisions       []*appsv1.ControllerRevision // held, oldest first
	current, update *appsv1.ControllerRevision
	collisions      int32

	pods      []*corev1.Pod       // held, with a name of this StatefulSet
	replicas  map[int]*corev1.Pod // by index; there may be fewer than desired
	condemned []*corev1.Pod       // those with ordinals outside the range, highest first

	// changed are the changed copies in the plan's updates and the Pods in its deletes, because a
	// plan changes an object at most once. owned are the changed copies of PersistentVolumeClaims
	// by name.
	changed map[object.Object]bool
	owned   map[string]*corev1.PersistentVolumeClaim
	// updating is how many Pods of the current revision are deleted in order to be updated.
	updating int32
	// refused is true once the applier has refused a creation: nothing more is created.
	refused bool
}

// newSyncing returns false if the selector is invalid, which validation rejects.
func newSyncing(s Snapshot) (*syncing, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.StatefulSet.Spec.Selector)
	return &syncing{
		Snapshot: s, set: s.StatefulSet, by: claim.Claimant{Owner: s.StatefulSet, Kind: setKind, Selector: selector},
		changed: map[object.Object]bool{}, owned: map[string]*corev1.PersistentVolumeClaim{},
	}, err == nil
}

// change adds an update of a changed copy (its main resource) to the plan, unless the plan already
// has it.
func (s *syncing) change(o object.Object) {
	if !s.changed[o] {
		s.changed[o] = true
		s.plan.Updates = append(s.plan.Updates, plan.Update{Object: o})
	}
}

// edited is a copy of an object that the plan changes, or the object itself if it already is such a
// copy.
func (s *syncing) edited(o object.Object) object.Object {
	if s.changed[o] {
		return o
	}
	edited := o.DeepCopyObject().(object.Object)
	s.change(edited)
	return edited
}

// remove plans the deletion of a Pod, unless it is already being deleted. It returns false if that
// must wait for another plan.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_pod_control.go, DeleteStatefulPod
func (s *syncing) remove(p *corev1.Pod) bool {
	if p.DeletionTimestamp != nil || s.changed[p] { // a change to the Pod causes another sync
		return false
	}
	if len(s.plan.Deletes) >= maxBurst {
		s.again()
		return false
	}
	s.changed[p] = true
	s.plan.Deletes = append(s.plan.Deletes, plan.Delete{Object: p})
	s.event(corev1.EventTypeNormal, "SuccessfulDelete", fmt.Sprintf("Delete Pod %s in StatefulSet %s successful", p.Name, s.set.Name))
	s.plan.Events[len(s.plan.Events)-1].OfDelete = len(s.plan.Deletes)
	return true
}

// create plans a creation. It returns false if the applier refused this one: then nothing more is
// created.
func (s *syncing) create(o object.Object) bool {
	if s.refused || s.Refused != nil && len(s.plan.Creates) >= s.Refused.Admitted {
		s.refused = true
		return false
	}
	s.plan.Creates = append(s.plan.Creates, plan.Create{Object: o})
	return true
}

// created emits the event of the last creation; message has the verb %s for its name.
func (s *syncing) created(message string) {
	s.event(corev1.EventTypeNormal, "SuccessfulCreate", message)
	s.plan.Events[len(s.plan.Events)-1].MessageOfCreate = len(s.plan.Creates)
}

// failed emits the event of a failure. It emits nothing in a namespace that is being terminated.
func (s *syncing) failed(reason, message string) {
	if s.Refused == nil || !s.Refused.NamespaceTerminating {
		s.event(corev1.EventTypeWarning, reason, message)
	}
}

func (s *syncing) event(eventType, reason, message string) {
	s.plan.Events = append(s.plan.Events, plan.Event{
		Regarding: s.set, Type: eventType, Reason: reason, Message: message, Component: component,
	})
}

// again schedules another sync at once.
func (s *syncing) again() { s.plan.WakeAt = s.Now }

func (s *syncing) ordered() bool {
	return s.set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
}

func (s *syncing) available(p *corev1.Pod) bool {
	return podstate.Available(p, s.set.Spec.MinReadySeconds, s.Now)
}

// unavailable reports whether a Pod is not available or is being deleted.
func (s *syncing) unavailable(p *corev1.Pod) bool {
	return !s.available(p) || p.DeletionTimestamp != nil
}

// runningAndReady reports whether a Pod runs and is ready.
func runningAndReady(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && podstate.Ready(p)
}
