package network

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

const (
	// ClusterDomain is the domain of the cluster's names.
	ClusterDomain = "cluster.local"
	// NameServer is the address of the cluster's name server.
	NameServer = "10.96.0.10"
	// NodeNameServer is the address of the nodes' name server, which does not know the cluster's
	// names.
	NodeNameServer = "10.0.0.2"

	recordPTR = "PTR"

	// mostAliases is the maximum number of ExternalNames followed in a chain.
	mostAliases = 7
)

// DNSService is the Service of the name server, which has no Pods.
var DNSService = &corev1.Service{
	ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-dns"},
	Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP, ClusterIP: NameServer, ClusterIPs: []string{NameServer}, Ports: []corev1.ServicePort{
		{Name: "dns", Port: 53, Protocol: corev1.ProtocolUDP}, {Name: "dns-tcp", Port: 53, Protocol: corev1.ProtocolTCP},
		{Name: "metrics", Port: 9153, Protocol: corev1.ProtocolTCP},
	}},
}

// Resolve answers a name query to the cluster's name server or to the nodes'; the answer is unknown
// if the objects it depends on were not looked up.
//
// Source: Kubernetes DNS-Based Service Discovery, specification 1.1.0; CoreDNS 1.12 plugin/kubernetes/kubernetes.go, Records and
// findServices, with "pods insecure" as kubeadm has it
func (o *Outside) Resolve(q emulator.Query) (a emulator.Answer, known bool) {
	none := emulator.Answer{Outcome: emulator.OutcomeNoName}
	name := strings.ToLower(strings.TrimSuffix(string(q.Name), "."))
	if q.Address == NodeNameServer {
		return none, true
	}
	if address := addressIn(name); address != "" {
		return o.named(address, q.Record)
	}
	rest, ours := strings.CutSuffix("."+name, "."+ClusterDomain)
	if !ours {
		return none, true
	}
	labels := strings.FieldsFunc(rest, func(r rune) bool { return r == '.' })
	switch n := len(labels); {
	case n == 0:
		return emulator.Answer{}, true // the domain itself has no addresses
	case labels[n-1] == "pod":
		return podNamed(labels[:n-1], q.Record), true
	case labels[n-1] != "svc":
		return none, true
	case n <= 2:
		return emulator.Answer{}, true // neither has a namespace
	case n > 5:
		return none, true
	}
	s, known := o.service(name)
	if !known {
		return a, false
	}
	if s == nil {
		return none, true
	}
	return o.resolveService(s, name, q.Record)
}

// podNamed is the answer for 10-244-0-9.NAMESPACE.pod: the address in the name, whether or not a
// Pod has it.
func podNamed(labels []string, record string) emulator.Answer {
	if len(labels) < 2 {
		return emulator.Answer{}
	}
	dashed := labels[len(labels)-2]
	ip, err := netip.ParseAddr(strings.ReplaceAll(dashed, "-", "."))
	if err != nil {
		ip, err = netip.ParseAddr(strings.ReplaceAll(dashed, "-", ":"))
	}
	if err != nil {
		return emulator.Answer{Outcome: emulator.OutcomeNoName}
	}
	return addresses(record, ip.String())
}

// named are the names of an address: of the Service that has it, or of endpoints that have
// hostnames.
func (o *Outside) named(address, record string) (a emulator.Answer, known bool) {
	s, known := o.Services[Subject{Address: address}]
	if address == NameServer {
		s, known = DNSService, true
	}
	if !known {
		return a, false
	}
	if s != nil && slices.Contains(s.Spec.ClusterIPs, address) {
		a.Records = []string{domainOf(s.Namespace, s.Name)}
	} else {
		for _, slice := range o.Named[address] {
			for _, e := range publishedIn(slice) {
				if e.address() == address && e.Hostname != nil && *e.Hostname != "" {
					a.Records = append(a.Records, *e.Hostname+"."+domainOf(slice.Namespace, slice.Labels[discoveryv1.LabelServiceName]))
				}
			}
		}
		slices.Sort(a.Records)
		a.Records = slices.Compact(a.Records)
	}
	switch {
	case len(a.Records) == 0:
		a.Outcome = emulator.OutcomeNoName
	case record != recordPTR:
		a.Records = nil
	}
	return a, true
}

// service is the Service that a name refers to; nil if none exists. It is unknown if it was not
// looked up.
func (o *Outside) service(name string) (s *corev1.Service, known bool) {
	subject, _ := subjectOf(name)
	if subject == (Subject{}) {
		return nil, true
	}
	if s, known = o.Services[subject]; s == nil && subject.Name == DNSService.Name && subject.Namespace == DNSService.Namespace {
		return DNSService, true
	}
	return s, known
}

// subjectOf is the Service that a name may refer to, and the one that the next question may refer
// to if no Service has that name: the resolver of a Pod asks for other.db.web.svc.cluster.local
// first, and then for other.db.svc.cluster.local.
func subjectOf(name string) (subject, next Subject) {
	var host []string
	if subject.Name, subject.Namespace, host = serviceIn(name); len(host) > 0 {
		next = Subject{Namespace: subject.Name, Name: host[len(host)-1]}
	}
	return subject, next
}

func domainOf(namespace, service string) string {
	return service + "." + namespace + ".svc." + ClusterDomain + "."
}

// IsNameServer reports whether a name query goes to the name server of the cluster, for which the
// address may be empty, or to that of the nodes.
func IsNameServer(address string) bool {
	return address == "" || address == NameServer || address == NodeNameServer
}

