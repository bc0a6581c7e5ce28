package history

import (
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// statefulSetWriter is the log's name for the controller of StatefulSets.
const statefulSetWriter = "statefulset-controller"

// StatefulSets checks the guarantees of StatefulSets at every revision:
//
//   - A Pod that is created for one has the name and the label of a valid ordinal, has its claims,
//     and is the only one with that ordinal.
//   - If the order counts, all Pods before it were ready when that was decided; and the controller
//     deletes one Pod at a time, except that a scale-down does not wait for Pods that come later in
//     its order.
//
// A decision is made between its cause and its own revision, so anything true at one of these
// revisions counts.
func StatefulSets(h History) []Violation {
	s := statefulState{
		sets: map[types.UID]*appsv1.StatefulSet{}, claims: map[object.Key]bool{}, pods: map[object.Key]*corev1.Pod{}, ready: map[object.Key]object.Revision{},
		going: map[types.UID]map[object.Key]bool{},
	}
	var found []Violation
	for _, e := range h {
		for _, message := range s.apply(e) {
			found = append(found, Violation{e.Revision, e.Key, message})
		}
	}
	return found
}

type statefulState struct {
	sets   map[types.UID]*appsv1.StatefulSet // that ever existed, in their current or last state
	claims map[object.Key]bool
	pods   map[object.Key]*corev1.Pod
	// ready is when a Pod with that name was last ready: still, if it is ready now.
	ready map[object.Key]object.Revision
	// going are the Pods that the controller has deleted and that still exist.
	going map[types.UID]map[object.Key]bool
}

func (s *statefulState) apply(e Entry) (wrong []string) {
	switch o := e.Object.(type) {
	case *appsv1.StatefulSet:
		s.sets[e.UID] = o
	case *corev1.PersistentVolumeClaim:
		s.claims[e.Key] = true
	}
	switch {
	case e.Key.Resource == "persistentvolumeclaims" && e.Verb == object.Deleted:
		delete(s.claims, e.Key)
	case e.Key.Resource == "pods":
		wrong = s.pod(e)
	}
	return wrong
}

func (s *statefulState) pod(e Entry) (wrong []string) {
	was := s.pods[e.Key]
	if was != nil && podstate.Ready(was) {
		s.ready[e.Key] = e.Revision
	}
	pod, _ := e.Object.(*corev1.Pod)
	if pod == nil {
		pod = was
	}
	if pod == nil {
		return nil
	}
	set := s.sets[controller(pod)]
	if set != nil && e.Verb == object.Created && isOf(pod, "StatefulSet") {
		wrong = s.made(e, set, pod)
	}
	if set != nil && e.Writer == statefulSetWriter && (e.Verb == object.Deleted || pod.DeletionTimestamp != nil) && was != nil && was.DeletionTimestamp == nil {
		others := 0
		for other := range s.going[set.UID] {
			if holdsUp(set, other, e.Key) {
				others++
			}
		}
		if inOrder(set) && others > 0 {
			wrong = append(wrong, fmt.Sprintf("is told to go by StatefulSet %s while %d others go", set.Name, others))
		}
		if s.going[set.UID] == nil {
			s.going[set.UID] = map[object.Key]bool{}
		}
		s.going[set.UID][e.Key] = true
	}
	s.pods[e.Key] = pod
	if e.Verb == object.Deleted {
		delete(s.pods, e.Key)
		if set != nil {
			delete(s.going[set.UID], e.Key)
		}
	}
	return wrong
}

// made checks a Pod that was created for a StatefulSet.
func (s *statefulState) made(e Entry, set *appsv1.StatefulSet, pod *corev1.Pod) (wrong []string) {
	ordinal := ordinalOf(set, pod.Name)
	if ordinal < 0 || pod.Labels[appsv1.StatefulSetPodNameLabel] != pod.Name {
		return []string{fmt.Sprintf("is not an ordinal of StatefulSet %s, by its name or its labels %v", set.Name, pod.Labels)}
	}
	start, end := ordinals(set)
	if e.Writer != statefulSetWriter {
		return nil
	}
	if other := s.pods[e.Key]; other != nil {
		wrong = append(wrong, fmt.Sprintf("is the second Pod of its ordinal, beside %s", other.UID))
	}
	for i := range pod.Spec.Volumes {
		c := pod.Spec.Volumes[i].PersistentVolumeClaim
		if c == nil {
			continue
		}
		claim := object.Key{Resource: "persistentvolumeclaims", Namespace: pod.Namespace, Name: c.ClaimName}
		if !s.claims[claim] {
			wrong = append(wrong, fmt.Sprintf("is made before its claim %s", c.ClaimName))
		}
	}
	if !inOrder(set) || ordinal >= end {
		return wrong // scaled down since the decision
	}
	for i := start; i < ordinal; i++ {
		before := object.Key{Resource: "pods", Namespace: pod.Namespace, Name: set.Name + "-" + strconv.Itoa(i)}
		p := s.pods[before]
		if now := p != nil && podstate.Ready(p); !now && s.ready[before] <= e.Cause {
			wrong = append(wrong, fmt.Sprintf("is made by StatefulSet %s before %s is ready", set.Name, before.Name))
		}
	}
	return wrong
}

// holdsUp reports whether a Pod that goes must be gone before the next is deleted: a replica must. A
// scale-down deletes the others from the highest ordinal to the lowest, and only waits for those
// before. A lower one goes already if it was being replaced when the set was scaled down.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, processCondemned
func holdsUp(set *appsv1.StatefulSet, going, next object.Key) bool {
	ordinal := ordinalOf(set, going.Name)
	start, end := ordinals(set)
	return start <= ordinal && ordinal < end || ordinal > ordinalOf(set, next.Name)
}

// ordinalOf returns the ordinal of a Pod, by its name; -1 if it has none.
func ordinalOf(set *appsv1.StatefulSet, pod string) int {
	digits, named := strings.CutPrefix(pod, set.Name+"-")
	if ordinal, err := strconv.Atoi(digits); named && err == nil {
		return ordinal
	}
	return -1
}

// ordinals returns the range of a StatefulSet's ordinals, from start up to end, which is not in it.
func ordinals(set *appsv1.StatefulSet) (start, end int) {
	if set.Spec.Ordinals != nil {
		start = int(set.Spec.Ordinals.Start)
	}
	return start, start + replicas(set.Spec.Replicas)
}

// inOrder reports whether a StatefulSet handles its Pods one by one.
func inOrder(set *appsv1.StatefulSet) bool {
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	return set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement && (rolling == nil || rolling.MaxUnavailable == nil)
}

// isOf reports whether an object is controlled by one of a kind.
func isOf(o object.Object, kind string) bool {
	ref := metav1.GetControllerOfNoCopy(o)
	return ref != nil && ref.Kind == kind
}

// incomplete returns what is wrong at the end with a StatefulSet that has this many Pods.
func incomplete(set *appsv1.StatefulSet, active int) []string {
	want, s := int32(replicas(set.Spec.Replicas)), set.Status
	if int32(active) == want && s.Replicas == want && s.UpdatedReplicas == want && s.AvailableReplicas == want &&
		s.CurrentRevision == s.UpdateRevision && s.ObservedGeneration == set.Generation {
		return nil
	}
	return []string{fmt.Sprintf("asks for %d Pods and has %d; its status says %d, %d of them updated and %d available, of generation %d of %d",
		want, active, s.Replicas, s.UpdatedReplicas, s.AvailableReplicas, s.ObservedGeneration, set.Generation)}
}
