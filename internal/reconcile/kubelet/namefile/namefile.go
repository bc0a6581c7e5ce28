// Package namefile writes the files by which programs find names: the /etc/hosts of Pods and nodes,
// and the /etc/resolv.conf of Pods.
package namefile

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/util/validation"

	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// The limits of a resolv.conf.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, MaxDNSNameservers and the two below it
const (
	mostNameServers   = 3
	mostSearchPaths   = 32
	mostSearchLetters = 2048
)

// nodeHosts is the /etc/hosts of every node.
const nodeHosts = "127.0.0.1\tlocalhost\n" +
	"::1\tlocalhost ip6-localhost ip6-loopback\n" +
	"fe00::\tip6-localnet\n" +
	"ff00::\tip6-mcastprefix\n" +
	"ff02::1\tip6-allnodes\n" +
	"ff02::2\tip6-allrouters\n"

// NodeHosts is the /etc/hosts of a node with a name and an address.
func NodeHosts(node, address string) string { return nodeHosts + address + "\t" + node + "\n" }

// NodeAddress is the address of a node in its /etc/hosts; "" if it has none.
func NodeAddress(n *corev1.Node) string {
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			return a.Address
		}
	}
	return ""
}

// Hosts is the /etc/hosts of a Pod.
//
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, ensureHostsFile, nodeHostsFileContent and managedHostsFileContent
func Hosts(pod *corev1.Pod, hostname string) string {
	var b strings.Builder
	if pod.Spec.HostNetwork {
		b.WriteString("# Kubernetes-managed hosts file (host network).\n" + NodeHosts(pod.Spec.NodeName, pod.Status.HostIP))
	} else {
		b.WriteString("# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n" +
			"fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n")
		for _, ip := range pod.Status.PodIPs {
			if pod.Spec.Subdomain != "" {
				b.WriteString(ip.IP + "\t" + hostname + "." + pod.Spec.Subdomain + "." + pod.Namespace + ".svc." + network.ClusterDomain + "\t" + hostname + "\n")
			} else {
				b.WriteString(ip.IP + "\t" + hostname + "\n")
			}
		}
	}
	if len(pod.Spec.HostAliases) > 0 {
		b.WriteString("\n# Entries added by HostAliases.\n")
	}
	for _, alias := range pod.Spec.HostAliases {
		b.WriteString(alias.IP + "\t" + strings.Join(alias.Hostnames, "\t") + "\n")
	}
	return b.String()
}

// resolver is the content of /etc/resolv.conf; exceeded is as for Exceeded.
type resolver struct{ servers, search, options, exceeded []string }

// resolverOf combines the Pod's policy and its own settings. If an option is given twice, the value
// in dnsConfig applies.
//
// Source: kubernetes v1.36 pkg/kubelet/network/dns/dns.go, GetPodDNS, appendDNSConfig and formDNSConfigFitsLimits
// Differs: options keep their order, while upstream's order is random.
func resolverOf(pod *corev1.Pod) resolver {
	r := resolver{
		servers: []string{network.NameServer}, options: []string{"ndots:5"},
		search: []string{pod.Namespace + ".svc." + network.ClusterDomain, "svc." + network.ClusterDomain, network.ClusterDomain},
	}
	switch policy := pod.Spec.DNSPolicy; {
	case policy == corev1.DNSNone:
		r = resolver{}
	case policy == corev1.DNSDefault || policy == corev1.DNSClusterFirst && pod.Spec.HostNetwork:
		r = resolver{servers: []string{network.NodeNameServer}}
	}
	if c := pod.Spec.DNSConfig; c != nil {
		r.servers, r.search = append(r.servers, c.Nameservers...), append(r.search, c.Searches...)
		for _, o := range c.Options {
			text := o.Name
			if o.Value != nil && *o.Value != "" {
				text += ":" + *o.Value
			}
			r.options = slices.DeleteFunc(r.options, func(old string) bool {
				name, _, _ := strings.Cut(old, ":")
				return name == o.Name
			})
			r.options = append(r.options, text)
		}
	}
	r.servers, r.search = once(r.servers), once(r.search)
	r.fit()
	return r
}

// fit drops what exceeds the limits.
//
// Source: kubernetes v1.36 pkg/kubelet/network/dns/dns.go, formDNSNameserversFitsLimits and formDNSSearchFitsLimits
func (r *resolver) fit() {
	if len(r.servers) > mostNameServers {
		r.servers = r.servers[:mostNameServers]
		r.exceeded = append(r.exceeded, "Nameserver limits were exceeded, some nameservers have been omitted, "+
			"the applied nameserver line is: "+strings.Join(r.servers, " "))
	}
	asked := len(r.search)
	r.search = r.search[:min(asked, mostSearchPaths)]
	r.search = slices.DeleteFunc(r.search, func(s string) bool { return len(s) > apivalidation.DNS1123SubdomainMaxLength })
	for len(strings.Join(r.search, " ")) > mostSearchLetters {
		r.search = r.search[:len(r.search)-1]
	}
	if len(r.search) < asked {
		r.exceeded = append(r.exceeded, "Search Line limits were exceeded, some search paths have been omitted, "+
			"the applied search line is: "+strings.Join(r.search, " "))
	}
}

// Exceeded says which limits of a resolv.conf the Pod's settings exceed, and what is left within
// them.
func Exceeded(pod *corev1.Pod) []string { return resolverOf(pod).exceeded }

// once returns each of the texts once, in the order of first occurrence.
func once(texts []string) (distinct []string) {
	for _, s := range texts {
		if !slices.Contains(distinct, s) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// Resolv is the /etc/resolv.conf of a Pod.
func Resolv(pod *corev1.Pod) string {
	r := resolverOf(pod)
	var b strings.Builder
	if len(r.search) > 0 {
		b.WriteString("search " + strings.Join(r.search, " ") + "\n")
	}
	for _, s := range r.servers {
		b.WriteString("nameserver " + s + "\n")
	}
	if len(r.options) > 0 {
		b.WriteString("options " + strings.Join(r.options, " ") + "\n")
	}
	return b.String()
}
