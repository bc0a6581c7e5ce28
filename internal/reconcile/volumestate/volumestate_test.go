package volumestate_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// claim is a claim of 5 GiB that one node writes.
func claim(changes ...func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "data", UID: "claim"},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("5Gi")},
			},
		},
	}
	for _, change := range changes {
		change(c)
	}
	return c
}

// volume is a free volume that one node writes.
func volume(name, size string, changes ...func(*corev1.PersistentVolume)) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
		Spec: corev1.PersistentVolumeSpec{
			Capacity:    corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)},
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable},
	}
	for _, change := range changes {
		change(v)
	}
	return v
}

func reservedFor(name string, uid types.UID) func(*corev1.PersistentVolume) {
	return func(v *corev1.PersistentVolume) {
		v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: name, UID: uid}
	}
}

func modes(m ...corev1.PersistentVolumeAccessMode) func(*corev1.PersistentVolume) {
	return func(v *corev1.PersistentVolume) { v.Spec.AccessModes = m }
}

func inZone(zone string) func(*corev1.PersistentVolume) {
	return func(v *corev1.PersistentVolume) {
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{zone}}},
		}}}}
	}
}

// Find takes the volume that wastes least, and none that the claim cannot use.
func TestFind(t *testing.T) {
	t.Parallel()
	block := corev1.PersistentVolumeBlock
	inA := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"zone": "a"}}}
	for name, test := range map[string]struct {
		search  volumestate.Search
		volumes []*corev1.PersistentVolume
		want    string // empty for none
	}{
		"the smallest that suffices": {
			volumes: []*corev1.PersistentVolume{volume("a", "20Gi"), volume("b", "6Gi"), volume("c", "4Gi")}, want: "b",
		},
		"of one size, the first by name": {volumes: []*corev1.PersistentVolume{volume("b", "5Gi"), volume("a", "5Gi")}, want: "a"},
		"one without modes that are not requested, even if it is larger": {
			volumes: []*corev1.PersistentVolume{
				volume("a", "5Gi", modes(corev1.ReadWriteOnce, corev1.ReadWriteMany)), volume("b", "9Gi"),
			}, want: "b",
		},
		"one that is reserved for the claim by name": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi"), volume("b", "50Gi", reservedFor("data", ""))}, want: "b",
		},
		"not one that is reserved for an earlier claim of that name": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", reservedFor("data", "earlier"))},
		},
		"not one that is reserved for another": {volumes: []*corev1.PersistentVolume{volume("a", "5Gi", reservedFor("logs", ""))}},
		"not one that lacks a mode": {
			search: volumestate.Search{Claim: claim(func(c *corev1.PersistentVolumeClaim) {
				c.Spec.AccessModes = append(c.Spec.AccessModes, corev1.ReadOnlyMany)
			})},
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi")},
		},
		"not one of another class": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", func(v *corev1.PersistentVolume) { v.Spec.StorageClassName = "fast" })},
		},
		"not a block device instead of a file system": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", func(v *corev1.PersistentVolume) { v.Spec.VolumeMode = &block })},
		},
		"not one that has been released": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", func(v *corev1.PersistentVolume) { v.Status.Phase = corev1.VolumeReleased })},
		},
		"not one that is being deleted": {
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", func(v *corev1.PersistentVolume) {
				v.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			})},
		},
		"not one that was taken in the same turn": {
			search: volumestate.Search{Taken: map[string]bool{"a": true}}, volumes: []*corev1.PersistentVolume{volume("a", "5Gi")},
		},
		"one that the selector matches": {
			search: volumestate.Search{Claim: claim(func(c *corev1.PersistentVolumeClaim) {
				c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "gold"}}
			})},
			volumes: []*corev1.PersistentVolume{
				volume("a", "5Gi"), volume("b", "9Gi", func(v *corev1.PersistentVolume) { v.Labels = map[string]string{"tier": "gold"} }),
			}, want: "b",
		},
		"one that the Pod's node reaches": {
			search:  volumestate.Search{Node: inA, Delayed: true},
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", inZone("b")), volume("b", "9Gi", inZone("a"))}, want: "b",
		},
		"no free one for a claim that waits for its Pod's node": {
			search: volumestate.Search{Delayed: true}, volumes: []*corev1.PersistentVolume{volume("a", "5Gi")},
		},
		"none if the node does not reach the reserved one": {
			search:  volumestate.Search{Node: inA, Delayed: true},
			volumes: []*corev1.PersistentVolume{volume("a", "5Gi", reservedFor("data", "claim"), inZone("b")), volume("b", "5Gi")},
		},
	} {
		if test.search.Claim == nil {
			test.search.Claim = claim()
		}
		got := ""
		if v := volumestate.Find(test.search, test.volumes); v != nil {
			got = v.Name
		}
		if got != test.want {
			t.Errorf("%s: got %q instead of %q", name, got, test.want)
		}
	}
}

