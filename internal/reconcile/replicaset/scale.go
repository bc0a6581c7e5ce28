package replicaset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
)

// scale adds the Pods to create or delete to the plan, with their events. It returns nil unless the
// applier refused.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, manageReplicas
func (s Snapshot) scale(p *plan.Plan, pods podLists, as Identity) *failure {
	switch surplus := int(pods.counts.active) - s.desired(); {
	case surplus < 0:
		return s.create(p, min(-surplus, maxBurst), pods, as)
	case surplus > 0:
		return s.delete(p, min(surplus, maxBurst), pods, as)
	}
	return nil
}

// create plans n new Pods, or as many of them as the applier admitted. A namespace that is being
// terminated refuses everything; this is not a failure and is not reported (RSC-012).
//
// Differs: upstream tries one batch beyond what succeeds and emits an event for each refused Pod;
// here one event stands for all of them.
func (s Snapshot) create(p *plan.Plan, n int, pods podLists, as Identity) *failure {
	var failed *failure
	if r := s.Refused; r != nil {
		n = min(n, r.Admitted)
		if !r.NamespaceTerminating {
			failed = &failure{"FailedCreate", r.Message}
			p.Events = append(p.Events, as.event(corev1.EventTypeWarning, failed.reason, "Error creating: "+r.Message))
		}
	}
	ref := pods.by.Reference()
	for range n {
		p.Creates = append(p.Creates, plan.Create{Object: podtemplate.NewPod(&s.ReplicaSet.Spec.Template, s.ReplicaSet, ref)})
		created := as.event(corev1.EventTypeNormal, "SuccessfulCreate", "Created pod: %s")
		created.MessageOfCreate = len(p.Creates)
		p.Events = append(p.Events, created)
	}
	return failed
}

// delete plans the deletion of the n best victims, or of as many of them as the applier admitted.
//
// Differs: a victim that this plan adopts is deleted by the next plan, which the adoption triggers,
// because a plan holds at most one change per object.
func (s Snapshot) delete(p *plan.Plan, n int, pods podLists, as Identity) *failure {
	var failed *failure
	chosen := victims(pods.active, n, s.NodeRank, s.Now)
	if r := s.Refused; r != nil {
		chosen = chosen[:min(len(chosen), r.Admitted)]
		failed = &failure{"FailedDelete", "unable to delete pods: " + r.Message}
		p.Events = append(p.Events, as.event(corev1.EventTypeWarning, failed.reason, "Error deleting: "+r.Message))
	}
	for _, pod := range chosen {
		if pods.adopted[pod] {
			continue
		}
		p.Deletes = append(p.Deletes, plan.Delete{Object: pod})
		event := as.event(corev1.EventTypeNormal, "SuccessfulDelete", "Deleted pod: "+pod.Name)
		event.OfDelete = len(p.Deletes)
		p.Events = append(p.Events, event)
	}
	return failed
}

// maxBurst is the maximum number of Pods that one plan creates or deletes; later plans do the rest.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, BurstReplicas
const maxBurst = 500
