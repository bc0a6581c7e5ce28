package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOpenAPIIsUpToDate: openapi.yaml in the repository is what `rowlock openapi` prints.
func TestOpenAPIIsUpToDate(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile("../../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var printed, stderr bytes.Buffer
	if code := run(t.Context(), []string{"openapi"}, &printed, &stderr); code != 0 {
		t.Fatalf("rowlock openapi exited with %d: %s", code, &stderr)
	}
	if !bytes.Equal(committed, printed.Bytes()) {
		t.Errorf("openapi.yaml is stale: run make openapi (-committed +printed)\n%s", cmp.Diff(lines(string(committed)), lines(printed.String())))
	}
}
