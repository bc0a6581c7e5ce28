package image

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var builtIn = New(Known()...)

func TestFind(t *testing.T) {
	t.Parallel()
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	tests := []struct {
		name, reference, repository string
		missing                     string // the end of the pull error
	}{
		{"nginx", "docker.io/library/nginx:latest", "docker.io/library/nginx", ""},
		{"nginx:1.14.2", "docker.io/library/nginx:1.14.2", "docker.io/library/nginx", ""},
		{"docker.io/nginx:1.14.2", "docker.io/library/nginx:1.14.2", "docker.io/library/nginx", ""},
		{"me/app:v1", "docker.io/me/app:v1", "docker.io/me/app", ""},
		{"localhost:5000/app", "localhost:5000/app:latest", "localhost:5000/app", ""},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", "registry.k8s.io/e2e-test-images/agnhost:2.55", "registry.k8s.io/e2e-test-images/agnhost", ""},
		{"nginx@" + digest, "docker.io/library/nginx@" + digest, "docker.io/library/nginx", ""},
		{"nginx:1.161@" + digest, "docker.io/library/nginx:1.161@" + digest, "docker.io/library/nginx", ""},
		{"nginx:1.161", "docker.io/library/nginx:1.161", "docker.io/library/nginx", "docker.io/library/nginx:1.161: not found"},
		{"nginx:1.91", "docker.io/library/nginx:1.91", "docker.io/library/nginx", "docker.io/library/nginx:1.91: not found"},
		{"nginx:1.9.1", "docker.io/library/nginx:1.9.1", "docker.io/library/nginx", ""},
		{"nginx:sometag", "docker.io/library/nginx:sometag", "docker.io/library/nginx", "docker.io/library/nginx:sometag: not found"},
		{"foo:non-existent", "docker.io/library/foo:non-existent", "docker.io/library/foo", "docker.io/library/foo:non-existent: not found"},
		{"foo:sometag", "docker.io/library/foo:sometag", "docker.io/library/foo", ""},
		{"busybox:sometag", "docker.io/library/busybox:sometag", "docker.io/library/busybox", "docker.io/library/busybox:sometag: not found"},
		{"webserver:404", "docker.io/library/webserver:404", "docker.io/library/webserver", "insufficient_scope: authorization failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img, err := builtIn.Find(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			if img.Name != tt.name || img.Reference != tt.reference || !strings.HasPrefix(img.ID, tt.repository+"@sha256:") {
				t.Errorf("image is %s, %s, %s", img.Name, img.Reference, img.ID)
			}
			if (img.PullError == "") != (tt.missing == "") || !strings.HasSuffix(img.PullError, tt.missing) {
				t.Errorf("pull error is %q, want one that ends in %q", img.PullError, tt.missing)
			}
			if again, _ := builtIn.Find(tt.name); again != img {
				t.Error("a second look found another image")
			}
			if fresh, _ := New(Known()...).Find(tt.name); fresh.ID != img.ID || fresh.SizeBytes != img.SizeBytes {
				t.Error("another catalogue gives the image another digest or size")
			}
		})
	}
}

func TestFind_PullErrors(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"nginx:1.161": `rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": ` +
			`failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found`,
		"webserver:404": `rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/webserver:404": ` +
			`failed to resolve reference "docker.io/library/webserver:404": pull access denied, repository does not exist or may ` +
			`require authorization: server message: insufficient_scope: authorization failed`,
	} {
		if img, _ := builtIn.Find(name); img.PullError != want {
			t.Errorf("pull error of %s\n got %s\nwant %s", name, img.PullError, want)
		}
	}
}

func TestImage_BusyBox(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"busybox": "", "busybox:latest": "", "busybox:uclibc": "", "busybox:1.28": "1.28", "busybox:1.28.4-glibc": "1.28.4",
		"registry.k8s.io/e2e-test-images/busybox:1.29-4": "1.29", "registry.k8s.io/e2e-test-images/nonroot:1.4": "", "alpine:3.8": "", "nginx:1.14": "", "other:1.28": "",
	} {
		if img, err := builtIn.Find(name); err != nil || img.BusyBox() != want {
			t.Errorf("BusyBox of %s is %q, %v, want %q", name, img.BusyBox(), err, want)
		}
	}
}

func TestFind_InvalidName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Nginx", "nginx:", "nginx:a b", "http://nginx", "nginx@sha256:12"} {
		img, err := builtIn.Find(name)
		var invalid *InvalidNameError
		if !errors.As(err, &invalid) || invalid.Name != name || img != nil {
			t.Errorf("Find(%q) = %v, %v, want an InvalidNameError", name, img, err)
		}
	}
}

