package job

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// claimant is the claimant of the Job's Pods. It returns false for an invalid selector, which
// validation rejects.
func (s Snapshot) claimant() (claim.Claimant, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.Job.Spec.Selector)
	return claim.Claimant{Owner: s.Job, Kind: batchv1.SchemeGroupVersion.WithKind("Job"), Selector: selector}, err == nil
}

// claim finds the Job's Pods. Adopted Pods get the finalizer, because they must still be counted;
// released Pods lose it.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, getPodsForJob
func (s *syncing) claim() bool {
	by, ok := s.claimant()
	if !ok {
		return false
	}
	claims := claim.Claim(by, s.Pods)
	s.by, s.pods = by, claims.Held
	s.adopted, s.deleted = map[types.UID]bool{}, map[types.UID]int{}
	for _, p := range claims.Adopted {
		if !tracked(p) {
			p.Finalizers = append(p.Finalizers, batchv1.JobTrackingFinalizer)
		}
		s.adopted[p.UID] = true
		s.update(p)
	}
	for _, p := range claims.Released {
		s.update(withoutFinalizer(p))
	}
	return true
}

func (s *syncing) update(p *corev1.Pod) {
	s.plan.Updates = append(s.plan.Updates, plan.Update{Object: p})
}

// withoutFinalizer is a copy, without the finalizer, of a Pod that has been counted or need not be
// counted.
func withoutFinalizer(p *corev1.Pod) *corev1.Pod {
	counted := p.DeepCopy()
	counted.Finalizers = slices.DeleteFunc(counted.Finalizers, func(f string) bool { return f == batchv1.JobTrackingFinalizer })
	return counted
}

// letGo removes the finalizer from the Pods of a finished Job. All of them have been counted, but
// an earlier plan's removals may have been left out.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, handleSingleOrphanPod
func (s Snapshot) letGo() plan.Plan {
	var p plan.Plan
	for _, pod := range s.Pods {
		if tracked(pod) && metav1.IsControlledBy(pod, s.Job) && len(p.Updates) < maxUncounted {
			p.Updates = append(p.Updates, plan.Update{Object: withoutFinalizer(pod)})
		}
	}
	if len(p.Updates) == maxUncounted {
		p.WakeAt = s.Now
	}
	return p
}
