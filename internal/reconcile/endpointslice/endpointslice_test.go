package endpointslice_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/endpointslice"
)

func service(shape ...func(*corev1.Service)) *corev1.Service {
	s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "svc"}, Spec: corev1.ServiceSpec{
		Selector: map[string]string{"app": "web"}, ClusterIP: "10.96.0.9", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
		Ports: []corev1.ServicePort{{Port: 80, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(8080)}},
	}}
	for _, f := range shape {
		f(s)
	}
	return s
}

func pod(n int, ready bool, shape ...func(*corev1.Pod)) *corev1.Pod {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	ip := fmt.Sprintf("10.0.%d.%d", n/200, n%200+1)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("p%04d", n), Namespace: "default", UID: types.UID(fmt.Sprint(n))},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status: corev1.PodStatus{PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}},
	}
	for _, f := range shape {
		f(p)
	}
	return p
}

// world applies plans to slices.
type world struct {
	endpointslice.Snapshot
	drawn int
}

func newWorld(s *corev1.Service, pods ...*corev1.Pod) *world {
	return &world{Snapshot: endpointslice.Snapshot{Service: s, Pods: pods, Zones: map[string]string{"node-1": "a"}}}
}

// turn reconciles once and returns how much was created, updated and deleted.
func (w *world) turn() [3]int {
	p := endpointslice.Reconcile(w.Snapshot)
	for _, u := range p.Updates {
		i := slices.IndexFunc(w.Slices, func(s *discoveryv1.EndpointSlice) bool { return s.Name == u.Object.GetName() })
		w.Slices[i] = u.Object.(*discoveryv1.EndpointSlice)
	}
	for _, d := range p.Deletes {
		w.Slices = slices.DeleteFunc(w.Slices, func(s *discoveryv1.EndpointSlice) bool { return s.Name == d.Object.GetName() })
	}
	for _, c := range p.Creates {
		w.drawn++
		slice := c.Object.(*discoveryv1.EndpointSlice)
		slice.Name = fmt.Sprintf("%s%d", slice.GenerateName, w.drawn)
		w.Slices = append(w.Slices, slice)
	}
	return [3]int{len(p.Creates), len(p.Updates), len(p.Deletes)}
}

func (w *world) sizes() (n []int) {
	for _, s := range w.Slices {
		n = append(n, len(s.Endpoints))
	}
	return n
}

func check(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/reconciler_test.go, TestReconcileEmpty, TestReconcileManyPods and
// TestReconcileEndpointSlicesSomePreexisting
func TestReconcile_ChangesAsFewSlicesAsItCan(t *testing.T) {
	t.Parallel()
	var pods []*corev1.Pod
	for n := range 250 {
		pods = append(pods, pod(n, true))
	}
	w := newWorld(service())
	check(t, [3]int{1, 0, 0}, w.turn()) // without endpoints there is still a slice
	check(t, []int{0}, w.sizes())
	check(t, [3]int{}, w.turn())
	w.Pods = pods
	check(t, [3]int{2, 1, 0}, w.turn())
	check(t, [3]int{}, w.turn())
	w.Pods = slices.Clone(pods)
	w.Pods[7] = pod(7, false)
	check(t, [3]int{0, 1, 0}, w.turn())
	w.Pods = append(w.Pods, pod(300, true))
	check(t, [3]int{0, 1, 0}, w.turn())
	w.Pods = nil
	check(t, [3]int{0, 1, 2}, w.turn())
	check(t, []int{0}, w.sizes())
}

// POD-009, INIT-010. Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/utils_test.go, TestPodToEndpoint
func TestReconcile_Endpoints(t *testing.T) {
	t.Parallel()
	leaving := func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }
	hosted := func(p *corev1.Pod) { p.Spec.Hostname, p.Spec.Subdomain = "db-0", "web" }
	publishing := func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true }
	tests := []struct {
		name    string
		service *corev1.Service
		pod     *corev1.Pod
		want    string
	}{
		{"ready", service(), pod(0, true), "10.0.0.1 ready=true serving=true terminating=false zone=a"},
		{"not ready", service(), pod(0, false), "10.0.0.1 ready=false serving=false terminating=false zone=a"},
		{"leaving", service(), pod(0, true, leaving), "10.0.0.1 ready=false serving=true terminating=true zone=a"},
		{"leaving, published", service(publishing), pod(0, false, leaving), "10.0.0.1 ready=true serving=false terminating=true zone=a"},
		{"with a name", service(), pod(0, true, hosted), "10.0.0.1 ready=true serving=true terminating=false zone=a hostname=db-0"},
		{"ended", service(), pod(0, false, func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), ""},
		{"without an address", service(), pod(0, false, func(p *corev1.Pod) { p.Status.PodIP, p.Status.PodIPs = "", nil }), ""},
		{"on a node that is not there", service(), pod(0, true, func(p *corev1.Pod) { p.Spec.NodeName = "gone" }), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(tt.service, tt.pod)
			w.turn()
			got := ""
			for _, e := range w.Slices[0].Endpoints {
				got = fmt.Sprintf("%s ready=%t serving=%t terminating=%t zone=%s", e.Addresses[0], *e.Conditions.Ready, *e.Conditions.Serving, *e.Conditions.Terminating, *e.Zone)
				if e.Hostname != nil {
					got += " hostname=" + *e.Hostname
				}
			}
			check(t, tt.want, got)
		})
	}
	none := service(func(s *corev1.Service) { s.Spec.Selector = nil })
	if p := endpointslice.Reconcile(endpointslice.Snapshot{Service: none}); !p.Empty() {
		t.Errorf("a Service that selects nothing is not left alone: %s", p)
	}
}

