package world_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// counted is what a ReplicaSet's status shows of its Pods.
type counted struct{ replicas, ready, terminating, labelled int32 }

func (c *counted) add(p *corev1.Pod, n int32) {
	if !podstate.Active(p) {
		c.terminating += n
		return
	}
	c.replicas += n
	if podstate.Ready(p) {
		c.ready += n
	}
	if p.Labels["app"] == "web" {
		c.labelled += n
	}
}

func TestTally_CountsAreThoseOfARecount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tally := world.NewTally()
		w := &observed{observer: tally, current: map[types.UID]*object.Version{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			uid := types.UID(fmt.Sprint("pod-", rapid.IntRange(0, 8).Draw(t, "pod")))
			old := w.current[uid]
			switch {
			case old == nil:
				w.see("pods", object.Created, tallyPod(t, uid))
			case rapid.IntRange(0, 3).Draw(t, "delete") == 0:
				w.see("pods", object.Deleted, old.Object())
			case rapid.IntRange(0, 9).Draw(t, "reload") == 0:
				w.reload()
			default:
				w.see("pods", object.Updated, tallyPod(t, uid))
			}
			for _, owner := range owners {
				var want, got counted
				for _, v := range w.current {
					if p := v.Object().(*corev1.Pod); owns(owner, p) && !podstate.Terminal(p) {
						want.add(p, 1)
					}
				}
				groups, ok := tally.Of(owner)
				for _, a := range groups {
					if a.N <= 0 || !owns(owner, a.Pod) {
						t.Fatalf("%s has %d Pods like %v", owner, a.N, a.Pod)
					}
					got.add(a.Pod, a.N)
				}
				if !ok || got != want {
					t.Fatalf("%s has %+v, want %+v", owner, got, want)
				}
			}
		}
	})
}

var owners = []types.UID{"web", "shop"}

func owns(owner types.UID, p *corev1.Pod) bool {
	ref := metav1.GetControllerOfNoCopy(p)
	return ref != nil && ref.UID == owner
}

// tallyPod draws a Pod in some state: of a ReplicaSet, of a Job, or without a controller.
func tallyPod(t *rapid.T, uid types.UID) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: string(uid), UID: uid}}
	ref := metav1.OwnerReference{Kind: "ReplicaSet", UID: rapid.SampledFrom(owners).Draw(t, "owner"), Controller: new(rapid.IntRange(0, 5).Draw(t, "orphan") > 0)}
	if rapid.IntRange(0, 5).Draw(t, "job") == 0 {
		ref.Kind, ref.UID = "Job", "job"
	}
	p.OwnerReferences = []metav1.OwnerReference{ref}
	if app := rapid.SampledFrom([]string{"", "web", "shop"}).Draw(t, "app"); app != "" {
		p.Labels = map[string]string{"app": app}
	}
	if rapid.Bool().Draw(t, "terminating") {
		p.DeletionTimestamp = new(metav1.Now())
	}
	p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodFailed}).Draw(t, "phase")
	if rapid.Bool().Draw(t, "ready") {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	return p
}

// TestTally_GivesUpOnPodsThatAllDiffer: until the last of them is gone.
func TestTally_GivesUpOnPodsThatAllDiffer(t *testing.T) {
	t.Parallel()
	tally := world.NewTally()
	w := &observed{observer: tally, current: map[types.UID]*object.Version{}}
	var pods []*corev1.Pod
	for i := range 100 {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"i": fmt.Sprint(i)},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", UID: "web", Controller: new(true)}},
		}}
		pods = append(pods, p)
		w.see("pods", object.Created, p)
	}
	if groups, ok := tally.Of("web"); ok || groups != nil {
		t.Errorf("a hundred different Pods are counted as %v", groups)
	}
	for _, p := range pods {
		w.see("pods", object.Deleted, p)
	}
	w.see("pods", object.Created, pods[0])
	if groups, ok := tally.Of("web"); !ok || len(groups) != 1 || groups[0].N != 1 {
		t.Errorf("the only Pod is counted as %v", groups)
	}
}
