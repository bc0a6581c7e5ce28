package clients

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// helm builds the program, once.
var helm = sync.OnceValues(func() (string, error) {
	path := filepath.Join(tempDir, "helm")
	if out, err := goCommand("build", "-o", path, "helm.sh/helm/v4/cmd/helm").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build helm: %w\n%s", err, out)
	}
	return path, nil
})

// TestHelm: the chart that `helm create` makes goes through Helm's whole life cycle, by server-side
// apply, which is Helm's default, and by patches, like older releases.
func TestHelm(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"true", "false"} {
		t.Run("server-side="+how, func(t *testing.T) {
			t.Parallel()
			r := newRelease(t, "helm-"+how)
			side := "--server-side=" + how
			r.helm("install", "web", r.chart, "--create-namespace", "--wait", "--set=ingress.enabled=true,autoscaling.enabled=false", side)
			r.deployed(1, 1)
			r.helm("upgrade", "web", r.chart, "--wait", "--set=replicaCount=3,podLabels.tier=front", side)
			r.deployed(2, 3)
			r.helm("rollback", "web", "1", "--wait", side)
			r.deployed(3, 1)
			within(t, "the Service has who answers", r.served)
			if out := r.helm("test", "web", "--logs"); !strings.Contains(out, "Phase:          Succeeded") || !strings.Contains(out, "'index.html' saved") {
				t.Errorf("helm test said:\n%s", out)
			}
			if out, err := r.try("upgrade", "web", r.chart, "--wait", "--timeout=5s", "--set=image.tag=1.161", "--rollback-on-failure", side); err == nil {
				t.Errorf("an upgrade to an image that does not exist succeeded:\n%s", out)
			}
			r.deployed(5, 1)
			r.helm("uninstall", "web", "--wait")
			if left := r.deployments(); len(left) != 0 {
				t.Errorf("%d Deployments are left", len(left))
			}
		})
	}
}

// release is a Helm release in a namespace of its own.
type release struct {
	t                         *testing.T
	program, namespace, chart string
	client                    kubernetes.Interface
}

func newRelease(t *testing.T, namespace string) *release {
	t.Helper()
	program, err := helm()
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config(t))
	if err != nil {
		t.Fatal(err)
	}
	r := &release{t: t, program: program, namespace: namespace, chart: filepath.Join(t.TempDir(), "web"), client: client}
	r.helm("create", r.chart)
	return r
}

// try runs Helm with only its own files.
func (r *release) try(args ...string) (string, error) {
	cmd := exec.CommandContext(r.t.Context(), r.program, append(args, "--namespace="+r.namespace, "--kubeconfig="+rowlock.Kubeconfig)...)
	home := filepath.Dir(r.chart)
	cmd.Env = append(cmd.Environ(), "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *release) helm(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// deployed checks that a revision of the release is deployed and that its Pods are ready.
func (r *release) deployed(revision int, replicas int32) {
	r.t.Helper()
	var status struct {
		Version int
		Info    struct{ Status string }
	}
	out := r.helm("status", "web", "--output=json")
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		r.t.Fatalf("helm status: %v\n%s", err, out)
	}
	if status.Version != revision || status.Info.Status != "deployed" {
		r.t.Errorf("revision %d is %s, want %d deployed", status.Version, status.Info.Status, revision)
	}
	d, err := r.client.AppsV1().Deployments(r.namespace).Get(r.t.Context(), "web", metav1.GetOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	if got := d.Status; got.AvailableReplicas != replicas || got.Replicas != replicas || got.ObservedGeneration != d.Generation {
		r.t.Errorf("revision %d: the Deployment's status is %+v, want %d Pods", revision, got, replicas)
	}
}

// served reports whether the Service of the chart leads to the only Pod.
func (r *release) served() bool {
	core, options := r.client.CoreV1(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/name=web"}
	pods, err := core.Pods(r.namespace).List(r.t.Context(), options)
	if err != nil || len(pods.Items) != 1 {
		return false
	}
	slices, err := r.client.DiscoveryV1().EndpointSlices(r.namespace).List(r.t.Context(), options)
	if err != nil || len(slices.Items) != 1 || len(slices.Items[0].Endpoints) != 1 {
		return false
	}
	to := slices.Items[0].Endpoints[0]
	return to.TargetRef.Name == pods.Items[0].Name && *to.Conditions.Ready
}

func (r *release) deployments() []string {
	r.t.Helper()
	list, err := r.client.AppsV1().Deployments(r.namespace).List(r.t.Context(), metav1.ListOptions{})
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for _, d := range list.Items {
		names = append(names, d.Name)
	}
	return names
}
