package kubelet

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
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
			pod:  bound(of("pi", "perl:5.34.0", "perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"), never),
			want: []string{"  0s Running ready 1/1 pi=Running | Pulled, Created, Started", "  5s Succeeded 0/1 pi=Completed(0)"},
			log:  "3.14159265358979323846264338327950288419716939937510",
		}, {
			name:  "a database is ready when it listens",
			pod:   bound(variable(with(of("db", "postgres:16"), func(c *corev1.Container) { c.ReadinessProbe = exec("pg_isready", "-U", "postgres") }), "POSTGRES_PASSWORD", "x")),
			until: 20 * time.Second,
			want:  []string{"  0s Running 0/1 db=Running | Pulled, Created, Started, Unhealthy", "  3s Running ready 1/1 db=Running"},
			log:   "The files belonging to this database system",
		}, {
			name: "a database without a password", pod: bound(of("db", "postgres:16"), never),
			want: []string{"  0s Failed 0/1 db=Error(1) | Pulled, Created, Started"},
			log:  "Error: Database is uninitialized and superuser password is not specified.",
		}, {
			name: "Redis is asked by its client",
			pod: bound(with(of("redis", "redis:7"), func(c *corev1.Container) {
				c.ReadinessProbe, c.LivenessProbe = exec("redis-cli", "ping"), exec("redis-cli", "ping")
			})),
			until: time.Minute,
			want:  []string{"  0s Running ready 1/1 redis=Running | Pulled, Created, Started"},
			log:   "1:C 02 Jan 2026 12:00:00.000 * oO0OoO0OoO0Oo Redis is starting",
		}, {
			name:  "a server that falls ill",
			pod:   bound(with(of("l", "registry.k8s.io/e2e-test-images/agnhost:2.55"), func(c *corev1.Container) { c.Args, c.LivenessProbe = []string{"liveness"}, get("/healthz", 8080) })),
			until: 25 * time.Second,
			want: []string{
				"  0s Running ready 1/1 l=Running | Pulled, Created, Started", " 18s Running 0/1 l=Error(2) | Unhealthy, Killing",
				" 19s Running ready 1/1 l=Running×1 | Pulled, Created, Started",
			},
		}, {
			name: "podinfo as its chart starts and probes it",
			pod: bound(with(of("podinfo", "ghcr.io/stefanprodan/podinfo:6.9.0", "./podinfo", "--port=9898", "--port-metrics=9797"), func(c *corev1.Container) {
				c.ReadinessProbe = exec("podcli", "check", "http", "localhost:9898/readyz")
				c.LivenessProbe = exec("podcli", "check", "http", "localhost:9898/healthz")
			})),
			until: time.Minute,
			want:  []string{"  0s Running ready 1/1 podinfo=Running | Pulled, Created, Started"},
			log:   "Starting podinfo",
		}, {
			name:  "podinfo's client finds nobody",
			pod:   bound(with(of("podinfo", "ghcr.io/stefanprodan/podinfo:6.9.0"), func(c *corev1.Container) { c.ReadinessProbe = exec("podcli", "check", "tcp", "localhost:81") })),
			until: time.Second,
			want:  []string{"  0s Running 0/1 podinfo=Running | Pulled, Created, Started, Unhealthy"},
			log:   "Starting podinfo",
		}, {
			name: "vish/stress takes more memory than it may",
			pod: bound(with(of("m", "vish/stress"), func(c *corev1.Container) {
				c.Args = []string{"-mem-total", "150Mi", "-cpus", "2"}
				c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("100Mi")}
			}), never),
			want: []string{"  0s Running ready 1/1 m=Running | Pulled, Created, Started", "  1s Failed 0/1 m=OOMKilled(137)"},
			log:  "Spawning a thread to consume CPU",
		}, {
			name: "memory",
			pod: bound(with(of("m", "polinux/stress", "stress", "--vm", "1", "--vm-bytes", "250M", "--vm-hang", "1"), func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("100Mi")}
			}), never),
			want: []string{"  0s Running ready 1/1 m=Running | Pulled, Created, Started", "  1s Failed 0/1 m=OOMKilled(137)"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, now: noon, pod: tt.pod}
			w.live(max(tt.until, 10*time.Second))
			w.want(tt.want...)
			if log := strings.Join(w.log(tt.pod.Spec.Containers[0].Name), "\n"); !strings.Contains(log, tt.log) {
				t.Errorf("log is %q, want %q in it", log, tt.log)
			}
		})
	}
}
