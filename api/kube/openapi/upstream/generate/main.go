// Command generate writes the OpenAPI models of Kubernetes' types as compressed JSON. It runs
// openapi-gen in a temporary directory, and then the generated code.
//
//	go run ./generate models.json.gz
package main

import (
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// packages lists the packages whose types have models.
var packages = []string{
	"k8s.io/api/apps/v1",
	"k8s.io/api/authentication/v1",
	"k8s.io/api/authorization/v1",
	"k8s.io/api/autoscaling/v1",
	"k8s.io/api/autoscaling/v2",
	"k8s.io/api/batch/v1",
	"k8s.io/api/certificates/v1",
	"k8s.io/api/coordination/v1",
	"k8s.io/api/core/v1",
	"k8s.io/api/discovery/v1",
	"k8s.io/api/events/v1",
	"k8s.io/api/flowcontrol/v1",
	"k8s.io/api/networking/v1",
	"k8s.io/api/node/v1",
	"k8s.io/api/policy/v1",
	"k8s.io/api/rbac/v1",
	"k8s.io/api/resource/v1",
	"k8s.io/api/scheduling/v1",
	"k8s.io/api/storage/v1",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
	"k8s.io/apimachinery/pkg/api/resource",
	"k8s.io/apimachinery/pkg/apis/meta/v1",
	"k8s.io/apimachinery/pkg/runtime",
	"k8s.io/apimachinery/pkg/util/intstr",
	"k8s.io/apimachinery/pkg/version",
	"k8s.io/metrics/pkg/apis/metrics/v1beta1",
}

// generated is the import path of openapi-gen's code while this command runs. The directory does
// not exist: an overlay maps it to temporary files for the go command.
const generated = "github.com/rowlock/rowlock/api/kube/openapi/upstream/generate/generated"

// dump is the program that prints the models.
//
//go:embed dump.go.txt
var dump []byte

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) != 1 {
		return errors.New("missing argument: the file to write")
	}
	dir, err := os.MkdirTemp("", "rowlock-models-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans up temporary files
	models, err := makeModels(dir)
	if err != nil {
		return err
	}
	file, err := os.Create(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := text.Write(models); err != nil {
		return err
	}
	return text.Close()
}

// makeModels runs openapi-gen in a directory, and returns the output of the generated code.
func makeModels(dir string) ([]byte, error) {
	const file = "models.go"
	generate := exec.Command("go", append([]string{"tool", "openapi-gen", "--output-dir", dir, "--output-pkg", generated, "--output-file", file,
		"--go-header-file", os.DevNull, "--report-filename", os.DevNull}, packages...)...)
	generate.Stdout, generate.Stderr = os.Stderr, os.Stderr
	if err := generate.Run(); err != nil {
		return nil, fmt.Errorf("openapi-gen: %w", err)
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("find the module: %w", err)
	}
	here := filepath.Join(string(module[:len(module)-1]), "api/kube/openapi/upstream/generate")
	program := filepath.Join(dir, "dump.go")
	if err := os.WriteFile(program, dump, 0o600); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(here, "generated", file): filepath.Join(dir, file),
		filepath.Join(here, "dump", "main.go"): program,
	}})
	if err != nil {
		return nil, err
	}
	plan := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(plan, overlay, 0o600); err != nil {
		return nil, err
	}
	models := exec.Command("go", "run", "-overlay", plan, filepath.Dir(generated)+"/dump")
	models.Stderr = os.Stderr
	return models.Output()
}
