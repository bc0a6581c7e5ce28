package clients

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/rowlock/rowlock/test/childprocess"
)

// The code between the two marks is the controller in docs/guide/operators.md, as
// TestOperatorsGuide checks.

// BEGIN

// ConfigMapReconciler keeps an hourly backup of every ConfigMap that has the label "backup", and
// notes when the last one was made.
type ConfigMapReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile is called when such a ConfigMap or its CronJob has changed.
func (r *ConfigMapReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var site corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &site); err != nil || site.Labels["backup"] == "" {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name + "-backup"}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		job.Spec.Schedule = "0 * * * *"
		pod := &job.Spec.JobTemplate.Spec.Template.Spec
		pod.RestartPolicy = corev1.RestartPolicyNever
		pod.Containers = []corev1.Container{{Name: "backup", Image: "busybox:1.36", Command: []string{"sh", "-c", "sleep 20; echo saved"}}}
		return controllerutil.SetControllerReference(&site, job, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}
	if job.Status.LastSuccessfulTime == nil {
		return ctrl.Result{}, nil
	}
	before := site.DeepCopy()
	metav1.SetMetaDataAnnotation(&site.ObjectMeta, "last-backup", job.Status.LastSuccessfulTime.UTC().Format("2006-01-02T15:04:05Z"))
	return ctrl.Result{}, r.Patch(ctx, &site, client.MergeFrom(before))
}

// SetupWithManager registers the controller.
func (r *ConfigMapReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&batchv1.CronJob{}).Named("configmap").Complete(r)
}

// END

// TestOperatorsGuide: a manager runs against a cluster whose clock advances by a day, as in the
// guide.
func TestOperatorsGuide(t *testing.T) {
	t.Parallel()
	checkGuide(t)
	ctx, at := t.Context(), serveEphemeral(t)
	reach, err := clientcmd.BuildConfigFromFlags("", at.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	ctrllog.SetLogger(logr.Discard())
	mgr, err := ctrl.NewManager(reach, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&ConfigMapReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}).SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(running) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the manager: %v", err)
		}
	}()

	c, err := client.New(reach, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	site := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "site", Namespace: "default", Labels: map[string]string{"backup": "hourly"}}}
	if err := c.Create(ctx, site); err != nil {
		t.Fatal(err)
	}
	var job batchv1.CronJob
	within(t, "there is a CronJob", func() bool {
		return c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "site-backup"}, &job) == nil
	})
	for _, command := range []string{"pause", "advance 1d"} {
		if out, err := exec.Command(binary, append([]string{"clock", "--server=" + at.URL}, strings.Fields(command)...)...).CombinedOutput(); err != nil {
			t.Fatalf("rowlock clock %s: %v\n%s", command, err, out)
		}
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(&job), &job); err != nil {
		t.Fatal(err)
	}
	if last := job.Status.LastSuccessfulTime; last == nil || last.Sub(job.CreationTimestamp.Time) < 22*time.Hour {
		t.Fatalf("a day has passed, and the last run was at %v", last)
	}
	want := job.Status.LastSuccessfulTime.UTC().Format("2006-01-02T15:04:05Z")
	within(t, "the manager notes the last backup", func() bool {
		return c.Get(ctx, client.ObjectKeyFromObject(site), site) == nil && site.Annotations["last-backup"] == want
	})
}

// checkGuide compares the guide's controller with the one in this file.
func checkGuide(t *testing.T) {
	t.Helper()
	source, err := os.ReadFile("backup_test.go")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", "operators.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(source), "// BEGIN\n\n")
	code, _, _ = strings.Cut(code, "\n// END")
	if !strings.Contains(string(guide), "```go\n"+code+"```\n") {
		t.Errorf("docs/guide/operators.md has another controller than\n%s", code)
	}
}

// serveEphemeral runs a server of the test's own, because the test advances its clock.
func serveEphemeral(t *testing.T) childprocess.Ready {
	t.Helper()
	serve := exec.Command(binary, "serve", "--ephemeral", "--listen=127.0.0.1:0", "--log-level=warn")
	serve.Stderr = t.Output()
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt) // it may have ended
		if err := serve.Wait(); err != nil {
			t.Errorf("rowlock serve: %v", err)
		}
	})
	at, err := childprocess.AwaitReady(out, patience)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
