package deployment

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// rollout is the state of one call of Reconcile: the objects with their changes, and the plan so
// far.
type rollout struct {
	Snapshot
	by   claim.Claimant
	d    *appsv1.Deployment // with its changes
	new  *replicaSet        // the one with the Deployment's template; nil if none exists
	old  []*replicaSet      // all other ReplicaSets of the Deployment, oldest first
	plan plan.Plan

	// traded says that ReplicaSets grow into the room that others make by shrinking.
	traded bool
}

// replicaSet is one ReplicaSet of the Deployment, with its changes.
type replicaSet struct {
	*appsv1.ReplicaSet

	was     *appsv1.ReplicaSet // as in the snapshot; nil if this plan creates it
	adopted bool

	activePods    int32
	availablePods int32
}

// begin claims the ReplicaSets and separates the new one from the old ones. It returns false for an
// invalid selector, which validation rejects.
//
// Source: kubernetes v1.36 pkg/controller/deployment/deployment_controller.go, getReplicaSetsForDeployment
func begin(s Snapshot) (*rollout, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.Deployment.Spec.Selector)
	if err != nil {
		return nil, false
	}
	r := &rollout{Snapshot: s, d: s.Deployment.DeepCopy(), by: claim.Claimant{
		Owner: s.Deployment, Kind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Selector: selector,
	}}
	claims := claim.Claim(r.by, s.ReplicaSets)
	for _, rs := range claims.Released {
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: rs})
	}
	for _, rs := range claims.Held {
		r.old = append(r.old, &replicaSet{
			ReplicaSet: rs, was: rs, adopted: slices.Contains(claims.Adopted, rs),
			activePods: rs.Status.Replicas, availablePods: rs.Status.AvailableReplicas,
		})
	}
	r.countPods(r.old)
	slices.SortFunc(r.old, byAge)
	// If several have the same template, the oldest is the new one (DEP-020, DEP-033).
	for i, set := range r.old {
		if equalTemplates(&set.Spec.Template, &s.Deployment.Spec.Template) {
			r.new, r.old = set, slices.Delete(r.old, i, i+1)
			break
		}
	}
	return r, true
}

// countPods counts the Pods in the snapshot, if it has any.
//
// Differs: upstream relies on the ReplicaSets' statuses. For a moment these may miss a Pod that has
// just become available, or still count Pods that are gone or are being deleted. A step taken then
// could exceed maxSurge or maxUnavailable. The status is used only for a ReplicaSet that this plan
// adopts, because its Pods need not be in the snapshot.
func (r *rollout) countPods(sets []*replicaSet) {
	if r.Pods == nil && r.Alike == nil {
		return
	}
	byUID := make(map[types.UID]*replicaSet, len(sets))
	for _, set := range sets {
		if !set.adopted {
			set.activePods, set.availablePods = 0, 0
			byUID[set.UID] = set
		}
	}
	count := func(p *corev1.Pod, n int32) {
		ref := metav1.GetControllerOfNoCopy(p)
		if ref == nil || !podstate.Active(p) {
			return
		}
		if set := byUID[ref.UID]; set != nil {
			set.activePods += n
			if podstate.Available(p, set.Spec.MinReadySeconds, r.Now) {
				set.availablePods += n
			}
		}
	}
	for _, p := range r.Pods {
		count(p, 1)
	}
	for _, a := range r.Alike {
		count(a.Pod, a.N)
	}
}

