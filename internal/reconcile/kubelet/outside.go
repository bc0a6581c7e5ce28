package kubelet

import (
	"cmp"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/machine"
	"github.com/rowlock/rowlock/internal/machine/kernel"
)

// Outside is what the processes of a Pod can find out about the cluster, at the time of the look: its names, and who is behind
// them. A question that leads to what was not looked up waits for the next look, which is told of it.
type Outside struct {
	// Services are all of the cluster.
	Services []*corev1.Service

	// Slices are the EndpointSlices of the Services that were looked up, by namespace and name joined by a slash.
	Slices map[string][]*discoveryv1.EndpointSlice

	// Pods are who is at the hosts that were looked up; nil is nobody.
	Pods map[Host]*corev1.Pod

	// Silent are the names of those of their nodes that are out: nobody answers there.
	Silent map[string]bool
}

// Host is what a connection goes to: an address and, where an endpoint says so, the Pod that has it.
type Host struct{ Address, Namespace, Pod string }

// Lookup reads the cluster for Look.
type Lookup struct {
	// Slices are those of a Service, named by its namespace and its name joined by a slash.
	Slices func(service string) []*discoveryv1.EndpointSlice

	// Pod is who is at a host, nil if nobody is.
	Pod func(Host) *corev1.Pod

	// Silent says whether a node is out.
	Silent func(node string) bool
}

// Look looks up what the questions of a Pod on the node lead to, and who is likely to be asked next: whoever is behind the
// Services that they name.
func Look(queries []kernel.Query, services []*corev1.Service, node string, l Lookup) *Outside {
	o := &Outside{
		Services: services, Slices: map[string][]*discoveryv1.EndpointSlice{}, Pods: map[Host]*corev1.Pod{}, Silent: map[string]bool{},
	}
	add := func(h Host) {
		pod := l.Pod(h)
		if o.Pods[h] = pod; pod != nil && l.Silent(pod.Spec.NodeName) {
			o.Silent[pod.Spec.NodeName] = true
		}
	}
	for _, q := range queries {
		s := o.service(q)
		if s == nil {
			if q.Kind != kernel.QueryDNS {
				add(Host{Address: q.Address})
			}
			continue
		}
		behind := l.Slices(key(s))
		o.Slices[key(s)] = behind
		if s.Spec.ClusterIP == corev1.ClusterIPNone {
			if all := published(behind); len(all) > 0 {
				add(Host{Address: all[0].address()}) // a client goes to the first
			}
			continue
		}
		for i := range s.Spec.Ports {
			if d := through(s, &s.Spec.Ports[i], behind, node); d.outcome == kernel.OutcomeOK {
				add(d.host)
			}
		}
	}
	return o
}

func key(s *corev1.Service) string { return s.Namespace + "/" + s.Name }

// service is the one that a question is about, by its name or by its address; nil if it is about none.
func (o *Outside) service(q kernel.Query) *corev1.Service {
	i := -1
	if q.Kind == kernel.QueryDNS {
		name, namespace, _ := serviceIn(string(q.Name))
		i = slices.IndexFunc(o.Services, func(s *corev1.Service) bool { return s.Name == name && s.Namespace == namespace })
	} else if _, err := netip.ParseAddr(q.Address); err == nil {
		i = slices.IndexFunc(o.Services, func(s *corev1.Service) bool { return s.Spec.ClusterIP == q.Address })
	}
	if i < 0 {
		return nil
	}
	return o.Services[i]
}

// answer answers a question of one of the Pod's processes; it is not known if what it leads to was not looked up.
func (k *sync) answer(q kernel.Query) (a kernel.Answer, known bool) {
	if q.Kind == kernel.QueryDNS {
		return k.Outside.resolve(q)
	}
	if _, err := netip.ParseAddr(q.Address); err != nil {
		return kernel.Answer{Outcome: kernel.OutcomeUnreachable}, true
	}
	if q.Address == nameServer {
		return nameServerAnswers(q), true
	}
	if s := k.Outside.service(q); s != nil {
		return k.throughService(s, q)
	}
	if q.Kind == kernel.QueryPing && (q.Address == k.status.HostIP || q.Address == k.status.PodIP) {
		return kernel.Answer{}, true
	}
	return k.reach(Host{Address: q.Address}, q)
}

