package history_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

func space(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "uid-of-" + metav1.ObjectMeta{Name: name}.UID}}
}

// in makes a change of a namespace, which is itself in none.
func in(e history.Entry) history.Entry {
	e.Key = object.Key{Resource: "namespaces", Name: e.Key.Name}
	return e
}

// with changes an object and returns it.
func with[T any](o *T, change func(*T)) *T {
	change(o)
	return o
}

func TestLives(t *testing.T) {
	t.Parallel()
	ending := &metav1.Time{Time: start}
	home := in(created(with(space("default"), func(ns *corev1.Namespace) { ns.UID = "ns" })))
	restarted := func(n int32) *corev1.Pod {
		return with(pod("a", "", "ready"), func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: n}}
		})
	}
	kept := func(finalizers ...string) *corev1.ConfigMap {
		return with(config("c"), func(c *corev1.ConfigMap) { c.Finalizers = finalizers })
	}
	run(t, history.Lives, []row{
		{"a whole life", log(home, created(pod("a", "", "")), updated(pod("a", "", "bound")), updated(pod("a", "", "ready")), updated(pod("a", "", "terminating")), deleted(pod("a", "", ""))), nil},
		{"nowhere", log(created(config("c"))), []string{"revision 1, configmaps/default/c: created in a namespace that does not exist"}},
		{"in what is going", log(home, in(updated(with(space("default"), func(ns *corev1.Namespace) { ns.UID, ns.DeletionTimestamp = "ns", ending }))), created(config("c"))), []string{
			"revision 3, configmaps/default/c: created in a namespace that is being deleted",
		}},
		{"started anew", log(home, created(pod("a", "", "ready")), updated(pod("a", "", "bound"))), []string{
			"revision 3, pods/default/a: its phase is Pending after Running",
		}},
		{"risen", log(home, created(pod("a", "", "failed")), updated(pod("a", "", "ready"))), []string{
			"revision 3, pods/default/a: its phase is Running after Failed",
		}},
		{"moved", log(home, created(pod("a", "", "bound")), updated(with(pod("a", "", "bound"), func(p *corev1.Pod) { p.Spec.NodeName = "node-2" }))), []string{
			`revision 3, pods/default/a: its node is "node-2" after "node-1"`,
		}},
		{"restarts forgotten", log(home, created(restarted(2)), updated(restarted(1))), []string{
			"revision 3, pods/default/a: its container c has been restarted 1 times after 2",
		}},
		{"deletion taken back", log(home, created(pod("a", "", "terminating")), updated(pod("a", "", "ready"))), []string{
			"revision 3, pods/default/a: its deletion was taken back",
		}},
		{"deletion put off", log(home, created(pod("a", "", "terminating")), updated(with(pod("a", "", "terminating"), func(p *corev1.Pod) {
			p.DeletionTimestamp = &metav1.Time{Time: start.Add(time.Second)}
		}))), []string{
			"revision 3, pods/default/a: its deletion was put off from " + ending.String() + " to " + metav1.Time{Time: start.Add(time.Second)}.String(),
		}},
		{"generation forgotten", log(home, created(with(config("c"), func(c *corev1.ConfigMap) { c.Generation = 2 })), updated(config("c"))), []string{
			"revision 3, configmaps/default/c: its generation is 0 after 2",
		}},
		{"born again", log(home, created(config("c")), updated(with(config("c"), func(c *corev1.ConfigMap) { c.CreationTimestamp = metav1.Time{Time: start} }))), []string{
			"revision 3, configmaps/default/c: its creationTimestamp is " + metav1.Time{Time: start}.String() + " after " + metav1.Time{}.String(),
		}},
		{"removed against its finalizers", log(home, created(kept("f")), deleted(kept("f"))), []string{
			`revision 3, configmaps/default/c: removed with the finalizers ["f"]`,
		}},
		{"removed with its last finalizer", log(home, created(kept("f")), entry(object.Deleted, kept())), nil},
	})
}

func TestOwnership(t *testing.T) {
	t.Parallel()
	selects := selecting("rs", 1)
	web := func(owner string) *corev1.Pod { return labelled("a", owner, "web") }
	run(t, history.Ownership, []row{
		{"owned, let go and adopted", log(created(selects), created(set("other", "", 1)), created(web("rs")), updated(web("")), updated(web("other"))), nil},
		{"of nobody", log(created(web("rs"))), []string{"revision 1, pods/default/a: came to the controller uid-of-rs, which does not exist"}},
		{"of one that is gone", log(created(selects), deleted(selects), created(web("rs"))), []string{
			"revision 3, pods/default/a: came to the controller uid-of-rs, which does not exist",
		}},
		{"not selected", log(created(selects), created(pod("a", "rs", ""))), []string{"revision 2, pods/default/a: came to rs, which does not select it"}},
		{"snatched", log(created(selects), created(set("other", "", 1)), created(web("rs")), updated(web("other"))), []string{
			"revision 4, pods/default/a: went from the controller uid-of-rs to uid-of-other",
		}},
		{"of two", log(created(selects), created(with(web("rs"), func(p *corev1.Pod) {
			p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{UID: "x", Controller: new(true)})
		}))), []string{"revision 2, pods/default/a: has 2 controllers"}},
	})
}

