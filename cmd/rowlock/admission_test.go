package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/pod-security-admission/api"

	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
)

const (
	admissionHead = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: PodSecurity\n"
	securityBody  = `apiVersion: pod-security.admission.config.k8s.io/v1
kind: PodSecurityConfiguration
defaults:
  enforce: baseline
  warn: restricted
  warn-version: v1.30
exemptions:
  usernames: [ann]
  runtimeClasses: [vm]
  namespaces: [kube-system]
`
)

func TestReadAdmission(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	within := strings.ReplaceAll("\n"+strings.TrimSpace(securityBody), "\n", "\n    ")
	write("beside.yaml", securityBody)
	level := func(l api.Level, v api.Version) api.LevelVersion { return api.LevelVersion{Level: l, Version: v} }
	whole := &security.Config{
		Defaults: api.Policy{
			Enforce: level(api.LevelBaseline, api.LatestVersion()), Audit: level(api.LevelPrivileged, api.LatestVersion()),
			Warn: level(api.LevelRestricted, api.MajorMinorVersion(1, 30)),
		},
		Usernames: []string{"ann"}, RuntimeClasses: []string{"vm"}, Namespaces: []string{"kube-system"},
	}
	plain := level(api.LevelPrivileged, api.LatestVersion())
	for name, tt := range map[string]struct {
		text string
		want *security.Config
	}{
		"in the file":         {admissionHead + "  configuration:" + within, whole},
		"in a file beside it": {admissionHead + "  path: beside.yaml\n", whole},
		"nothing said":        {admissionHead, &security.Config{Defaults: api.Policy{Enforce: plain, Audit: plain, Warn: plain}}},
		"no plugins":          {strings.SplitAfter(admissionHead, "plugins:")[0] + " []\n", nil},
	} {
		got, err := readAdmission(write(strings.ReplaceAll(name, " ", "-"), tt.text))
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(api.Version{})); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for name, tt := range map[string][2]string{
		"no YAML":            {"{", "did not find"},
		"another kind":       {strings.Replace(admissionHead, "kind: Adm", "kind: Em", 1), `must be an AdmissionConfiguration in apiserver.config.k8s.io/v1`},
		"another version":    {strings.Replace(admissionHead, "/v1", "/v9", 1), `must be an AdmissionConfiguration in apiserver.config.k8s.io/v1`},
		"another plugin":     {strings.Replace(admissionHead, "PodSecurity", "ImagePolicyWebhook", 1), `the plugin "ImagePolicyWebhook" cannot be configured`},
		"twice":              {admissionHead + "- name: PodSecurity\n", "configured twice"},
		"an unknown field":   {admissionHead + "  paths: a\n", `unknown field "paths"`},
		"both":               {admissionHead + "  path: beside.yaml\n  configuration:" + within, "specify either a path or a configuration, not both"},
		"no such file":       {admissionHead + "  path: nowhere.yaml\n", "no such file"},
		"no such level":      {admissionHead + "  configuration:" + strings.Replace(within, "baseline", "strict", 1), "defaults.enforce"},
		"no such kind":       {admissionHead + "  configuration:" + strings.Replace(within, "PodSecurityConfiguration", "Other", 1), `no kind "Other"`},
		"a namespace's form": {admissionHead + "  configuration:" + strings.Replace(within, "kube-system", "A_B", 1), "exemptions.namespaces"},
	} {
		if _, err := readAdmission(write("bad-"+strings.ReplaceAll(name, " ", "-"), tt[0])); err == nil || !strings.Contains(err.Error(), tt[1]) {
			t.Errorf("%s: %v, want %q", name, err, tt[1])
		}
	}
}