func TestFind_Forgets(t *testing.T) {
	t.Parallel()
	c := New(Model{Repository: "docker.io/library/mine", Absent: true}, Model{Repository: "docker.io/library/mine", MissingTags: []string{"v1*"}})
	for i := range rememberedImages + 5 {
		if img, err := c.Find(fmt.Sprintf("mine:v%d", i)); err != nil || (img.PullError == "") == strings.HasPrefix(fmt.Sprint(i), "1") {
			t.Fatalf("mine:v%d: %v, %v", i, img, err)
		}
	}
	if n := len(c.remembered); n > rememberedImages {
		t.Errorf("%d names are remembered, at most %d should be", n, rememberedImages)
	}
	var zero Catalogue
	if img, err := zero.Find("webserver:404"); err != nil || img.PullError != "" {
		t.Errorf("the zero catalogue: %v, %v, want an image", img, err)
	}
}

// TestTimeline_OfProbesThatAct: a probe that makes netexec act needs a server that does so.
func TestTimeline_OfProbesThatAct(t *testing.T) {
	t.Parallel()
	img, err := builtIn.Find("registry.k8s.io/e2e-test-images/agnhost:2.55")
	if err != nil {
		t.Fatal(err)
	}
	for asked, served := range map[string]bool{
		"/exit": false, "exit": false, "/shell": false, "/shutdown": false, "/dial": false, "/upload": false, "/exit?code=1": false,
		"/healthz": true, "/exits": true, "": true,
	} {
		probe := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: asked}}}
		for _, c := range []corev1.Container{{StartupProbe: probe}, {ReadinessProbe: probe}, {LivenessProbe: probe}} {
			if c.Args = []string{"netexec"}; img.Timeline(&c).Served != served {
				t.Errorf("a Pod whose probe asks for %q is served without a machine: %t, want %t", asked, !served, served)
			}
		}
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	served := Timeline{Forever: true, Served: true}
	opaque := Timeline{Forever: true, IgnoresTerm: true}
	forSeconds := func(s float64, code int32) Timeline {
		return Timeline{ExitAfter: time.Duration(s * float64(time.Second)), ExitCode: code, IgnoresTerm: true, Understood: true}
	}
	at := func(code int32) Timeline { return Timeline{ExitCode: code, Understood: true} }
	tests := []struct {
		image   string
		command []string
		args    []string
		want    Timeline
	}{
		{"nginx", nil, nil, served},
		{"httpd:2.4", nil, nil, served},
		{"registry.k8s.io/pause:3.10", nil, nil, served},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", nil, []string{"netexec"}, served},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", nil, []string{"netexec", "--http-port=80", "--udp-port=80"}, served},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", nil, []string{"netexec", "--delay-shutdown=5"}, untilStopped},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", nil, nil, Timeline{Forever: true, Served: true, TermCode: 2}},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", nil, []string{"liveness"}, untilStopped},
		{"redis", nil, nil, served},
		{"redis", nil, []string{"--appendonly", "yes"}, served},
		{"postgres", nil, nil, untilStopped}, // it needs a password, and is slow to start
		{"nginx", nil, []string{"nginx-debug", "-g", "daemon off;"}, untilStopped},
		{"nginx", []string{"nginx", "-g", "daemon off;"}, nil, served},
		{"gcr.io/google-samples/hello-app:1.0", nil, nil, Timeline{Forever: true, Served: true, TermCode: 2}},
		{"jocatalin/kubernetes-bootcamp", nil, nil, Timeline{Forever: true, Served: true, IgnoresTerm: true}},
		{"example.com/app", nil, nil, untilStopped},
		{"example.com/app", []string{"/app", "--serve"}, nil, untilStopped},
		{"busybox", nil, nil, at(0)},
		{"nginx", []string{"sleep", "5"}, nil, forSeconds(5, 0)},
		{"busybox", []string{"/bin/sleep"}, []string{"1m", "0.5"}, forSeconds(60.5, 0)},
		{"busybox", nil, []string{"sleep", "2h"}, forSeconds(7200, 0)},
		{"busybox", []string{"sleep", "infinity"}, nil, Timeline{Forever: true, IgnoresTerm: true, Understood: true}},
		{"busybox", []string{"sleep", "soon"}, nil, untilStopped},
		{"busybox", []string{"sleep"}, nil, untilStopped},
		{"busybox", []string{"true"}, nil, at(0)},
		{"busybox", []string{"/bin/false"}, nil, at(1)},
		{"busybox", []string{"echo", "hello"}, nil, at(0)},
		{"perl:5.34", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"}, nil, untilStopped}, // must be run
		{"busybox", []string{"sh", "-c", "exit 42"}, nil, forSeconds(0, 42)},
		{"busybox", []string{"sh", "-c"}, []string{"sleep 3; exit 1"}, forSeconds(3, 1)},
		{"busybox", []string{"/bin/sh", "-ec", "echo a && sleep 1 && sleep 2\ntrue"}, nil, forSeconds(3, 0)},
		{"busybox", []string{"sh", "-c", "false && sleep 9"}, nil, forSeconds(0, 1)},
		{"busybox", []string{"sh", "-c", "sleep infinity"}, nil, Timeline{Forever: true, IgnoresTerm: true, Understood: true}},
		{"busybox", []string{"sh", "-c", "sleep 1; exit"}, nil, forSeconds(1, 0)},
		{"busybox", []string{"sh", "-c", "while true; do sleep 1; done"}, nil, opaque},
		{"busybox", []string{"sh", "-c", "echo $HOSTNAME; exit $CODE"}, nil, opaque},
		{"busybox", []string{"/bin/sh", "-c", "date; echo Hello from the Kubernetes cluster"}, nil, forSeconds(0, 0)}, // CJ-023
		{"busybox", []string{"sh", "-c", "exit $(( 1 + 1 ))"}, nil, opaque},
		{"busybox", []string{"sh", "-c", "if true; then exit 1; fi"}, nil, opaque},
		{"busybox", []string{"sh", "-c", "touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600"}, nil, forSeconds(630, 0)},
		{"busybox", []string{"sh", "-c", "sleep 1 & exit 1"}, nil, opaque},
		{"busybox", []string{"sh", "/run.sh"}, nil, opaque},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.image, tt.command, tt.args), func(t *testing.T) {
			t.Parallel()
			img, err := builtIn.Find(tt.image)
			if err != nil {
				t.Fatal(err)
			}
			got := img.Timeline(&corev1.Container{Command: tt.command, Args: tt.args})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("timeline (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	http := func(path string, port intstr.IntOrString) corev1.ProbeHandler {
		return corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: port, Scheme: corev1.URISchemeHTTP}}
	}
	exec := func(argv ...string) corev1.ProbeHandler {
		return corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: argv}}
	}
	tcp := func(port int) corev1.ProbeHandler {
		return corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt(port)}}
	}
	tests := []struct {
		name    string
		image   string
		command []string
		probe   corev1.ProbeHandler
		want    string
	}{
		{"a page", "nginx", nil, http("/", intstr.FromInt(80)), ""},
		{"a page by the port's name", "nginx", nil, http("", intstr.FromString("web")), ""},
		{"a port without that name", "nginx", nil, http("/", intstr.FromString("nope")), "couldn't find port: nope"},
		{"no such page", "nginx", nil, http("/healthz?x=1", intstr.FromInt(80)), "HTTP probe failed with statuscode: 404"},
		{"another port", "nginx", nil, http("/", intstr.FromInt(81)), `Get "http://10.1.2.3:81/": dial tcp 10.1.2.3:81: connect: connection refused`},
		{"a socket", "nginx", nil, tcp(80), ""},
		{"another socket", "nginx", nil, tcp(81), "dial tcp 10.1.2.3:81: connect: connection refused"},
		{"no listener", "nginx", []string{"sleep", "60"}, tcp(80), "dial tcp 10.1.2.3:80: connect: connection refused"},
		{"an image that is not known", "example.com/app", nil, http("/healthz", intstr.FromInt(9000)), ""},
		{"agnhost", "registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "netexec"}, http("/healthz", intstr.FromInt(8080)), ""},
		{"agnhost that only waits", "registry.k8s.io/e2e-test-images/agnhost:2.55", nil, tcp(8080), "dial tcp 10.1.2.3:8080: connect: connection refused"},
		{"HTTP to Redis", "redis", nil, http("/", intstr.FromInt(6379)), `Get "http://10.1.2.3:6379/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`},
		{"a file server without arguments", "traefik", nil, http("/ping", intstr.FromInt(80)), "HTTP probe failed with statuscode: 404"},
		{"gRPC refused", "nginx", nil, corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 9}},
			`timeout: failed to connect service "10.1.2.3:9" within 1s: context deadline exceeded`},
		{"true", "nginx", nil, exec("true"), ""},
		{"false", "nginx", nil, exec("/bin/false"), "command terminated with exit code 1"},
		{"a script", "nginx", nil, exec("sh", "-c", "exit 3"), "command terminated with exit code 3"},
		{"a missing file", "nginx", nil, exec("cat", "/tmp/healthy"), "cat: /tmp/healthy: No such file or directory\n"},
		{"a file that is there", "nginx", nil, exec("cat", "/etc/hosts"), ""},
		{"a file that may be there", "busybox", []string{"sh", "-c", "touch /tmp/healthy; sleep 600"}, exec("cat", "/tmp/healthy"), ""},
		{"a command that is not known", "nginx", nil, exec("/check"), ""},
		{"nothing", "nginx", nil, corev1.ProbeHandler{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img, err := builtIn.Find(tt.image)
			if err != nil {
				t.Fatal(err)
			}
			c := &corev1.Container{Command: tt.command, Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 80}}}
			if got := img.Probe(c, &tt.probe, "10.1.2.3"); got != tt.want {
				t.Errorf("answer %q, want %q", got, tt.want)
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := builtIn.Find("nginx:1.14.2"); err != nil {
			b.Fatal(err)
		}
	}
}
