package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// TestOutside sends the queries that a Pod's processes can send.
func TestOutside(t *testing.T) {
	t.Parallel()
	target := func(name, ip string, ready bool, change func(*corev1.Pod)) *corev1.Pod {
		w := podtest.New(t, podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) {
			p.Name, p.UID, p.Labels = name, types.UID(name), map[string]string{"app": "web"}
			p.Spec.Hostname, p.Spec.Subdomain = name, "peers"
		}))
		w.Live(time.Second)
		w.Pod.Status.PodIP, w.Pod.Status.PodIPs = ip, []corev1.PodIP{{IP: ip}}
		for i := range w.Pod.Status.Conditions {
			if !ready && w.Pod.Status.Conditions[i].Type == corev1.PodReady {
				w.Pod.Status.Conditions[i].Status = corev1.ConditionFalse
			}
		}
		if change != nil {
			change(w.Pod)
		}
		return w.Pod
	}
	selecting := func(app string, changes ...func(*corev1.Service)) func(*corev1.Service) {
		return func(s *corev1.Service) {
			s.Spec.Selector = map[string]string{"app": app}
			for _, change := range changes {
				change(s)
			}
		}
	}
	publishing := func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true }
	local := func(s *corev1.Service) { s.Spec.InternalTrafficPolicy = new(corev1.ServiceInternalTrafficPolicyLocal) }
	labelled := func(app string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Labels["app"] = app } }
	external := func(name, target string) *corev1.Service {
		return podtest.Service("other", name, "", func(s *corev1.Service) {
			s.Spec.Type, s.Spec.ExternalName, s.Spec.ClusterIPs = corev1.ServiceTypeExternalName, target, nil
		})
	}
	services := []*corev1.Service{
		podtest.Service("default", "web", "10.96.0.20", nil),
		podtest.Service("default", "peers", "None", nil),
		podtest.Service("default", "all-peers", "None", publishing),
		podtest.Service("default", "nobody", "10.96.0.21", selecting("none")),
		podtest.Service("default", "no-peers", "None", selecting("none")),
		podtest.Service("default", "unready", "10.96.0.22", selecting("unready")),
		podtest.Service("default", "published", "10.96.0.23", selecting("unready", publishing)),
		podtest.Service("default", "leaving", "10.96.0.24", selecting("leaving")),
		podtest.Service("default", "elsewhere", "10.96.0.25", selecting("elsewhere", local)),
		podtest.Service("default", "named", "10.96.0.26", selecting("web", func(s *corev1.Service) {
			s.Spec.Ports[0].TargetPort = intstr.FromString("none")
		})),
		external("alias", "example.com"),
		external("inner", "web.default.svc.cluster.local"),
		external("outer", "inner.other.svc.cluster.local."),
		external("loop", "loop.other.svc.cluster.local"),
		kubernetesservice.Service(),
	}
	pods := []*corev1.Pod{
		target("a", "10.244.0.8", false, nil), target("b", "10.244.0.9", true, nil),
		target("c", "10.244.0.10", true, func(p *corev1.Pod) { p.Spec.Hostname = "" }),
		target("unready", "10.244.0.11", false, labelled("unready")),
		target("leaving", "10.244.0.12", true, func(p *corev1.Pod) {
			p.Labels["app"], p.DeletionTimestamp = "leaving", &metav1.Time{Time: podtest.Noon}
		}),
		target("elsewhere", "10.244.0.13", true, func(p *corev1.Pod) { p.Labels["app"], p.Spec.NodeName = "elsewhere", "node-2" }),
	}
	asker := func(q kernel.Query) kubelet.Asker {
		return kubelet.NewAsker(kubelet.Snapshot{
			Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node(), Images: podtest.Images, Now: podtest.Noon.Add(time.Minute),
			Outside: podtest.LookOutside([]kernel.Query{q}, services, podtest.PeersOf(pods...), nil),
		})
	}
	ask := func(q kernel.Query) kernel.Answer {
		t.Helper()
		a, known := asker(q).Answer(q)
		if !known {
			t.Errorf("%+v has no answer yet", q)
		}
		return a
	}
	dns := func(name, record string) kernel.Query {
		return kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(name), Record: record}
	}
	tcp := func(address string, port int) kernel.Query {
		return kernel.Query{Kind: kernel.QueryTCP, Address: address, Port: port}
	}
	at := func(server string, q kernel.Query) kernel.Query {
		q.Address = server
		return q
	}
	none := kernel.Answer{Outcome: kernel.OutcomeNoName}
	refused := kernel.Answer{Outcome: kernel.OutcomeRefused}
	silent := kernel.Answer{Outcome: kernel.OutcomeTimeout}
	tests := []struct {
		name string
		q    kernel.Query
		want kernel.Answer
	}{
		{"a Service", dns("web.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.96.0.20"}}},
		{"a Service has no other family", dns("web.default.svc.cluster.local", "AAAA"), kernel.Answer{}},
		{"a Service of another namespace", dns("web.other.svc.cluster.local", "A"), none},
		{"a name outside the cluster", dns("example.com", "A"), none},
		{"too short a name", dns("svc.cluster.local", "A"), kernel.Answer{}},
		{"the domain", dns("cluster.local", "A"), kernel.Answer{}},
		{"a namespace", dns("default.svc.cluster.local", "A"), kernel.Answer{}},
		{"too long a name", dns("a.b.c.web.default.svc.cluster.local", "A"), none},
		{"a name of neither a Service nor a Pod", dns("web.default.cluster.local", "A"), none},
		{
			"a Service without an address has its ready Pods", dns("peers.default.svc.cluster.local", ""),
			kernel.Answer{Addresses: []string{"10.244.0.9", "10.244.0.10"}},
		},
		{"they have no other family", dns("peers.default.svc.cluster.local", "AAAA"), kernel.Answer{}},
		{
			"a Service that publishes Pods that are not ready", dns("all-peers.default.svc.cluster.local", "A"),
			kernel.Answer{Addresses: []string{"10.244.0.8", "10.244.0.9", "10.244.0.10"}},
		},
		{"a Service without an address or Pods", dns("no-peers.default.svc.cluster.local", "A"), none},
		{"a Service with an address, but no Pods", dns("nobody.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.96.0.21"}}},
		{"a Pod without a hostname, by its address", dns("10-244-0-10.peers.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.244.0.10"}}},
		{"by its name, which is no hostname", dns("c.peers.default.svc.cluster.local", "A"), none},
		{"a Pod of a Service with an address", dns("10-244-0-9.web.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"a Pod by its hostname", dns("b.peers.default.svc.cluster.local", ""), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"a Pod that is not ready", dns("a.peers.default.svc.cluster.local", ""), none},
		{"an alias of a name outside the cluster", dns("alias.other.svc.cluster.local", "A"), kernel.Answer{Canonical: "example.com"}},
		{"a Pod by its address", dns("10-244-0-9.default.pod.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.244.0.9"}}},
		{"a port", dns("_http._tcp.web.default.svc.cluster.local", "SRV"), kernel.Answer{Records: []string{"0 100 8080 web.default.svc.cluster.local."}}},
		{"the port by its name", dns("_http._tcp.web.default.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.96.0.20"}}},
		{"another port", dns("_https._tcp.web.default.svc.cluster.local", "SRV"), none},
		{"a port of another protocol", dns("_http._udp.web.default.svc.cluster.local", "SRV"), none},
		{"all ports", dns("web.default.svc.cluster.local", "SRV"), kernel.Answer{Records: []string{"0 100 8080 web.default.svc.cluster.local."}}},
		{"the port of each Pod", dns("_http._tcp.peers.default.svc.cluster.local", "SRV"), kernel.Answer{Records: []string{
			"0 50 80 10-244-0-10.peers.default.svc.cluster.local.", "0 50 80 b.peers.default.svc.cluster.local."}}},
		{"the port of one Pod, which has no name", dns("_http._tcp.b.peers.default.svc.cluster.local", "SRV"), none},
		{"a TXT record", dns("web.default.svc.cluster.local", "TXT"), kernel.Answer{}},
		{"the alias itself", dns("alias.other.svc.cluster.local", "CNAME"), kernel.Answer{Records: []string{"example.com."}}},
		{"below an alias", dns("x.alias.other.svc.cluster.local", "A"), none},
		{
			"an alias of a Service", dns("inner.other.svc.cluster.local", "A"),
			kernel.Answer{Canonical: "web.default.svc.cluster.local", Addresses: []string{"10.96.0.20"}},
		},
		{
			"an alias of an alias", dns("outer.other.svc.cluster.local", "A"),
			kernel.Answer{Canonical: "web.default.svc.cluster.local", Addresses: []string{"10.96.0.20"}},
		},
		{"an alias of itself", dns("loop.other.svc.cluster.local", "A"), kernel.Answer{Canonical: "loop.other.svc.cluster.local"}},
		{"the name server", dns("kube-dns.kube-system.svc.cluster.local", "A"), kernel.Answer{Addresses: []string{"10.96.0.10"}}},
		{"the name server's address", dns("10.0.96.10.in-addr.arpa", "PTR"), kernel.Answer{Records: []string{"kube-dns.kube-system.svc.cluster.local."}}},
		{"the address of a Pod that has a hostname", dns("9.0.244.10.in-addr.arpa", "PTR"), kernel.Answer{Records: []string{"b.peers.default.svc.cluster.local."}}},
		{"the address of a Pod without a hostname", dns("10.0.244.10.in-addr.arpa", "PTR"), none},
		{"a name of the cluster, from the nodes' name server", at(network.NodeNameServer, dns("web.default.svc.cluster.local", "A")), none},
		{"a name server that does not exist", at("192.0.2.53", dns("web.default.svc.cluster.local", "A")), kernel.Answer{Outcome: kernel.OutcomeNoServer}},
		{"the address of a Service", dns("20.0.96.10.in-addr.arpa", "PTR"), kernel.Answer{Records: []string{"web.default.svc.cluster.local."}}},
		{"an address without a name", dns("9.9.9.9.in-addr.arpa", "PTR"), none},

		{"through a Service", tcp("10.96.0.20", 8080), kernel.Answer{}},
		{"another port of it", tcp("10.96.0.20", 80), silent},
		{"a Service without Pods", tcp("10.96.0.21", 8080), refused},
		{"a Service without ready Pods", tcp("10.96.0.22", 8080), refused},
		{"a Service without ready Pods that publishes all", tcp("10.96.0.23", 8080), kernel.Answer{}},
		{"a Service whose only Pod is terminating", tcp("10.96.0.24", 8080), kernel.Answer{}},
		{"a Service with a local policy whose only Pod is on another node", tcp("10.96.0.25", 8080), silent},
		{"a target port that no Pod has", tcp("10.96.0.26", 8080), refused},
		{"pinging a Service", kernel.Query{Kind: kernel.QueryPing, Address: "10.96.0.20"}, silent},
		{"a Pod", tcp("10.244.0.9", 80), kernel.Answer{}},
		{"a Pod where nothing listens", tcp("10.244.0.9", 81), refused},
		{"an address without a Pod", tcp("10.244.0.77", 80), silent},
		{"a name as the address", tcp("web", 80), kernel.Answer{Outcome: kernel.OutcomeUnreachable}},
		{"another port of the API", tcp("10.0.0.1", 443), refused},
		{"the name server", tcp("10.96.0.10", 53), kernel.Answer{}},
		{
			"the peers of a Service", kernel.Query{Kind: kernel.QueryPeers, Name: "default/peers"},
			kernel.Answer{Addresses: []string{"10.244.0.10:80", "10.244.0.9:80"}},
		},
		{"the peers of a Service without any", kernel.Query{Kind: kernel.QueryPeers, Name: "default/nobody"}, kernel.Answer{}},
		{"the peers of no Service", kernel.Query{Kind: kernel.QueryPeers, Name: "default/nothing"}, none},
		{"a Service's TCP port over UDP", kernel.Query{Kind: kernel.QueryUDP, Address: "10.96.0.20", Port: 8080}, silent},
		{"pinging a Pod", kernel.Query{Kind: kernel.QueryPing, Address: "10.244.0.9"}, kernel.Answer{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, ask(tt.q)); diff != "" {
			t.Errorf("%s: answer (-want +got):\n%s", tt.name, diff)
		}
	}
	get := tcp("10.96.0.20", 8080)
	get.Kind, get.Method, get.Path = kernel.QueryHTTP, "GET", "/"
	k := asker(get)
	k.Open()
	if _, known := k.Answer(get); known || len(k.Calls()) != 1 || k.Calls()[0].Callee != "b" {
		t.Errorf("an HTTP request is answered without a call to the Pod: %v, calls %+v", known, k.Calls())
	}
	for _, q := range []kernel.Query{tcp("10.96.0.1", 443), tcp("10.0.0.1", 6443)} {
		q.Kind = kernel.QueryHTTP
		if a := ask(q); a.Status != 400 {
			t.Errorf("the API at %s answers %+v without TLS, want status 400", q.Address, a)
		}
		q.TLS = true
		k := asker(q)
		k.Open()
		if _, known := k.Answer(q); known || len(k.Calls()) != 1 || k.Calls()[0].Callee != plan.APIServer {
			t.Errorf("the API at %s answers without a call: %v, calls %+v", q.Address, known, k.Calls())
		}
	}
}

