package controller_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/rbac"
)

// beginnings is what a cluster with two nodes begins with, sorted.
var beginnings = []string{
	"created endpoints/default/kubernetes by rowlock", "created endpointslices.discovery.k8s.io/default/kubernetes by rowlock",
	"created ipaddresses.networking.k8s.io/10.96.0.1 by rowlock",
	"created namespaces/default by rowlock", "created namespaces/kube-node-lease by rowlock",
	"created namespaces/kube-public by rowlock", "created namespaces/kube-system by rowlock",
	"created nodes/node-1 by rowlock", "created nodes/node-2 by rowlock",
	"created priorityclasses.scheduling.k8s.io/system-cluster-critical by rowlock",
	"created priorityclasses.scheduling.k8s.io/system-node-critical by rowlock", "created servicecidrs.networking.k8s.io/kubernetes by rowlock",
	"created services/default/kubernetes by rowlock",
	"created storageclasses.storage.k8s.io/standard by rowlock",
}

func TestBootstrap_OnceForAllReplicas(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	a, b := joinReplica(t, url, mirror.Config{}), joinReplica(t, url, mirror.Config{})
	capacity := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("3")}
	var all errgroup.Group
	for _, r := range []replica{a, b, a, b} {
		all.Go(func() error {
			return controller.Bootstrap(t.Context(), r.Deps, controller.Fleet{Nodes: 2, Capacity: capacity})
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	for _, r := range []replica{a, b} { // and again, when everything exists
		if err := r.Mirror.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := controller.Bootstrap(t.Context(), r.Deps, controller.Fleet{Nodes: 5}); err != nil {
			t.Error(err)
		}
	}
	history := a.History(0)
	slices.Sort(history)
	want := slices.Clone(beginnings)
	for _, schema := range flowcontrol.FlowSchemas() {
		want = append(want, "created flowschemas.flowcontrol.apiserver.k8s.io/"+schema.Name+" by rowlock")
	}
	for _, level := range flowcontrol.PriorityLevels() {
		want = append(want, "created prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/"+level.Name+" by rowlock")
	}
	for _, o := range rbac.Bootstrap() {
		name := o.GetName()
		if in := o.GetNamespace(); in != "" {
			name = in + "/" + name
		}
		want = append(want, "created "+rbac.KindOf(o).Resource()+"/"+name+" by rowlock")
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, history); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	a.View(func(v mirror.View) {
		node := v.Get(object.Key{Resource: "nodes", Name: "node-2"}).Object().(*corev1.Node)
		if diff := cmp.Diff(capacity, node.Status.Capacity); diff != "" {
			t.Errorf("capacity (-want +got):\n%s", diff)
		}
		svc := v.Get(object.Key{Resource: "services", Namespace: "default", Name: "kubernetes"}).Object().(*corev1.Service)
		if svc.Spec.ClusterIP != "10.96.0.1" || svc.Spec.Type != corev1.ServiceTypeClusterIP {
			t.Errorf("the Service of the API is %+v", svc.Spec)
		}
	})
}

// TestBootstrap_RestoresWhatIsMissing: it adds no nodes to a cluster that has some, and no
// StorageClass that users have deleted.
func TestBootstrap_RestoresWhatIsMissing(t *testing.T) {
	t.Parallel()
	r := joinReplica(t, pgtest.NewURL(t), mirror.Config{})
	bootstrap := func(nodes int) {
		t.Helper()
		if err := r.Mirror.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := controller.Bootstrap(t.Context(), r.Deps, controller.Fleet{Nodes: nodes}); err != nil {
			t.Fatal(err)
		}
	}
	bootstrap(2)
	before := r.Revision()
	r.Remove(r.Mirror.Get(object.Key{Resource: "nodes", Name: "node-1"}))
	r.Remove(r.Mirror.Get(object.Key{Resource: "services", Namespace: "default", Name: "kubernetes"}))
	r.Remove(r.Mirror.Get(object.Key{Resource: "storageclasses.storage.k8s.io", Name: "standard"}))
	bootstrap(2)
	want := []string{"deleted nodes/node-1 by client", "deleted services/default/kubernetes by client",
		"deleted storageclasses.storage.k8s.io/standard by client", "created services/default/kubernetes by rowlock"}
	if diff := cmp.Diff(want, r.History(before)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// TestBootstrap_Zones: nodes are spread over zones round-robin.
func TestBootstrap_Zones(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	if err := controller.Bootstrap(t.Context(), r.Deps, controller.Fleet{Nodes: 3, Zones: 2}); err != nil {
		t.Fatal(err)
	}
	var zones []string
	r.View(func(v mirror.View) {
		v.Each("nodes", "", func(o *object.Version) bool {
			labels := o.Object().GetLabels()
			zones = append(zones, labels["topology.kubernetes.io/region"]+" "+labels["topology.kubernetes.io/zone"]+" "+labels["kubernetes.io/hostname"])
			return true
		})
	})
	if diff := cmp.Diff([]string{"region-1 zone-1 node-1", "region-1 zone-2 node-2", "region-1 zone-1 node-3"}, zones); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}
