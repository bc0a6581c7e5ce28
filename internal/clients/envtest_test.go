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
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// assets is the folder that `rowlock envtest` makes, for envtest to find its programs in.
func assets(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(binary, "envtest").Output()
	if err != nil {
		t.Fatalf("rowlock envtest: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// startEnvironment starts an envtest environment as a suite does, and stops it with the test.
func startEnvironment(t *testing.T) (*envtest.Environment, client.Client) {
	t.Helper()
	env := &envtest.Environment{BinaryAssetsDirectory: assets(t), ControlPlaneStartTimeout: patience, ControlPlaneStopTimeout: patience}
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

// Suites find what Kubernetes' own programs would give them: an administrator and further users by their certificates, roles, kubectl's
// kubeconfig, and no controllers. Two environments at a time share nothing.
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

			// A user has what a role gives.
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

			// Nobody finishes the deletion of a namespace.
			if err := c.Delete(ctx, mine); err != nil {
				t.Fatal(err)
			}
			if err := c.Get(ctx, client.ObjectKeyFromObject(mine), mine); err != nil || mine.Status.Phase != corev1.NamespaceTerminating {
				t.Errorf("the namespace is %v, %v", mine.Status.Phase, err)
			}
		})
	}
}

// envtestDir has the environments of these tests share a PostgreSQL of their own.
func envtestDir() error { return os.Setenv("ROWLOCK_ENVTEST_DIR", filepath.Join(tempDir, "envtest")) }
