package kubelet

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// endpoint is one of those in a slice.
type endpoint struct{ *discoveryv1.Endpoint }

func (e endpoint) ready() bool { return e.Conditions.Ready == nil || *e.Conditions.Ready }

func (e endpoint) servesUntilGone() bool {
	c := &e.Conditions
	return c.Serving != nil && *c.Serving && c.Terminating != nil && *c.Terminating
}

// address is the one that counts; the API takes no endpoint without any.
func (e endpoint) address() string { return e.Addresses[0] }

func (e endpoint) host() Host {
	h := Host{Address: e.address()}
	if ref := e.TargetRef; ref != nil && ref.Kind == "Pod" {
		h.Namespace, h.Pod = ref.Namespace, ref.Name
	}
	return h
}

// label is the endpoint's name in its Service's domain: its hostname or, without one, what its address makes.
func (e endpoint) label() string {
	if e.Hostname != nil && *e.Hostname != "" {
		return *e.Hostname
	}
	return strings.NewReplacer(".", "-", ":", "-").Replace(e.address())
}

// published are the endpoints that have names, by Pod and address: those that are ready, or that count as ready as their
// Service publishes them all.
func published(behind []*discoveryv1.EndpointSlice) []endpoint {
	var all []endpoint
	for _, slice := range behind {
		for i := range slice.Endpoints {
			if e := (endpoint{&slice.Endpoints[i]}); e.ready() && slice.AddressType != discoveryv1.AddressTypeFQDN {
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b endpoint) int {
		return cmp.Or(cmp.Compare(a.host().Pod, b.host().Pod), cmp.Compare(a.address(), b.address()))
	})
	return slices.CompactFunc(all, func(a, b endpoint) bool { return a.address() == b.address() && a.label() == b.label() })
}

// resolve answers the cluster's name server; the answer is not known if the endpoints that it is made of were not looked up.
// Source: Kubernetes DNS-Based Service Discovery, specification 1.1.0; for endpoints without a hostname CoreDNS 1.12
// plugin/kubernetes/kubernetes.go, endpointHostname.
func (o *Outside) resolve(q emulator.Query) (a emulator.Answer, known bool) {
	none := emulator.Answer{Outcome: emulator.OutcomeNoName}
	name := strings.ToLower(strings.TrimSuffix(string(q.Name), "."))
	s, known := o.service(q)
	switch {
	case q.Record == recordPTR && addressIn(name) == nameServer:
		return emulator.Answer{Records: []string{"kube-dns.kube-system.svc." + clusterDomain + "."}}, true
	case !known:
		return a, false
	case q.Record == recordPTR && s != nil:
		return emulator.Answer{Records: []string{s.Name + "." + s.Namespace + ".svc." + clusterDomain + "."}}, true
	case q.Record == recordPTR:
		return none, true
	case s != nil:
		return o.resolveService(s, name, q.Record)
	}
	if rest, ok := strings.CutSuffix(name, ".pod."+clusterDomain); ok {
		dashed, _, _ := strings.Cut(rest, ".")
		if ip, err := netip.ParseAddr(strings.ReplaceAll(dashed, "-", ".")); err == nil {
			return addresses(q.Record, ip.String()), true
		}
	}
	return none, true
}

// serviceIn takes a name of the cluster apart: SERVICE.NAMESPACE, HOSTNAME.SERVICE.NAMESPACE or
// _PORT._PROTOCOL.SERVICE.NAMESPACE. The service is empty if it is none of these.
func serviceIn(name string) (service, namespace string, host []string) {
	rest, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".svc."+clusterDomain)
	parts := strings.Split(rest, ".")
	if n := len(parts) - 2; ok && n >= 0 && n <= 2 {
		return parts[n], parts[n+1], parts[:n]
	}
	return "", "", nil
}

// resolveService resolves the name of a Service, of one of its endpoints or of one of its ports.
func (o *Outside) resolveService(s *corev1.Service, name, record string) (a emulator.Answer, known bool) {
	none := emulator.Answer{Outcome: emulator.OutcomeNoName}
	_, _, host := serviceIn(name)
	headless := s.Spec.ClusterIP == corev1.ClusterIPNone
	switch {
	case s.Spec.Type == corev1.ServiceTypeExternalName && len(host) == 0:
		return emulator.Answer{Canonical: s.Spec.ExternalName}, true
	case s.Spec.Type == corev1.ServiceTypeExternalName:
		return none, true
	case !headless && len(host) == 0:
		return addresses(record, s.Spec.ClusterIPs...), true
	case !headless && len(host) == 2 && record == "SRV":
		return srv(s, host, name), true
	case len(host) == 2:
		return none, true
	}
	behind, known := o.Slices[key(s)]
	if !known {
		return a, false
	}
	var ips []string
	for _, e := range published(behind) {
		if len(host) == 0 || e.label() == host[0] {
			ips = append(ips, e.address())
		}
	}
	if len(ips) == 0 {
		return none, true
	}
	return addresses(record, ips...), true
}

func srv(s *corev1.Service, host []string, name string) emulator.Answer {
	for _, p := range s.Spec.Ports {
		if "_"+p.Name == host[0] && "_"+strings.ToLower(string(p.Protocol)) == host[1] {
			_, target, _ := strings.Cut(name, ".")
			_, target, _ = strings.Cut(target, ".")
			return emulator.Answer{Records: []string{"0 100 " + itoa(int(p.Port)) + " " + target + "."}}
		}
	}
	return emulator.Answer{Outcome: emulator.OutcomeNoName}
}

// addresses are those of the family that the record is for.
func addresses(record string, ips ...string) emulator.Answer {
	var a emulator.Answer
	for _, ip := range ips {
		six := strings.Contains(ip, ":")
		if ip != "" && (record == "" || six == (record == "AAAA")) {
			a.Addresses = append(a.Addresses, ip)
		}
	}
	return a
}

// recordPTR asks for the name of an address.
const recordPTR = "PTR"

// addressIn is the address that a reverse query is about: 10.96.0.10 for 10.0.96.10.in-addr.arpa; empty for any other name.
func addressIn(name string) string {
	digits, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".in-addr.arpa")
	if !ok {
		return ""
	}
	parts := strings.Split(digits, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}