func nameServerAnswers(q kernel.Query) kernel.Answer {
	switch {
	case q.Kind == kernel.QueryPing, q.Kind == kernel.QueryTCP && q.Port == 53:
		return kernel.Answer{}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

// throughService sends a question to one of a Service's endpoints.
// Differs: the API answers behind default/kubernetes, though that Service has no endpoints here.
func (k *sync) throughService(s *corev1.Service, q kernel.Query) (a kernel.Answer, known bool) {
	i := slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool {
		return int(p.Port) == q.Port && p.Protocol == corev1.ProtocolTCP
	})
	if i < 0 || q.Kind == kernel.QueryPing {
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}, true // addresses of Services answer on their ports only
	}
	if s.Namespace == corev1.NamespaceDefault && s.Name == "kubernetes" {
		return kernel.Answer{Status: 401, Header: kernel.Texts{"Content-Type: application/json"},
			Body: `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}` + "\n"}, true
	}
	behind, known := k.Outside.Slices[key(s)]
	if !known {
		return a, false
	}
	d := through(s, &s.Spec.Ports[i], behind, k.Pod.Spec.NodeName)
	if d.outcome != kernel.OutcomeOK {
		return kernel.Answer{Outcome: d.outcome}, true
	}
	q.Port = d.port
	return k.reach(d.host, q)
}

// destination is where a connection to a Service ends up.
type destination struct {
	host    Host
	port    int
	outcome kernel.Outcome // OutcomeOK if there is one
}

// through is where connections from the node to a port of a Service go: to the first endpoint that is ready or, where none
// is, to the first that still serves while it is being deleted. Without any they are refused, and lost if there are some
// but on other nodes only, and the Service's traffic is not to leave the node.
//
// Source: kubernetes v1.36 pkg/proxy/topology.go, CategorizeEndpoints; pkg/proxy/iptables/proxier.go, syncProxyRules
// Differs: a real Service takes turns among its endpoints.
func through(s *corev1.Service, p *corev1.ServicePort, behind []*discoveryv1.EndpointSlice, node string) destination {
	local := s.Spec.InternalTrafficPolicy != nil && *s.Spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal
	var ready, leaving []destination
	elsewhere := false
	for _, slice := range behind {
		number := portIn(slice, p)
		if slice.AddressType != discoveryv1.AddressTypeIPv4 || number == 0 {
			continue
		}
		for i := range slice.Endpoints {
			e := endpoint{&slice.Endpoints[i]}
			list := &leaving
			if e.ready() {
				list = &ready
			} else if !e.servesUntilGone() {
				continue
			}
			if local && (e.NodeName == nil || *e.NodeName != node) {
				elsewhere = true
				continue
			}
			*list = append(*list, destination{host: e.host(), port: number})
		}
	}
	if len(ready) == 0 {
		ready = leaving
	}
	switch {
	case len(ready) > 0:
		return slices.MinFunc(ready, func(a, b destination) int {
			return cmp.Or(cmp.Compare(a.host.Pod, b.host.Pod), cmp.Compare(a.host.Address, b.host.Address))
		})
	case elsewhere:
		return destination{outcome: kernel.OutcomeTimeout}
	}
	return destination{outcome: kernel.OutcomeRefused}
}

// portIn is the number behind a Service's port in a slice; 0 if it has none of that name.
func portIn(slice *discoveryv1.EndpointSlice, p *corev1.ServicePort) int {
	for _, port := range slice.Ports {
		name := ""
		if port.Name != nil {
			name = *port.Name
		}
		if name == p.Name && port.Port != nil && (port.Protocol == nil || *port.Protocol == p.Protocol) {
			return int(*port.Port)
		}
	}
	return 0
}

// reach asks whoever is at a host, which answers as the servers of its images do.
// Differs: files and settings that the other Pod has from elsewhere than its images do not count.
func (k *sync) reach(h Host, q kernel.Query) (a kernel.Answer, known bool) {
	target, known := k.Outside.Pods[h]
	switch {
	case !known:
		return a, false
	case target == nil || k.Outside.Silent[target.Spec.NodeName]:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}, true
	case q.Kind == kernel.QueryPing:
		return kernel.Answer{}, true
	}
	m := Machine(Snapshot{Pod: target, Node: k.Node, Images: k.Images, Now: k.Now})
	until := k.Now.Add(instant) // or a Pod that was found ready in this second would not listen yet
	for range mostAnswers {
		if m.Run(until, catchUpSteps).Kind != machine.StopNews {
			break
		}
		m.Take()
	}
	return m.Serve(q), true
}
