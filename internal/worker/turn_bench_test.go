package worker_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/image"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
	"github.com/rowlock/rowlock/internal/worker"
)

// createAll stores objects in one transaction, as a client's would be that come together.
func (r replica) createAll(objects []object.Object) {
	r.t.Helper()
	batch := store.NewBatch(r.Kinds, "")
	for _, o := range objects {
		if o.GetUID() == "" {
			o.SetUID(newUID())
		}
		if _, err := batch.Add(store.Change{Verb: object.Created, Type: &r.kindOf(o).Type, New: o, Writer: "client"}, 0, "", start); err != nil {
			r.t.Fatal(err)
		}
	}
	conn, err := r.Pool.Acquire(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(r.t.Context(), "BEGIN"); err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.Store.Commit(r.t.Context(), conn.Conn(), batch); err != nil {
		r.t.Fatal(err)
	}
}

// BenchmarkTurn is the kubelets' first look at 250 new Pods: from the claim to the commit.
func BenchmarkTurn(b *testing.B) {
	const pods = 250
	r := newReplica(b)
	r.create(nodelifecycle.DefaultNode(1, nil, start))
	var kubelet *worker.Worker
	world := worker.World{Kinds: r.Kinds, Images: image.New(image.Known()...), Nodes: worker.NewNodes(), Expiry: worker.NewExpiry(), Addresses: worker.NewAddresses(r.Pool)}
	for _, c := range worker.Controllers(world) {
		if c.Name == wakeup.Kubelet {
			kubelet = worker.New(r.Deps, c)
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
			r.kindOf(pod).Default(pod)
			batch[i] = pod
		}
		r.createAll(batch)
		b.StartTimer()
		if t := r.turn(kubelet); len(t.Planned) != pods {
			b.Fatalf("%d Pods were looked at", len(t.Planned))
		}
	}
	b.ReportMetric(pods*float64(b.N)/b.Elapsed().Seconds(), "pods/s")
}
