package kubelet_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// TestConnect connects to Pods that use other objects, and to Pods whose programs run.
func TestConnect(t *testing.T) {
	t.Parallel()
	key := func(name string) *corev1.EnvVarSource {
		return &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: name}, Key: "password",
		}}
	}
	page := func(name string) corev1.VolumeSource {
		return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}}
	}
	around := podsetup.Surroundings{
		ConfigMaps: map[string]*corev1.ConfigMap{
			"page":     podtest.ConfigMap("page", "index.html", "mounted\n"),
			"settings": podtest.ConfigMap("settings", "PORT", "8080"),
		},
		Secrets: map[string]*corev1.Secret{"db": {Data: map[string][]byte{"password": []byte("x")}}},
	}
	mysql := podtest.With(podtest.Of("mysql", "mysql:8"), func(c *corev1.Container) {
		c.Env = []corev1.EnvVar{{Name: "MYSQL_ROOT_PASSWORD", ValueFrom: key("db")}}
	})
	fromAll := podtest.With(podtest.Nginx(), func(c *corev1.Container) {
		c.EnvFrom = []corev1.EnvFromSource{{
			ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "settings"}},
		}}
	})
	projected := corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{
			Sources: []corev1.VolumeProjection{{
				ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "page"}},
			}},
		},
	}
	listening := func(script string) *corev1.Pod {
		c := podtest.Of("c", "nginx:1.28", "sh", "-c", script)
		return podtest.Bound(podtest.Named("nginx", c), podtest.Restarting(corev1.RestartPolicyNever))
	}
	hardened := podtest.With(podtest.Of("app", "example.com/app"), func(c *corev1.Container) {
		c.SecurityContext = &corev1.SecurityContext{ReadOnlyRootFilesystem: new(true)}
	})
	tests := []struct {
		name string
		pod  *corev1.Pod
		port int
		gone bool // the objects that it refers to are deleted once it runs
		want kernel.Outcome
		body string
	}{
		{
			"a variable from a Secret",
			podtest.Bound(podtest.With(podtest.Nginx(), func(c *corev1.Container) { c.Env = mysql.Env })), 80, false,
			kernel.OutcomeOK, "Welcome to nginx!",
		},
		{
			"a variable from a Secret that is gone",
			podtest.Bound(podtest.With(podtest.Nginx(), func(c *corev1.Container) { c.Env = mysql.Env })), 80, true,
			kernel.OutcomeOK, "Welcome to nginx!",
		},
		{"a database with its password in a Secret", podtest.Bound(mysql), 3306, false, kernel.OutcomeOK, ""},
		{"a database whose Secret is gone", podtest.Bound(mysql), 3306, true, kernel.OutcomeOK, ""},
		{"all variables of a ConfigMap", podtest.Bound(fromAll), 80, false, kernel.OutcomeOK, "Welcome to nginx!"},
		{
			"a page of a ConfigMap",
			podtest.Bound(
				podtest.Mounting(podtest.Nginx(), "page", "/usr/share/nginx/html"),
				podtest.WithVolume("page", page("page")),
			),
			80, false, kernel.OutcomeOK, "mounted",
		},
		{
			"a page of a ConfigMap that is gone",
			podtest.Bound(
				podtest.Mounting(podtest.Nginx(), "page", "/page"), podtest.WithVolume("page", page("page")),
			),
			80, true, kernel.OutcomeOK, "Welcome to nginx!",
		},
		{
			"a projected page",
			podtest.Bound(
				podtest.Mounting(podtest.Nginx(), "page", "/usr/share/nginx/html"),
				podtest.WithVolume("page", projected),
			),
			80, false, kernel.OutcomeOK, "mounted",
		},
		{"an unknown program on a read-only root", podtest.Bound(hardened), 8080, false, kernel.OutcomeOK, ""},
		{
			"an unknown program on a read-only root, beside one that is known",
			podtest.Bound(hardened, podtest.WithInit(podtest.Sh("echo hi"))), 8080, false, kernel.OutcomeOK, "",
		},
		{
			"a page that its program has written",
			listening("echo written > /usr/share/nginx/html/index.html; exec nginx -g 'daemon off;'"), 80, false,
			kernel.OutcomeOK, "written",
		},
		{"a server that starts late", listening("sleep 5; exec nginx -g 'daemon off;'"), 80, false, kernel.OutcomeOK, "Welcome to nginx!"},
		{"a server that has not started", listening("sleep 3600; exec nginx -g 'daemon off;'"), 80, false, kernel.OutcomeRefused, ""},
		{"a server that has crashed", listening("nginx & sleep 5; kill %1; sleep 1000"), 80, false, kernel.OutcomeRefused, ""},
		{
			"a server that has ended",
			podtest.Bound(podtest.Of("nginx", "nginx:1.28", "sh", "-c", "nginx -g 'daemon off;' & sleep 5; exit 1"),
				podtest.And(podtest.Sh("sleep infinity")), podtest.Restarting(corev1.RestartPolicyNever)),
			80, false, kernel.OutcomeRefused, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.pod.Name, tt.pod.UID = "target", "target"
			target := &podtest.World{T: t, Now: podtest.Noon, Pod: tt.pod, Around: around}
			target.Live(time.Minute)
			target.Pod.Status.PodIP, target.Pod.Status.PodIPs = "10.244.0.9", []corev1.PodIP{{IP: "10.244.0.9"}}
			peer := &network.Peer{Pod: target.Pod, Node: podtest.Node(), Memory: target.Memory, Around: around}
			if need.ToConnect(target.Pod, target.Memory).ConfigMaps == nil || tt.gone {
				peer.Around = podsetup.Surroundings{}
			}
			asks := "wget -qO- http://10.244.0.9:" + strconv.Itoa(tt.port)
			if tt.body == "" {
				asks = "nc -zv 10.244.0.9 " + strconv.Itoa(tt.port) + " 2>&1"
			}
			w := &podtest.World{T: t, Now: target.Now, Pod: podtest.Bound(podtest.Sh(asks + "; echo $?; sleep infinity"))}
			w.Others = []*network.Peer{peer}
			w.Live(2 * time.Minute)
			log := strings.Join(w.Log("c"), "\n")
			if ok := strings.HasSuffix(log, " 0"); ok != (tt.want == kernel.OutcomeOK) || !strings.Contains(log, tt.body) {
				t.Errorf("log %q, want the outcome %q and %q", log, tt.want, tt.body)
			}
		})
	}
}