func TestCapacity(t *testing.T) {
	t.Parallel()
	node := created(with(&corev1.Node{}, func(n *corev1.Node) {
		n.Name, n.UID = "node-1", "uid-of-node-1"
		n.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("2"), "pods": resource.MustParse("2")}
	}))
	node.Key = object.Key{Resource: "nodes", Name: "node-1"}
	asks := func(name, state, cpu string) *corev1.Pod {
		return with(pod(name, "", state), func(p *corev1.Pod) {
			p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(cpu)}}}}
		})
	}
	binds := func(p *corev1.Pod) history.Entry {
		e := updated(p)
		e.Writer = "default-scheduler"
		return e
	}
	run(t, history.Capacity, []row{
		{"filled", log(node, binds(asks("a", "bound", "1")), binds(asks("b", "bound", "1"))), nil},
		{"room again", log(node, binds(asks("a", "bound", "2")), updated(asks("a", "failed", "2")), binds(asks("b", "bound", "2")), deleted(asks("b", "", "2")), binds(asks("c", "bound", "2"))), nil},
		{"overfilled", log(node, binds(asks("a", "bound", "1")), binds(asks("b", "bound", "1500m"))), []string{
			"revision 3, pods/default/b: bound to node-1, which has 2 of cpu for Pods that ask for 2500m",
		}},
		{"one too many", log(node, binds(asks("a", "bound", "0")), binds(asks("b", "bound", "0")), binds(asks("c", "bound", "0"))), []string{
			"revision 4, pods/default/c: bound to node-1, which has 3 Pods and may have 2",
		}},
		{"nowhere", log(binds(asks("a", "bound", "1"))), []string{"revision 1, pods/default/a: bound to node-1, which does not exist"}},
	})
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	at := func(name, state, ip string) *corev1.Pod {
		return with(pod(name, "", state), func(p *corev1.Pod) { p.Status.PodIP = ip })
	}
	service := func(name, ip string, port int32) *corev1.Service {
		return &corev1.Service{ObjectMeta: meta(name, ""), Spec: corev1.ServiceSpec{ClusterIPs: []string{ip}, Ports: []corev1.ServicePort{{NodePort: port, Protocol: corev1.ProtocolTCP}}}}
	}
	run(t, history.Addresses, []row{
		{"one after the other", log(created(at("a", "ready", "10.0.0.1")), updated(at("a", "failed", "10.0.0.1")), created(at("b", "ready", "10.0.0.1"))), nil},
		{"shared", log(created(at("a", "ready", "10.0.0.1")), created(at("b", "ready", "10.0.0.1"))), []string{
			"revision 2, pods/default/b: has the address 10.0.0.1 of uid-of-a",
		}},
		{"a port twice", log(created(service("s", "10.0.0.1", 30000)), created(service("z", "10.0.0.2", 30000))), []string{
			"revision 2, configmaps/default/z: has the node port 30000/tcp of uid-of-s",
		}},
		{"headless", log(created(service("s", "None", 0)), created(service("z", "None", 0))), nil},
	})
}

func TestConverged(t *testing.T) {
	t.Parallel()
	node := created(with(&corev1.Node{}, func(n *corev1.Node) { n.Name, n.UID = "node-1", "uid-of-node-1" }))
	node.Key = object.Key{Resource: "nodes", Name: "node-1"}
	full := with(set("rs", "", 1), func(s *appsv1.ReplicaSet) { s.Status.Replicas, s.Status.ReadyReplicas = 1, 1 })
	run(t, func(h history.History) []history.Violation { return history.Converged(history.Live(h)) }, []row{
		{"all there", log(node, created(full), created(pod("a", "rs", "ready"))), nil},
		{"pending", log(node, created(pod("a", "", ""))), []string{"revision 0, pods/default/a: has no node"}},
		{"not ready", log(node, created(pod("a", "", "bound"))), []string{"revision 0, pods/default/a: is not ready"}},
		{"nowhere", log(created(pod("a", "", "ready"))), []string{"revision 0, pods/default/a: is on node-1, which does not exist"}},
		{"left behind", log(node, created(full), created(pod("a", "rs", "ready")), deleted(full)), []string{"revision 0, pods/default/a: has outlived its owners"}},
		{"too few", log(node, created(full)), []string{
			"revision 0, replicasets.apps/default/rs: asks for 1 Pods and has 0; its status says 1, 1 of them ready, of generation 0 of 0",
		}},
		{"still going", log(created(with(config("c"), func(c *corev1.ConfigMap) { c.DeletionTimestamp = &metav1.Time{Time: start.Add(time.Hour)} }))), []string{
			`revision 0, configmaps/default/c: is being deleted, with the finalizers []`,
		}},
		{"not rolled out", log(created(deployment("d", 1))), []string{
			"revision 0, deployments.apps/default/d: asks for 1 Pods; its status says 0, 0 of them updated and 0 available, of generation 0 of 0; 0 ReplicaSets have some",
		}},
	})
}
