package service

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// The pools of a cluster: the ranges of its ServiceCIDRs, each without its first and last address,
// and the node ports.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/ipallocator.go, calculateRangeOffset;
// .../portallocator/allocator.go, calculateNodePortRangeOffset; kubeadm's default service subnet
const (
	firstNodePort  = 30000
	lastNodePort   = 32767
	nodePorts      = lastNodePort - firstNodePort + 1
	allocatedIP    = "provided IP is already allocated"
	allocatedPort  = "provided port is already allocated"
	otherIPRange   = "the provided network does not match the current range"
	otherPortRange = "provided port is not in the valid range. The range of valid ports is 30000-32767"
	clusterIPKey   = "clusterip/"
	nodePortKey    = "nodeport/"
)

var (
	// DefaultRange is the range of DefaultCIDR.
	DefaultRange   = netip.MustParsePrefix(DefaultCIDR)
	clusterIPShare = reservedShare{step: 16, least: 16, most: 256}
	nodePortShare  = reservedShare{step: 32, least: 16, most: 128}
)

// serviceReservations returns the addresses and node ports that the Service holds.
func serviceReservations(o *corev1.Service) []string {
	s := &o.Spec
	var keys []string
	for _, ip := range s.ClusterIPs {
		if ip != corev1.ClusterIPNone {
			keys = append(keys, clusterIPKey+ip)
		}
	}
	for _, port := range heldPorts(s) {
		keys = append(keys, nodePortOf(port))
	}
	slices.Sort(keys)
	return slices.Compact(keys) // one node port may serve two protocols
}

// ClusterIPKey is the reservation of a Service's address.
func ClusterIPKey(ip string) string { return clusterIPKey + ip }

// NodePortKey is the reservation of a Service's node port.
func NodePortKey(port int) string { return nodePortKey + strconv.Itoa(port) }

// heldPorts returns the node ports of a Service.
func heldPorts(s *corev1.ServiceSpec) []int32 {
	var ports []int32
	for _, p := range s.Ports {
		if p.NodePort != 0 {
			ports = append(ports, p.NodePort)
		}
	}
	if s.HealthCheckNodePort != 0 {
		ports = append(ports, s.HealthCheckNodePort)
	}
	return ports
}

func nodePortOf(port int32) string { return nodePortKey + strconv.Itoa(int(port)) }

// allocateService completes a new or updated Service, in place: it makes dependent fields agree,
// keeps fields of old that the client does not send, and allocates addresses and ports from the
// pools. It rejects a requested number that is taken or out of range.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, beginCreate and beginUpdate; alloc.go
func allocateService(next, old *corev1.Service, pool kind.Pool) (field.ErrorList, error) {
	s := &next.Spec
	var was *corev1.ServiceSpec
	if old != nil {
		was = &old.Spec
		keepAllocated(s, was)
	}
	matchClusterIPs(s, was)
	if errs := setFamilies(s, was); len(errs) > 0 {
		return errs, nil
	}
	if errs, err := allocateClusterIP(s, was, pool); err != nil || len(errs) > 0 {
		return errs, wrapPool(err, fmt.Sprintf("failed to allocate a serviceIP for Service %q", next.GetName()))
	}
	if errs, err := allocateNodePorts(s, was, pool); err != nil || len(errs) > 0 {
		return errs, wrapPool(err, "failed to allocate a nodePort")
	}
	return nil, allocateHealthCheckPort(s, was, pool)
}

func wrapPool(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// setFamilies sets the address families. The cluster has IPv4. Only a headless Service without a
// selector, whose endpoints are external, may have both.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/alloc.go, initIPFamilyFields
func setFamilies(s, was *corev1.ServiceSpec) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	anyFamily := s.ClusterIP == corev1.ClusterIPNone && len(s.Selector) == 0
	if s.IPFamilyPolicy == nil {
		policy := corev1.IPFamilyPolicySingleStack
		switch {
		case was != nil && was.IPFamilyPolicy != nil:
			policy = *was.IPFamilyPolicy
		case anyFamily:
			policy = corev1.IPFamilyPolicyRequireDualStack
		}
		s.IPFamilyPolicy = &policy
	}
	if errs := validateClusterIPs(s, was); len(errs) > 0 {
		return errs
	}
	if errs := inferFamilies(s); len(errs) > 0 {
		return errs
	}
	single := *s.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack
	if anyFamily {
		addFamilies(s, single)
		return nil
	}
	var errs field.ErrorList
	if *s.IPFamilyPolicy == corev1.IPFamilyPolicyRequireDualStack {
		errs = append(errs, field.Invalid(field.NewPath("spec", "ipFamilyPolicy"), s.IPFamilyPolicy, "this cluster is not configured for dual-stack services"))
	}
	for i, family := range s.IPFamilies {
		if family != corev1.IPv4Protocol {
			errs = append(errs, field.Invalid(field.NewPath("spec", "ipFamilies").Index(i), family, "not configured on this cluster"))
		}
	}
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	return errs
}

