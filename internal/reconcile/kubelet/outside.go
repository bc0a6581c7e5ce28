package kubelet

import (
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/machine"
	"github.com/rowlock/rowlock/internal/machine/kernel"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// Outside is what the processes of a Pod can find out about the cluster, at the time of the look: its names and who is behind them.
type Outside struct {
	// Services are all of the cluster.
	Services []*corev1.Service

	// Pods are those in the namespaces and with the addresses that Reached names.
	Pods []*corev1.Pod

	// Silent are the names of those of their nodes that are out: nobody answers there.
	Silent map[string]bool
}

// Reached says which Pods questions may lead to: those in namespaces, and those with addresses.
func Reached(queries []kernel.Query, services []*corev1.Service) (namespaces, addresses []string) {
	for _, q := range queries {
		for _, s := range services {
			named := q.Kind == kernel.QueryDNS && strings.Contains(string(q.Name), s.Name+"."+s.Namespace+".")
			if named || q.Kind != kernel.QueryDNS && s.Spec.ClusterIP == q.Address {
				namespaces = append(namespaces, s.Namespace)
			}
		}
		if q.Kind != kernel.QueryDNS {
			addresses = append(addresses, q.Address)
		}
	}
	slices.Sort(namespaces)
	return slices.Compact(namespaces), addresses
}

// answer answers a question of one of the Pod's processes.
func (k *sync) answer(q kernel.Query) kernel.Answer {
	o := k.Outside
	if q.Kind == kernel.QueryDNS {
		return o.resolve(q)
	}
	if _, err := netip.ParseAddr(q.Address); err != nil {
		return kernel.Answer{Outcome: kernel.OutcomeUnreachable}
	}
	if q.Address == nameServer {
		return nameServerAnswers(q)
	}
	for _, s := range o.Services {
		if s.Spec.ClusterIP == q.Address {
			return k.throughService(s, q)
		}
	}
	for _, target := range o.Pods {
		if target.Status.PodIP == q.Address && target.Status.Phase == corev1.PodRunning && !target.Spec.HostNetwork {
			return k.reach(target, q)
		}
	}
	if q.Kind == kernel.QueryPing && (q.Address == k.status.HostIP || q.Address == k.status.PodIP) {
		return kernel.Answer{}
	}
	return kernel.Answer{Outcome: kernel.OutcomeTimeout}
}

func nameServerAnswers(q kernel.Query) kernel.Answer {
	switch {
	case q.Kind == kernel.QueryPing, q.Kind == kernel.QueryTCP && q.Port == 53:
		return kernel.Answer{}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

// throughService sends a question to the first Pod behind a Service that is ready.
// Differs: a real Service takes turns among its Pods.
func (k *sync) throughService(s *corev1.Service, q kernel.Query) kernel.Answer {
	if q.Kind == kernel.QueryPing {
		return kernel.Answer{Outcome: kernel.OutcomeTimeout} // addresses of Services answer on their ports only
	}
	if s.Namespace == corev1.NamespaceDefault && s.Name == "kubernetes" {
		return kernel.Answer{Status: 401, Header: kernel.Texts{"Content-Type: application/json"},
			Body: `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}` + "\n"}
	}
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		if int(p.Port) != q.Port || p.Protocol == corev1.ProtocolUDP {
			continue
		}
		for _, target := range k.Outside.behind(s, s.Spec.PublishNotReadyAddresses) {
			if q.Port = targetPort(target, p); q.Port != 0 {
				return k.reach(target, q)
			}
		}
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	return kernel.Answer{Outcome: kernel.OutcomeTimeout}
}

// targetPort is the Pod's port behind a Service's; 0 where it has none of that name.
func targetPort(pod *corev1.Pod, p *corev1.ServicePort) int {
	switch {
	case p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal == 0:
		return int(p.Port)
	case p.TargetPort.Type == intstr.Int:
		return int(p.TargetPort.IntVal)
	}
	for i := range pod.Spec.Containers {
		for _, port := range pod.Spec.Containers[i].Ports {
			if port.Name == p.TargetPort.StrVal {
				return int(port.ContainerPort)
			}
		}
	}
	return 0
}

// behind are the Pods behind a Service by name, those that are ready or all that have an address.
func (o *Outside) behind(s *corev1.Service, unready bool) []*corev1.Pod {
	if len(s.Spec.Selector) == 0 {
		return nil
	}
	selector := labels.SelectorFromSet(s.Spec.Selector)
	var pods []*corev1.Pod
	for _, pod := range o.Pods {
		if pod.Namespace == s.Namespace && pod.Status.PodIP != "" && !ended(pod.Status.Phase) && selector.Matches(labels.Set(pod.Labels)) &&
			(unready || isReady(pod) && pod.DeletionTimestamp == nil) {
			pods = append(pods, pod)
		}
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return pods
}

func isReady(pod *corev1.Pod) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// reach asks another Pod, which answers as the servers of its images do.
// Differs: files and settings that the other Pod has from elsewhere than its images do not count.
func (k *sync) reach(target *corev1.Pod, q kernel.Query) kernel.Answer {
	if k.Outside.Silent[target.Spec.NodeName] {
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}
	}
	if q.Kind == kernel.QueryPing {
		return kernel.Answer{}
	}
	m := Machine(Snapshot{Pod: target, Node: k.Node, Images: k.Images, Now: k.Now})
	for range mostAnswers {
		if m.Run(k.Now, catchUpSteps).Kind != machine.StopNews {
			break
		}
		m.Take()
	}
	return m.Serve(q)
}

// resolve answers the cluster's name server.
// Source: Kubernetes DNS-Based Service Discovery, specification 1.1.0.
func (o *Outside) resolve(q kernel.Query) kernel.Answer {
	name := strings.ToLower(strings.TrimSuffix(string(q.Name), "."))
	if q.Record == "PTR" {
		return o.reverse(name)
	}
	inner, ours := strings.CutSuffix(name, "."+clusterDomain)
	if !ours {
		return kernel.Answer{Outcome: kernel.OutcomeNoName}
	}
	if rest, ok := strings.CutSuffix(inner, ".svc"); ok {
		return o.resolveService(strings.Split(rest, "."), name, q.Record)
	}
	if rest, ok := strings.CutSuffix(inner, ".pod"); ok {
		dashed, _, _ := strings.Cut(rest, ".")
		if ip, err := netip.ParseAddr(strings.ReplaceAll(dashed, "-", ".")); err == nil {
			return addresses(q.Record, ip.String())
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeNoName}
}

// resolveService resolves SERVICE.NAMESPACE, HOSTNAME.SERVICE.NAMESPACE and _PORT._PROTOCOL.SERVICE.NAMESPACE.
func (o *Outside) resolveService(parts []string, name, record string) kernel.Answer {
	if len(parts) < 2 {
		return kernel.Answer{Outcome: kernel.OutcomeNoName}
	}
	host, service := parts[:len(parts)-2], parts[len(parts)-2:]
	for _, s := range o.Services {
		if s.Name != service[0] || s.Namespace != service[1] {
			continue
		}
		switch {
		case s.Spec.Type == corev1.ServiceTypeExternalName && len(host) == 0:
			return kernel.Answer{Canonical: s.Spec.ExternalName}
		case s.Spec.ClusterIP != corev1.ClusterIPNone && len(host) == 0:
			return addresses(record, s.Spec.ClusterIPs...)
		case s.Spec.ClusterIP == corev1.ClusterIPNone:
			return o.resolveHeadless(s, host, record)
		case record == "SRV" && len(host) == 2:
			return srv(s, host, name)
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeNoName}
}

// resolveHeadless resolves the name of a Service without an address, or of one of its Pods.
func (o *Outside) resolveHeadless(s *corev1.Service, host []string, record string) kernel.Answer {
	var ips []string
	for _, pod := range o.behind(s, s.Spec.PublishNotReadyAddresses) {
		if len(host) == 0 || len(host) == 1 && podsetup.Hostname(pod) == host[0] && pod.Spec.Subdomain == s.Name {
			ips = append(ips, pod.Status.PodIP)
		}
	}
	if len(ips) == 0 {
		return kernel.Answer{Outcome: kernel.OutcomeNoName}
	}
	return addresses(record, ips...)
}

func srv(s *corev1.Service, host []string, name string) kernel.Answer {
	for _, p := range s.Spec.Ports {
		if "_"+p.Name == host[0] && "_"+strings.ToLower(string(p.Protocol)) == host[1] {
			_, target, _ := strings.Cut(name, ".")
			_, target, _ = strings.Cut(target, ".")
			return kernel.Answer{Records: []string{"0 100 " + itoa(int(p.Port)) + " " + target + "."}}
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeNoName}
}

// addresses are those of the family that the record is for.
func addresses(record string, ips ...string) kernel.Answer {
	var a kernel.Answer
	for _, ip := range ips {
		six := strings.Contains(ip, ":")
		if ip != "" && (record == "" || six == (record == "AAAA")) {
			a.Addresses = append(a.Addresses, ip)
		}
	}
	return a
}

// reverse finds the name of a Service's address; name is 10.0.96.10.in-addr.arpa for 10.96.0.10.
func (o *Outside) reverse(name string) kernel.Answer {
	digits, ok := strings.CutSuffix(name, ".in-addr.arpa")
	if !ok {
		return kernel.Answer{Outcome: kernel.OutcomeNoName}
	}
	parts := strings.Split(digits, ".")
	slices.Reverse(parts)
	ip := strings.Join(parts, ".")
	if ip == nameServer {
		return kernel.Answer{Records: []string{"kube-dns.kube-system.svc." + clusterDomain + "."}}
	}
	for _, s := range o.Services {
		if s.Spec.ClusterIP == ip {
			return kernel.Answer{Records: []string{s.Name + "." + s.Namespace + ".svc." + clusterDomain + "."}}
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeNoName}
}
