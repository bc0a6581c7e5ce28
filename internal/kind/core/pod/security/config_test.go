package security_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// Defaults apply without labels, and exempt writes are neither rejected nor warned about.
func TestPodSecurity_Configured(t *testing.T) {
	t.Parallel()
	baseline := api.LevelVersion{Level: api.LevelBaseline, Version: api.MajorMinorVersion(1, 30)}
	config := &security.Config{
		Defaults:  api.Policy{Enforce: baseline, Audit: baseline, Warn: api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}},
		Usernames: []string{"ann"}, RuntimeClasses: []string{"vm"}, Namespaces: []string{"exempt"},
	}
	const refused, warned = `violates PodSecurity "baseline:v1.30": host namespaces`, `would violate PodSecurity "restricted:latest"`
	inClass := func(s *corev1.PodSpec) { s.RuntimeClassName = new("vm") }
	for name, tt := range map[string]struct {
		namespace, labels, user string
		pod                     *corev1.Pod
		refused, warned         string
	}{
		"no labels":               {"shop", "", "bob", judgedPod(onHost), refused, warned},
		"met, and warned of":      {"shop", "", "bob", judgedPod(), "", warned},
		"labels before defaults":  {"shop", "enforce=privileged warn=privileged", "bob", judgedPod(onHost), "", ""},
		"a label for one mode":    {"shop", "warn=privileged", "bob", judgedPod(onHost), refused, ""},
		"an exempt user":          {"shop", "enforce=restricted", "ann", judgedPod(onHost), "", ""},
		"an exempt RuntimeClass":  {"shop", "enforce=restricted", "bob", judgedPod(onHost, inClass), "", ""},
		"an exempt namespace":     {"exempt", "enforce=restricted", "bob", judgedPod(onHost), "", ""},
		"nobody is exempt either": {"shop", "", "", judgedPod(onHost), refused, warned},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := security.WithConfig(kindtest.Cluster(labeled(tt.namespace, tt.labels)), config, tt.user)
			plugin := podSecurity(t, pod.Kind.Admission)
			tt.pod.Namespace = tt.namespace
			if got := kindtest.Refusal(plugin.Validate(tt.pod, in)); !strings.HasPrefix(got, tt.refused) || (got == "") != (tt.refused == "") {
				t.Errorf("refused: %q, want %q…", got, tt.refused)
			}
			if got := strings.Join(plugin.Warn(tt.pod, nil, in), "\n"); !strings.HasPrefix(got, tt.warned) || (got == "") != (tt.warned == "") {
				t.Errorf("warned: %q, want %q…", got, tt.warned)
			}
		})
	}

	of := podSecurity(t, core.Namespace.Admission)
	pods := kindtest.Cluster(judgedPod(onHost, inClass), judgedPod(func(s *corev1.PodSpec) { s.HostPID = true }, func(s *corev1.PodSpec) { s.Containers[0].Name = "d" }))
	in := security.WithConfig(pods, config, "bob")
	const ignored = `namespace "exempt" is exempt from Pod Security, and the policy (enforce=restricted:v1.30, warn=baseline:latest) will be ignored`
	kindtest.Diff(t, []string{ignored}, of.Warn(labeled("exempt", "enforce=restricted warn=baseline"), nil, in))
	kindtest.Diff(t, []string{ignored}, of.Warn(labeled("exempt", "enforce=restricted warn=baseline"), labeled("exempt", ""), in))
	for name, got := range map[string][]string{
		"no labels":            of.Warn(labeled("exempt", ""), nil, in),
		"privileged":           of.Warn(labeled("exempt", "enforce=privileged audit=privileged warn=privileged"), nil, in),
		"as the defaults":      of.Warn(labeled("shop", "enforce=baseline enforce-version=v1.30"), labeled("shop", ""), in),
		"a new one":            of.Warn(labeled("shop", "enforce=restricted"), nil, in),
		"less than before":     of.Warn(labeled("shop", ""), labeled("shop", "enforce=restricted enforce-version=v1.30"), in),
		"no configuration":     of.Warn(labeled("exempt", "enforce=baseline"), nil, pods),
		"what has not changed": of.Warn(labeled("exempt", "enforce=baseline"), labeled("exempt", "enforce=baseline"), in),
	} {
		if got != nil {
			t.Errorf("%s: warned of %q", name, got)
		}
	}
	if got := of.Warn(labeled("shop", "enforce=baseline"), labeled("shop", "enforce=privileged"), in); len(got) != 2 || got[1] != "p: host namespaces" {
		t.Errorf("a Pod of an exempt RuntimeClass is checked: %q", got)
	}
}
