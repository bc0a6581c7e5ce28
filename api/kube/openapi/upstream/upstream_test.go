package upstream_test

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/rowlock/rowlock/api/kube/openapi/upstream"
)

// The committed models equal what `go generate` would write: they have not been edited, and match
// the version of the k8s.io libraries.
func TestModelsAreUpToDate(t *testing.T) {
	t.Parallel()
	const name = "models.json.gz"
	next := filepath.Join(t.TempDir(), name)
	generate := exec.Command("go", "run", "./generate", next)
	generate.Env = append(os.Environ(), "CGO_ENABLED=0") // as what is built for other purposes, and so with its packages
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("go run ./generate: %v\n%s", err, out)
	}
	if read(t, name) != read(t, next) {
		t.Errorf("%s is stale: run `go generate ./api/kube/openapi/upstream`", name)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // read only
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// Every reference is made by ref, and points to a model.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	all, err := upstream.Definitions(func(name string) spec.Ref {
		named[name] = true
		return spec.MustCreateRef("#/components/schemas/" + name)
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range named {
		if _, there := all[name]; !there {
			t.Errorf("there is no model %q", name)
		}
	}
	template := all["io.k8s.api.apps.v1.DeploymentSpec"].Schema.Properties["template"]
	if got, want := template.Ref.String(), "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec"; got != want {
		t.Errorf("template refers to %q, want %q", got, want)
	}
	if port := all["io.k8s.api.core.v1.ContainerPort"].Schema.Properties["containerPort"]; !strings.HasPrefix(port.Description, "Number of port") {
		t.Errorf("containerPort is described as %q", port.Description)
	}
	either := all["io.k8s.apimachinery.pkg.util.intstr.IntOrString"].Schema
	if v2, ok := either.Extensions[common.ExtensionV2Schema].(spec.Schema); !ok || len(either.OneOf) != 2 || !v2.Type.Contains("string") {
		t.Errorf("IntOrString is %#v in v3 and %#v in v2", either.OneOf, either.Extensions[common.ExtensionV2Schema])
	}
}

func BenchmarkDefinitions(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := upstream.Definitions(func(name string) spec.Ref { return spec.MustCreateRef(upstream.RefPrefix + name) }); err != nil {
			b.Fatal(err)
		}
	}
}
