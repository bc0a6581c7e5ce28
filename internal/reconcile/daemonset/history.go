package daemonset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podtemplate"
	"github.com/rowlock/rowlock/internal/reconcile/revision"
)

// hash is the label value that identifies Pods of the current revision.
func (d *daemons) hash() string { return d.current.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] }

// keepHistory finds or creates the revision of the DaemonSet's template, and numbers it as the
// newest. It returns false if it cannot be created now: its name is taken, or the applier admits
// nothing.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, constructHistory
func (d *daemons) keepHistory() bool {
	var current []*appsv1.ControllerRevision
	data := revision.Data(&d.DaemonSet.Spec.Template)
	all := revision.Sorted(d.old)
	d.old = nil
	for _, r := range all {
		if _, labelled := r.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]; !labelled {
			r = edit(d, r)
			metav1.SetMetaDataLabel(&r.ObjectMeta, appsv1.DefaultDaemonSetUniqueLabelKey, r.Name)
		}
		if revision.Holds(r, data) {
			current = append(current, r)
		} else {
			d.old = append(d.old, r)
		}
	}
	number := revision.Next(d.old)
	if len(current) == 0 {
		return d.addRevision(number, data)
	}
	d.current = current[len(current)-1]
	d.unite(current[:len(current)-1])
	if d.current.Revision < number {
		d.current = edit(d, d.current)
		d.current.Revision = number
	}
	return true
}

// addRevision creates the current revision. If another revision has its name, the collision count
// leads to another name, unless that revision holds the same data.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, snapshot
func (d *daemons) addRevision(number int64, data []byte) bool {
	template := &d.DaemonSet.Spec.Template
	hash := podtemplate.Hash(template, d.DaemonSet.Status.CollisionCount)
	made := revision.New(d.by, template, number, appsv1.DefaultDaemonSetUniqueLabelKey, hash)
	same := func(r *appsv1.ControllerRevision) bool { return r.Name == made.Name && r.Namespace == made.Namespace }
	if i := slices.IndexFunc(d.Revisions, same); i >= 0 {
		if _, labelled := d.Revisions[i].Labels[appsv1.DefaultDaemonSetUniqueLabelKey]; labelled && revision.Holds(d.Revisions[i], data) {
			d.current = d.Revisions[i]
			return true
		}
		return d.collide()
	}
	switch r := d.Refused; {
	case r == nil || r.Admitted > 0:
		d.current = made
		d.plan.Creates = append(d.plan.Creates, plan.Create{Object: made})
		return true
	case r.Reason == metav1.StatusReasonAlreadyExists:
		return d.collide()
	}
	return false
}

// collide makes the next plan try another name. It always returns false.
func (d *daemons) collide() bool {
	var count int32
	if d.status.CollisionCount != nil {
		count = *d.status.CollisionCount
	}
	count++
	d.status.CollisionCount = &count
	d.wakeAt(d.Now)
	return false
}

// unite moves the Pods of doubles, which are revisions with the same data as the current one, to
// the current one, and deletes the doubles that have no Pods. The next plan deletes the others, so
// that no Pod names a revision that is gone.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, dedupCurHistories
//
// Differs: upstream also relabels the Pods of older revisions, which would then never be replaced.
func (d *daemons) unite(doubles []*appsv1.ControllerRevision) {
	if len(doubles) == 0 {
		return
	}
	used := map[*appsv1.ControllerRevision]bool{}
	for node, pods := range d.pods {
		for i, p := range pods {
			if p.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] == d.hash() {
				continue
			}
			of := slices.IndexFunc(doubles, ofRevision(p))
			if of < 0 {
				continue
			}
			used[doubles[of]] = true
			d.pods[node][i] = edit(d, p)
			d.pods[node][i].Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = d.hash()
		}
	}
	if len(used) > 0 {
		d.wakeAt(d.Now)
	}
	d.deleteRevisions(slices.DeleteFunc(doubles, func(r *appsv1.ControllerRevision) bool { return used[r] }))
}

// ofRevision returns a function that reports whether the Pod is of a revision.
func ofRevision(p *corev1.Pod) func(*appsv1.ControllerRevision) bool {
	hash := p.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
	return func(r *appsv1.ControllerRevision) bool {
		return hash != "" && r.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] == hash
	}
}

// forgetHistory deletes the oldest revisions beyond the limit that no Pod uses.
//
// Source: kubernetes v1.36 pkg/controller/daemon/update.go, cleanupHistory
func (d *daemons) forgetHistory() {
	limit := 10
	if l := d.DaemonSet.Spec.RevisionHistoryLimit; l != nil {
		limit = int(*l)
	}
	d.deleteRevisions(revision.Truncate(d.old, len(d.old)-limit, func(r *appsv1.ControllerRevision) bool {
		return slices.ContainsFunc(d.held, func(p *corev1.Pod) bool { return ofRevision(p)(r) })
	}))
}

// deleteRevisions deletes the revisions that this plan does not already change; the next plan
// deletes the others.
func (d *daemons) deleteRevisions(revisions []*appsv1.ControllerRevision) {
	for _, r := range revisions {
		switch {
		case r.DeletionTimestamp != nil:
		case d.edited[r.UID]:
			d.wakeAt(d.Now)
		default:
			d.plan.Deletes = append(d.plan.Deletes, plan.Delete{Object: r})
		}
	}
}
