package deployment

import (
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
	if len(old) > 0 || r.oldPodsRun() {
		r.writeProgress()
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

// oldPodsRun says whether an old ReplicaSet counts Pods, or a Pod of one has not finished yet.
//
// Source: kubernetes v1.36 pkg/controller/deployment/recreate.go, oldPodsRunning
func (r *rollout) oldPodsRun() bool {
	old := make(map[types.UID]bool, len(r.old))
	for _, set := range r.old {
		if set.Status.Replicas > 0 {
			return true
		}
		old[set.UID] = true
	}
	for _, p := range r.Pods {
		ref := metav1.GetControllerOfNoCopy(p)
		if ref != nil && old[ref.UID] && !podstate.Terminal(p) {
			return true
		}
	}
	return false
}
