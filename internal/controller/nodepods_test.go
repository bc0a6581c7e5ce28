package controller_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
)

// onNode makes a Pod on a node, with one container.
func (r replica) onNode(name, node string, c corev1.Container) *object.Version {
	r.T.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, CreationTimestamp: metav1.Time{Time: start}}}
	pod.Spec.NodeName, pod.Spec.RestartPolicy, pod.Spec.Containers = node, corev1.RestartPolicyNever, []corev1.Container{c}
	r.KindOf(pod).Default(pod)
	return r.Create(pod)
}

// changed writes an object as a client that has changed it.
func changed[T object.Object](r replica, v *object.Version, change func(T)) *object.Version {
	r.T.Helper()
	next := v.Object().DeepCopyObject().(T)
	change(next)
	return r.Write(store.Change{Verb: object.Updated, Type: v.Type, Old: v, New: next, Writer: "client"})
}

// looksOf returns the names of the objects that a worker's turn has claimed, sorted.
func (r replica) looksOf(w *engine.Worker) (names []string) {
	r.T.Helper()
	for _, c := range r.Turn(w).Claims {
		r.View(func(v mirror.View) { names = append(names, v.UID(c.UID).Name) })
	}
	slices.Sort(names)
	return names
}

// TestNode_ThatIsBackHasItsKubeletsLook: its kubelets sync only then. While it is out they do
// nothing, and their work is not put off.
func TestNode_ThatIsBackHasItsKubeletsLook(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	node := r.Create(nodelifecycle.DefaultNode(1, nil, start))
	r.Create(nodelifecycle.DefaultNode(2, nil, start))
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(), Addresses: world.NewAddresses(r.Pool)}
	kubelet := engine.New(r.Deps, controllerNamed(t, world, names.Kubelet))
	lifecycle := engine.New(r.Deps, controllerNamed(t, world, names.NodeLifecycle))
	pods := engine.New(r.Deps, controllerNamed(t, world, names.NodePods))
	turns := func(workers ...*engine.Worker) {
		t.Helper()
		for _, w := range workers {
			for len(r.Turn(w).Claims) > 0 {
			}
		}
	}
	c := corev1.Container{Name: "c", Image: "nginx:1.14.2"}
	r.onNode("a", "node-1", c)
	r.onNode("b", "node-1", c)
	r.onNode("elsewhere", "node-2", c)
	turns(lifecycle, pods, kubelet)

	node = changed(r, node, func(n *corev1.Node) { n.Annotations = map[string]string{outage.Annotation: outage.Unreachable} })
	r.onNode("newcomer", "node-1", c)
	if diff := cmp.Diff([]string{"newcomer"}, r.looksOf(kubelet)); diff != "" {
		t.Errorf("looks while the node is out (-want +got):\n%s", diff)
	}
	turns(lifecycle, pods, kubelet)
	r.Advance(time.Hour)
	turns(lifecycle, pods, kubelet)

	r.View(func(v mirror.View) { node = v.UID(node.UID) })
	changed(r, node, func(n *corev1.Node) { delete(n.Annotations, outage.Annotation) })
	turns(lifecycle, pods)
	if diff := cmp.Diff([]string{"a", "b", "newcomer"}, r.looksOf(kubelet)); diff != "" {
		t.Errorf("looks when the node is back (-want +got):\n%s", diff)
	}
	r.View(func(v mirror.View) {
		pod := v.Get(object.Key{Resource: "pods", Namespace: "default", Name: "newcomer"}).Object().(*corev1.Pod)
		if pod.Status.Phase != corev1.PodRunning {
			t.Errorf("the newcomer is %s", pod.Status.Phase)
		}
	})
}

// TestNodeDisruption_TakesAllWakeups: the changes of many nodes lead to one sync of all nodes, and
// the worker knows afterwards that nothing more is due.
func TestNodeDisruption_TakesAllWakeups(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(), Addresses: world.NewAddresses(r.Pool)}
	judge := engine.New(r.Deps, controllerNamed(t, world, names.NodeDisruption))
	for i := range 3 {
		r.Create(nodelifecycle.DefaultNode(i+1, nil, start))
	}
	if turn := r.Turn(judge); len(turn.Claims) != 1 || len(turn.Claims[0].IDs) != 3 || !turn.Last {
		t.Errorf("the first turn claims %+v, and is the last: %t", turn.Claims, turn.Last)
	}
	if turn := r.Turn(judge); len(turn.Claims) > 0 {
		t.Errorf("the second turn claims %+v", turn.Claims)
	}
}

// TestNode_ThatWasOutForAMoment: if its fault is over before the node controller sees it, its
// kubelets sync what they have left undone meanwhile.
func TestNode_ThatWasOutForAMoment(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	node := r.Create(nodelifecycle.DefaultNode(1, nil, start))
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(), Addresses: world.NewAddresses(r.Pool)}
	kubelet := engine.New(r.Deps, controllerNamed(t, world, names.Kubelet))
	lifecycle := engine.New(r.Deps, controllerNamed(t, world, names.NodeLifecycle))
	pods := engine.New(r.Deps, controllerNamed(t, world, names.NodePods))
	turns := func(workers ...*engine.Worker) {
		t.Helper()
		for _, w := range workers {
			for len(r.Turn(w).Claims) > 0 {
			}
		}
	}
	turns(lifecycle, pods, kubelet)
	r.View(func(v mirror.View) { node = v.UID(node.UID) })
	node = changed(r, node, func(n *corev1.Node) { n.Annotations = map[string]string{outage.Annotation: outage.Unreachable} })
	r.onNode("a", "node-1", corev1.Container{Name: "c", Image: "nginx:1.14.2"})
	turns(kubelet, pods)
	changed(r, node, func(n *corev1.Node) { delete(n.Annotations, outage.Annotation) })
	turns(lifecycle, pods, kubelet)
	r.View(func(v mirror.View) {
		pod := v.Get(object.Key{Resource: "pods", Namespace: "default", Name: "a"}).Object().(*corev1.Pod)
		if pod.Status.Phase != corev1.PodRunning {
			t.Errorf("the Pod is %s", pod.Status.Phase)
		}
	})
}

