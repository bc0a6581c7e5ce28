package main

import (
	"bytes"
	"cmp"
	"os"
	"testing"

	"github.com/rowlock/rowlock/test/childprocess"
)

// TestCampaign runs a campaign of a minute, or of the duration ROWLOCK_CAMPAIGN, and all checks.
func TestCampaign(t *testing.T) {
	t.Parallel()
	binary, err := childprocess.Rowlock(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), []string{"-rowlock", binary, "-for", cmp.Or(os.Getenv("ROWLOCK_CAMPAIGN"), "1m"), "-v"}, &out)
	t.Logf("%s", out.String())
	if err != nil {
		t.Fatal(err)
	}
}
