package controller_test

import (
	"fmt"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// createAll stores objects in one transaction, as for clients' writes that arrive together.
func (r replica) createAll(objects []object.Object) {
	r.T.Helper()
	batch := store.NewBatch(r.Kinds, controller.NewRouter(), "")
	for _, o := range objects {
		if o.GetUID() == "" {
			o.SetUID(newUID())
		}
		if _, err := batch.Add(store.Change{Verb: object.Created, Type: &r.KindOf(o).Type, New: o, Writer: "client"}, 0, "", start); err != nil {
			r.T.Fatal(err)
		}
	}
	conn, err := r.Pool.Acquire(r.T.Context())
	if err != nil {
		r.T.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(r.T.Context(), "BEGIN"); err != nil {
		r.T.Fatal(err)
	}
	if _, err := r.Store.Commit(r.T.Context(), conn.Conn(), batch); err != nil {
		r.T.Fatal(err)
	}
}

// BenchmarkTurn measures the kubelets' first sync of 250 new Pods: from the claim to the commit.
func BenchmarkTurn(b *testing.B) {
	const pods = 250
	r := newReplica(b)
	r.Create(nodelifecycle.DefaultNode(1, nil, start))
	var kubelet *engine.Worker
	world := world.World{
		Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(),
		Addresses: world.NewAddresses(r.Pool),
	}
	for _, c := range controller.Controllers(world) {
		if c.Name == names.Kubelet {
			kubelet = engine.New(r.Deps, c)
		}
	}
	made := 0
	for b.Loop() {
		b.StopTimer()
		batch := make([]object.Object, pods)
		for i := range batch {
			made++
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("web-", made), CreationTimestamp: metav1.Time{Time: start}}}
			pod.Spec.NodeName = "node-1"
			pod.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:1.14.2"}}
			r.KindOf(pod).Default(pod)
			batch[i] = pod
		}
		r.createAll(batch)
		b.StartTimer()
		if t := r.Turn(kubelet); len(t.Planned) != pods {
			b.Fatalf("%d Pods were synced", len(t.Planned))
		}
	}
	b.ReportMetric(pods*float64(b.N)/b.Elapsed().Seconds(), "pods/s")
}

// BenchmarkTurn_Creates measures a ReplicaSet controller's first turn for a ReplicaSet of 250 Pods:
// from the claim to the commit.
func BenchmarkTurn_Creates(b *testing.B) {
	const pods = 250
	r := newReplica(b)
	var worker *engine.Worker
	world := world.World{
		Kinds: r.Kinds, Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(),
		Addresses: world.NewAddresses(r.Pool),
	}
	for _, c := range controller.Controllers(world) {
		if c.Name == names.ReplicaSet {
			worker = engine.New(r.Deps, c)
		}
	}
	made := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		made++
		labels := map[string]string{"app": fmt.Sprint("web-", made)}
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: labels["app"], CreationTimestamp: metav1.Time{Time: start}}}
		rs.Spec.Replicas = new(int32(pods))
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		rs.Spec.Template.Labels = labels
		rs.Spec.Template.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:1.14.2"}}
		r.KindOf(rs).Default(rs)
		r.createAll([]object.Object{rs})
		b.StartTimer()
		creates := 0
		for _, p := range r.Turn(worker).Planned { // including that of the last round, now that its Pods exist
			creates += len(p.Plan.Creates)
		}
		if creates != pods {
			b.Fatalf("%d Pods were created", creates)
		}
	}
}

// BenchmarkRoute measures what the store asks the routes for one change.
func BenchmarkRoute(b *testing.B) {
	started := pod(onNode, owned(web), func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning })
	for name, d := range map[string]wakeup.Diff{
		"status":    {Old: pod(onNode, owned(web)), New: started, Controller: "kubelet"},
		"create":    {New: pod(owned(web)), Controller: "replicaset"},
		"delete":    {Old: started, Controller: "kubelet"},
		"configmap": {Old: aConfigMap("a"), New: aConfigMap("a")},
	} {
		b.Run(name, func(b *testing.B) {
			resource := resources[reflect.TypeOf(d.Last())]
			var wakes []wakeup.Wake
			b.ReportAllocs()
			for b.Loop() {
				route := routes.Of(resource)
				wakes = route.Wakes(wakes[:0], d)
				_, _ = route.Adopters(d), route.Selected(d)
			}
		})
	}
}
