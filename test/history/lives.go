package history

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Lives checks what holds for every object from one version to the next:
//
//   - It is created in a namespace that exists and is not being deleted.
//   - Its generation does not decrease and its creationTimestamp stays. A deletionTimestamp is
//     never removed, or moved later.
//   - It is not removed while it has finalizers.
//   - A Pod goes from Pending to Running to an end, without a way back; it never leaves its node;
//     and its containers' restarts are never forgotten.
func Lives(h History) []Violation {
	var found []Violation
	last, namespaces := map[types.UID]object.Object{}, map[string]*corev1.Namespace{}
	for _, e := range h {
		var wrong []string
		if e.Verb == object.Created && e.Key.Namespace != "" {
			if ns := namespaces[e.Key.Namespace]; ns == nil {
				wrong = append(wrong, "created in a namespace that does not exist")
			} else if ns.DeletionTimestamp != nil {
				wrong = append(wrong, "created in a namespace that is being deleted")
			}
		}
		old, now := last[e.UID], e.Object
		if now == nil {
			now = old
		}
		if now != nil {
			wrong = append(wrong, succeeds(old, now)...)
			if e.Verb == object.Deleted && len(now.GetFinalizers()) > 0 && !takenOff(e) {
				wrong = append(wrong, fmt.Sprintf("removed with the finalizers %q", now.GetFinalizers()))
			}
		}
		last[e.UID] = now
		if ns, ok := now.(*corev1.Namespace); ok {
			namespaces[ns.Name] = ns
		}
		if e.Verb == object.Deleted {
			delete(last, e.UID)
			if e.Key.Resource == "namespaces" {
				delete(namespaces, e.Key.Name)
			}
		}
		for _, message := range wrong {
			found = append(found, Violation{e.Revision, e.Key, message})
		}
	}
	return found
}

// succeeds returns what is wrong with a version that follows another, nil for none.
func succeeds(old, now object.Object) (wrong []string) {
	if old == nil || old == now {
		return nil
	}
	if now.GetGeneration() < old.GetGeneration() {
		wrong = append(wrong, fmt.Sprintf("its generation is %d after %d", now.GetGeneration(), old.GetGeneration()))
	}
	if was, is := old.GetCreationTimestamp(), now.GetCreationTimestamp(); !was.Equal(&is) {
		wrong = append(wrong, fmt.Sprintf("its creationTimestamp is %v after %v", is, was))
	}
	switch was, is := old.GetDeletionTimestamp(), now.GetDeletionTimestamp(); {
	case was == nil:
	case is == nil:
		wrong = append(wrong, "its deletion was taken back")
	case was.Before(is) && !shortened(old, now): // a shorter time would already have passed, so it ends now
		wrong = append(wrong, fmt.Sprintf("its deletion was put off from %v to %v", was, is))
	}
	before, ok := old.(*corev1.Pod)
	after, still := now.(*corev1.Pod)
	if ok && still {
		wrong = append(wrong, podSucceeds(before, after)...)
	}
	return wrong
}

// shortened reports whether the grace of an object that is being deleted was shortened.
func shortened(old, now object.Object) bool {
	was, is := old.GetDeletionGracePeriodSeconds(), now.GetDeletionGracePeriodSeconds()
	return was != nil && is != nil && *is < *was
}

// stage is how far a Pod is in its life, by its phase.
var stage = map[corev1.PodPhase]int{corev1.PodPending: 1, corev1.PodRunning: 2, corev1.PodSucceeded: 3, corev1.PodFailed: 3}

func podSucceeds(old, now *corev1.Pod) (wrong []string) {
	was, is := stage[old.Status.Phase], stage[now.Status.Phase]
	if is == 0 || is < was || was == 3 && old.Status.Phase != now.Status.Phase {
		wrong = append(wrong, fmt.Sprintf("its phase is %s after %s", now.Status.Phase, old.Status.Phase))
	}
	if old.Spec.NodeName != "" && now.Spec.NodeName != old.Spec.NodeName {
		wrong = append(wrong, fmt.Sprintf("its node is %q after %q", now.Spec.NodeName, old.Spec.NodeName))
	}
	restarts := map[string]int32{}
	for _, s := range old.Status.ContainerStatuses {
		restarts[s.Name] = s.RestartCount
	}
	for _, s := range now.Status.ContainerStatuses {
		if s.RestartCount < restarts[s.Name] {
			wrong = append(wrong, fmt.Sprintf("its container %s has been restarted %d times after %d", s.Name, s.RestartCount, restarts[s.Name]))
		}
	}
	return wrong
}

// Ownership checks controllers: an object has at most one, which exists when it becomes the
// controller and, for Pods of ReplicaSets, selects it then; and an object passes from one
// controller to another only after being released.
func Ownership(h History) []Violation {
	var found []Violation
	live := map[types.UID]object.Object{}
	for _, e := range h {
		old := live[e.UID]
		if e.Verb == object.Deleted {
			delete(live, e.UID)
			continue
		}
		live[e.UID] = e.Object
		for _, message := range owned(old, e.Object, live) {
			found = append(found, Violation{e.Revision, e.Key, message})
		}
	}
	return found
}

// takenOff reports whether a tombstone is of a volume whose finalizers the binder, their owner, has
// removed in the same change.
func takenOff(e Entry) bool {
	return e.Key.Resource == "persistentvolumes" && e.Writer == "persistent-volume-binder"
}

// owned returns what is wrong with the controller of an object that was old, nil for none, given
// the existing objects.
func owned(old, now object.Object, live map[types.UID]object.Object) (wrong []string) {
	n := 0
	for _, ref := range now.GetOwnerReferences() {
		if ref.Controller != nil && *ref.Controller {
			n++
		}
	}
	if n > 1 {
		wrong = append(wrong, fmt.Sprintf("has %d controllers", n))
	}
	was, is := types.UID(""), controller(now)
	if old != nil {
		was = controller(old)
	}
	if is == "" || is == was {
		return wrong
	}
	_, claims := now.(*corev1.PersistentVolumeClaim) // they pass from a StatefulSet to its Pod that is scaled away, and back
	if was != "" && !claims {
		wrong = append(wrong, fmt.Sprintf("went from the controller %s to %s", was, is))
	}
	owner := live[is]
	if owner == nil && claims && metav1.GetControllerOf(now).Kind == "Pod" {
		return wrong // the Pod may go meanwhile: then the collector deletes its claims
	}
	if owner == nil {
		return append(wrong, fmt.Sprintf("came to the controller %s, which does not exist", is))
	}
	if selector := selectorOf(owner); selector != nil {
		s, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || !s.Matches(labelsOf(now)) {
			wrong = append(wrong, fmt.Sprintf("came to %s, which does not select it", owner.GetName()))
		}
	}
	return wrong
}
