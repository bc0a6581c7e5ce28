package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/rowlock/rowlock/test/childprocess"
)

// patience bounds every wait: far more than anything takes.
const patience = 2 * time.Minute

// What all tests share: a server of the built binary, as `make run` starts it, and its directory.
var (
	rowlock childprocess.Ready
	log     childprocess.Log
	tempDir string
	binary  string // the built one
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run runs the tests against a server of their own.
func run(m *testing.M) (code int, err error) {
	if tempDir, err = os.MkdirTemp("", "rowlock-clients-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(tempDir) //nolint:errcheck // temporary files
	if err := envtestDir(); err != nil {
		return 0, err
	}
	binary = os.Getenv("ROWLOCK_BINARY")
	if binary == "" {
		binary = filepath.Join(tempDir, "rowlock")
		if out, err := goCommand("-C", filepath.Join("..", ".."), "build", "-o", binary, "./cmd/rowlock").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("build rowlock: %w\n%s", err, out)
		}
	}
	serve := exec.Command(binary, "serve", "--ephemeral", "--listen=127.0.0.1:0", "--log-level=warn")
	serve.Stderr = &log
	out, err := serve.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := serve.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = serve.Process.Signal(os.Interrupt) // it may have ended
		if err := serve.Wait(); err != nil || code != 0 {
			fmt.Fprintf(os.Stderr, "rowlock serve: %v\n%s", err, &log)
		}
	}()
	if rowlock, err = childprocess.AwaitReady(out, patience); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// goCommand makes a run of the go command, in the version that runs the tests.
func goCommand(args ...string) *exec.Cmd { return exec.Command("go", args...) }

// config returns how clients reach the server: without client-side rate limits.
func config(t testing.TB) *rest.Config {
	t.Helper()
	c, err := clientcmd.BuildConfigFromFlags("", rowlock.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	c.QPS = -1
	return c
}
