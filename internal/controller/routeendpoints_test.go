package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/controller_utils_test.go, TestPodEndpointsChanged
func TestSelected(t *testing.T) {
	t.Parallel()
	web := map[string]string{"app": "web"}
	pod := func(shape ...func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default", Labels: web}}
		p.Status.PodIP, p.Status.PodIPs = "10.0.0.1", []corev1.PodIP{{IP: "10.0.0.1"}}
		for _, f := range shape {
			f(p)
		}
		return p
	}
	bare := func(p *corev1.Pod) { p.Status = corev1.PodStatus{} }
	ready := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	other := func(p *corev1.Pod) { p.Labels = map[string]string{"app": "other"} }
	leaving := func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }
	ended := func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }
	annotated := func(p *corev1.Pod) { p.Annotations = map[string]string{"a": "b"} }
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []map[string]string
	}{
		{"one without an address comes", wakeup.Diff{New: pod(bare)}, nil},
		{"and goes", wakeup.Diff{Old: pod(bare)}, nil},
		{"one gets an address", wakeup.Diff{Old: pod(bare), New: pod()}, []map[string]string{web}},
		{"one gets ready", wakeup.Diff{Old: pod(), New: pod(ready)}, []map[string]string{web}},
		{"one is labelled otherwise", wakeup.Diff{Old: pod(), New: pod(other)}, []map[string]string{web, {"app": "other"}}},
		{"one is leaving", wakeup.Diff{Old: pod(), New: pod(leaving)}, []map[string]string{web}},
		{"one has ended", wakeup.Diff{Old: pod(), New: pod(ended)}, []map[string]string{web}},
		{"and is labelled after its end", wakeup.Diff{Old: pod(ended), New: pod(ended, other)}, nil},
		{"one is gone", wakeup.Diff{Old: pod()}, []map[string]string{web}},
		{"one is only annotated", wakeup.Diff{Old: pod(), New: pod(annotated)}, nil},
		{"what is no Pod", wakeup.Diff{New: &corev1.ConfigMap{}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []map[string]string
			for _, s := range routeOf(test.change).Selected(test.change) {
				if s.Controller == names.Endpoints {
					got = append(got, s.Labels)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRoute_Addresses(t *testing.T) {
	t.Parallel()
	service := func(ips ...string) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u"}, Spec: corev1.ServiceSpec{ClusterIPs: ips, Selector: map[string]string{"app": "web"}}}
	}
	address := &networkingv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Name: "10.96.0.7", UID: "a"}, Spec: networkingv1.IPAddressSpec{
		ParentRef: &networkingv1.ParentReference{Resource: "services", Namespace: "default", Name: "web"}}}
	named := func(resource, namespace, name string) wakeup.Wake {
		return wakeup.Wake{Controller: "ipaddress", Resource: resource, Namespace: namespace, Name: name}
	}
	gone := wakeup.Wake{Controller: "ipaddress", Resource: "ipaddresses.networking.k8s.io", Name: "10.96.0.7"}
	endpoints := wakeup.Wake{Controller: "endpoints", UID: "u"}
	cidr := &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: "kubernetes", UID: "c"}}
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a Service gets an address", wakeup.Diff{Old: service(), New: service("10.96.0.7")}, []wakeup.Wake{endpoints, {Controller: "ipaddress", UID: "u"}}},
		{"keeps it", wakeup.Diff{Old: service("10.96.0.7"), New: service("10.96.0.7")}, []wakeup.Wake{endpoints}},
		{"has none", wakeup.Diff{Old: service(), New: service("None")}, []wakeup.Wake{endpoints}},
		{"loses it", wakeup.Diff{Old: service("10.96.0.7"), New: service()}, []wakeup.Wake{endpoints, gone}},
		{"somebody changes an IPAddress", wakeup.Diff{Old: address, New: address}, []wakeup.Wake{{Controller: "ipaddress", UID: "a"}}},
		{"its controller does", wakeup.Diff{Old: address, New: address, Controller: "ipaddress"}, nil},
		{"it is gone", wakeup.Diff{Old: address}, []wakeup.Wake{named("services", "default", "web")}},
		{"a ServiceCIDR", wakeup.Diff{Old: cidr, New: cidr}, []wakeup.Wake{{Controller: "servicecidr", UID: "c"}}},
		{"the default one is gone", wakeup.Diff{Old: cidr}, []wakeup.Wake{{Controller: "kubernetesservice", Resource: "namespaces", Name: "default"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inOrder(test.want), woken(test.change)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRoute_Endpoints(t *testing.T) {
	t.Parallel()
	meta := metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "u"}
	service, endpoints := &corev1.Service{ObjectMeta: meta}, &corev1.Endpoints{ObjectMeta: meta}
	slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: "web-x", Namespace: "default", Labels: map[string]string{discoveryv1.LabelServiceName: "web"}}}
	named := func(resource string) []wakeup.Wake {
		return []wakeup.Wake{{Controller: "endpoints", Resource: resource, Namespace: "default", Name: "web"}}
	}
	selecting := &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}}}
	mirrored := slice.DeepCopy()
	mirrored.Labels[discoveryv1.LabelManagedBy] = "endpointslicemirroring-controller.k8s.io"
	moved := mirrored.DeepCopy()
	moved.Labels[discoveryv1.LabelServiceName] = "db"
	skipped := endpoints.DeepCopy()
	skipped.Labels = map[string]string{discoveryv1.LabelSkipMirror: "true"}
	mirrors := func(name string) wakeup.Wake {
		return wakeup.Wake{Controller: "endpointslicemirroring", Resource: "endpoints", Namespace: "default", Name: name}
	}
	api := endpoints.DeepCopy()
	api.Name, api.Labels = "kubernetes", skipped.Labels
	ofAPI := wakeup.Wake{Controller: "kubernetesservice", Resource: "namespaces", Name: "default"}
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a Service", wakeup.Diff{Old: service, New: service}, []wakeup.Wake{{Controller: "endpoints", UID: "u"}}},
		{"Endpoints that somebody changes", wakeup.Diff{Old: endpoints, New: endpoints}, append(named("services"), wakeup.Wake{Controller: "endpointslicemirroring", UID: "u"})},
		{"Endpoints that are mirrored no longer", wakeup.Diff{Old: endpoints, New: skipped}, append(named("services"), wakeup.Wake{Controller: "endpointslicemirroring", UID: "u"})},
		{"Endpoints that are not mirrored", wakeup.Diff{Old: skipped, New: skipped}, named("services")},
		{"a Service that ceases to select Pods", wakeup.Diff{Old: selecting, New: service}, []wakeup.Wake{{Controller: "endpoints", UID: "u"}, mirrors("web")}},
		{"a mirrored slice that somebody gives away", wakeup.Diff{Old: mirrored, New: moved},
			[]wakeup.Wake{{Controller: "endpoints", Resource: "services", Namespace: "default", Name: "db"}, mirrors("web"), mirrors("db")}},
		{"a mirrored slice as it is kept", wakeup.Diff{Old: mirrored, New: mirrored, Controller: "endpointslicemirroring"}, named("services")},
		{"the API's Endpoints that somebody changes", wakeup.Diff{Old: api, New: api},
			[]wakeup.Wake{{Controller: "endpoints", Resource: "services", Namespace: "default", Name: "kubernetes"}, ofAPI}},
		{"a slice that somebody changes", wakeup.Diff{Old: slice, New: slice}, named("services")},
		{"Endpoints as they are kept", wakeup.Diff{Old: endpoints, New: endpoints, Controller: "endpoints"}, nil},
		{"a slice as it is kept", wakeup.Diff{Old: slice, New: slice, Controller: "endpoints"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inOrder(test.want), woken(test.change)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
