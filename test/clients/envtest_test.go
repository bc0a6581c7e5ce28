package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// assets returns the directory that `rowlock envtest` makes, in which envtest finds its programs.
func assets(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(binary, "envtest").Output()
	if err != nil {
		t.Fatalf("rowlock envtest: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// startEnvironment starts an envtest environment like a suite, with definitions from directories,
// and stops it with the test.
func startEnvironment(t *testing.T, definitions ...string) (*envtest.Environment, client.Client) {
	t.Helper()
	env := &envtest.Environment{
		BinaryAssetsDirectory: assets(t), ControlPlaneStartTimeout: patience, ControlPlaneStopTimeout: patience,
		CRDDirectoryPaths: definitions, ErrorIfCRDPathMissing: true,
	}
	began := time.Now()
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("it started in %v", time.Since(began).Round(time.Millisecond))
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return env, c
}

// TestEnvtest: suites find what Kubernetes' own programs would provide: an administrator and
// further users by their certificates, roles, kubectl's kubeconfig, and no controllers. Two
// concurrent environments share nothing.
func TestEnvtest(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, c := startEnvironment(t)
			ctx := t.Context()
			mine := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
			if err := c.Create(ctx, mine); err != nil {
				t.Fatal(err)
			}
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "mine"},
				Spec:       corev1.PodSpec{ServiceAccountName: "nobody", Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			}
			if err := c.Create(ctx, pod); err != nil { // the plugin ServiceAccount is off
				t.Fatal(err)
			}
			if len(pod.Spec.Volumes) > 0 || pod.Status.Phase != corev1.PodPending {
				t.Errorf("the Pod is %+v", pod)
			}

			// A user has the permissions of a role.
			user, err := env.AddUser(envtest.User{Name: "pat", Groups: []string{"readers"}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := client.New(user.Config(), client.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := theirs.Get(ctx, client.ObjectKeyFromObject(pod), pod); !apierrors.IsForbidden(err) {
				t.Errorf("without a role, reading a Pod is %v", err)
			}
			binding := &rbacv1.RoleBinding{
				ObjectMeta: metav1.ObjectMeta{Name: "readers", Namespace: "mine"},
				Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "readers"}},
				RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:controller:replicaset-controller"},
			}
			if err := c.Create(ctx, binding); err != nil {
				t.Fatal(err)
			}
			var pods corev1.PodList
			if err := theirs.List(ctx, &pods, client.InNamespace("mine")); err != nil || len(pods.Items) != 1 {
				t.Errorf("with a role there are %d Pods, %v", len(pods.Items), err)
			}

			// Nothing completes the deletion of a namespace.
			if err := c.Delete(ctx, mine); err != nil {
				t.Fatal(err)
			}
			if err := c.Get(ctx, client.ObjectKeyFromObject(mine), mine); err != nil || mine.Status.Phase != corev1.NamespaceTerminating {
				t.Errorf("the namespace is %v, %v", mine.Status.Phase, err)
			}
		})
	}
}

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, default: 3, maximum: 10}}}
          status: {type: object, properties: {ready: {type: boolean}}}
`

// TestEnvtest_InstallsDefinitions: the definitions of a suite are installed before its tests begin,
// and their objects are defaulted, validated and served at once.
func TestEnvtest_InstallsDefinitions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), []byte(widgets), 0o600); err != nil {
		t.Fatal(err)
	}
	_, c := startEnvironment(t, dir)
	ctx := t.Context()
	widget := func(spec map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "default", "name": "first"}, "spec": spec,
		}}
	}
	if err := c.Create(ctx, widget(map[string]any{"size": int64(11)})); !apierrors.IsInvalid(err) {
		t.Errorf("a widget that is too large is %v", err)
	}
	first := widget(map[string]any{})
	if err := c.Create(ctx, first); err != nil {
		t.Fatal(err)
	}
	if size, _, _ := unstructured.NestedInt64(first.Object, "spec", "size"); size != 3 {
		t.Errorf("the size is %d", size)
	}
	first.Object["status"] = map[string]any{"ready": true}
	if err := c.Status().Update(ctx, first); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(first), first); err != nil {
		t.Fatal(err)
	}
	if ready, _, _ := unstructured.NestedBool(first.Object, "status", "ready"); !ready {
		t.Error("the status was not kept")
	}
}

// envtestDir makes the environments of these tests share a PostgreSQL of their own.
func envtestDir() error { return os.Setenv("ROWLOCK_ENVTEST_DIR", filepath.Join(tempDir, "envtest")) }
