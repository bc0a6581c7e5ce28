package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/wakeup"
)

func TestRoute_Volumes(t *testing.T) {
	t.Parallel()
	claim := func(volume string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c", UID: "u"}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: volume}}
	}
	made := claim("")
	made.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "uid-p", Controller: new(true)}}
	volume := func(names ...string) *corev1.PersistentVolume {
		v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v", UID: "u"}}
		for _, name := range names {
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: name}
		}
		return v
	}
	named := func(volume *corev1.PersistentVolume, class string) *corev1.PersistentVolume {
		volume.Spec.VolumeAttributesClassName = &class
		return volume
	}
	class := func(annotations map[string]string) *storagev1.StorageClass {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "s", UID: "u", Annotations: annotations}}
	}
	self := func(controller string) wakeup.Wake { return wakeup.Wake{Controller: controller, UID: "u"} }
	toVolume := wakeup.Wake{Controller: names.PersistentVolume, Resource: "persistentvolumes", Name: "v"}
	toClaim := func(name string) wakeup.Wake {
		return wakeup.Wake{Controller: names.PersistentVolumeClaim, Resource: "persistentvolumeclaims", Namespace: "default", Name: name}
	}
	attributes := func(name string) wakeup.Wake {
		return wakeup.Wake{Controller: names.VolumeClass, Resource: "volumeattributesclasses.storage.k8s.io", Name: name, OnlyTerminating: true}
	}
	gone := wakeup.Wake{Controller: names.Namespace, Resource: "namespaces", Name: "default", OnlyTerminating: true}
	scheduler := wakeup.Wake{Controller: names.Scheduler, UID: wakeup.SchedulerLock}
	for _, test := range []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a claim comes", wakeup.Diff{New: claim("")}, []wakeup.Wake{self(names.PersistentVolumeClaim)}},
		{"a claim names a volume", wakeup.Diff{Old: claim(""), New: claim("v")}, []wakeup.Wake{self(names.PersistentVolumeClaim), toVolume}},
		{"by its own plan, which changes the volume too", wakeup.Diff{Old: claim(""), New: claim("v"), Controller: names.PersistentVolumeClaim},
			[]wakeup.Wake{self(names.PersistentVolumeClaim)}},
		{"a claim with a volume is gone", wakeup.Diff{Old: claim("v"), Controller: names.PersistentVolumeClaim}, []wakeup.Wake{gone, toVolume}},
		{"a Pod's claim is gone", wakeup.Diff{Old: made}, []wakeup.Wake{
			{Controller: names.GarbageCollector, UID: "uid-p", OnlyTerminating: true}, gone, {Controller: names.EphemeralVolume, UID: "uid-p"}}},
		{"a volume comes", wakeup.Diff{New: volume()}, []wakeup.Wake{self(names.PersistentVolume)}},
		{"a volume gets a claim", wakeup.Diff{Old: volume(), New: volume("c")}, []wakeup.Wake{self(names.PersistentVolume), toClaim("c")}},
		{"by the claim's plan", wakeup.Diff{Old: volume(), New: volume("c"), Controller: names.PersistentVolumeClaim}, []wakeup.Wake{self(names.PersistentVolume)}},
		{"a volume gets another", wakeup.Diff{Old: volume("c"), New: volume("d")}, []wakeup.Wake{self(names.PersistentVolume), toClaim("c"), toClaim("d")}},
		{"a volume is gone", wakeup.Diff{Old: volume("c")}, []wakeup.Wake{toClaim("c")}},
		{"a volume gets other attributes", wakeup.Diff{Old: named(volume(), "slow"), New: named(volume(), "fast")}, []wakeup.Wake{self(names.PersistentVolume), attributes("slow")}},
		{"a class comes", wakeup.Diff{New: class(nil)}, []wakeup.Wake{self(names.VolumeClass)}},
		{"a class becomes the default", wakeup.Diff{Old: class(nil), New: class(map[string]string{"a": "b"})}, []wakeup.Wake{self(names.VolumeClass)}},
		{"nothing of a class changes that matters", wakeup.Diff{Old: class(nil), New: class(nil)}, nil},
		{"there is room for volumes", wakeup.Diff{New: &storagev1.CSIStorageCapacity{}}, []wakeup.Wake{scheduler}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inOrder(test.want), woken(test.change)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRoute_PodsClaims: a PersistentVolumeClaim that may be waiting for its Pods to be deleted is
// synced when one is.
func TestRoute_PodsClaims(t *testing.T) {
	t.Parallel()
	pod := func(shape ...func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p", UID: "u"}}
		p.Spec.NodeName = "node-1"
		p.Spec.Volumes = []corev1.Volume{
			{Name: "none", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			{Name: "v", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}},
			{Name: "own", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}},
		}
		for _, f := range shape {
			f(p)
		}
		return p
	}
	ended := func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }
	leaving := func(seconds int64) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{}, &seconds }
	}
	for _, test := range []struct {
		name   string
		change wakeup.Diff
		claims []string
		makes  bool
	}{
		{"it comes", wakeup.Diff{New: pod()}, nil, true},
		{"it changes", wakeup.Diff{Old: pod(), New: pod()}, nil, false},
		{"it is leaving", wakeup.Diff{Old: pod(), New: pod(leaving(30))}, nil, false},
		{"it has ended", wakeup.Diff{Old: pod(), New: pod(ended)}, []string{"c", "p-own"}, false},
		{"it had ended", wakeup.Diff{Old: pod(ended), New: pod(ended)}, nil, false},
		{"it is shut down", wakeup.Diff{Old: pod(leaving(30)), New: pod(leaving(0))}, []string{"c", "p-own"}, false},
		{"it was shut down", wakeup.Diff{Old: pod(leaving(0)), New: pod(leaving(0))}, nil, false},
		{"it is gone", wakeup.Diff{Old: pod()}, []string{"c", "p-own"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var claims []string
			makes := false
			for _, w := range woken(test.change) {
				if w.Controller == names.PersistentVolumeClaim && w.Namespace == "default" {
					claims = append(claims, w.Name)
				}
				makes = makes || w.Controller == names.EphemeralVolume && w.UID == "u"
			}
			if diff := cmp.Diff(test.claims, claims); diff != "" || makes != test.makes {
				t.Errorf("claims are made: %v, want %v; claims looked at (-want +got):\n%s", makes, test.makes, diff)
			}
		})
	}
}
