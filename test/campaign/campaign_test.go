package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/rowlock/rowlock/test/childprocess"
)

// TestCampaign runs a campaign of the duration ROWLOCK_CAMPAIGN, such as 30s, and all checks.
func TestCampaign(t *testing.T) {
	t.Parallel()
	duration := os.Getenv("ROWLOCK_CAMPAIGN")
	if duration == "" {
		t.Skip("ROWLOCK_CAMPAIGN does not say for how long")
	}
	binary, err := childprocess.Rowlock(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), []string{"-rowlock", binary, "-for", duration, "-v"}, &out)
	t.Logf("%s", out.String())
	if err != nil {
		t.Fatal(err)
	}
}
