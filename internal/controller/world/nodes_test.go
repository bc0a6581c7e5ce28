package world_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	diffs "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine/enginetest"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
)

// observed is what a mirror would hold, and passes on to an observer.
type observed struct {
	observer mirror.Observer
	current  map[types.UID]*object.Version
	revision object.Revision
}

// see makes a change and passes it to the observer.
func (w *observed) see(resource string, verb object.Verb, o object.Object) {
	w.revision++
	v := &object.Version{Type: &builtin.Catalogue().ByResource(resource).Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
		Revision: w.revision, Verb: verb, At: object.MomentOf(enginetest.Start.Add(time.Duration(w.revision) * time.Second))}
	v.Remember(o)
	old := w.current[v.UID]
	if w.current[v.UID] = v; verb == object.Deleted {
		delete(w.current, v.UID)
	}
	w.observer.Observe(mirror.Event{New: v, Old: old})
}

// reload passes everything to the observer again, as a mirror does that has lost its place.
func (w *observed) reload() {
	w.observer.Reset()
	for _, v := range w.current {
		w.observer.Observe(mirror.Event{New: v})
	}
}

// recount returns what the scheduler should know, computed from scratch.
func (w *observed) recount() *scheduler.Cluster {
	c := scheduler.NewCluster()
	for _, v := range w.current {
		switch o := v.Object().(type) {
		case *corev1.Node:
			c.SetNode(o)
		case *corev1.Pod:
			switch {
			case o.Status.Phase == corev1.PodSucceeded || o.Status.Phase == corev1.PodFailed:
			case o.Spec.NodeName != "":
				c.AddPod(o)
			case o.DeletionTimestamp == nil:
				c.SetPending(o)
			}
		}
	}
	return c
}

// known returns what the scheduler knows through an observer.
func known(nodes *world.Nodes) (text string) {
	nodes.Use(func(c *scheduler.Cluster) { text = c.String() })
	return text
}

func TestNodes_SumsAreThoseOfARecount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := world.NewNodes()
		w := &observed{observer: nodes, current: map[types.UID]*object.Version{}}
		names := rapid.SampledFrom([]string{"node-1", "node-2", "node-3"})
		pods := func() (all []*corev1.Pod) {
			for _, uid := range slices.Sorted(maps.Keys(w.current)) {
				if pod, ok := w.current[uid].Object().(*corev1.Pod); ok {
					all = append(all, pod.DeepCopy())
				}
			}
			return all
		}
		onePod := func(t *rapid.T) *corev1.Pod {
			all := pods()
			if len(all) == 0 {
				t.Skip("there is no Pod")
			}
			return rapid.SampledFrom(all).Draw(t, "pod")
		}
		made := 0
		t.Repeat(map[string]func(*rapid.T){
			"write node": func(t *rapid.T) {
				name := names.Draw(t, "name")
				node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-of-" + name)}}
				node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(rapid.Int64Range(1, 9).Draw(t, "cpu"), resource.DecimalSI)}
				verb := object.Updated
				if w.current[node.UID] == nil {
					verb = object.Created
				}
				w.see("nodes", verb, node)
			},
			"remove node": func(t *rapid.T) {
				v := w.current[types.UID("uid-of-"+names.Draw(t, "name"))]
				if v == nil {
					t.Skip("there is no such node")
				}
				w.see("nodes", object.Deleted, v.Object())
			},
			"create pod": func(t *rapid.T) {
				made++
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("pod-", made), UID: types.UID(fmt.Sprint("pod-", made)), Generation: 1}}
				pod.Spec.NodeName = rapid.SampledFrom([]string{"", "node-1", "node-2", "nowhere"}).Draw(t, "node")
				pod.Spec.Containers = []corev1.Container{requesting(t)}
				pod.Spec.Priority = new(rapid.Int32Range(0, 2).Draw(t, "priority"))
				if rapid.Bool().Draw(t, "with anti-affinity") {
					pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
						{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, TopologyKey: corev1.LabelHostname}}}}
				}
				w.see("pods", object.Created, pod)
			},
			"bind pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Spec.NodeName = names.Draw(t, "node") // also to another one, which never happens in practice
				w.see("pods", object.Updated, pod)
			},
			"resize pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Generation++
				pod.Spec.Containers = []corev1.Container{requesting(t)}
				w.see("pods", object.Updated, pod)
			},
			"change phase": func(t *rapid.T) {
				pod := onePod(t)
				pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
				w.see("pods", object.Updated, pod)
			},
			"relabel pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Labels = map[string]string{"app": rapid.SampledFrom([]string{"web", "db"}).Draw(t, "app")}
				w.see("pods", object.Updated, pod)
			},
			"start pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Status.StartTime = &metav1.Time{Time: enginetest.Start}
				w.see("pods", object.Updated, pod)
			},
			"begin to delete pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Generation++
				pod.DeletionTimestamp = &metav1.Time{Time: enginetest.Start}
				w.see("pods", object.Updated, pod)
			},
			"nominate pod": func(t *rapid.T) {
				pod := onePod(t)
				pod.Status.NominatedNodeName = names.Draw(t, "node")
				w.see("pods", object.Updated, pod)
			},
			"remove pod": func(t *rapid.T) { w.see("pods", object.Deleted, onePod(t)) },
			"reload":     func(*rapid.T) { w.reload() },
			"": func(t *rapid.T) {
				diff := diffs.Diff(w.recount().String(), known(nodes))
				if diff != "" {
					t.Fatalf("nodes (-recount +kept):\n%s", diff)
				}
			},
		})
	})
}

// requesting makes a container with resource requests.
func requesting(t *rapid.T) corev1.Container {
	c := corev1.Container{Name: "c"}
	list := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, "example.com/gpu"} {
		if amount := rapid.Int64Range(0, 3).Draw(t, string(name)); amount > 0 {
			list[name] = *resource.NewQuantity(amount, resource.DecimalSI)
		}
	}
	c.Resources.Requests = list
	if port := rapid.Int32Range(0, 3).Draw(t, "port"); port > 0 {
		c.Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: port}}
	}
	return c
}

func TestNodes_MissingSince(t *testing.T) {
	t.Parallel()
	nodes := world.NewNodes()
	w := &observed{observer: nodes, current: map[types.UID]*object.Version{}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "p"}, Spec: corev1.PodSpec{NodeName: "node-1"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "n"}}
	check := func(what string, at, want time.Duration) {
		t.Helper()
		if got := nodes.MissingSince("node-1", enginetest.Start.Add(at)).Sub(enginetest.Start); got != want {
			t.Errorf("%s: missing since %v, want %v", what, got, want)
		}
	}
	w.see("pods", object.Created, pod)
	check("never seen: since it was first asked for", 50*time.Second, 50*time.Second)
	check("never seen, asked again", time.Minute, 50*time.Second)
	w.see("nodes", object.Created, node)
	w.see("nodes", object.Deleted, node) // the third change, at 3 s
	check("seen to go", time.Hour, 3*time.Second)
	w.see("pods", object.Deleted, pod)
	w.see("pods", object.Created, pod)
	check("forgotten with its last Pod", 2*time.Hour, 2*time.Hour)
	w.reload()
	check("forgotten with everything", 3*time.Hour, 3*time.Hour)
}