// TestOutside_InTheSecondOfItsStart: a ready Pod answers in the second in which its server started.
func TestOutside_InTheSecondOfItsStart(t *testing.T) {
	t.Parallel()
	for _, image := range []string{"nginx:1.16.0", "nginx:1.28"} {
		w := podtest.New(t, podtest.Bound(podtest.Nginx(), func(p *corev1.Pod) {
			p.UID, p.Labels = "web", map[string]string{"app": "web"}
			p.Spec.Containers[0].Image = image
			p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{
				ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(80)}},
				PeriodSeconds: 10,
			}
		}))
		for range 20 {
			if w.Sync(); podstate.Ready(w.Pod) {
				break
			}
			w.Now = w.Wake
		}
		w.Pod.Status.PodIP, w.Pod.Status.PodIPs = "10.244.0.9", []corev1.PodIP{{IP: "10.244.0.9"}}
		q := kernel.Query{Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080}
		services := []*corev1.Service{podtest.Service("default", "web", "10.96.0.20", nil)}
		k := kubelet.NewAsker(kubelet.Snapshot{
			Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node(), Images: podtest.Images, Now: w.Now,
			Outside: podtest.LookOutside([]kernel.Query{q}, services, podtest.PeersOf(w.Pod), nil),
		})
		if a, known := k.Answer(q); !known || a.Outcome != kernel.OutcomeOK {
			t.Errorf("%s, ready after %v, answers %q, known %v", image, w.Now.Sub(podtest.Noon), a.Outcome, known)
		}
	}
}

