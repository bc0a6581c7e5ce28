package sysctl_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/sysctl"
)

func TestForbiddenSysctl(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		sysctls []string
		hostIPC bool
		hostNet bool
		want    string
	}{
		{"none", nil, true, true, ""},
		{"safe ones", []string{"kernel.shm_rmid_forced", "net.ipv4.tcp_rmem"}, false, false, ""},
		{"with slashes", []string{"net/ipv4/ip_local_port_range"}, false, false, ""},
		{"one of the IPC namespace", []string{"net.ipv4.tcp_rmem", "kernel.msgmax"}, false, false, `forbidden sysctl: "kernel.msgmax" not allowlisted`},
		{"one of no namespace", []string{"vm/swappiness"}, false, false, `forbidden sysctl: "vm.swappiness" not allowlisted`},
		{"the host's IPC", []string{"kernel.shm_rmid_forced"}, true, false, `forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host IPC enabled`},
		{"the host's network", []string{"net.ipv4.tcp_rmem"}, false, true, `forbidden sysctl: "net.ipv4.tcp_rmem" not allowed with host Net enabled`},
		{"another namespace of the host's", []string{"net.ipv4.tcp_rmem"}, true, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod := &corev1.Pod{Spec: corev1.PodSpec{HostIPC: tt.hostIPC, HostNetwork: tt.hostNet, SecurityContext: &corev1.PodSecurityContext{}}}
			for _, name := range tt.sysctls {
				pod.Spec.SecurityContext.Sysctls = append(pod.Spec.SecurityContext.Sysctls, corev1.Sysctl{Name: name, Value: "1"})
			}
			reason, message := sysctl.Forbidden(pod)
			if message != tt.want || (reason == "SysctlForbidden") != (tt.want != "") {
				t.Errorf("%s %q, want %q", reason, message, tt.want)
			}
		})
	}
}
