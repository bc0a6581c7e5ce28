package deployment

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// recreate takes one step of replacing all Pods at once. It scales old ReplicaSets to 0 and waits
// until their Pods are gone. Only then is the new ReplicaSet created or scaled up (DEP-085).
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

// leavePause is when to check again for Pods that have finished and will soon be removed. Their
// removal does not wake the Deployment, because no ReplicaSet counts them any more.
const leavePause = time.Second

// oldPods returns run if an old ReplicaSet counts Pods or one of its Pods has not finished, and
// leave if a Pod has finished but its node has yet to remove it.
//
// Source: kubernetes v1.36 pkg/controller/deployment/recreate.go, oldPodsRunning
// Differs: upstream does not wait for the removal of Pods that finished while terminating, and so
// may create new ones an instant before the old ones are gone (DEP-085). A Pod that a finalizer
// holds is not waited for here either.
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
