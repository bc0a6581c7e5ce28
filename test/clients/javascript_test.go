package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestJavaScript installs the packages in javascript/package-lock.json, and runs the tests beside
// it.
func TestJavaScript(t *testing.T) {
	t.Parallel()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatal("npm is not installed: make deps")
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "walk.test.js"} {
		text, err := os.ReadFile(filepath.Join("javascript", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"ci", "--no-audit", "--no-fund", "--ignore-scripts"}, {"test"}} {
		cmd := exec.CommandContext(t.Context(), npm, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "KUBECONFIG="+rowlock.Kubeconfig)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("npm %s: %v\n%s", args[0], err, out)
		}
	}
}
