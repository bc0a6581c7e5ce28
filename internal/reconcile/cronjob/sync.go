package cronjob

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

// component is the controller's name in events.
const component = "cronjob-controller"

const (
	// maxBurst is the maximum number of Jobs that one plan deletes; later plans do the rest.
	maxBurst = 500
	// maxEvents is the maximum number of events of one plan. Only a status or Jobs that a client
	// has forged lead to more.
	maxEvents = 2 * maxBurst
)

// sync is one sync of a CronJob: what is derived from the snapshot, and the plan as it grows.
type sync struct {
	Snapshot
	jobs   []*batchv1.Job // by name
	status batchv1.CronJobStatus
	active map[types.UID]bool // the Jobs of status.active that must stay there
	plan   plan.Plan
	more   bool // more to delete than one plan may
	// needs is the create, counted from 1, that the status depends on; 0 if it depends on none.
	needs int
}

// forget removes from the status the Jobs that must not stay there.
func (y *sync) forget() {
	y.status.Active = slices.DeleteFunc(y.status.Active, func(ref corev1.ObjectReference) bool { return !y.active[ref.UID] })
}

// activate records a running Job.
func (y *sync) activate(j *batchv1.Job) {
	y.active[j.UID] = true
	y.status.Active = append(y.status.Active, corev1.ObjectReference{
		APIVersion: batchv1.SchemeGroupVersion.String(), Kind: "Job", Namespace: j.Namespace, Name: j.Name, UID: j.UID,
	})
}

func (y *sync) event(eventType, reason, message string) {
	if len(y.plan.Events) == maxEvents {
		return
	}
	y.plan.Events = append(y.plan.Events, plan.Event{
		Regarding: y.CronJob, Type: eventType, Reason: reason, Message: message, Component: component,
	})
}

// delete deletes a Job with its Pods and its entry in the status.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, deleteJob
func (y *sync) delete(j *batchv1.Job) {
	if len(y.plan.Deletes) == maxBurst {
		y.more = true
		return
	}
	delete(y.active, j.UID)
	if j.DeletionTimestamp != nil {
		return
	}
	y.plan.Deletes = append(y.plan.Deletes, plan.Delete{Object: j, Propagation: metav1.DeletePropagationBackground})
	told := len(y.plan.Events)
	y.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted job "+j.Name)
	if told < len(y.plan.Events) {
		y.plan.Events[told].OfDelete = len(y.plan.Deletes)
	}
}
