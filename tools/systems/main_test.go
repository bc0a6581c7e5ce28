package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck_FindsWhatOnlyOneSystemHas: a function that only Linux has is missing on the others, in a
// package and in a test, and is said once each. Tests do not run on Windows.
func TestCheck_FindsWhatOnlyOneSystemHas(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/a\n\ngo 1.26\n",
		"a.go":       "package a\n\nimport \"strings\"\n\nvar A = strings.ToUpper(b())\n",
		"b_linux.go": "package a\n\nfunc b() string { return \"\" }\n",
		"a_test.go":  "package a\n\nvar c = b() + d\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for system, want := range map[string][]string{
		"linux/arm64":   {"a_test.go:3:15: undefined: d"},
		"darwin/arm64":  {"a.go:5:25: undefined: b", "a_test.go:3:9: undefined: b", "a_test.go:3:15: undefined: d"},
		"windows/amd64": {"a.go:5:25: undefined: b"},
	} {
		got, err := check(t.Context(), root, system)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %q, %v, want %q", system, got, err, want)
			continue
		}
		for i, w := range want {
			if !strings.HasSuffix(got[i], w) {
				t.Errorf("%s: %q, want %q", system, got[i], w)
			}
		}
	}
	for _, system := range []string{"plan9", "linux/none"} {
		if _, err := check(t.Context(), root, system); err == nil {
			t.Errorf("%s is taken as a system", system)
		}
	}
}