// TestOutsideByHand connects to the endpoints of a Service without a selector, which no controller
// made.
func TestOutsideByHand(t *testing.T) {
	t.Parallel()
	s := podtest.Service("default", "by-hand", "10.96.0.20", func(s *corev1.Service) { s.Spec.Selector = nil })
	w := podtest.New(t, podtest.Bound(podtest.Nginx()))
	w.Live(0)
	pod := w.Pod
	pod.UID, pod.Status.PodIP = "by-hand", "10.244.0.9"
	q := kernel.Query{Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080}
	for address, want := range map[string]kernel.Outcome{"10.244.0.9": kernel.OutcomeOK, "192.0.2.1": kernel.OutcomeTimeout} {
		slice := &discoveryv1.EndpointSlice{
			AddressType: discoveryv1.AddressTypeIPv4, Endpoints: []discoveryv1.Endpoint{{Addresses: []string{address}}},
			Ports: []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(80))}},
		}
		asker := podtest.Bound(podtest.Nginx())
		outside := network.Look([]kernel.Query{q}, network.ClientOf(asker), network.Lookup{
			Service: podtest.ServiceOf(s),
			Node:    func(string) string { return "" },
			Slices:  func(string) []*discoveryv1.EndpointSlice { return []*discoveryv1.EndpointSlice{slice} },
			Peer: func(h network.Host) (*network.Peer, bool) {
				if h == (network.Host{Address: pod.Status.PodIP}) {
					return podtest.PeersOf(pod)[0], true
				}
				return nil, true
			},
			Silent: func(string) bool { return false },
		})
		k := kubelet.NewAsker(kubelet.Snapshot{
			Pod: asker, Node: podtest.Node(), Images: podtest.Images, Now: podtest.Noon.Add(time.Minute), Outside: outside,
		})
		if a, known := k.Answer(q); !known || a.Outcome != want {
			t.Errorf("%s answers %q, want %q", address, a.Outcome, want)
		}
	}
}

