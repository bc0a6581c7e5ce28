package stack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// stack is the compose file's stack under a name and a port of its own.
type stack struct {
	engine
	project string
}

// newStack brings the stack up. It ends with the test, with its volumes.
func newStack(t *testing.T) *stack {
	t.Helper()
	s := &stack{newEngine(t), name("stack")}
	s.env = append(s.env, "ROWLOCK_PORT="+freePort(t))
	t.Cleanup(func() {
		if t.Failed() {
			out, _ := s.try(patience, "", s.command("logs", "--tail=100")...)
			t.Logf("the containers logged:\n%s", out)
		}
		s.compose("down", "--volumes")
	})
	s.compose("up", "--build", "--detach", "--wait")
	return s
}

func (s *stack) command(arguments ...string) []string {
	return append([]string{"docker", "compose", "--project-name", s.project}, arguments...)
}

// compose runs docker compose on the stack.
func (s *stack) compose(arguments ...string) string {
	s.t.Helper()
	return s.run(s.command(arguments...)...)
}

// container is what `docker compose ps` says about a container.
type container struct {
	Service, State, Health string
	ExitCode               int
}

// containers returns all of them, by service.
func (s *stack) containers() map[string]container {
	s.t.Helper()
	all := map[string]container{}
	for line := range strings.Lines(s.compose("ps", "--all", "--format", "json")) {
		var c container
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			s.t.Fatalf("%v in %s", err, line)
		}
		all[c.Service] = c
	}
	return all
}

// allHealthy checks that all four services are.
func (s *stack) allHealthy() {
	s.t.Helper()
	all := s.containers()
	for _, service := range []string{"postgres", "replica-1", "replica-2", "front"} {
		if c := all[service]; c.State != "running" || c.Health != "healthy" {
			s.t.Errorf("%s is %q, %q", service, c.State, c.Health)
		}
	}
}

// TestStack: the stack as it is comes up with one command, a rollout ends although a replica is
// killed, clients get 503 while the database is away, everything stops in order, and a cluster
// outlives its containers.
func TestStack(t *testing.T) {
	s := newStack(t)
	s.allHealthy()
	kubeconfig := s.compose("exec", "-T", "replica-1", "/rowlock", "kubeconfig")
	client := clientOf(t, kubeconfig)
	deployments := client.AppsV1().Deployments(metav1.NamespaceDefault)

	web := createDeployment(s.engine, client, "web", 50)
	s.compose("kill", "replica-2")
	s.eventually(func() string { return ready(deployments.Get(t.Context(), "web", metav1.GetOptions{})) })
	if c := s.containers()["replica-2"]; c.State != "exited" {
		t.Errorf("replica-2 is %q", c.State)
	}
	s.compose("up", "--detach", "--wait")
	s.allHealthy()

	s.compose("stop", "postgres")
	s.eventually(func() string {
		note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "note-"}}
		err := client.CoreV1().RESTClient().Post().Namespace(metav1.NamespaceDefault).Resource("configmaps").Body(note).MaxRetries(0).Do(t.Context()).Error()
		if apierrors.IsServiceUnavailable(err) {
			return ""
		}
		return fmt.Sprintf("a write without the database is answered with %v", err)
	})
	s.compose("start", "postgres")
	s.eventually(func() string { return ready(deployments.Get(t.Context(), "web", metav1.GetOptions{})) })

	if out := s.compose("exec", "-T", "replica-1", "/rowlock", "clock", "advance", "1h"); !strings.Contains(out, "advanced by 1h") {
		t.Errorf("the clock says %q", out)
	}
	saved := s.output(s.command("exec", "-T", "replica-1", "/rowlock", "snapshot", "save", "-o", "-")...)
	if out, err := s.try(patience, saved, s.command("exec", "-T", "replica-2", "/rowlock", "snapshot", "load", "-f", "-", "--replace")...); err != nil {
		t.Errorf("a snapshot cannot be loaded: %v %s", err, out)
	}
	s.stopsAndComesBack(client, web)
}

// stopsAndComesBack stops the stack while a client watches, and starts it again.
func (s *stack) stopsAndComesBack(client kubernetes.Interface, web *appsv1.Deployment) {
	s.t.Helper()
	deployments := client.AppsV1().Deployments(web.Namespace)
	watch, err := deployments.Watch(s.t.Context(), metav1.ListOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer watch.Stop()
	s.compose("stop")
	for service, c := range s.containers() {
		if c.State != "exited" || c.ExitCode != 0 {
			s.t.Errorf("%s is %q and ended with %d", service, c.State, c.ExitCode)
		}
	}
	s.compose("down")
	s.compose("up", "--detach", "--wait")
	s.allHealthy()
	again, err := deployments.Get(s.t.Context(), web.Name, metav1.GetOptions{})
	if wrong := ready(again, err); wrong != "" || again.UID != web.UID {
		s.t.Errorf("after down and up: %s, %s %s, which was %s", wrong, again.Name, again.UID, web.UID)
	}
}

// createDeployment creates one of n Pods.
func createDeployment(e engine, client kubernetes.Interface, name string, n int32) *appsv1.Deployment {
	e.t.Helper()
	labels := map[string]string{"app": name}
	d, err := client.AppsV1().Deployments(metav1.NamespaceDefault).Create(context.Background(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx:1.29"}}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		e.t.Fatal(err)
	}
	return d
}

// ready returns why a Deployment is not yet as its spec says.
func ready(d *appsv1.Deployment, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case d.Status.ReadyReplicas != *d.Spec.Replicas:
		return fmt.Sprintf("%d of %d Pods are ready", d.Status.ReadyReplicas, *d.Spec.Replicas)
	}
	return ""
}
