package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
)

// TestImages tells how the programs of images live in Pods.
func TestImages(t *testing.T) {
	t.Parallel()
	probe := func(h corev1.ProbeHandler) *corev1.Probe {
		return &corev1.Probe{ProbeHandler: h, PeriodSeconds: 3, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3}
	}
	exec := func(argv ...string) *corev1.Probe {
		return probe(corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: argv}})
	}
	get := func(path string, port int) *corev1.Probe {
		return probe(corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt(port), Scheme: "HTTP"}})
	}
	variable := func(c corev1.Container, name, value string) corev1.Container {
		c.Env = append(c.Env, corev1.EnvVar{Name: name, Value: value})
		return c
	}
	for _, tt := range []struct {
		name  string
		pod   *corev1.Pod
		until time.Duration
		want  []string
		log   string
	}{
		{
			name: "π is computed",
			pod:  podtest.Bound(podtest.Of("pi", "perl:5.34.0", "perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"), podtest.Never),
			want: []string{"  0s Running ready 1/1 pi=Running | Pulled, Created, Started", "  5s Succeeded 0/1 pi=Completed(0)"},
			log:  "3.14159265358979323846264338327950288419716939937510",
		}, {
			name:  "a database is ready when it listens",
			pod:   podtest.Bound(variable(podtest.With(podtest.Of("db", "postgres:16"), func(c *corev1.Container) { c.ReadinessProbe = exec("pg_isready", "-U", "postgres") }), "POSTGRES_PASSWORD", "x")),
			until: 20 * time.Second,
			want:  []string{"  0s Running 0/1 db=Running | Pulled, Created, Started, Unhealthy", "  3s Running ready 1/1 db=Running"},
			log:   "The files belonging to this database system",
		}, {
			name: "a database without a password", pod: podtest.Bound(podtest.Of("db", "postgres:16"), podtest.Never),
			want: []string{"  0s Failed 0/1 db=Error(1) | Pulled, Created, Started"},
			log:  "Error: Database is uninitialized and superuser password is not specified.",
		}, {
			name: "Redis is asked by its client",
			pod: podtest.Bound(podtest.With(podtest.Of("redis", "redis:7"), func(c *corev1.Container) {
				c.ReadinessProbe, c.LivenessProbe = exec("redis-cli", "ping"), exec("redis-cli", "ping")
			})),
			until: time.Minute,
			want:  []string{"  0s Running ready 1/1 redis=Running | Pulled, Created, Started"},
			log:   "1:C 02 Jan 2026 12:00:00.000 * oO0OoO0OoO0Oo Redis is starting",
		}, {
			name: "a server that falls ill",
			pod: podtest.Bound(podtest.With(podtest.Of("l", "registry.k8s.io/e2e-test-images/agnhost:2.55"), func(c *corev1.Container) {
				c.Args, c.LivenessProbe = []string{"liveness"}, get("/healthz", 8080)
			})),
			until: 25 * time.Second,
			want: []string{
				"  0s Running ready 1/1 l=Running | Pulled, Created, Started", " 18s Running 0/1 l=Error(2) | Unhealthy, Killing",
				" 19s Running ready 1/1 l=Running×1 | Pulled, Created, Started",
			},
		}, {
			name: "podinfo as its chart starts and probes it",
			pod: podtest.Bound(podtest.With(podtest.Of("podinfo", "ghcr.io/stefanprodan/podinfo:6.9.0", "./podinfo", "--port=9898", "--port-metrics=9797"), func(c *corev1.Container) {
				c.ReadinessProbe = exec("podcli", "check", "http", "localhost:9898/readyz")
				c.LivenessProbe = exec("podcli", "check", "http", "localhost:9898/healthz")
			})),
			until: time.Minute,
			want:  []string{"  0s Running ready 1/1 podinfo=Running | Pulled, Created, Started"},
			log:   "Starting podinfo",
		}, {
			name:  "podinfo's client finds nobody",
			pod:   podtest.Bound(podtest.With(podtest.Of("podinfo", "ghcr.io/stefanprodan/podinfo:6.9.0"), func(c *corev1.Container) { c.ReadinessProbe = exec("podcli", "check", "tcp", "localhost:81") })),
			until: time.Second,
			want:  []string{"  0s Running 0/1 podinfo=Running | Pulled, Created, Started, Unhealthy"},
			log:   "Starting podinfo",
		}, {
			name: "vish/stress takes more memory than it may",
			pod: podtest.Bound(podtest.With(podtest.Of("m", "vish/stress"), func(c *corev1.Container) {
				c.Args = []string{"-mem-total", "150Mi", "-cpus", "2"}
				c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("100Mi")}
			}), podtest.Never),
			want: []string{"  0s Running ready 1/1 m=Running | Pulled, Created, Started", "  1s Failed 0/1 m=OOMKilled(137)"},
			log:  "Spawning a thread to consume CPU",
		}, {
			name: "memory",
			pod: podtest.Bound(podtest.With(podtest.Of("m", "polinux/stress", "stress", "--vm", "1", "--vm-bytes", "250M", "--vm-hang", "1"), func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("100Mi")}
			}), podtest.Never),
			want: []string{"  0s Running ready 1/1 m=Running | Pulled, Created, Started", "  1s Failed 0/1 m=OOMKilled(137)"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, tt.pod)
			w.Live(max(tt.until, 10*time.Second))
			w.Want(tt.want...)
			if log := strings.Join(w.Log(tt.pod.Spec.Containers[0].Name), "\n"); !strings.Contains(log, tt.log) {
				t.Errorf("log is %q, want %q in it", log, tt.log)
			}
		})
	}
}

