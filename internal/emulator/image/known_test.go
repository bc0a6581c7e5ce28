package image

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// The files of every model can be made, its own program starts in them, and its About is set.
func TestKnown(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range Known() {
		if seen[m.Repository] {
			t.Errorf("%s is there twice", m.Repository)
		}
		seen[m.Repository] = true
		if m.About == "" {
			t.Errorf("%s does not say what it does", m.Repository)
		}
		if m.Absent || m.Denied || m.Unreachable {
			continue
		}
		e := &entry{Model: m}
		base := e.files()
		if e.err != nil {
			t.Errorf("%s: %v", m.Repository, e.err)
			continue
		}
		img := &Image{model: e}
		k := kernel.New("", noon)
		k.Output = func(kernel.Written) {}
		files := vfs.NewView(vfs.NewTree("t", base, noon), "", noon)
		if err := files.MkdirAll(img.WorkingDir(), 0o755); err != nil {
			t.Errorf("%s: its directory: %v", m.Repository, err)
		}
		k.AddSandbox(kernel.Sandbox{Name: "c", FS: files})
		if _, err := k.Spawn("c", img.Argv(&corev1.Container{}), img.Env(), img.WorkingDir(), kernel.Stdio{}); err != nil {
			t.Errorf("%s: its own program: %v", m.Repository, err)
		}
		if _, _, name := img.User(); name != "" && !strings.Contains(strings.Join(m.Users, "\n")+distributions[m.Distribution].passwd, name+":") {
			t.Errorf("%s: its user %s is not in /etc/passwd", m.Repository, name)
		}
		for file, program := range m.Commands {
			if kernel.Provided(program) == nil && !slices.Contains(elsewhere, program) {
				t.Errorf("%s: %s runs %s, which no package provides", m.Repository, file, program)
			}
		}
	}
}

// elsewhere are programs that come with the packages of others.
var elsewhere = []string{"bash", "curl", "stress"}

var imageLine = regexp.MustCompile(`(?m)image: *"?([a-zA-Z0-9][a-zA-Z0-9./:@_-]+)`)

// The catalogue has the images of the examples in the docs.
func TestKnown_HasTheExamples(t *testing.T) {
	t.Parallel()
	names := words(`nginx nginx:1.7.9 nginx:1.14.2 nginx:1.16.1 nginx:1.9.1 perl perl:5.34.0 busybox busybox:1.28 gcr.io/google_samples/gb-frontend:v3
		gcr.io/google-samples/gb-frontend:v5 us-docker.pkg.dev/google-samples/containers/gke/gb-frontend:v5 registry.k8s.io/nginx-slim:0.8 k8s.gcr.io/nginx-slim:0.8
		registry.k8s.io/nginx-slim:0.24 quay.io/fluentd_elasticsearch/fluentd:v2.5.2 docker.io/library/bash:5 redis redis:5.0.4 registry.k8s.io/pause:3.10 k8s.gcr.io/pause
		registry.k8s.io/e2e-test-images/agnhost:2.63.0 registry.k8s.io/e2e-test-images/busybox:1.37.0-1 registry.k8s.io/e2e-test-images/httpd:2.4.38-4
		registry.k8s.io/e2e-test-images/nginx:1.15-4 registry.k8s.io/e2e-test-images/perl:5.26 registry.k8s.io/busybox k8s.gcr.io/busybox registry.k8s.io/liveness
		registry.k8s.io/goproxy:0.1 registry.k8s.io/hpa-example gcr.io/google-samples/hello-app:1.0 gcr.io/google-samples/cassandra:v13 mysql:5.7 polinux/stress
		registry.k8s.io/etcd:3.6.8-0 invalid.registry.k8s.io/invalid/alpine:3.1 gcr.io/k8s-authenticated-test/agnhost:2.6 public.ecr.aws/docker/library/nginx`)
	examples := os.DirFS("../../../docs/examples")
	files, err := fs.Glob(examples, "*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(examples, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range imageLine.FindAllStringSubmatch(string(text), -1) {
			names = append(names, found[1])
		}
	}
	for _, name := range names {
		if img, err := builtIn.Find(name); err != nil || !img.IsKnown() {
			t.Errorf("%s is not known: %v", name, err)
		}
	}
}

