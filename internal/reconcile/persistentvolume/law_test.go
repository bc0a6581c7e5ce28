package persistentvolume_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/persistentvolume"
)

// store is claims and volumes, to which plans are applied whole.
type store struct {
	t       *rapid.T
	claims  map[types.UID]*corev1.PersistentVolumeClaim
	volumes map[types.UID]*corev1.PersistentVolume
	told    map[types.UID][]byte
}

func ordered[T any](m map[types.UID]T) []types.UID { return slices.Sorted(maps.Keys(m)) }

// lookAtClaim reconciles a claim, and reports whether there was anything to do.
func (s *store) lookAtClaim(uid types.UID) bool {
	claim := s.claims[uid]
	snapshot := persistentvolume.ClaimSnapshot{Claim: claim, Memory: s.told[uid], Now: now}
	if core.ClassOfClaim(claim) == "fast" {
		snapshot.Class = newClass("rowlock.io/emulated", storagev1.VolumeBindingImmediate)
	}
	for _, id := range ordered(s.volumes) {
		v := s.volumes[id]
		if ref := v.Spec.ClaimRef; v.Name == claim.Spec.VolumeName {
			snapshot.Volume = v
		} else if ref == nil && core.ClassOfVolume(v) == core.ClassOfClaim(claim) || ref != nil && ref.Name == claim.Name {
			snapshot.Volumes = append(snapshot.Volumes, v)
		}
	}
	p := laws.Check(s.t, persistentvolume.ReconcileClaim, snapshot)
	if claim.DeletionTimestamp != nil && len(p.Creates) > 0 {
		s.t.Fatalf("a claim that is being deleted gets a volume:\n%s", p)
	}
	return s.apply(uid, p)
}

func (s *store) lookAtVolume(uid types.UID) bool {
	snapshot := persistentvolume.VolumeSnapshot{Volume: s.volumes[uid], Now: now}
	for _, claim := range s.claims {
		if ref := snapshot.Volume.Spec.ClaimRef; ref != nil && ref.Name == claim.Name {
			snapshot.Claim = claim
		}
	}
	p := laws.Check(s.t, persistentvolume.ReconcileVolume, snapshot)
	return s.apply(uid, p)
}

func (s *store) apply(self types.UID, p plan.Plan) bool {
	if p.Memory != nil {
		s.told[self] = p.Memory
	}
	for _, c := range p.Creates {
		v := c.Object.(*corev1.PersistentVolume).DeepCopy()
		v.UID = types.UID("uid-" + v.Name)
		s.put(v)
	}
	for _, u := range p.Updates {
		s.put(u.Object)
	}
	for _, d := range p.Deletes {
		delete(s.volumes, d.Object.GetUID())
	}
	s.judge()
	return !p.Empty()
}

func (s *store) put(o metav1.Object) {
	gone := o.GetDeletionTimestamp() != nil && len(o.GetFinalizers()) == 0
	switch o := o.(type) {
	case *corev1.PersistentVolumeClaim:
		if s.claims[o.UID] = o; gone {
			delete(s.claims, o.UID)
		}
	case *corev1.PersistentVolume:
		if s.volumes[o.UID] = o; gone {
			delete(s.volumes, o.UID)
		}
	}
}

// judge is what holds at every step: no volume has two claims, and each claim's volume is its own.
func (s *store) judge() {
	owner := map[string]string{}
	for _, claim := range s.claims {
		if claim.Status.Phase != corev1.ClaimBound {
			continue
		}
		if other := owner[claim.Spec.VolumeName]; other != "" {
			s.t.Fatalf("%s is bound to %s and to %s", claim.Spec.VolumeName, other, claim.Name)
		}
		owner[claim.Spec.VolumeName] = claim.Name
		for _, v := range s.volumes {
			if v.Name == claim.Spec.VolumeName && (v.Spec.ClaimRef == nil || v.Spec.ClaimRef.UID != claim.UID) {
				s.t.Fatalf("%s is bound to %s, which is not its", claim.Name, v.Name)
			}
		}
	}
}

// TestLaws_Volumes: in whatever order claims and volumes are synced while they are deleted at
// random, no claim gets another's volume, everything settles, and nothing that was deleted and is
// not in use stays.
func TestLaws_Volumes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &store{t: t, claims: map[types.UID]*corev1.PersistentVolumeClaim{}, volumes: map[types.UID]*corev1.PersistentVolume{}, told: map[types.UID][]byte{}}
		amount := rapid.SampledFrom([]string{"1Gi", "2Gi", "3Gi"})
		for i := range rapid.IntRange(0, 4).Draw(t, "volumes") {
			s.put(newVolume(fmt.Sprint("v", i), of(amount.Draw(t, "capacity")), func(v *corev1.PersistentVolume) {
				v.Spec.PersistentVolumeReclaimPolicy = rapid.SampledFrom([]corev1.PersistentVolumeReclaimPolicy{"Retain", "Recycle", "Delete"}).Draw(t, "policy")
			}))
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "claims") {
			s.put(newClaim(fmt.Sprint("c", i), naming(rapid.SampledFrom([]string{"", "", "v0", "v1"}).Draw(t, "volume")),
				ofClass(new(rapid.SampledFrom([]string{"manual", "manual", "fast", ""}).Draw(t, "class"))), func(c *corev1.PersistentVolumeClaim) {
					c.Spec.Resources.Requests = size(amount.Draw(t, "size"))
				}))
		}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			claims, volumes := ordered(s.claims), ordered(s.volumes)
			at := rapid.IntRange(0, len(claims)+len(volumes)).Draw(t, "which")
			remove := rapid.IntRange(0, 9).Draw(t, "remove") == 0
			switch {
			case at < len(claims) && remove:
				next := s.claims[claims[at]].DeepCopy()
				next.DeletionTimestamp = &metav1.Time{Time: now}
				s.put(next)
			case at < len(claims):
				s.lookAtClaim(claims[at])
			case at < len(claims)+len(volumes) && remove:
				next := s.volumes[volumes[at-len(claims)]].DeepCopy()
				next.DeletionTimestamp = &metav1.Time{Time: now}
				s.put(next)
			case at < len(claims)+len(volumes):
				s.lookAtVolume(volumes[at-len(claims)])
			}
		}
		s.settle()
		for _, claim := range s.claims {
			if claim.DeletionTimestamp != nil {
				t.Fatalf("%s is deleted and stays", claim.Name)
			}
		}
		for _, v := range s.volumes {
			if v.DeletionTimestamp != nil && v.Status.Phase != corev1.VolumeBound {
				t.Fatalf("%s is deleted and stays", v.Name)
			}
		}
	})
}

func (s *store) settle() {
	for range 50 {
		busy := false
		for _, uid := range ordered(s.claims) {
			busy = s.lookAtClaim(uid) || busy
		}
		for _, uid := range ordered(s.volumes) {
			busy = s.lookAtVolume(uid) || busy
		}
		if !busy {
			return
		}
	}
	s.t.Fatalf("it does not come to rest: %v %v", s.claims, s.volumes)
}
