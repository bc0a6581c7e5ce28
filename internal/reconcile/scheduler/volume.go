package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/core"
	storagekind "github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// volumes is what a Pod's PersistentVolumeClaims require of nodes.
type volumes struct {
	batch   *batch
	problem string                          // why no node fits; empty if there is no such reason
	bound   []*corev1.PersistentVolume      // the claims' volumes
	missing bool                            // the volume of a bound claim is gone
	waiting []*corev1.PersistentVolumeClaim // those whose volume depends on the node, smallest first
	shared  bool                            // another Pod uses a ReadWriteOncePod claim
}

var (
	refusedShared = refusal{reasons: []string{"node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"}}
	refusedZone   = refusal{reasons: []string{"node(s) had no available volume zone"}, final: true}
)

// Why the claims of a Pod keep it from a node. Source: kubernetes v1.36
// pkg/scheduler/framework/plugins/volumebinding/binder.go.
const (
	outOfReach = "node(s) didn't match PersistentVolume's node affinity"
	nothing    = "node(s) didn't find available persistent volumes to bind"
	noRoom     = "node(s) did not have enough free storage"
	volumeGone = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
)

// volumesOf finds the requirements of a Pod's PersistentVolumeClaims; nil if it has none.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/volume_binding.go, PreFilter; volumerestrictions, PreFilter
//
// Differs: Pods of lower priority are not preempted for a ReadWriteOncePod claim.
func (b *batch) volumesOf(pod *corev1.Pod) *volumes {
	if b.storage == nil || !volumestate.UsesClaims(&pod.Spec) {
		return nil
	}
	v := &volumes{batch: b}
	immediate := false
	for _, use := range volumestate.Uses(pod) {
		claim, users := b.storage.Claim(pod.Namespace, use.Claim)
		if v.problem = problemOf(pod, use, claim); v.problem != "" {
			return v
		}
		if slices.Contains(claim.Spec.AccessModes, corev1.ReadWriteOncePod) && b.inUse(pod, use.Claim, users) {
			v.shared = true
		}
		switch class := b.storage.Class(core.ClassOfClaim(claim)); {
		case volumestate.FullyBound(claim):
			if volume := b.storage.Volume(claim.Spec.VolumeName); volume != nil {
				v.bound = append(v.bound, volume)
			} else {
				v.missing = true
			}
		case claim.Spec.VolumeName == "" && class != nil && class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer:
			v.waiting = append(v.waiting, claim)
		default:
			immediate = true
		}
	}
	if immediate {
		v.problem = "pod has unbound immediate PersistentVolumeClaims"
	}
	slices.SortStableFunc(v.waiting, func(a, b *corev1.PersistentVolumeClaim) int {
		size := volumestate.Size(a)
		return cmp.Or(size.Cmp(volumestate.Size(b)), strings.Compare(a.Name, b.Name))
	})
	return v
}

// problemOf says why a claim rules out all nodes for the Pod; empty if it does not.
func problemOf(pod *corev1.Pod, use volumestate.Use, claim *corev1.PersistentVolumeClaim) string {
	switch {
	case claim == nil && use.Ephemeral:
		return fmt.Sprintf("waiting for ephemeral volume controller to create the persistentvolumeclaim %q", use.Claim)
	case claim == nil:
		return fmt.Sprintf("persistentvolumeclaim %q not found", use.Claim)
	case claim.Status.Phase == corev1.ClaimLost:
		return fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q", claim.Name, claim.Spec.VolumeName)
	case claim.DeletionTimestamp != nil:
		return fmt.Sprintf("persistentvolumeclaim %q is being deleted", claim.Name)
	}
	if use.Ephemeral {
		if err := volumestate.MadeFor(pod, claim); err != nil {
			return err.Error()
		}
	}
	return ""
}

// inUse reports whether a claim is used by another Pod on a node or by one that this batch has
// placed.
func (b *batch) inUse(pod *corev1.Pod, claim string, users []*corev1.Pod) bool {
	uses := func(other *corev1.Pod) bool {
		return other.UID != pod.UID && other.Namespace == pod.Namespace &&
			slices.ContainsFunc(volumestate.Uses(other), func(u volumestate.Use) bool { return u.Claim == claim })
	}
	return slices.ContainsFunc(users, func(other *corev1.Pod) bool {
		return other.UID != pod.UID && other.Spec.NodeName != "" && !podstate.Terminal(other)
	}) || slices.ContainsFunc(b.log, func(p placement) bool { return uses(p.pod) })
}

// pairing is a claim and the volume that it gets on a node.
type pairing struct {
	claim  *corev1.PersistentVolumeClaim
	volume *corev1.PersistentVolume
}