// inferFamilies adds the families of the requested addresses.
func inferFamilies(s *corev1.ServiceSpec) field.ErrorList {
	var errs field.ErrorList
	if *s.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack {
		const several = "must be 'RequireDualStack' or 'PreferDualStack' when multiple %s are specified"
		if len(s.ClusterIPs) == 2 {
			errs = append(errs, field.Invalid(field.NewPath("spec", "ipFamilyPolicy"), s.IPFamilyPolicy, fmt.Sprintf(several, "cluster IPs")))
		}
		if len(s.IPFamilies) == 2 {
			errs = append(errs, field.Invalid(field.NewPath("spec", "ipFamilyPolicy"), s.IPFamilyPolicy, fmt.Sprintf(several, "IP families")))
		}
	}
	for i, ip := range s.ClusterIPs {
		switch {
		case ip == corev1.ClusterIPNone:
			return errs
		case i < len(s.IPFamilies):
		case check.IsIPv6(ip):
			errs = append(errs, field.Invalid(field.NewPath("spec", "clusterIPs").Index(i), s.ClusterIPs,
				fmt.Sprintf("%s is not configured on this cluster", corev1.IPv6Protocol)))
		default:
			s.IPFamilies = append(s.IPFamilies, corev1.IPv4Protocol)
		}
	}
	return errs
}

// addFamilies sets the families that the policy of a Service with external endpoints stands for.
func addFamilies(s *corev1.ServiceSpec, single bool) {
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	if single || len(s.IPFamilies) > 1 {
		return
	}
	other := corev1.IPv6Protocol
	if s.IPFamilies[0] == corev1.IPv6Protocol {
		other = corev1.IPv4Protocol
	}
	s.IPFamilies = append(s.IPFamilies, other)
}

// allocateClusterIP allocates the address of a Service that needs one, or reserves the one that it
// requests. A Service keeps its address even if the range no longer exists.
func allocateClusterIP(s, was *corev1.ServiceSpec, pool kind.Pool) (field.ErrorList, error) {
	if s.Type == corev1.ServiceTypeExternalName || headless(s) {
		return nil, nil
	}
	ranges := pool.Ranges
	if ranges == nil {
		ranges = []netip.Prefix{DefaultRange}
	}
	if len(s.ClusterIPs) == 0 {
		ip, err := takeClusterIP(ranges, pool)
		if err != nil {
			return nil, err
		}
		s.ClusterIP, s.ClusterIPs = ip, []string{ip}
		return nil, nil
	}
	ip := s.ClusterIPs[0]
	refused := ""
	address, err := netip.ParseAddr(ip)
	switch {
	case was != nil && slices.Contains(was.ClusterIPs, ip):
		return nil, nil
	case err != nil || !slices.ContainsFunc(ranges, func(r netip.Prefix) bool { return r.Contains(address) }):
		refused = otherIPRange
	case pool.Taken(clusterIPKey + ip):
		refused = allocatedIP
	default:
		return nil, nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), s.ClusterIPs,
		fmt.Sprintf("failed to allocate IP %s: %s", ip, refused))}, nil
}

// takeClusterIP returns a free address from the first range that has one; errPoolEmpty if none has.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/cidrallocator.go, AllocateNextService
func takeClusterIP(ranges []netip.Prefix, pool kind.Pool) (string, error) {
	for _, r := range ranges {
		size := 1<<(32-r.Bits()) - 2 // without the network and broadcast addresses
		if size <= 0 {
			continue
		}
		n, err := takeFrom(pool, size, max(0, clusterIPShare.of(size+2)-1), func(n int) bool { return !pool.Taken(clusterIPKey + clusterIPAt(r, n)) })
		if err == nil {
			return clusterIPAt(r, n), nil
		}
	}
	return "", errPoolEmpty
}

// clusterIPAt returns the n-th address of the range, counted from 0 at 10.96.0.1 in the default
// one.
func clusterIPAt(r netip.Prefix, n int) string {
	base := r.Masked().Addr().As4()
	number := binary.BigEndian.Uint32(base[:]) + uint32(n) + 1
	binary.BigEndian.PutUint32(base[:], number)
	return netip.AddrFrom4(base).String()
}

