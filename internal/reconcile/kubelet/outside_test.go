package kubelet

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/machine/kernel"
)

func service(namespace, name, ip string, change func(*corev1.Service)) *corev1.Service {
	s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: corev1.ServiceSpec{ClusterIP: ip, ClusterIPs: []string{ip}, Selector: map[string]string{"app": "web"},
			Ports: []corev1.ServicePort{{Name: "http", Port: 8080, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(80)}}}}
	if change != nil {
		change(s)
	}
	return s
}

// TestOutside asks what a Pod's processes can ask.
func TestOutside(t *testing.T) {
	t.Parallel()
	target := func(name, ip string, ready bool) *corev1.Pod {
		w := &world{t: t, now: noon, pod: bound(nginx(), func(p *corev1.Pod) {
			p.Name, p.Labels = name, map[string]string{"app": "web"}
			p.Spec.Hostname, p.Spec.Subdomain = name, "peers"
		})}
		w.live(time.Second)
		w.pod.Status.PodIP = ip
		for i := range w.pod.Status.Conditions {
			if !ready && w.pod.Status.Conditions[i].Type == corev1.PodReady {
				w.pod.Status.Conditions[i].Status = corev1.ConditionFalse
			}
		}
		return w.pod
	}
	headless := func(s *corev1.Service) { s.Spec.ClusterIPs = []string{corev1.ClusterIPNone} }
	k := newSync(Snapshot{Pod: bound(nginx()), Node: node(), Images: images, Now: noon.Add(time.Minute), Outside: &Outside{
		Services: []*corev1.Service{
			service("default", "web", "10.96.0.20", nil),
			service("default", "peers", "None", headless),
			service("default", "nobody", "10.96.0.21", func(s *corev1.Service) { s.Spec.Selector = map[string]string{"app": "none"} }),
			service("other", "alias", "", func(s *corev1.Service) {
				s.Spec.Type, s.Spec.ExternalName, s.Spec.ClusterIPs = corev1.ServiceTypeExternalName, "example.com", nil
			}),
			service("default", "kubernetes", "10.96.0.1", nil),
		},
		Pods: []*corev1.Pod{target("b", "10.244.0.9", true), target("a", "10.244.0.8", false)},
	}})
	dns := func(name, record string) kernel.Query {
		return kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(name), Record: record}
	}
	tcp := func(address string, port int) kernel.Query {
		return kernel.Query{Kind: kernel.QueryTCP, Address: address, Port: port}
	}
	none, refused, silent := kernel.Answer{Outcome: kernel.OutcomeNoName}, kernel.Answer{Outcome: kernel.OutcomeRefused}, kernel.Answer{Outcome: kernel.OutcomeTimeout}
	tests := []struct {
		name string
		q    kernel.Query
		want kernel.Answer
	}{
		{"a Service", dns("web.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.96.0.20"}}},
		{"a Service has no other family", dns("web.default.svc.cluster.local", "AAAA"), kernel.Answer{}},
		{"of another namespace", dns("web.other.svc.cluster.local", "A"), none},
		{"no name of the cluster", dns("example.com", "A"), none},
		{"too short a name", dns("svc.cluster.local", "A"), none},
		{"ready Pods without an address of their Service", dns("peers.default.svc.cluster.local", ""), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"one of them", dns("b.peers.default.svc.cluster.local", ""), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"one that is not ready", dns("a.peers.default.svc.cluster.local", ""), none},
		{"a name that stands for another", dns("alias.other.svc.cluster.local", "A"), kernel.Answer{Canonical: "example.com"}},
		{"a Pod by its address", dns("10-244-0-9.default.pod.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"a port", dns("_http._tcp.web.default.svc.cluster.local", "SRV"), kernel.Answer{Records: []string{"0 100 8080 web.default.svc.cluster.local."}}},
		{"the other way round", dns("20.0.96.10.in-addr.arpa", "PTR"), kernel.Answer{Records: []string{"web.default.svc.cluster.local."}}},
		{"an address without a name", dns("9.9.9.9.in-addr.arpa", "PTR"), none},

		{"through a Service", tcp("10.96.0.20", 8080), kernel.Answer{}},
		{"another port of it", tcp("10.96.0.20", 80), silent},
		{"nobody behind it", tcp("10.96.0.21", 8080), refused},
		{"a Pod", tcp("10.244.0.9", 80), kernel.Answer{}},
		{"a Pod where nothing listens", tcp("10.244.0.9", 81), refused},
		{"nobody", tcp("10.244.0.77", 80), silent},
		{"no address", tcp("web", 80), kernel.Answer{Outcome: kernel.OutcomeUnreachable}},
		{"the name server", tcp("10.96.0.10", 53), kernel.Answer{}},
		{"a Pod that is pinged", kernel.Query{Kind: kernel.QueryPing, Address: "10.244.0.9"}, kernel.Answer{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, k.answer(tt.q)); diff != "" {
			t.Errorf("%s: answer (-want +got):\n%s", tt.name, diff)
		}
	}
	get := tcp("10.96.0.20", 8080)
	get.Kind, get.Method, get.Path = kernel.QueryHTTP, "GET", "/"
	if a := k.answer(get); a.Status != 200 || len(a.Body) == 0 {
		t.Errorf("the page: %+v", a)
	}
	if a := k.answer(kernel.Query{Kind: kernel.QueryHTTP, Address: "10.96.0.1", Port: 443}); a.Status != 401 {
		t.Errorf("the API: %+v", a)
	}
}

// TestReached names the Pods that questions may lead to.
func TestReached(t *testing.T) {
	t.Parallel()
	services := []*corev1.Service{service("one", "web", "10.96.0.20", nil), service("two", "web", "10.96.0.21", nil)}
	namespaces, addresses := Reached([]kernel.Query{
		{Kind: kernel.QueryDNS, Name: "a.web.two.svc.cluster.local"}, {Kind: kernel.QueryTCP, Address: "10.96.0.20"}, {Kind: kernel.QueryPing, Address: "10.244.0.9"},
	}, services)
	if diff := cmp.Diff([]string{"one", "two"}, namespaces); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"10.96.0.20", "10.244.0.9"}, addresses); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

