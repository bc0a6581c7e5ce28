// Package daemonset holds the decisions of the DaemonSet controller: it keeps one Pod on every
// eligible node, replaces Pods when their template changes, and keeps the history of templates in
// ControllerRevisions.
//
// The scheduler binds the Pods. Each is made for one node, which its required node affinity names,
// so the target of a Pod without a node is known.
//
// Reconcile sees everything relevant in one snapshot, and its plan is applied in one transaction
// under the DaemonSet's row lock. So upstream's expectations are not needed: no Pod is ever created
// or deleted twice.
//
// Differs: upstream creates in batches of 1, 2, 4, … so that few requests hit an exhausted quota.
// Here all creates of a plan are one transaction, and the applier counts how many are admitted; see
// plan.Refusal.
package daemonset

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Reconcile returns the changes that make the DaemonSet match its spec. It is pure and safe for
// concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, syncDaemonSet
func Reconcile(s Snapshot) plan.Plan {
	d, ok := begin(s)
	if !ok {
		return plan.Plan{}
	}
	if d.keepHistory() {
		d.manage()
		if !d.managed && s.DaemonSet.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
			d.update()
		}
		d.tellRefusal()
		d.forgetHistory()
		d.count()
	}
	return d.finish()
}

// begin claims Pods and revisions. It returns false if there is nothing to do: the DaemonSet is
// being deleted, or has an invalid selector, which validation rejects.
func begin(s Snapshot) (*daemons, bool) {
	ds := s.DaemonSet
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil || ds.DeletionTimestamp != nil {
		return nil, false
	}
	d := &daemons{
		Snapshot: s, status: *ds.Status.DeepCopy(), edited: map[types.UID]bool{},
		by:      claim.Claimant{Owner: ds, Kind: appsv1.SchemeGroupVersion.WithKind("DaemonSet"), Selector: selector},
		fits:    make(map[string]fit, len(s.Nodes)),
		pods:    map[string][]*corev1.Pod{},
		retries: recall(s.Memory, ds.Status.ObservedGeneration),
	}
	place := placementOf(ds)
	for _, n := range s.Nodes {
		d.fits[n.Name] = place.judge(n)
	}
	d.claimPods()
	claims := claim.Claim(d.by, s.Revisions)
	for _, r := range append(claims.Adopted, claims.Released...) {
		d.plan.Updates = append(d.plan.Updates, plan.Update{Object: r})
		d.edited[r.UID] = true
	}
	d.old, d.claimed = claims.Held, len(d.plan.Updates)
	return d, true
}

// claimPods groups the Pods by node. It skips Pods that have ended and are being deleted: the
// DaemonSet does not wait for them.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, getNodesToDaemonPods
func (d *daemons) claimPods() {
	claims := claim.Claim(d.by, d.Pods)
	for _, p := range append(claims.Adopted, claims.Released...) {
		d.plan.Updates = append(d.plan.Updates, plan.Update{Object: p})
		d.edited[p.UID] = true
	}
	d.held = claims.Held
	for _, p := range d.held {
		if node := podstate.TargetNode(p); node != "" && (p.DeletionTimestamp == nil || !podstate.Terminal(p)) {
			d.pods[node] = append(d.pods[node], p)
		}
	}
	for _, pods := range d.pods {
		slices.SortFunc(pods, compare)
	}
}

// compare orders the Pods of a node: those bound to it first, then the oldest.
//
// Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, podByCreationTimestampAndPhase
func compare(a, b *corev1.Pod) int {
	if (a.Spec.NodeName == "") != (b.Spec.NodeName == "") {
		if a.Spec.NodeName == "" {
			return 1
		}
		return -1
	}
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}

// finish completes the plan: with the status, if it has changed, and the memory.
func (d *daemons) finish() plan.Plan {
	if !equality.Semantic.DeepEqual(d.DaemonSet.Status, d.status) {
		ds := d.DaemonSet.DeepCopy()
		ds.Status = d.status
		d.plan.Updates = append(d.plan.Updates, plan.Update{Object: ds, Subresource: "status"})
	}
	d.plan.ClaimFirst(d.claimed)
	d.plan.Memory = d.retries.remember(d.Memory)
	return d.plan
}