// serviceIn splits a name of the cluster: SERVICE.NAMESPACE, HOSTNAME.SERVICE.NAMESPACE or
// _PORT._PROTOCOL.SERVICE.NAMESPACE. service is empty if the name has none of these forms.
func serviceIn(name string) (service, namespace string, host []string) {
	rest, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".svc."+ClusterDomain)
	parts := strings.Split(rest, ".")
	if n := len(parts) - 2; ok && n >= 0 && n <= 2 {
		return parts[n], parts[n+1], parts[:n]
	}
	return "", "", nil
}

// target is what a name resolves to: an address, and the port for an SRV record.
type target struct {
	name, address, pod string
	port               int32
}

// resolveService resolves the name of a Service, of one of its endpoints or of one of its ports.
func (o *Outside) resolveService(s *corev1.Service, name, record string) (a emulator.Answer, known bool) {
	none := emulator.Answer{Outcome: emulator.OutcomeNoName}
	_, _, host := serviceIn(name)
	if s.Spec.Type == corev1.ServiceTypeExternalName {
		if len(host) > 0 {
			return none, true
		}
		return o.alias(s, record)
	}
	var all []target
	if len(host) == 1 || s.Spec.ClusterIP == corev1.ClusterIPNone {
		behind, known := o.Slices[key(s)]
		if !known {
			return a, false
		}
		all = endpointTargets(s, behind, host)
	} else {
		for i := range s.Spec.Ports {
			p := &s.Spec.Ports[i]
			if !isPort(host, p.Name, p.Protocol) {
				continue
			}
			for _, ip := range s.Spec.ClusterIPs {
				all = append(all, target{name: domainOf(s.Namespace, s.Name), address: ip, port: p.Port})
			}
		}
	}
	if len(all) == 0 {
		return none, true
	}
	if record == "SRV" {
		return srv(all), true
	}
	var ips []string
	for _, t := range all {
		if !slices.Contains(ips, t.address) {
			ips = append(ips, t.address)
		}
	}
	return addresses(record, ips...), true
}

// isPort reports whether a port is the one that the start of a name selects. A name without a port
// selects all.
func isPort(host []string, name string, protocol corev1.Protocol) bool {
	return len(host) != 2 || strings.EqualFold(strings.TrimPrefix(host[0], "_"), name) && strings.EqualFold(strings.TrimPrefix(host[1], "_"), string(protocol))
}

// endpointTargets are a Service's endpoints with that hostname, or that have the port; each with
// each of its ports.
func endpointTargets(s *corev1.Service, behind []*discoveryv1.EndpointSlice, host []string) (all []target) {
	for _, slice := range behind {
		for _, e := range publishedIn(slice) {
			if len(host) == 1 && !strings.EqualFold(e.label(), host[0]) {
				continue
			}
			at := target{name: e.label() + "." + domainOf(s.Namespace, s.Name), address: e.address(), pod: e.host().Pod}
			if len(slice.Ports) == 0 && len(host) != 2 {
				all = append(all, at)
			}
			for _, p := range slice.Ports {
				name, protocol := "", corev1.ProtocolTCP
				if p.Name != nil {
					name = *p.Name
				}
				if p.Protocol != nil {
					protocol = *p.Protocol
				}
				if isPort(host, name, protocol) && p.Port != nil {
					at.port = *p.Port
					all = append(all, at)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b target) int { return cmp.Or(cmp.Compare(a.pod, b.pod), cmp.Compare(a.address, b.address)) })
	return all
}

// srv returns the SRV records of ports, all with the same weight.
//
// Source: CoreDNS 1.12 plugin/backend_lookup.go, SRV
func srv(all []target) (a emulator.Answer) {
	weight := max(100/len(all), 1)
	for _, t := range all {
		if t.port != 0 {
			a.Records = append(a.Records, "0 "+strconv.Itoa(weight)+" "+strconv.Itoa(int(t.port))+" "+t.name)
		}
	}
	slices.Sort(a.Records)
	a.Records = slices.Compact(a.Records)
	return a
}

// alias is the answer for a Service of the type ExternalName: the external name and, if that is a
// name of the cluster, its addresses.
func (o *Outside) alias(s *corev1.Service, record string) (a emulator.Answer, known bool) {
	external := strings.TrimSuffix(s.Spec.ExternalName, ".")
	switch record {
	case "", "A", "AAAA":
	case "CNAME":
		return emulator.Answer{Records: []string{external + "."}}, true
	case "SRV":
		return emulator.Answer{Records: []string{"0 100 0 " + external + "."}}, true
	default:
		return emulator.Answer{}, true
	}
	for range mostAliases {
		next, known := o.service(external)
		switch {
		case !known:
			return a, false
		case next == nil:
			return emulator.Answer{Canonical: external}, true
		case next.Spec.Type != corev1.ServiceTypeExternalName:
			if a, known = o.resolveService(next, external, record); !known {
				return a, false
			}
			return emulator.Answer{Canonical: external, Addresses: a.Addresses}, true
		}
		external = strings.TrimSuffix(next.Spec.ExternalName, ".")
	}
	return emulator.Answer{Canonical: external}, true
}

// addresses are those whose family matches the record type.
func addresses(record string, ips ...string) emulator.Answer {
	var a emulator.Answer
	for _, ip := range ips {
		six := strings.Contains(ip, ":")
		if ip != "" && (record == "" || record == "A" && !six || record == "AAAA" && six) {
			a.Addresses = append(a.Addresses, ip)
		}
	}
	return a
}

// addressIn is the address in a reverse query: 10.96.0.10 for 10.0.96.10.in-addr.arpa; empty for
// any other name.
func addressIn(name string) string {
	digits, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".in-addr.arpa")
	if !ok {
		return ""
	}
	parts := strings.Split(digits, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}
