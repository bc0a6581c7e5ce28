package stack_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// patience bounds everything that must happen in the end; buildPatience, a build from nothing.
const (
	patience      = 3 * time.Minute
	buildPatience = 20 * time.Minute
)

// root is the directory of docker-compose.yml.
const root = "../.."

// engine runs docker's commands with settings of its own.
type engine struct {
	t   *testing.T
	env []string
}

// newEngine skips the test where no engine answers or the base images cannot be had.
func newEngine(t *testing.T) engine {
	t.Helper()
	e := engine{t: t, env: append(os.Environ(), "DOCKER_BUILDKIT=1")}
	for _, command := range []string{"docker version --format {{.Server.Version}}", "docker compose version"} {
		if out, err := e.try(patience, "", strings.Fields(command)...); err != nil {
			t.Skipf("not checked: %s: %v %s", command, err, out)
		}
	}
	for _, image := range baseImages(t) {
		if _, err := e.try(patience, "", "docker", "image", "inspect", image); err == nil {
			continue
		}
		if out, err := e.try(buildPatience, "", "docker", "pull", image); err != nil {
			t.Skipf("not checked: the image %s is not there: %v %s", image, err, out)
		}
	}
	return e
}

// baseImages returns the images that the Dockerfile and the compose file begin with.
func baseImages(t *testing.T) (images []string) {
	t.Helper()
	for _, file := range []string{"Dockerfile", "docker-compose.yml"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^\s*FROM (?:--platform=\S+ )?(\S+:\S+)`).FindAllStringSubmatch(string(text), -1) {
			images = append(images, found[1])
		}
	}
	if len(images) < 4 {
		t.Fatalf("the base images are %q", images)
	}
	return images
}

// try runs a command and returns its output as it is, and its error output if it fails.
func (e engine) try(within time.Duration, stdin string, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = root, e.env, strings.NewReader(stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err != nil {
		return out.String() + said.String(), err
	}
	return out.String(), nil
}

// output runs a command that must succeed, and returns its output as it is.
func (e engine) output(command ...string) string {
	e.t.Helper()
	out, err := e.try(buildPatience, "", command...)
	if err != nil {
		e.t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return out
}

// run is output without the space around it.
func (e engine) run(command ...string) string {
	e.t.Helper()
	return strings.TrimSpace(e.output(command...))
}

// eventually waits until f returns "", which otherwise says what is wrong.
func (e engine) eventually(f func() string) {
	e.t.Helper()
	wrong := f()
	for deadline := time.Now().Add(patience); wrong != ""; wrong = f() {
		if time.Now().After(deadline) {
			e.t.Fatalf("not in %v: %s", patience, wrong)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// freePort returns a port that nothing uses yet.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it has accepted nothing
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// clientOf returns a client that uses a kubeconfig.
func clientOf(t *testing.T, kubeconfig string) kubernetes.Interface {
	t.Helper()
	config, err := clientcmd.RESTConfigFromKubeConfig([]byte(kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Timeout = -1, 10*time.Second
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// name is unique among the projects and containers of tests.
func name(part string) string { return fmt.Sprintf("rowlock-test-%s-%d", part, os.Getpid()) }