// allocateNodePorts allocates the node ports that the Service needs. A port with two protocols has
// one node port. It takes time linear in the ports and the range.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/alloc.go, initNodePorts and updateNodePorts
//
// Differs: a Service that needs more node ports than the range has is invalid; upstream answers
// 500, as for an exhausted range.
func allocateNodePorts(s, was *corev1.ServiceSpec, pool kind.Pool) (field.ErrorList, error) {
	if !usesNodePorts(s) {
		return nil, nil
	}
	path := field.NewPath("spec", "ports")
	byPort, held := map[int32]int32{}, portSet(was)
	for i, p := range s.Ports {
		if p.NodePort == 0 {
			continue
		}
		if refused := refusePort(p.NodePort, held, pool); refused != "" {
			return field.ErrorList{field.Invalid(path.Index(i).Child("nodePort"), p.NodePort, refused)}, nil
		}
		if byPort[p.Port] == 0 {
			byPort[p.Port] = p.NodePort
		}
	}
	if s.Type == corev1.ServiceTypeLoadBalancer && !kind.IsTrue(s.AllocateLoadBalancerNodePorts) {
		return nil, nil
	}
	free := newFreePorts(s, pool)
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.NodePort != 0 {
			continue
		}
		if shared := byPort[p.Port]; shared != 0 && was == nil {
			p.NodePort = shared
			continue
		}
		if free.mine >= nodePorts {
			return field.ErrorList{field.TooMany(path, len(s.Ports), nodePorts)}, nil
		}
		port, err := free.take()
		if err != nil {
			return nil, err
		}
		p.NodePort = port
		byPort[p.Port] = port
	}
	return nil, nil
}

// refusePort returns why the Service cannot have the requested node port; "" if it can. held are
// those that it has already.
func refusePort(port int32, held map[int32]bool, pool kind.Pool) string {
	switch {
	case held[port]:
		return ""
	case port < firstNodePort || port > lastNodePort:
		return otherPortRange
	case pool.Taken(nodePortOf(port)):
		return allocatedPort
	}
	return ""
}

// portSet returns heldPorts as a set; the empty set for nil.
func portSet(s *corev1.ServiceSpec) map[int32]bool {
	held := map[int32]bool{}
	if s != nil {
		for _, port := range heldPorts(s) {
			held[port] = true
		}
	}
	return held
}

// freePorts returns node ports, each once, that neither another Service nor this one has. It
// queries the pool once per port, so that many ports cost little more than one.
type freePorts struct {
	pool  kind.Pool
	taken [nodePorts]bool // as far as known
	mine  int             // number of distinct ports of the Service
}

func newFreePorts(s *corev1.ServiceSpec, pool kind.Pool) *freePorts {
	f := &freePorts{pool: pool}
	for port := range portSet(s) {
		f.mine++
		if port >= firstNodePort && port <= lastNodePort {
			f.taken[port-firstNodePort] = true
		}
	}
	return f
}

// take returns a free port; errPoolEmpty if there is none.
func (f *freePorts) take() (int32, error) {
	n, err := takeFrom(f.pool, nodePorts, nodePortShare.of(nodePorts), func(n int) bool {
		f.taken[n] = f.taken[n] || f.pool.Taken(nodePortOf(firstNodePort+int32(n)))
		return !f.taken[n]
	})
	if err != nil {
		return 0, err
	}
	f.taken[n] = true
	f.mine++
	return firstNodePort + int32(n), nil
}

// allocateHealthCheckPort allocates a health check port when the Service starts to need one.
func allocateHealthCheckPort(s, was *corev1.ServiceSpec, pool kind.Pool) error {
	if !needsHealthCheckPort(s) || was != nil && needsHealthCheckPort(was) {
		return nil
	}
	if s.HealthCheckNodePort != 0 {
		if refused := refusePort(s.HealthCheckNodePort, portSet(was), pool); refused != "" {
			return fmt.Errorf("failed to allocate requested HealthCheck NodePort %d: %w", s.HealthCheckNodePort, errors.New(refused))
		}
		return nil
	}
	port, err := newFreePorts(s, pool).take()
	if err != nil {
		return fmt.Errorf("failed to allocate a HealthCheck NodePort 0: %w", err)
	}
	s.HealthCheckNodePort = port
	return nil
}

const (
	// DefaultCIDRName is the name of the ServiceCIDR of a new cluster.
	DefaultCIDRName = "kubernetes"
	// DefaultCIDR is its range.
	DefaultCIDR = "10.96.0.0/16"
)
