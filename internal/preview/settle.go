package preview

import (
	"errors"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/namespace"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
	"github.com/rowlock/rowlock/internal/registry"
)

// errUnsettled is a defect: the reconcilers do not converge.
var errUnsettled = errors.New("preview: the deletion does not settle")

// settling is a family while the reconcilers that deletions concern sync its members, one after
// another, and their plans are applied to it, until nothing is left to do. Grace periods and
// quarantines are assumed to have passed.
type settling struct {
	*family
	now     time.Time
	queue   []*member
	queued  map[*member]bool
	deleted []*member // in the order in which their deletions began
}

// settle deletes the root, with the policy, and continues to the end. It is pure except for the
// family, which is its own.
func settle(f *family, policy metav1.DeletionPropagation, now time.Time) (*settling, error) {
	s := &settling{family: f, now: now, queued: map[*member]bool{}}
	s.delete(f.order[0], plan.Delete{Object: f.order[0].object, Propagation: policy})
	// Every requested sync follows a change, and every change removes something.
	for left := 1000 + 100*len(f.order); len(s.queue) > 0; left-- {
		if left == 0 {
			return nil, errUnsettled
		}
		m := s.queue[0]
		s.queue, s.queued[m] = s.queue[1:], false
		if !m.gone {
			s.look(m)
		}
	}
	return s, nil
}

func (s *settling) wake(all ...types.UID) {
	for _, uid := range all {
		if m := s.members[uid]; m != nil && !m.gone && !s.queued[m] {
			s.queued[m], s.queue = true, append(s.queue, m)
		}
	}
}

// delete begins or continues a member's deletion, as the API and the applier do.
func (s *settling) delete(m *member, d plan.Delete) {
	if !m.asked {
		m.asked, s.deleted = true, append(s.deleted, m)
	}
	last := m.object
	if d.As != nil {
		last = d.As
	}
	begun := registry.Delete(m.kind, last, registry.Requested(d), s.now)
	if m.kind.Graceful != nil && begun.Outcome != registry.DeletionDone && !s.unheard(m) { // the kubelet confirms it
		begun = registry.Delete(m.kind, begun.Object, registry.DeleteRequest{GracePeriodSeconds: new(int64)}, s.now)
	}
	if begun.Outcome == registry.DeletionDone {
		s.remove(m)
		return
	}
	s.store(m, begun.Object)
}

// unheard reports whether the end of a Pod is not confirmed, because its node is silent.
func (s *settling) unheard(m *member) bool {
	pod, ok := m.object.(*corev1.Pod)
	return ok && s.silent[pod.Spec.NodeName]
}

// store puts a changed member into the family, or removes it if nothing holds it any more.
func (s *settling) store(m *member, next object.Object) {
	if m.object = next; registry.ReadyToRemove(next) {
		s.remove(m)
		return
	}
	s.wake(m.uid())
	s.wakeAround(m)
}

func (s *settling) remove(m *member) {
	m.gone = true
	s.wake(m.below...)
	s.wakeAround(m)
}

func (s *settling) wakeAround(m *member) {
	for _, ref := range m.refs {
		s.wake(ref.UID)
	}
	s.wake(m.concerns...)
}

// carryOut applies a plan like the applier, and queues the sync that it asks for if it has changed
// anything.
func (s *settling) carryOut(m *member, p plan.Plan) {
	for _, u := range p.Updates {
		s.store(s.members[u.Object.GetUID()], u.Object)
	}
	for _, d := range p.Deletes {
		s.delete(s.members[d.Object.GetUID()], d)
	}
	if !p.WakeAt.IsZero() && len(p.Updates)+len(p.Deletes) > 0 {
		s.wake(m.uid())
	}
}

// look runs all reconcilers on a member that its deletion, or that of related objects, concerns.
func (s *settling) look(m *member) {
	s.carryOut(m, garbagecollector.Reconcile(s.snapshot(m)))
	if m.gone {
		return
	}
	deleting := m.object.GetDeletionTimestamp() != nil
	switch o := m.object.(type) {
	case *corev1.Namespace:
		if deleting {
			s.carryOut(m, namespace.Reconcile(namespace.Survey(o, s.contents(m), s.now)))
		}
	case *corev1.Pod:
		s.syncPod(m, o)
	case *corev1.PersistentVolumeClaim:
		if deleting && !persistentvolume.InUse(o, s.podsOf(o.Namespace+"/"+o.Name)) {
			s.free(m, core.ClaimProtection)
		}
	case *corev1.PersistentVolume:
		s.syncVolume(m, o)
	case *storagev1.VolumeAttributesClass:
		s.carryOut(m, persistentvolume.ReleaseAttributes(o, m.named))
	}
}

