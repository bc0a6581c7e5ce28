package deployment

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// recreate takes one step of replacing all Pods at once: old ReplicaSets go to 0, their Pods are waited for, and only
// then does the new ReplicaSet get its size, or come into being (DEP-085).
//
// Source: kubernetes v1.36 pkg/controller/deployment/recreate.go, rolloutRecreate
func (r *rollout) recreate() {
	old := active(r.old)
	for _, set := range old {
		r.resize(set, 0)
	}
	run, leave := r.oldPods()
	if len(old) > 0 || run || leave {
		r.writeProgress()
		if leave && !run {
			r.plan.WakeAt = r.Now.Add(leavePause)
		}
		return
	}
	if !r.ensureNew() {
		return
	}
	r.resize(r.new, r.desired())
	r.writeProgress()
	if r.complete(r.d.Status) {
		r.cleanup()
	}
}

// leavePause is when to look again for Pods that have finished and are about to be removed: nobody tells the Deployment when
// they are, as no ReplicaSet counts them any more.
const leavePause = time.Second

// oldPods says whether an old ReplicaSet counts Pods, or a Pod of one has not finished yet; and whether one has finished
// but is still to be removed by its node.
//
// Source: kubernetes v1.36 pkg/controller/deployment/recreate.go, oldPodsRunning
// Differs: upstream does not wait for the removal of Pods that have finished on their way out, and so may create new ones
// an instant before the old ones are gone (DEP-085). One that a finalizer holds is not waited for here either.
func (r *rollout) oldPods() (run, leave bool) {
	old := make(map[types.UID]bool, len(r.old))
	for _, set := range r.old {
		if set.Status.Replicas > 0 {
			return true, false
		}
		old[set.UID] = true
	}
	for _, p := range r.Pods {
		ref := metav1.GetControllerOfNoCopy(p)
		switch {
		case ref == nil || !old[ref.UID]:
		case !podstate.Terminal(p):
			return true, false
		case p.DeletionTimestamp != nil && len(p.Finalizers) == 0:
			leave = true
		}
	}
	return false, leave
}