// withImage gives the Pod a volume of an image's files at /i.
func withImage(reference string, policy corev1.PullPolicy, mount func(*corev1.VolumeMount)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "i", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: reference, PullPolicy: policy}}})
		m := corev1.VolumeMount{Name: "i", MountPath: "/i"}
		if mount != nil {
			mount(&m)
		}
		p.Spec.Containers[0].VolumeMounts = append(p.Spec.Containers[0].VolumeMounts, m)
	}
}

// TestImageVolume shows an image's files, which cannot be changed, or says why it cannot be pulled.
func TestImageVolume(t *testing.T) {
	t.Parallel()
	const kitten = "registry.k8s.io/e2e-test-images/kitten:1.8"
	sub := func(path string) func(*corev1.VolumeMount) {
		return func(m *corev1.VolumeMount) { m.SubPath = path }
	}
	const failed = "  0s Pending 0/1 c=ErrImagePull | Pulled, Pulling, Failed, Failed"
	for _, tt := range []struct {
		name   string
		script string
		image  func(*corev1.Pod)
		want   string // what the story begins with
		log    string
	}{
		{"files", "cat /i/data.json; head -1 /i/etc/os-release", withImage(kitten, corev1.PullAlways, nil),
			"  0s Succeeded 0/1 c=Completed(0) | Pulled, Pulling, Pulled, Created, Started", "{\"image\": \"kitten.jpg\"}\nNAME=\"Alpine Linux\""},
		{"read-only", "echo x > /i/data.json || echo refused; rm /i/data.json || cat /i/data.json", withImage(kitten, corev1.PullIfNotPresent, nil),
			"  0s Succeeded 0/1 c=Completed(0) | Pulled, Pulled, Created, Started", "refused\nrm: can't remove '/i/data.json': Read-only file system\n{\"image\": \"kitten.jpg\"}"},
		{"a directory", "cat /i/os-release | head -1", withImage(kitten, corev1.PullIfNotPresent, sub("etc")),
			"  0s Succeeded", "NAME=\"Alpine Linux\""},
		{"nowhere", "true", withImage(kitten, corev1.PullIfNotPresent, sub("nowhere")), "  0s Failed 0/1 c=StartError(128)", ""},
		{"no such image", "true", withImage("nginx:1.161", corev1.PullIfNotPresent, nil), failed, ""},
		{"an unknown image", "ls /i/bin/sh", withImage("example.com/app:1", corev1.PullIfNotPresent, nil), "  0s Succeeded", "/i/bin/sh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := podtest.New(t, podtest.Bound(podtest.Sh(tt.script), podtest.Restarting(corev1.RestartPolicyNever), tt.image))
			w.Live(10 * time.Second)
			story, log := strings.Join(w.Story, "\n"), strings.ReplaceAll(strings.Join(w.Log("c"), "\n"), "0s ", "")
			if !strings.HasPrefix(story, tt.want) || !strings.Contains(log, tt.log) {
				t.Errorf("story:\n%s\nlog:\n%s", story, log)
			}
		})
	}
}

// TestPatch_AnImageThatIsMissing, for a program that has run before, is tried again after ever
// longer pauses.
func TestPatch_AnImageThatIsMissing(t *testing.T) {
	t.Parallel()
	w := podtest.New(t, podtest.Bound(podtest.Sh("trap 'exit 1' TERM; while :; do sleep 1; done")))
	w.Live(time.Minute)
	w.Story = nil
	w.Pod.Spec.Containers[0].Image = "nginx:1.91"
	w.Live(time.Minute)
	w.Live(3 * time.Minute)
	want := []string{
		"1m0s  | Killing",
		"1m1s Running 0/1 c=ErrImagePull | Pulling, Failed, Failed",
		"1m3s Running 0/1 c=ImagePullBackOff | BackOff, Failed",
		"1m12s Running 0/1 c=ErrImagePull | Pulling, Failed, Failed",
		"1m13s Running 0/1 c=ImagePullBackOff | BackOff, Failed",
		"1m32s Running 0/1 c=ErrImagePull | Pulling, Failed, Failed",
		"1m33s Running 0/1 c=ImagePullBackOff | BackOff, Failed",
		"2m12s Running 0/1 c=ErrImagePull | Pulling, Failed, Failed",
		"2m13s Running 0/1 c=ImagePullBackOff | BackOff, Failed",
	}
	if diff := cmp.Diff(want, w.Story); diff != "" {
		t.Errorf("story (-want +got):\n%s", diff)
	}
}