// snapshot makes the garbage collector's snapshot of a member: like the worker's, with somewhat
// more than one sync may change.
func (s *settling) snapshot(m *member) garbagecollector.Snapshot {
	out := garbagecollector.Snapshot{Object: m.object, Owners: s.ownersOf(m), Now: s.now}
	judged, left := m.object.GetDeletionTimestamp() != nil, 2*garbagecollector.Burst
	for _, d := range s.dependents(m) {
		switch {
		case !judged || d.object.GetDeletionTimestamp() != nil:
			out.Dependents = append(out.Dependents, garbagecollector.Dependent{Object: d.object})
		case left > 0:
			left--
			below := s.dependents(d)
			out.Dependents = append(out.Dependents, garbagecollector.Dependent{
				Object: d.object, Owners: s.ownersOf(d), HasDependents: len(below) > 0,
				HasDeletingDependents: slices.ContainsFunc(below, func(m *member) bool { return garbagecollector.DeletingDependents(m.object) }),
			})
		default:
			out.More = true
		}
	}
	return out
}

// dependents returns those that now name the member as an owner. Those that no longer do never will
// again.
func (s *settling) dependents(m *member) (all []*member) {
	m.below = slices.DeleteFunc(m.below, func(uid types.UID) bool {
		d := s.members[uid]
		if d.gone || !slices.ContainsFunc(d.object.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.UID == m.uid() }) {
			return true
		}
		all = append(all, d)
		return false
	})
	return all
}

func (s *settling) contents(ns *member) (contents []namespace.Content) {
	ns.inside = slices.DeleteFunc(ns.inside, func(uid types.UID) bool { return s.members[uid].gone })
	for _, uid := range ns.inside {
		m := s.members[uid]
		contents = append(contents, namespace.Content{Resource: m.kind.GroupResource(), Object: m.object})
	}
	return contents
}

// syncPod collects a Pod whose node is gone, and frees a deleted one of its Job's finalizer.
func (s *settling) syncPod(m *member, pod *corev1.Pod) {
	node, bound := s.nodes[pod.Spec.NodeName], pod.Spec.NodeName != ""
	if bound && node != nil && node.gone {
		long := s.now.Add(-time.Hour) // its quarantine is over
		s.carryOut(m, nodelifecycle.CollectOrphan(nodelifecycle.Orphan{Pod: pod, Missing: long, Now: s.now}))
	}
	if m.gone || m.object.GetDeletionTimestamp() == nil || s.unheard(m) && (node == nil || !node.gone) {
		return
	}
	o := job.Orphan{Pod: pod}
	if ref := metav1.GetControllerOfNoCopy(pod); ref != nil {
		o.Job, _ = s.living(ref.UID).(*batchv1.Job)
	}
	if o.Freed() {
		s.free(m, batchv1.JobTrackingFinalizer)
	}
}

// syncVolume applies its policy to a volume whose PersistentVolumeClaim is gone, or releases it.
func (s *settling) syncVolume(m *member, volume *corev1.PersistentVolume) {
	snapshot := persistentvolume.VolumeSnapshot{Volume: volume, Now: s.now}
	if ref := volume.Spec.ClaimRef; ref != nil {
		snapshot.Claim, _ = s.living(ref.UID).(*corev1.PersistentVolumeClaim)
		snapshot.Pods = s.podsOf(ref.Namespace + "/" + ref.Name)
	}
	s.carryOut(m, persistentvolume.ReconcileVolume(snapshot))
}

// free removes a finalizer from a member, if it has it.
func (s *settling) free(m *member, finalizer string) {
	if !slices.Contains(m.object.GetFinalizers(), finalizer) {
		return
	}
	next := m.object.DeepCopyObject().(object.Object)
	next.SetFinalizers(slices.DeleteFunc(next.GetFinalizers(), func(f string) bool { return f == finalizer }))
	s.store(m, next)
}