// TestAContainerIsAdded lets a container be added to a Pod that was judged in closed form: its machine is made of what
// runs.
func TestAContainerIsAdded(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(nginx())}
	w.live(time.Minute)
	if w.memory != nil {
		t.Errorf("%d bytes are remembered", len(w.memory))
	}
	w.pod = w.pod.DeepCopy()
	w.pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon(
		named("debugger", sh("wget -qO- http://localhost/ | grep -c nginx; exit 2")))}}
	w.live(2 * time.Minute)
	w.want(
		"  0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
		"1m0s Running ready 1/1 nginx=Running | Pulled, Created, Started",
	)
	if s := w.pod.Status.EphemeralContainerStatuses; len(s) != 1 || s[0].State.Terminated == nil || s[0].State.Terminated.ExitCode != 2 {
		t.Errorf("status %+v", s)
	}
	if log := w.log("debugger"); len(log) != 1 || log[0] == "1m0s 0" {
		t.Errorf("log %q", log)
	}
}

// TestSilentNode answers nobody: what runs there cannot be reached.
func TestSilentNode(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(sh("wget -T 3 -q -O - http://10.244.0.9 && echo there || echo nobody; sleep infinity"))}
	target := bound(nginx())
	target.Name, target.UID, target.Spec.NodeName = "web-2", "22222222-2222-2222-2222-222222222222", "node-2"
	target.Status.Phase, target.Status.PodIP = corev1.PodRunning, "10.244.0.9"
	w.others, w.silent = []*corev1.Pod{target}, map[string]bool{"node-2": true}
	w.live(10 * time.Second)
	if log := w.log("c"); len(log) == 0 || !strings.HasSuffix(log[len(log)-1], "nobody") {
		t.Errorf("the log is %q, want nobody there", log)
	}
}
