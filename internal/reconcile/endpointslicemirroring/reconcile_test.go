package endpointslicemirroring_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpointslicemirroring"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

func port(name string, number int32) corev1.EndpointPort {
	return corev1.EndpointPort{Name: name, Port: number, Protocol: corev1.ProtocolTCP}
}

func addresses(ips ...string) (out []corev1.EndpointAddress) {
	for _, ip := range ips {
		out = append(out, corev1.EndpointAddress{IP: ip})
	}
	return out
}

func subset(ports []corev1.EndpointPort, ready, not []corev1.EndpointAddress) corev1.EndpointSubset {
	return corev1.EndpointSubset{Ports: ports, Addresses: ready, NotReadyAddresses: not}
}

func snapshot(subsets ...corev1.EndpointSubset) endpointslicemirroring.Snapshot {
	return endpointslicemirroring.Snapshot{
		Service:   &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "db"}},
		Endpoints: &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "db", UID: "e"}, Subsets: subsets},
	}
}

// summary is the slices of a plan, each on a line: ports, then addresses, those that are not ready
// with an exclamation mark.
func summary(p plan.Plan) string {
	var lines []string
	tell := func(verb string, s *discoveryv1.EndpointSlice) {
		text := []string{verb, string(s.AddressType)}
		for _, p := range s.Ports {
			text = append(text, fmt.Sprintf("%s:%d", *p.Name, *p.Port))
		}
		for _, e := range s.Endpoints {
			mark := "!"
			if *e.Conditions.Ready {
				mark = ""
			}
			text = append(text, mark+e.Addresses[0])
		}
		lines = append(lines, strings.Join(text, " "))
	}
	for _, c := range p.Creates {
		tell("create", c.Object.(*discoveryv1.EndpointSlice))
	}
	for _, u := range p.Updates {
		tell("update "+u.Object.GetName(), u.Object.(*discoveryv1.EndpointSlice))
	}
	for _, d := range p.Deletes {
		lines = append(lines, "delete "+d.Object.GetName())
	}
	for _, e := range p.Events {
		lines = append(lines, e.Reason+": "+e.Message)
	}
	return strings.Join(lines, "\n")
}

// apply is the snapshot once a plan is applied.
func apply(s endpointslicemirroring.Snapshot, p plan.Plan) endpointslicemirroring.Snapshot {
	var next []*discoveryv1.EndpointSlice
	for _, slice := range s.Slices {
		for _, u := range p.Updates {
			if u.Object.GetName() == slice.Name {
				slice = u.Object.(*discoveryv1.EndpointSlice)
			}
		}
		gone := false
		for _, d := range p.Deletes {
			gone = gone || d.Object.GetName() == slice.Name
		}
		if !gone {
			next = append(next, slice)
		}
	}
	for i, c := range p.Creates {
		slice := c.Object.(*discoveryv1.EndpointSlice).DeepCopy()
		slice.Name = fmt.Sprint(slice.GenerateName, len(s.Slices)+i)
		next = append(next, slice)
	}
	s.Slices = next
	return s
}

// Source: kubernetes v1.36 pkg/controller/endpointslicemirroring/reconciler_test.go, TestReconcile
func TestReconcile(t *testing.T) {
	t.Parallel()
	http, https := port("http", 80), port("https", 443)
	var many []corev1.EndpointAddress
	for i := range 1010 {
		many = append(many, corev1.EndpointAddress{IP: fmt.Sprintf("10.1.%d.%d", i/200, i%200+1)})
	}
	tests := []struct {
		name    string
		subsets []corev1.EndpointSubset
		want    string
	}{
		{"none", nil, ""},
		{"some, of which one is not ready", []corev1.EndpointSubset{subset([]corev1.EndpointPort{http}, addresses("10.1.0.2", "10.1.0.1"), addresses("10.1.0.3"))},
			"create IPv4 http:80 10.1.0.1 10.1.0.2 !10.1.0.3"},
		{"of two families", []corev1.EndpointSubset{subset([]corev1.EndpointPort{http}, addresses("10.1.0.1", "2001:db8::1"), nil)},
			"create IPv4 http:80 10.1.0.1\ncreate IPv6 http:80 2001:db8::1"},
		{"with other ports", []corev1.EndpointSubset{
			subset([]corev1.EndpointPort{http}, addresses("10.1.0.1"), nil), subset([]corev1.EndpointPort{https}, addresses("10.1.0.2"), nil)},
			"create IPv4 http:80 10.1.0.1\ncreate IPv4 https:443 10.1.0.2"},
		{"with the same hosts in two subsets", []corev1.EndpointSubset{
			subset([]corev1.EndpointPort{http}, addresses("10.1.0.1"), nil), subset([]corev1.EndpointPort{https}, addresses("10.1.0.1"), nil)},
			"create IPv4 http:80 https:443 10.1.0.1"},
		{"ready in one subset and not in another", []corev1.EndpointSubset{
			subset([]corev1.EndpointPort{http}, addresses("10.1.0.1"), nil), subset([]corev1.EndpointPort{http}, nil, addresses("10.1.0.1"))},
			"create IPv4 http:80 !10.1.0.1"},
		{"without ports", []corev1.EndpointSubset{subset(nil, addresses("10.1.0.1"), nil)}, "create IPv4 10.1.0.1"},
		{"in an older form", []corev1.EndpointSubset{subset([]corev1.EndpointPort{http}, addresses("010.001.000.001"), nil)}, "create IPv4 http:80 10.1.0.1"},
		{"an invalid address", []corev1.EndpointSubset{subset([]corev1.EndpointPort{http}, addresses("10.1.0.1", "db"), nil)},
			"create IPv4 http:80 10.1.0.1\nInvalidIPAddress: Skipped 1 invalid IP addresses when mirroring to EndpointSlices"},
		{"too many", []corev1.EndpointSubset{subset([]corev1.EndpointPort{http}, addresses("10.1.0.1"), many)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot(tt.subsets...)
			p := laws.Check(t, endpointslicemirroring.Reconcile, s)
			if got := summary(p); tt.name == "too many" {
				slice := p.Creates[0].Object.(*discoveryv1.EndpointSlice)
				const tooMany = "TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 10 addresses were skipped"
				if len(slice.Endpoints) != 1000 || !strings.HasSuffix(got, "\n"+tooMany) {
					t.Errorf("%d endpoints, %s", len(slice.Endpoints), got)
				}
			} else if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if again := endpointslicemirroring.Reconcile(apply(s, p)); !again.Empty() {
				t.Errorf("once applied, it plans %s", summary(again))
			}
		})
	}
}

