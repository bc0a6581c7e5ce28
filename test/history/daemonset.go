package history

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// DaemonSets checks that no Pod was created for a DaemonSet and a node where it had one that may
// still run, even if that one is being deleted. If the update of the DaemonSet may surge, those
// that are being deleted do not count, and there may be one other. Pods that the DaemonSet has
// adopted count; those that it no longer selects do not.
func DaemonSets(h History) []Violation {
	var found []Violation
	sets := map[types.UID]*appsv1.DaemonSet{}
	at := map[place]map[types.UID]*corev1.Pod{}
	places := map[types.UID]place{}
	for _, e := range h {
		if e.Verb == object.Deleted {
			delete(sets, e.UID)
			delete(at[places[e.UID]], e.UID)
			delete(places, e.UID)
			continue
		}
		switch o := e.Object.(type) {
		case *appsv1.DaemonSet:
			sets[e.UID] = o
		case *corev1.Pod:
			delete(at[places[e.UID]], e.UID)
			ref := metav1.GetControllerOfNoCopy(o)
			if ref == nil || ref.Kind != "DaemonSet" {
				continue
			}
			where := place{ref.UID, podstate.TargetNode(o)}
			if at[where] == nil {
				at[where] = map[types.UID]*corev1.Pod{}
			}
			if set := sets[ref.UID]; e.Verb == object.Created {
				if message := superfluous(set, ref, at[where], where.node); message != "" {
					found = append(found, Violation{e.Revision, e.Key, message})
				}
			}
			at[where][e.UID], places[e.UID] = o, where
		}
	}
	return found
}

// place is where a DaemonSet must have one Pod.
type place struct {
	owner types.UID
	node  string
}

// superfluous returns what is wrong with another Pod of a DaemonSet for a node; empty for nothing.
func superfluous(set *appsv1.DaemonSet, ref *metav1.OwnerReference, others map[types.UID]*corev1.Pod, node string) string {
	if set == nil {
		return fmt.Sprintf("created for the DaemonSet %s, which does not exist", ref.UID)
	}
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return "created for a DaemonSet without a selector: " + err.Error()
	}
	surges := false
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil {
		surges = scaled(r.MaxSurge, 100, true) > 0
	}
	n := 0
	for _, p := range others {
		over := p.DeletionTimestamp != nil && (surges || podstate.Terminal(p))
		if !over && selector.Matches(labels.Set(p.Labels)) {
			n++
		}
	}
	if most := map[bool]int{true: 1}[surges]; n > most {
		return fmt.Sprintf("is Pod %d of DaemonSet %s for %s", n+1, set.Name, node)
	}
	return ""
}
