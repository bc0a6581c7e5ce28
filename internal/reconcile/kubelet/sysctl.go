package kubelet

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/node/util/sysctl"
)

// safeSysctls are the kernel parameters that a Pod may set because they affect no other Pod.
//
// Source: kubernetes v1.36 pkg/kubelet/sysctl/safe_sysctls.go, safeSysctls
var safeSysctls = []string{
	"kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range",
	"net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
	"net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem",
}

// ForbiddenSysctl is why a kubelet rejects a Pod that sets a kernel parameter of the node, or one
// that it shares with the node. reason is empty if it admits the Pod.
//
// Source: kubernetes v1.36 pkg/kubelet/sysctl/allowlist.go, Admit and validateSysctl
// Differs: no node allows unsafe ones, because there is no --allowed-unsafe-sysctls.
func ForbiddenSysctl(pod *corev1.Pod) (reason, message string) {
	if pod.Spec.SecurityContext == nil {
		return "", ""
	}
	for _, s := range pod.Spec.SecurityContext.Sysctls {
		name := sysctl.NormalizeName(s.Name)
		namespace, _, _ := sysctl.GetNamespace(name)
		why := ""
		switch {
		case !slices.Contains(safeSysctls, name):
			why = fmt.Sprintf("%q not allowlisted", name)
		case namespace == sysctl.IPCNamespace && pod.Spec.HostIPC, namespace == sysctl.NetNamespace && pod.Spec.HostNetwork:
			why = fmt.Sprintf("%q not allowed with host %s enabled", name, namespace)
		default:
			continue
		}
		return "SysctlForbidden", "forbidden sysctl: " + why
	}
	return "", ""
}

// sysctls are the kernel parameters that a Pod sets, by their names with dots.
func sysctls(pod *corev1.Pod) map[string]string {
	if pod.Spec.SecurityContext == nil {
		return nil
	}
	set := map[string]string{}
	for _, s := range pod.Spec.SecurityContext.Sysctls {
		set[sysctl.NormalizeName(s.Name)] = s.Value
	}
	return set
}