// Whatever Pods come and go, the slices settle at once, each endpoint is there once, and no slice
// is too full.
func TestReconcile_Settles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(service())
		for range rapid.IntRange(1, 5).Draw(t, "turns") {
			w.Pods = nil
			for n := range 320 {
				if rapid.IntRange(0, 3).Draw(t, "there") > 0 {
					w.Pods = append(w.Pods, pod(n, n%3 > 0))
				}
			}
			w.turn()
			if again := w.turn(); again != [3]int{} {
				t.Fatalf("a second look changes %v", again)
			}
			seen := map[string]bool{}
			for _, s := range w.Slices {
				if len(s.Endpoints) > 100 {
					t.Fatalf("%d endpoints in a slice", len(s.Endpoints))
				}
				for _, e := range s.Endpoints {
					seen[e.TargetRef.Name] = true
				}
			}
			if total := len(seen); total != len(w.Pods) {
				t.Fatalf("%d endpoints of %d Pods", total, len(w.Pods))
			}
		}
	})
}

// TestHints: the hints of endpoints for each trafficDistribution of the Service. Another
// distribution changes them in place.
func TestHints(t *testing.T) {
	t.Parallel()
	far := func(p *corev1.Pod) { p.Spec.NodeName = "node-2" }
	w := newWorld(service(), pod(0, true), pod(1, true, far), pod(2, false))
	w.Zones["node-2"] = ""
	w.turn()
	for _, tt := range []struct{ distribution, want string }{
		{"", ""},
		{corev1.ServiceTrafficDistributionPreferClose, "p0000 zones [a]\n"},
		{corev1.ServiceTrafficDistributionPreferSameNode, "p0000 zones [a] nodes [node-1]\np0001 nodes [node-2]\n"},
		{corev1.ServiceTrafficDistributionPreferSameZone, "p0000 zones [a]\n"},
		{"", ""},
	} {
		w.Service = service()
		if tt.distribution != "" {
			w.Service.Spec.TrafficDistribution = &tt.distribution
		}
		w.turn()
		got := ""
		for _, e := range w.Slices[0].Endpoints {
			if e.Hints == nil {
				continue
			}
			got += e.TargetRef.Name
			for _, z := range e.Hints.ForZones {
				got += " zones [" + z.Name + "]"
			}
			for _, n := range e.Hints.ForNodes {
				got += " nodes [" + n.Name + "]"
			}
			got += "\n"
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(w.Slices) != 1 {
			t.Errorf("%q: %d slices (-want +got):\n%s", tt.distribution, len(w.Slices), diff)
		}
		if again := w.turn(); again != [3]int{} {
			t.Errorf("%q: changed again: %v", tt.distribution, again)
		}
	}
}

// BenchmarkReconcile is the sync of a Service of 5,000 Pods after one has changed.
func BenchmarkReconcile(b *testing.B) {
	var pods []*corev1.Pod
	for n := range 5000 {
		pods = append(pods, pod(n, true))
	}
	w := newWorld(service(), pods...)
	w.turn()
	w.Pods = slices.Clone(pods)
	w.Pods[7] = pod(7, false)
	b.ReportAllocs()
	for b.Loop() {
		if p := endpointslice.Reconcile(w.Snapshot); len(p.Updates) != 1 {
			b.Fatal(len(p.Updates))
		}
	}
}

// TestEndpoint_HasNoOtherFields: a comparison names every field of an endpoint.
func TestEndpoint_HasNoOtherFields(t *testing.T) {
	t.Parallel()
	if n, of := reflect.TypeFor[discoveryv1.Endpoint]().NumField(), reflect.TypeFor[discoveryv1.EndpointConditions]().NumField(); n != 8 || of != 3 {
		t.Errorf("an endpoint has %d fields and its conditions %d: the function same compares 8 and 3", n, of)
	}
}