// on is what the Pod's waiting claims get on a node: existing volumes or new ones. why says why the
// node does not fit.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/binder.go, FindPodVolumes
func (v *volumes) on(node *corev1.Node) (found []pairing, made []*corev1.PersistentVolumeClaim, why []string) {
	if slices.ContainsFunc(v.bound, func(pv *corev1.PersistentVolume) bool { return !volumestate.OnNode(pv, node.Labels) }) {
		why = append(why, outOfReach)
	}
	if v.missing {
		why = append(why, volumeGone)
	}
	taken := v.batch.taken
	for _, claim := range v.waiting {
		if at := v.batch.selectedNode(claim); at != "" {
			if at != node.Name {
				return nil, nil, append(why, nothing)
			}
			made = append(made, claim)
			continue
		}
		pv := volumestate.Find(volumestate.Search{Claim: claim, Node: node, Delayed: true, Taken: taken}, v.batch.volumesFor(claim))
		if pv == nil {
			made = append(made, claim)
			continue
		}
		found = append(found, pairing{claim, pv})
		if len(v.waiting) > 1 {
			taken = alsoTaken(taken, pv.Name)
		}
	}
	for _, claim := range made {
		class := v.batch.storage.Class(core.ClassOfClaim(claim))
		switch {
		case class == nil || class.Provisioner == storagekind.NoProvisioner || !volumestate.Reaches(class.AllowedTopologies, node.Labels):
			return nil, nil, append(why, nothing)
		case !v.batch.storage.HasRoom(class, claim, node):
			return nil, nil, append(why, noRoom)
		}
	}
	return found, made, why
}

// volumesFor are the volumes for a claim, cached for the batch.
func (b *batch) volumesFor(claim *corev1.PersistentVolumeClaim) []*corev1.PersistentVolume {
	list, known := b.candidates[claim.UID]
	if !known {
		if b.candidates == nil {
			b.candidates = map[types.UID][]*corev1.PersistentVolume{}
		}
		list = b.storage.Volumes(claim)
		b.candidates[claim.UID] = list
	}
	return list
}

func alsoTaken(names map[string]bool, name string) map[string]bool {
	next := map[string]bool{name: true}
	for n := range names {
		next[n] = true
	}
	return next
}

// selectedNode is the node for which a claim's volume must be provisioned; "" if none is chosen
// yet.
func (b *batch) selectedNode(claim *corev1.PersistentVolumeClaim) string {
	return cmp.Or(claim.Annotations[volumestate.SelectedNode], b.chosen[claim.UID])
}

// awaits reports whether the Pod must wait for its volumes before it is bound to a node, and has
// them provisioned or bound for that node. Meanwhile the node is the Pod's nominated node, so that
// its room is reserved.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/binder.go, AssumePodVolumes and bindAPIUpdate;
// pkg/scheduler/schedule_one.go, bindingCycle, for the nomination
func (b *batch) awaits(c *class, pod *corev1.Pod, i int) bool {
	if c.volumes == nil || len(c.volumes.waiting) == 0 {
		return false
	}
	node := b.nodes[i].Object
	found, made, _ := c.volumes.on(node)
	for _, p := range found {
		b.taken = alsoTaken(b.taken, p.volume.Name)
		if claimed := volumestate.Claimed(p.volume, p.claim); claimed != p.volume {
			b.plan.Updates = append(b.plan.Updates, plan.Update{Object: claimed})
		}
	}
	for _, claim := range made {
		if b.selectedNode(claim) != "" {
			continue
		}
		if b.chosen == nil {
			b.chosen = map[types.UID]string{}
		}
		b.chosen[claim.UID] = node.Name
		next := claim.DeepCopy()
		metav1.SetMetaDataAnnotation(&next.ObjectMeta, volumestate.SelectedNode, node.Name)
		b.plan.Updates = append(b.plan.Updates, plan.Update{Object: next})
	}
	b.nominate(&nominee{placed: *newPlaced(pod), node: node.Name, party: c.party}, i)
	if pod.Status.NominatedNodeName != node.Name {
		next := *pod
		next.Status.NominatedNodeName = node.Name
		b.plan.Updates = append(b.plan.Updates, plan.Update{Object: &next, Subresource: "status"})
	}
	return true
}

// zoneLabels are the labels of volumes that their nodes must match, with the newer names of the old
// ones.
var zoneLabels = map[string]string{
	corev1.LabelFailureDomainBetaZone: corev1.LabelTopologyZone, corev1.LabelFailureDomainBetaRegion: corev1.LabelTopologyRegion,
	corev1.LabelTopologyZone: corev1.LabelTopologyZone, corev1.LabelTopologyRegion: corev1.LabelTopologyRegion,
}

// sameZone reports whether a node's labels match the zone labels of a volume. A node without any of
// them matches every volume.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumezone/volume_zone.go, Filter
func sameZone(v *corev1.PersistentVolume, node *corev1.Node) bool {
	placed := false
	for key := range zoneLabels {
		_, has := node.Labels[key]
		placed = placed || has
	}
	if !placed {
		return true
	}
	for key, newer := range zoneLabels {
		zones, has := v.Labels[key]
		if !has {
			continue
		}
		at, labelled := node.Labels[key]
		if !labelled {
			at, labelled = node.Labels[newer]
		}
		if !labelled || !slices.Contains(strings.Split(zones, "__"), at) {
			return false
		}
	}
	return true
}
