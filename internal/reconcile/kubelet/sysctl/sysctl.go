// Package sysctl decides which kernel parameters a Pod may set. It rejects those of the node, and
// those that the Pod shares with the node.
package sysctl

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	parameter "k8s.io/component-helpers/node/util/sysctl"
)

// safe are the kernel parameters that a Pod may set because they affect no other Pod.
//
// Source: kubernetes v1.36 pkg/kubelet/sysctl/safe_sysctls.go, safeSysctls
var safe = []string{
	"kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range",
	"net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
	"net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem",
}

// Forbidden is why a kubelet rejects a Pod that sets a kernel parameter of the node, or one
// that it shares with the node. reason is empty if it admits the Pod.
//
// Source: kubernetes v1.36 pkg/kubelet/sysctl/allowlist.go, Admit and validateSysctl
// Differs: no node allows unsafe ones, because there is no --allowed-unsafe-sysctls.
func Forbidden(pod *corev1.Pod) (reason, message string) {
	if pod.Spec.SecurityContext == nil {
		return "", ""
	}
	for _, s := range pod.Spec.SecurityContext.Sysctls {
		name := parameter.NormalizeName(s.Name)
		namespace, _, _ := parameter.GetNamespace(name)
		why := ""
		switch {
		case !slices.Contains(safe, name):
			why = fmt.Sprintf("%q not allowlisted", name)
		case namespace == parameter.IPCNamespace && pod.Spec.HostIPC, namespace == parameter.NetNamespace && pod.Spec.HostNetwork:
			why = fmt.Sprintf("%q not allowed with host %s enabled", name, namespace)
		default:
			continue
		}
		return "SysctlForbidden", "forbidden sysctl: " + why
	}
	return "", ""
}

// Values are the kernel parameters that a Pod sets, by their names with dots; nil if it has no
// security context.
func Values(pod *corev1.Pod) map[string]string {
	if pod.Spec.SecurityContext == nil {
		return nil
	}
	set := map[string]string{}
	for _, s := range pod.Spec.SecurityContext.Sysctls {
		set[parameter.NormalizeName(s.Name)] = s.Value
	}
	return set
}