// A volume that the binder has chosen says so; one that its owner has reserved is only completed.
func TestClaimed(t *testing.T) {
	t.Parallel()
	chosen := volumestate.Claimed(volume("a", "5Gi"), claim())
	if chosen.Spec.ClaimRef.UID != "claim" || chosen.Annotations[volumestate.BoundByController] != "yes" {
		t.Errorf("a free volume: %v, %v", chosen.Spec.ClaimRef, chosen.Annotations)
	}
	reserved := volumestate.Claimed(volume("a", "5Gi", reservedFor("data", "")), claim())
	if reserved.Spec.ClaimRef.UID != "claim" || len(reserved.Annotations) > 0 {
		t.Errorf("a reserved volume: %v, %v", reserved.Spec.ClaimRef, reserved.Annotations)
	}
	if bound := volume("a", "5Gi", reservedFor("data", "claim")); volumestate.Claimed(bound, claim()) != bound {
		t.Error("a bound volume is changed")
	}
}

// The reasons why a volume cannot be mounted are those of upstream's kubelet.
func TestMounts(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "pod"},
		Spec: corev1.PodSpec{Volumes: []corev1.Volume{
			{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data", ReadOnly: true},
			}},
		}},
	}
	bound := func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName, c.Status.Phase = "a", corev1.ClaimBound }
	for name, test := range map[string]struct {
		claim  *corev1.PersistentVolumeClaim
		volume *corev1.PersistentVolume
		want   string // empty if it can be mounted
	}{
		"no claim": {want: `failed to fetch PVC from API server: persistentvolumeclaims "data" not found`},
		"a claim without a volume": {
			claim: claim(), want: "PVC is not bound",
		},
		"a claim that is being deleted": {
			claim: claim(bound, func(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }),
			want:  "PVC is being deleted",
		},
		"a volume that is gone": {
			claim: claim(bound), want: `failed to fetch PV a from API server: persistentvolumes "a" not found`,
		},
		"a volume of another claim": {
			claim: claim(bound), volume: volume("a", "5Gi", reservedFor("logs", "other")),
			want: "found PV object a that is not claimed by PVC data",
		},
		"a bound volume": {claim: claim(bound), volume: volume("a", "5Gi", reservedFor("data", "claim"))},
	} {
		mount := volumestate.Mounts(pod, volumestate.MountLookup{
			Claim:  func(string) *corev1.PersistentVolumeClaim { return test.claim },
			Volume: func(string) *corev1.PersistentVolume { return test.volume },
		})["data"]
		switch {
		case !mount.ReadOnly:
			t.Errorf("%s: it may be written", name)
		case test.want == "" && (mount.Err != nil || mount.Volume != test.volume):
			t.Errorf("%s: %v, %v", name, mount.Volume, mount.Err)
		case test.want != "" && (mount.Err == nil || mount.Err.Error() != "error processing PVC default/data: "+test.want):
			t.Errorf("%s: %v", name, mount.Err)
		}
	}
}

// A Pod uses a claim by its name, or one that is made for it; what has that name by chance is
// another's.
func TestUses(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "pod"},
		Spec: corev1.PodSpec{Volumes: []corev1.Volume{
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			{Name: "scratch", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}},
		}},
	}
	uses := volumestate.Uses(pod)
	if len(uses) != 1 || uses[0] != (volumestate.Use{Volume: "scratch", Claim: "web-scratch", Ephemeral: true}) {
		t.Errorf("it uses %+v", uses)
	}
	made := claim(func(c *corev1.PersistentVolumeClaim) {
		c.Name = "web-scratch"
		c.OwnerReferences = []metav1.OwnerReference{{UID: "pod", Controller: new(true)}}
	})
	if err := volumestate.MadeFor(pod, made); err != nil {
		t.Error(err)
	}
	made.OwnerReferences = nil
	const want = "PVC default/web-scratch was not created for pod default/web (pod is not owner)"
	if err := volumestate.MadeFor(pod, made); err == nil || err.Error() != want {
		t.Errorf("another's claim: %v", err)
	}
}

// An empty list of topologies allows every node, an empty term none.
func TestReaches(t *testing.T) {
	t.Parallel()
	term := func(key string, values ...string) corev1.TopologySelectorTerm {
		return corev1.TopologySelectorTerm{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: key, Values: values}}}
	}
	node := map[string]string{"zone": "a"}
	for name, test := range map[string]struct {
		allowed []corev1.TopologySelectorTerm
		want    bool
	}{
		"no restriction":          {nil, true},
		"one of the node's zone":  {[]corev1.TopologySelectorTerm{term("zone", "b"), term("zone", "c", "a")}, true},
		"another zone":            {[]corev1.TopologySelectorTerm{term("zone", "b")}, false},
		"a label it has not":      {[]corev1.TopologySelectorTerm{term("rack", "a")}, false},
		"a term without anything": {[]corev1.TopologySelectorTerm{{}}, false},
	} {
		if got := volumestate.Reaches(test.allowed, node); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