// finish adds the changes to the plan. If room is traded, those that shrink come first, and each
// change of size needs the one before: what is left out of the transaction must not leave the
// Deployment with more than it may have.
func (r *rollout) finish() plan.Plan {
	sets := slices.DeleteFunc(slices.Clone(r.sets()), func(set *replicaSet) bool { return set.was == nil || !set.changed() })
	if r.traded {
		slices.SortStableFunc(sets, func(a, b *replicaSet) int { return cmp.Compare(a.growth(), b.growth()) })
	}
	var before types.UID
	for _, set := range sets {
		if !equality.Semantic.DeepEqual(set.was.Spec, set.Spec) {
			set.Generation = set.was.Generation + 1 // as the API does for a client; the applier does not raise it
		}
		update := plan.Update{Object: set.ReplicaSet}
		if r.traded && set.growth() != 0 {
			update.NeedsUpdate, before = before, set.UID
		}
		r.plan.Updates = append(r.plan.Updates, update)
	}
	was := r.Deployment
	switch {
	case !equality.Semantic.DeepEqual(was.Spec, r.d.Spec):
		r.d.Generation = was.Generation + 1
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: r.d})
	case !equality.Semantic.DeepEqual(was.Status, r.d.Status),
		!equality.Semantic.DeepEqual(was.Annotations, r.d.Annotations):
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: r.d, Subresource: "status"})
	}
	return r.plan
}

// sets are all ReplicaSets of the Deployment: the old ones, oldest first, and the new one.
func (r *rollout) sets() []*replicaSet {
	if r.new == nil {
		return r.old
	}
	return append(slices.Clip(r.old), r.new)
}

// desired is spec.replicas, which defaulting has set.
func desired(d *appsv1.Deployment) int32 {
	if d.Spec.Replicas == nil {
		return 1
	}
	return *d.Spec.Replicas
}

func (r *rollout) desired() int32 { return desired(r.d) }

func (r *rollout) event(eventType, reason, message string) {
	r.plan.Events = append(r.plan.Events, event(r.Deployment, eventType, reason, message))
}

// size is the ReplicaSet's spec.replicas, which defaulting has set.
func size(rs *appsv1.ReplicaSet) int32 {
	if rs.Spec.Replicas == nil {
		return 1
	}
	return *rs.Spec.Replicas
}

func (set *replicaSet) size() int32 { return size(set.ReplicaSet) }

// growth is by how much its size has changed since the snapshot.
func (set *replicaSet) growth() int32 { return set.size() - size(set.was) }

// available is how many available Pods the ReplicaSet can count on, without those that it is about
// to delete.
func (set *replicaSet) available() int32 { return min(set.availablePods, set.size()) }

// reportedAvailable is how many of the available Pods its status reports too: the bound must also
// hold for clients that watch the ReplicaSets.
func (set *replicaSet) reportedAvailable() int32 {
	return min(set.available(), set.Status.AvailableReplicas)
}

// occupied is how many Pods the ReplicaSet has or may get. Pods that it is about to delete still
// count.
func (set *replicaSet) occupied() int32 { return max(set.activePods, set.size()) }

// counted reports whether the ReplicaSet's status reflects its spec including this plan's changes.
func (set *replicaSet) counted() bool {
	return set.was != nil && set.Status.ObservedGeneration >= set.Generation &&
		set.size() == size(set.was) && set.Spec.MinReadySeconds == set.was.Spec.MinReadySeconds
}

// edit is the ReplicaSet to change: a copy, made on the first change.
func (set *replicaSet) edit() *appsv1.ReplicaSet {
	if set.ReplicaSet == set.was {
		set.ReplicaSet = set.was.DeepCopy()
	}
	return set.ReplicaSet
}

// annotate sets an annotation and reports whether that changed anything.
func (set *replicaSet) annotate(key, value string) bool {
	if v, ok := set.Annotations[key]; ok && v == value {
		return false
	}
	metav1.SetMetaDataAnnotation(&set.edit().ObjectMeta, key, value)
	return true
}

func (set *replicaSet) changed() bool { return set.adopted || set.ReplicaSet != set.was }

// active are the ReplicaSets whose size is not 0.
func active(sets []*replicaSet) []*replicaSet {
	var out []*replicaSet
	for _, set := range sets {
		if set.size() > 0 {
			out = append(out, set)
		}
	}
	return out
}

// sizes is the sum of the ReplicaSets' sizes.
func sizes(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.size()
	}
	return n
}

// occupied is the sum of the Pods that the ReplicaSets have or may get.
func occupied(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.occupied()
	}
	return n
}

// byAge puts older ReplicaSets first, those of the same second by name.
func byAge(a, b *replicaSet) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
}
