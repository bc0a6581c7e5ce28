package namefile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// TestResolver_TellsWhatExceedsItsLimits: the Pod continues with what is left, and an Event says
// what that is.
func TestResolver_TellsWhatExceedsItsLimits(t *testing.T) {
	t.Parallel()
	const cluster = "default.svc.cluster.local svc.cluster.local cluster.local"
	paths := func(n, letters int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%0*d", letters, i))
		}
		return list
	}
	const (
		servers  = "event Pod default/web-1 Warning DNSConfigForming \"Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: "
		searches = "event Pod default/web-1 Warning DNSConfigForming \"Search Line limits were exceeded, some search paths have been omitted, the applied search line is: "
	)
	for name, tt := range map[string]struct {
		policy corev1.DNSPolicy
		config corev1.PodDNSConfig
		want   []string
	}{
		"within": {config: corev1.PodDNSConfig{Nameservers: []string{"1.1.1.1", "8.8.8.8", network.NameServer}, Searches: append(paths(29, 2), "cluster.local")}},
		"a fourth server": {config: corev1.PodDNSConfig{Nameservers: []string{"1.1.1.1", "8.8.8.8", "9.9.9.9"}}, want: []string{
			servers + network.NameServer + ` 1.1.1.1 8.8.8.8"`,
		}},
		"too many paths": {config: corev1.PodDNSConfig{Searches: paths(30, 2)}, want: []string{searches + cluster + " " + strings.Join(paths(29, 2), " ") + `"`}},
		"a long path": {policy: corev1.DNSNone, config: corev1.PodDNSConfig{Nameservers: []string{"1.1.1.1"}, Searches: []string{strings.Repeat("x", 254), "a.example"}},
			want: []string{searches + `a.example"`}},
		"long together, and servers": {config: corev1.PodDNSConfig{Nameservers: []string{"1.1.1.1", "8.8.8.8", "9.9.9.9"}, Searches: paths(9, 250)}, want: []string{
			servers + network.NameServer + ` 1.1.1.1 8.8.8.8"`, searches + cluster + " " + strings.Join(paths(7, 250), " ") + `"`,
		}},
		"long, but 2048 letters": {policy: corev1.DNSNone, config: corev1.PodDNSConfig{Nameservers: []string{"1.1.1.1"}, Searches: append(paths(8, 250), paths(1, 40)...)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pod := podtest.Bound(podtest.Of("c", "busybox", "sleep", "60"))
			pod.Spec.DNSPolicy, pod.Spec.DNSConfig = tt.policy, &tt.config
			if tt.policy == "" {
				pod.Spec.DNSPolicy = corev1.DNSClusterFirst
			}
			s := kubelet.Snapshot{Pod: pod, Node: podtest.Node(), Address: "10.244.0.2", Images: podtest.Images, Now: podtest.Noon}
			told := func(p string) (list []string) {
				for line := range strings.Lines(p) {
					if strings.Contains(line, "DNSConfigForming") {
						list = append(list, strings.TrimSpace(line))
					}
				}
				return list
			}
			p := kubelet.Reconcile(s)
			if diff := cmp.Diff(tt.want, told(p.String())); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			s.Pod, s.Memory, s.Now = p.Updates[0].Object.(*corev1.Pod), p.Memory, podtest.Noon.Add(time.Second)
			if again := told(kubelet.Reconcile(s).String()); again != nil {
				t.Errorf("told again: %q", again)
			}
		})
	}
}
