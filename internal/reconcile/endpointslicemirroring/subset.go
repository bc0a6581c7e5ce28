package endpointslicemirroring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	netutils "k8s.io/utils/net"
)

// mirrored is an address as an endpoint, and its family; "" if it is invalid.
//
// Source: kubernetes v1.36 pkg/controller/endpointslicemirroring/utils.go, addressToEndpoint
func mirrored(a *corev1.EndpointAddress, ready bool) (e discoveryv1.Endpoint, family discoveryv1.AddressType) {
	ip := netutils.ParseIPSloppy(a.IP)
	if ip == nil {
		return e, ""
	}
	family = discoveryv1.AddressTypeIPv4
	if ip.To4() == nil {
		family = discoveryv1.AddressTypeIPv6
	}
	e = discoveryv1.Endpoint{
		Addresses: []string{ip.String()}, Conditions: discoveryv1.EndpointConditions{Ready: &ready}, TargetRef: a.TargetRef, NodeName: a.NodeName,
	}
	if a.Hostname != "" {
		e.Hostname = &a.Hostname
	}
	return e, family
}

// host is an address of one object: several objects may have the same address.
type host struct {
	ip  string
	uid types.UID
}

// served is the hosts that serve one port, and whether each is ready.
type served struct {
	port  corev1.EndpointPort
	none  bool // stands for no port: the hosts of subsets without ports
	ready map[host]bool
}

// repack normalizes subsets: ports that the same hosts serve are in one subset, and so are hosts
// that serve the same ports. If a host is both ready and not ready at one port, not ready applies.
//
// Source: kubernetes v1.36 pkg/api/v1/endpoints/util.go, RepackSubsets
func repack(subsets []corev1.EndpointSubset) []corev1.EndpointSubset {
	first := map[host]*corev1.EndpointAddress{}
	byPort := map[string]*served{}
	var order []*served
	for i := range subsets {
		ports := subsets[i].Ports
		if len(ports) == 0 {
			ports = []corev1.EndpointPort{{Port: -1}}
		}
		for _, port := range ports {
			key := portKey(port)
			if byPort[key] == nil {
				byPort[key] = &served{port: port, none: port.Port < 0, ready: map[host]bool{}}
				order = append(order, byPort[key])
			}
			byPort[key].add(subsets[i].Addresses, true, first)
			byPort[key].add(subsets[i].NotReadyAddresses, false, first)
		}
	}
	var packed []corev1.EndpointSubset
	byHosts := map[string]int{}
	for _, s := range order {
		hosts, key := s.hosts()
		i, known := byHosts[key]
		if !known {
			i = len(packed)
			byHosts[key] = i
			packed = append(packed, s.subset(hosts, first))
		}
		if !s.none {
			packed[i].Ports = append(packed[i].Ports, s.port)
		}
	}
	for i := range packed {
		slices.SortFunc(packed[i].Ports, func(a, b corev1.EndpointPort) int { return cmp.Compare(portKey(a), portKey(b)) })
	}
	return packed
}

func portKey(p corev1.EndpointPort) string {
	protocol := "-"
	if p.AppProtocol != nil {
		protocol = "=" + *p.AppProtocol
	}
	return fmt.Sprintf("%s/%d/%s/%s", p.Name, p.Port, p.Protocol, protocol)
}

func (s *served) add(addresses []corev1.EndpointAddress, ready bool, first map[host]*corev1.EndpointAddress) {
	for i := range addresses {
		h := host{ip: addresses[i].IP}
		if ref := addresses[i].TargetRef; ref != nil {
			h.uid = ref.UID
		}
		if first[h] == nil {
			first[h] = &addresses[i]
		}
		if was, known := s.ready[h]; !known || was {
			s.ready[h] = ready
		}
	}
}

// hosts are in order, and key is equal for the same hosts with the same readiness.
func (s *served) hosts() (hosts []host, key string) {
	for h := range s.ready {
		hosts = append(hosts, h)
	}
	slices.SortFunc(hosts, func(a, b host) int { return cmp.Or(cmp.Compare(a.ip, b.ip), cmp.Compare(a.uid, b.uid)) })
	var text strings.Builder
	for _, h := range hosts {
		fmt.Fprintf(&text, "%s %s %t\n", h.ip, h.uid, s.ready[h])
	}
	return hosts, text.String()
}

func (s *served) subset(hosts []host, first map[host]*corev1.EndpointAddress) (subset corev1.EndpointSubset) {
	for _, h := range hosts {
		if s.ready[h] {
			subset.Addresses = append(subset.Addresses, *first[h])
		} else {
			subset.NotReadyAddresses = append(subset.NotReadyAddresses, *first[h])
		}
	}
	return subset
}
