package wakeup

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	claims            = "persistentvolumeclaims"
	volumes           = "persistentvolumes"
	attributesClasses = "volumeattributesclasses.storage.k8s.io"
)

// routeVolume wakes for a change of a claim, a volume or a class.
func routeVolume(c Change) (w []Wake) {
	switch o := c.last().(type) {
	case *corev1.PersistentVolumeClaim:
		w = routeClaim(c, o)
	case *corev1.PersistentVolume:
		w = routePersistentVolume(c, o)
	case *storagev1.StorageClass:
		if old, ok := c.Old.(*storagev1.StorageClass); !ok || !equality.Semantic.DeepEqual(old.Annotations, o.Annotations) ||
			!equality.Semantic.DeepEqual(old.AllowedTopologies, o.AllowedTopologies) {
			w = c.self(VolumeClass)
		}
	case *storagev1.VolumeAttributesClass:
		if c.Controller != VolumeClass {
			w = c.self(VolumeClass)
		}
	case *storagev1.CSIStorageCapacity, *storagev1.CSIDriver:
		w = []Wake{{Controller: Scheduler, UID: SchedulerLock}} // room for volumes may be what Pods wait for
	}
	return w
}

// routeClaim wakes the claim's own look, which also has Pods looked at that wait for it; the volume that is or was its; and, when it
// is gone, the Pod that it was made for.
func routeClaim(c Change, claim *corev1.PersistentVolumeClaim) []Wake {
	w := c.self(PersistentVolumeClaim)
	if c.Controller != PersistentVolumeClaim || c.New == nil {
		for _, o := range []object.Object{c.Old, c.New} {
			if claim, ok := o.(*corev1.PersistentVolumeClaim); ok && claim.Spec.VolumeName != "" {
				w = append(w, Wake{Controller: PersistentVolume, Resource: volumes, Name: claim.Spec.VolumeName})
				break
			}
		}
	}
	if c.New == nil {
		if owner := metav1.GetControllerOfNoCopy(claim); owner != nil && owner.Kind == "Pod" {
			w = append(w, Wake{Controller: EphemeralVolume, UID: owner.UID})
		}
	}
	if old, ok := c.Old.(*corev1.PersistentVolumeClaim); ok {
		w = append(w, releasedClass(c, old.Spec.VolumeAttributesClassName, claim.Spec.VolumeAttributesClassName)...)
	}
	return w
}

// routePersistentVolume wakes the volume's own look, which also has claims looked at that it may do for, and the claims that it is or
// was bound to.
func routePersistentVolume(c Change, v *corev1.PersistentVolume) []Wake {
	w := c.self(PersistentVolume)
	if c.Controller != PersistentVolumeClaim {
		seen := corev1.ObjectReference{}
		for _, o := range []object.Object{c.Old, c.New} {
			if v, ok := o.(*corev1.PersistentVolume); ok && v.Spec.ClaimRef != nil {
				ref := corev1.ObjectReference{Namespace: v.Spec.ClaimRef.Namespace, Name: v.Spec.ClaimRef.Name}
				if ref != seen && ref.Namespace != "" {
					w = append(w, Wake{Controller: PersistentVolumeClaim, Resource: claims, Namespace: ref.Namespace, Name: ref.Name})
				}
				seen = ref
			}
		}
	}
	if old, ok := c.Old.(*corev1.PersistentVolume); ok {
		w = append(w, releasedClass(c, old.Spec.VolumeAttributesClassName, v.Spec.VolumeAttributesClassName)...)
	}
	return w
}

// releasedClass wakes a VolumeAttributesClass that an object names no more, if it waits for that.
func releasedClass(c Change, old, is *string) []Wake {
	if old == nil || *old == "" || c.New != nil && is != nil && *is == *old {
		return nil
	}
	return []Wake{{Controller: VolumeClass, Resource: attributesClasses, Name: *old, OnlyTerminating: true}}
}

// routePodVolumes wakes for a Pod's claims: those that it needs are made, and those that it used may go when it has ended, is
// shut down or is gone.
func routePodVolumes(c Change, pod *corev1.Pod) (w []Wake) {
	old, existed := c.Old.(*corev1.Pod)
	left := c.New == nil || existed && (finished(pod) && !finished(old) || podstate.ShutDown(pod) && !podstate.ShutDown(old))
	made := false
	for i := range pod.Spec.Volumes {
		name := ""
		switch v := &pod.Spec.Volumes[i]; {
		case v.PersistentVolumeClaim != nil:
			name = v.PersistentVolumeClaim.ClaimName
		case v.Ephemeral != nil:
			name = pod.Name + "-" + v.Name
			if !existed && !made {
				made = true
				w = append(w, Wake{Controller: EphemeralVolume, UID: pod.UID})
			}
		default:
			continue
		}
		if left {
			w = append(w, Wake{Controller: PersistentVolumeClaim, Resource: claims, Namespace: pod.Namespace, Name: name})
		}
	}
	return w
}