func TestReconcile_Changes(t *testing.T) {
	t.Parallel()
	http := []corev1.EndpointPort{port("http", 80)}
	tests := []struct {
		name   string
		change func(*endpointslicemirroring.Snapshot)
		want   string
	}{
		{"nothing", func(*endpointslicemirroring.Snapshot) {}, ""},
		{"another address", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Subsets[0].Addresses = addresses("10.1.0.2") }, "update db-0 IPv4 http:80 10.1.0.2"},
		{"another port recycles the slice", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Subsets[0].Ports[0].Port = 81 }, "update db-0 IPv4 http:81 10.1.0.1"},
		{"another family does not", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Subsets[0].Addresses = addresses("2001:db8::1") },
			"create IPv6 http:80 2001:db8::1\ndelete db-0"},
		{"a label", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Labels = map[string]string{"team": "data"} }, "update db-0 IPv4 http:80 10.1.0.1"},
		{"an annotation", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Annotations = map[string]string{"note": "x"} }, "update db-0 IPv4 http:80 10.1.0.1"},
		{"annotations that are not copied", func(s *endpointslicemirroring.Snapshot) {
			s.Endpoints.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}", corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}
		}, ""},
		{"made anew", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.UID = "f" }, "update db-0 IPv4 http:80 10.1.0.1"},
		{"a second slice", func(s *endpointslicemirroring.Snapshot) {
			other := s.Slices[0].DeepCopy()
			other.Name = "db-1"
			s.Slices = append(s.Slices, other)
		}, "delete db-1"},
		{"a label against mirroring", func(s *endpointslicemirroring.Snapshot) {
			s.Endpoints.Labels = map[string]string{discoveryv1.LabelSkipMirror: "true"}
		}, "delete db-0"},
		{"an election", func(s *endpointslicemirroring.Snapshot) {
			s.Endpoints.Annotations = map[string]string{"control-plane.alpha.kubernetes.io/leader": "{}"}
		}, "delete db-0"},
		{"the Service is gone", func(s *endpointslicemirroring.Snapshot) { s.Service = nil }, "delete db-0"},
		{"the Service selects Pods", func(s *endpointslicemirroring.Snapshot) { s.Service.Spec.Selector = map[string]string{"app": "db"} }, "delete db-0"},
		{"no addresses", func(s *endpointslicemirroring.Snapshot) { s.Endpoints.Subsets = nil }, "delete db-0"},
		{"being deleted, nothing is created", func(s *endpointslicemirroring.Snapshot) {
			s.Slices, s.Endpoints.DeletionTimestamp = nil, &metav1.Time{}
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot(subset(http, addresses("10.1.0.1"), nil))
			s = apply(s, endpointslicemirroring.Reconcile(s))
			s.Endpoints = s.Endpoints.DeepCopy()
			tt.change(&s)
			p := laws.Check(t, endpointslicemirroring.Reconcile, s)
			if got := summary(p); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if again := endpointslicemirroring.Reconcile(apply(s, p)); !again.Empty() {
				t.Errorf("once applied, it plans %s", summary(again))
			}
		})
	}
}
