package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSoak is a short soak: less than a minute of load and failures, and all checks. Checking
// memory takes longer, and is left to `make soak`.
func TestSoak(t *testing.T) {
	t.Parallel()
	binary := os.Getenv("ROWLOCK_BINARY")
	if binary == "" {
		binary = filepath.Join(t.TempDir(), "rowlock")
		if out, err := exec.Command("go", "build", "-o", binary, "github.com/rowlock/rowlock/cmd/rowlock").CombinedOutput(); err != nil {
			t.Fatalf("build rowlock: %v\n%s", err, out)
		}
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-rowlock", binary, "-for", "30s", "-warm-up", "5s", "-growth", "0"}, &out, t.Output())
	t.Logf("%s", out.String())
	if err != nil {
		t.Fatal(err)
	}
}
