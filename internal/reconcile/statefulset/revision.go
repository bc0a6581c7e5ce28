package statefulset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

// claimRevisions takes the revisions that the StatefulSet holds, and adopts those without a
// controller. Revisions that it does not select are not part of its history, and are not released.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set.go, adoptOrphanRevisions, and
// pkg/controller/history/controller_history.go, ListControllerRevisions
func (s *syncing) claimRevisions() {
	claims := claim.Claim(s.by, s.Revisions)
	for _, r := range claims.Adopted {
		s.change(r)
	}
	s.revisions = revision.Sorted(claims.Held)
}

// resolveRevisions finds or creates the revision that the Pods are updated to, and finds the one
// that they come from. A template that was used before becomes the newest revision again. It
// returns false if no revision can be created now: then this sync ends.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, getStatefulSetRevisions
func (s *syncing) resolveRevisions() bool {
	if c := s.set.Status.CollisionCount; c != nil {
		s.collisions = *c
	}
	template := &s.set.Spec.Template
	data, next := revision.Data(template), revision.Next(s.revisions)
	same := func(r *appsv1.ControllerRevision) bool { return revision.Holds(r, data) }
	last := len(s.revisions) - 1
	switch {
	case last >= 0 && same(s.revisions[last]):
		s.update = s.revisions[last]
	case slices.ContainsFunc(s.revisions, same):
		for _, r := range s.revisions {
			if same(r) {
				s.update = r
			}
		}
		if s.set.DeletionTimestamp == nil {
			s.update = s.edited(s.update).(*appsv1.ControllerRevision)
			s.update.Revision = next
		}
	case last >= 0 && revision.Means(s.revisions[last], template):
		s.update = s.revisions[last]
	default:
		s.update = revision.New(s.by, template, next, revision.HashLabel, revision.Hash(data, s.collisions))
		if s.set.DeletionTimestamp == nil && !s.createRevision() {
			return false
		}
	}
	s.current = s.update
	for _, r := range s.revisions {
		if r.Name == s.set.Status.CurrentRevision && r.Name != s.update.Name {
			s.current = r
		}
	}
	return true
}

// createRevision plans the new revision. It returns false if that was refused. If other data has
// the name, the next sync tries another hash.
//
// Source: kubernetes v1.36 pkg/controller/history/controller_history.go, CreateControllerRevision
func (s *syncing) createRevision() bool {
	if s.create(s.update) {
		return true
	}
	if s.Refused.Reason != metav1.StatusReasonAlreadyExists {
		return false
	}
	set := s.set.DeepCopy()
	collisions := s.collisions + 1
	set.Status.CollisionCount = &collisions
	s.plan.Updates = append(s.plan.Updates, plan.Update{Object: set, Subresource: "status"})
	s.again()
	return false
}

// truncateHistory deletes the oldest revisions beyond the limit. Those that Pods have or will get
// stay.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, truncateHistory
func (s *syncing) truncateHistory() {
	limit := s.set.Spec.RevisionHistoryLimit
	if limit == nil || *limit < 0 {
		return
	}
	used := map[string]bool{s.current.Name: true, s.update.Name: true}
	for _, p := range s.pods {
		used[revisionOf(p)] = true
	}
	live := func(r *appsv1.ControllerRevision) bool { return used[r.Name] }
	past := -int(*limit)
	for _, r := range s.revisions {
		if !live(r) {
			past++
		}
	}
	for _, r := range revision.Truncate(s.revisions, min(past, maxBurst), live) {
		if s.changed[r] {
			continue // adopted in this plan: the next one deletes it
		}
		s.plan.Deletes = append(s.plan.Deletes, plan.Delete{Object: r})
	}
	if past > maxBurst {
		s.again()
	}
}

// revisionOf is the name of the revision that a Pod was made from; empty if it has none.
func revisionOf(p *corev1.Pod) string { return p.Labels[appsv1.StatefulSetRevisionLabel] }
