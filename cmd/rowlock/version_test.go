package main

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api/kube/discovery"
)

func TestProgramVersion(t *testing.T) {
	t.Parallel()
	commit := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for _, test := range []struct {
		name, release string
		info          *debug.BuildInfo
		want          string
	}{
		{"a release", "v1.2.3", commit("(devel)", revision), "v1.2.3 (commit 0123456789ab)"},
		{"a checkout", "", commit("(devel)", revision), "devel (commit 0123456789ab)"},
		{"a checkout with changes", "", commit("(devel)", revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "devel (commit 0123456789ab, modified)"},
		{"go install", "", commit("v1.2.3"), "v1.2.3"},
		{"a pseudo-version has its commit", "", commit("v0.0.0-20261121230000-0123456789ab", revision), "v0.0.0-20261121230000-0123456789ab"},
		{"nothing is known", "", commit(""), "unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := programVersion(test.release, test.info); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestVersion: the version shows which Kubernetes Rowlock behaves like, and --version prints the
// same.
func TestVersion(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"version"}, {"--version"}} {
		var stdout, stderr strings.Builder
		if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
			t.Fatalf("%v ends with %d: %s", args, code, &stderr)
		}
		if got := stdout.String(); got != versionText() || !strings.Contains(got, "\nkubernetes "+discovery.ServerVersion.GitVersion+"\n") {
			t.Errorf("%v prints %q", args, got)
		}
	}
}
