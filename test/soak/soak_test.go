package main

import (
	"bytes"
	"testing"

	"github.com/rowlock/rowlock/test/childprocess"
)

// TestSoak is a short soak: ten seconds of load and failures, and all checks. Checking
// memory takes longer, and is left to `make soak`.
func TestSoak(t *testing.T) {
	t.Parallel()
	binary, err := childprocess.Rowlock(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), []string{"-rowlock", binary, "-for", "10s", "-warm-up", "3s", "-growth", "0"}, &out, t.Output())
	t.Logf("%s", out.String())
	if err != nil {
		t.Fatal(err)
	}
}