// TestEviction_OfManyPods: it happens in batches, and what is remembered beside the node outlives
// the process.
func TestEviction_OfManyPods(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	node := r.Create(nodelifecycle.DefaultNode(1, nil, start))
	const many = 1100
	var pods []object.Object
	for i := range many {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("p-", i), UID: newUID(), CreationTimestamp: metav1.Time{Time: start}}}
		pod.Spec.NodeName = "node-1"
		pod.Spec.Tolerations = []corev1.Toleration{{Key: "repair", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(60))}}
		pods = append(pods, pod)
	}
	r.createAll(pods)
	if err := r.Mirror.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	changed(r, node, func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "repair", Effect: corev1.TaintEffectNoExecute}}
	})
	evictions := func() *engine.Worker {
		return engine.New(r.Deps, controllerNamed(t, world.World{Kinds: r.Kinds}, names.TaintEviction))
	}
	r.Turn(evictions())
	r.Advance(59 * time.Second)
	if claimed := r.Turn(evictions()).Claims; len(claimed) > 0 {
		t.Fatalf("it is looked at before its time: %v", claimed)
	}
	r.Advance(time.Minute)
	turns, most := 0, 0
	for w := evictions(); ; turns++ {
		turn := r.Turn(w)
		if len(turn.Claims) == 0 {
			break
		}
		for _, p := range turn.Planned {
			most = max(most, len(p.Plan.Updates)+len(p.Plan.Deletes))
		}
	}
	left := 0
	r.View(func(v mirror.View) {
		v.EachIn(mirror.PodsByNode, "node-1", func(o *object.Version) {
			if o.Object().GetDeletionTimestamp() == nil {
				left++
			}
		})
	})
	if left > 0 || most > 500 {
		t.Errorf("%d of %d Pods are left after %d turns with %d changes at most; want none, and 500", left, many, turns, most)
	}
}

// TestEndedPods_AreCollected: when one more ends than are kept, the oldest goes.
func TestEndedPods_AreCollected(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	r.Create(nodelifecycle.DefaultNode(1, nil, start))
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(),
		Addresses: world.NewAddresses(r.Pool), EndedPods: 2}
	kubelet := engine.New(r.Deps, controllerNamed(t, world, names.Kubelet))
	collector := engine.New(r.Deps, controllerNamed(t, world, names.PodGC))
	work := func() {
		for _, w := range []*engine.Worker{kubelet, collector} {
			for len(r.Turn(w).Claims) > 0 {
			}
		}
	}
	for _, name := range []string{"a", "b"} {
		r.onNode(name, "node-1", corev1.Container{Name: "c", Image: "busybox:1.36", Command: []string{"true"}})
		work()
	}
	names := func() (names []string) {
		r.View(func(v mirror.View) {
			v.Each("pods", "", func(o *object.Version) bool { names = append(names, o.Name); return true })
		})
		return names
	}
	if diff := cmp.Diff([]string{"a", "b"}, names()); diff != "" {
		t.Errorf("as many as are kept (-want +got):\n%s", diff)
	}
	r.onNode("c", "node-1", corev1.Container{Name: "c", Image: "busybox:1.36", Command: []string{"true"}})
	work()
	if diff := cmp.Diff([]string{"b", "c"}, names()); diff != "" {
		t.Errorf("one too many (-want +got):\n%s", diff)
	}
}

// TestNode_InThePlaceOfOneThatWasOut: a node fails and is deleted, and another with its name is
// created; the kubelets of its Pods sync.
func TestNode_InThePlaceOfOneThatWasOut(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	out := nodelifecycle.DefaultNode(1, nil, start)
	out.Annotations = map[string]string{outage.Annotation: outage.Failed}
	node := r.Create(out)
	world := world.World{Kinds: r.Kinds, Images: emulator.NewCatalogue(), Expiry: world.NewExpiry(), Addresses: world.NewAddresses(r.Pool)}
	kubelet := engine.New(r.Deps, controllerNamed(t, world, names.Kubelet))
	pods := engine.New(r.Deps, controllerNamed(t, world, names.NodePods))
	r.onNode("a", "node-1", corev1.Container{Name: "c", Image: "nginx:1.14.2"})
	r.Turn(kubelet)
	r.Turn(pods)
	r.Remove(node)
	r.Create(nodelifecycle.DefaultNode(1, nil, start))
	r.Turn(pods)
	if diff := cmp.Diff([]string{"a"}, r.looksOf(kubelet)); diff != "" {
		t.Errorf("looks (-want +got):\n%s", diff)
	}
}