// TestOneQuestionLeadsToAnother: a Pod sends, in one sync, more queries than were known before it, and
// each is answered as if it had been sent alone.
func TestOneQuestionLeadsToAnother(t *testing.T) {
	t.Parallel()
	at := func(namespace, ip string) *corev1.Pod {
		p := podtest.Bound(podtest.Nginx())
		p.Namespace, p.Name, p.UID, p.Labels = namespace, "web", types.UID(namespace), map[string]string{"app": "web"}
		w := &podtest.World{T: t, Now: podtest.Noon.Add(-time.Minute), Pod: p}
		w.Live(0)
		w.Pod.Status.PodIP, w.Pod.Status.PodIPs = ip, []corev1.PodIP{{IP: ip}}
		return w.Pod
	}
	w := podtest.New(t, podtest.Bound(podtest.Sh("for at in web.one web.two peers.one peers.two 10.244.0.8 10.244.0.9; do "+
		"case $at in web*) at=$at.svc.cluster.local:8080;; peers*) at=$at.svc.cluster.local;; esac; "+
		"wget -T 3 -q -O /dev/null http://$at && echo $at; done; sleep infinity")))
	w.Others = podtest.PeersOf(at("one", "10.244.0.8"), at("two", "10.244.0.9"))
	w.Services = []*corev1.Service{
		podtest.Service("one", "web", "10.96.0.20", nil), podtest.Service("two", "web", "10.96.0.21", nil),
		podtest.Service("one", "peers", "None", nil), podtest.Service("two", "peers", "None", nil),
	}
	w.Live(time.Minute)
	want := []string{
		"web.one.svc.cluster.local:8080", "web.two.svc.cluster.local:8080",
		"peers.one.svc.cluster.local", "peers.two.svc.cluster.local", "10.244.0.8", "10.244.0.9",
	}
	var got []string
	for _, line := range w.Log("c") {
		got = append(got, line[strings.Index(line, " ")+1:])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reached (-want +got):\n%s", diff)
	}
}

// TestSilentNode: a silent node does not answer, and its Pods cannot be reached.
func TestSilentNode(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("wget -T 3 -q -O - http://10.244.0.9 && echo there || echo nobody; sleep infinity")))
	target := podtest.Bound(podtest.Nginx())
	target.Name, target.UID, target.Spec.NodeName = "web-2", "22222222-2222-2222-2222-222222222222", "node-2"
	target.Status.Phase, target.Status.PodIP = corev1.PodRunning, "10.244.0.9"
	w.Others, w.Silent = podtest.PeersOf(target), map[string]bool{"node-2": true}
	w.Live(10 * time.Second)
	if log := w.Log("c"); len(log) == 0 || !strings.HasSuffix(log[len(log)-1], "nobody") {
		t.Errorf("the log is %q, want nobody at its end", log)
	}
}
