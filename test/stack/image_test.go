package stack_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestStandalone: one container is a cluster, which goes on where it was after a stop, and keeps
// nothing with --ephemeral.
func TestStandalone(t *testing.T) {
	e := newEngine(t)
	const image = "rowlock:test-standalone"
	e.run("docker", "build", "--tag", image, "--target", "standalone", ".")
	container, volume, port := name("standalone"), name("data"), freePort(t)
	t.Cleanup(func() {
		for _, command := range []string{"docker rm --force " + container, "docker volume rm --force " + volume, "docker image rm --force " + image} {
			if out, err := e.try(patience, "", strings.Fields(command)...); err != nil {
				t.Errorf("%s: %v %s", command, err, out)
			}
		}
	})
	e.run("docker", "run", "--detach", "--name", container, "--publish", "127.0.0.1:"+port+":6443", "--env", "ROWLOCK_EXTERNAL_URL=https://localhost:"+port,
		"--volume", volume+":/var/lib/postgresql/data", image)
	e.healthy(container)
	client := clientOf(t, e.run("docker", "exec", container, "rowlock", "kubeconfig"))
	deployments := client.AppsV1().Deployments(metav1.NamespaceDefault)
	web := createDeployment(e, client, "web", 3)
	e.eventually(func() string { return ready(deployments.Get(t.Context(), "web", metav1.GetOptions{})) })

	e.run("docker", "stop", container)
	if code := e.run("docker", "inspect", "--format", "{{.State.ExitCode}}", container); code != "0" {
		t.Errorf("it ended with %s: %s", code, e.run("docker", "logs", "--tail=50", container))
	}
	e.run("docker", "start", container)
	e.healthy(container)
	e.eventually(func() string { return ready(deployments.Get(t.Context(), "web", metav1.GetOptions{})) })
	if again, err := deployments.Get(t.Context(), "web", metav1.GetOptions{}); err != nil || again.UID != web.UID {
		t.Errorf("after a stop: %v, %s, which was %s", err, again.UID, web.UID)
	}

	e.run("docker", "rm", "--force", container)
	e.run("docker", "run", "--detach", "--rm", "--name", container, image, "serve", "--ephemeral")
	e.healthy(container)
}

// healthy waits until a container is.
func (e engine) healthy(container string) {
	e.t.Helper()
	e.eventually(func() string {
		out, err := e.try(patience, "", "docker", "inspect", "--format", "{{.State.Health.Status}}", container)
		if err == nil && strings.TrimSpace(out) == "healthy" {
			return ""
		}
		logs, _ := e.try(patience, "", "docker", "logs", "--tail=20", container)
		return out + "\n" + logs
	})
}

// TestImage: the image without PostgreSQL is one program that an ordinary user runs, and its labels
// say what it is.
func TestImage(t *testing.T) {
	e := newEngine(t)
	const image = "rowlock:test-image"
	e.run("docker", "build", "--tag", image, "--build-arg", "VERSION=v1.2.3", "--build-arg", "REVISION=abc", "--build-arg", "SOURCE=https://example.com/rowlock", ".")
	t.Cleanup(func() { e.run("docker", "image", "rm", "--force", image) })
	var images []struct {
		Config struct {
			User    string
			Labels  map[string]string
			Volumes map[string]any
		}
	}
	if err := json.Unmarshal([]byte(e.run("docker", "image", "inspect", image)), &images); err != nil {
		t.Fatal(err)
	}
	config := images[0].Config
	if config.User != "65532:65532" || !slices.Equal(slices.Collect(maps.Keys(config.Volumes)), []string{"/credentials"}) {
		t.Errorf("the user is %s, the volumes are %v", config.User, config.Volumes)
	}
	for label, want := range map[string]string{"title": "Rowlock", "version": "v1.2.3", "revision": "abc", "source": "https://example.com/rowlock", "licenses": "Apache-2.0"} {
		if got := config.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("the label %s is %q, want %q", label, got, want)
		}
	}
	if out := e.run("docker", "run", "--rm", image, "version"); !strings.HasPrefix(out, "rowlock v1.2.3") {
		t.Errorf("it says %q", out)
	}
	if out, err := e.try(patience, "", "docker", "run", "--rm", image); err == nil || !strings.Contains(out, "DATABASE_URL") {
		t.Errorf("without a database: %v, %s", err, out)
	}
	if out, err := e.try(patience, "", "docker", "run", "--rm", "--entrypoint", "/bin/sh", image, "-c", "true"); err == nil {
		t.Errorf("it has a shell: %s", out)
	}
}
