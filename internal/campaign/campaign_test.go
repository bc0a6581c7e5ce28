package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCampaign runs a campaign of the duration ROWLOCK_CAMPAIGN, such as 30s, and all checks.
func TestCampaign(t *testing.T) {
	t.Parallel()
	duration := os.Getenv("ROWLOCK_CAMPAIGN")
	if duration == "" {
		t.Skip("ROWLOCK_CAMPAIGN does not say for how long")
	}
	binary := os.Getenv("ROWLOCK_BINARY")
	if binary == "" {
		binary = filepath.Join(t.TempDir(), "rowlock")
		if out, err := exec.Command("go", "build", "-o", binary, "github.com/rowlock/rowlock/cmd/rowlock").CombinedOutput(); err != nil {
			t.Fatalf("build rowlock: %v\n%s", err, out)
		}
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-rowlock", binary, "-for", duration, "-v"}, &out)
	t.Logf("%s", out.String())
	if err != nil {
		t.Fatal(err)
	}
}