func TestFind_Absent(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"invalid.registry.k8s.io/invalid/alpine:3.1": `Head "https://invalid.registry.k8s.io/v2/invalid/alpine/manifests/3.1": dial tcp: lookup invalid.registry.k8s.io: no such host`,
		"gcr.io/k8s-authenticated-test/agnhost:2.6":  "unexpected status from HEAD request to https://gcr.io/v2/k8s-authenticated-test/agnhost/manifests/2.6: 403 Forbidden",
		"does-not-exist": "insufficient_scope: authorization failed",
		"nginx:1.99":     "docker.io/library/nginx:1.99: not found",
		"nginx:2.0":      "docker.io/library/nginx:2.0: not found",
		"gcr.io/google-samples/kubernetes-bootcamp:v10": "kubernetes-bootcamp:v10: not found",
		"k8s.gcr.io/nginx-slim:sometag":                 "k8s.gcr.io/nginx-slim:sometag: not found",
	} {
		if img, err := builtIn.Find(name); err != nil || !strings.HasSuffix(img.PullError, end) || img.PullError == "" {
			t.Errorf("%s: %v, %q, want an end in %q", name, err, img.PullError, end)
		}
	}
	for _, name := range words("nginx nginx:1.27.3 nginx:1.7.9 nginx:stable nginx:1-alpine nginx:latest httpd:2.4.62 redis:7 me/webserver gcr.io/google-samples/hello-app:2.0") {
		if img, err := builtIn.Find(name); err != nil || img.PullError != "" {
			t.Errorf("%s: %v, %q, want it to pull", name, err, img.PullError)
		}
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	img := func(name string) *Image {
		found, err := builtIn.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if got := img("nginx:1.14.2-alpine").Env(); !slices.Contains(got, "NGINX_VERSION=1.14.2") || !slices.Contains(got, DefaultPath) {
		t.Errorf("environment of nginx is %v", got)
	}
	if got := img("example.com/app").Env(); !slices.Equal(got, []string{DefaultPath}) {
		t.Errorf("environment of an image that is not known is %v", got)
	}
	if img("nginx").StopSignal() != kernel.SIGQUIT || img("postgres").StopSignal() != kernel.SIGINT || img("redis").StopSignal() != kernel.SIGTERM {
		t.Error("stop signals are wrong")
	}
	for name, want := range map[string][2]int{"redis": {0, 0}, "curlimages/curl": {100, 101}, "registry.k8s.io/pause:3": {65535, 65535}, "registry.k8s.io/e2e-test-images/nonroot:1.5": {1234, 0}} {
		if uid, gid, _ := img(name).User(); uid != want[0] || gid != want[1] {
			t.Errorf("%s runs as %d:%d, want %v", name, uid, gid, want)
		}
	}
	if img("nginx:1.14.2").Base() != img("nginx:1.16.1").Base() || img("example.com/a").Base() != img("example.com/b").Base() {
		t.Error("files are not shared")
	}
	for _, name := range []string{"nginx", "example.com/app"} {
		if base := img(name).Base(); builtIn.Base(base.Name()) != base {
			t.Errorf("the files of %s are not found by their name %q", name, base.Name())
		}
	}
	if builtIn.Base("docker.io/library/none") != nil {
		t.Error("files are found by a name that no image has")
	}
}

// Images have the same tools as real ones.
func TestImage_Tools(t *testing.T) {
	t.Parallel()
	for name, tools := range map[string]string{
		"busybox": "sh ash ls wget nslookup vi -bash -curl", "alpine": "sh ash ps wget apk -bash -curl", "debian": "sh bash dash ls perl apt-get -ps -wget -curl -python3 -vi",
		"ubuntu": "sh bash ps -wget -curl", "nginx": "sh bash curl nginx -wget -ps",
		"nginx:1.27-alpine": "sh wget curl nginx ps -bash", "redis:alpine": "sh wget redis-server redis-cli -bash",
		"node:22-alpine3.20": "sh wget node -bash -curl -git", "httpd": "sh bash httpd -curl",
		"redis": "sh bash redis-cli -ps", "python:3": "python python3 sh bash curl wget git ps",
		"rockylinux:9": "sh bash curl dnf -wget -ps", "registry.k8s.io/pause:3.10": "-sh -ls", "perl": "perl curl bash", "curlimages/curl": "curl sh -bash",
		"registry.k8s.io/e2e-test-images/agnhost:2.55": "sh bash curl wget", "gcr.io/google-samples/hello-app:1.0": "-sh",
	} {
		img, err := builtIn.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		v := vfs.NewView(vfs.NewTree("t", img.Base(), noon), "", noon)
		list := kernel.Getenv(img.Env(), "PATH")
		for _, tool := range words(tools) {
			tool, absent := strings.CutPrefix(tool, "-")
			if _, err := kernel.LookPath(v, tool, list, "/"); (err != nil) != absent {
				t.Errorf("%s: %s: %v", name, tool, err)
			}
		}
	}
}

func BenchmarkFind_New(b *testing.B) {
	for b.Loop() {
		var c Catalogue
		if _, err := c.Find("nginx:1.14.2"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBase_Build(b *testing.B) {
	m := nginxServer()
	for b.Loop() {
		(&entry{Model: m}).files()
	}
}

// The cost of an image's files for each Pod.
func BenchmarkBase_Use(b *testing.B) {
	img, err := builtIn.Find("nginx:1.14.2")
	if err != nil {
		b.Fatal(err)
	}
	img.Base()
	b.ReportAllocs()
	for b.Loop() {
		v := vfs.NewView(vfs.NewTree("root", img.Base(), noon), "seed", noon)
		if _, err := v.Stat("/usr/sbin/nginx"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestModels_HaveFiles makes the files of every model, and of those on Alpine.
func TestModels_HaveFiles(t *testing.T) {
	t.Parallel()
	onIt := 0
	for name, m := range builtIn.models {
		if m.files(); m.err != nil {
			t.Errorf("%s: %v", name, m.err)
		}
		if strings.HasSuffix(name, onAlpine) {
			onIt++
		}
	}
	if onIt < 15 {
		t.Errorf("%d models are on Alpine", onIt)
	}
}
