package openapi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The committed definitions are what `go generate` would write now: nobody has edited them, and the k8s.io
// libraries have not moved without them.
func TestDefinitionsAreUpToDate(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, line, found := strings.Cut(string(source), "\n//go:generate ")
	if !found {
		t.Fatal("doc.go has no go:generate line")
	}
	line, _, _ = strings.Cut(line, "\n")
	args := strings.Fields(line)
	dir := t.TempDir()
	args[slices.Index(args, "--output-dir")+1] = dir
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}

	const name = "zz_generated.openapi.go"
	want, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is stale: run `go generate ./api/kube/openapi`", name)
	}
}
