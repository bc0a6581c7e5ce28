package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/childprocess"
)

// TestMain makes rowlock and kubectl commands of scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rowlock": main,
		"kubectl": func() { panic("linkKubectl puts a kubectl before this name of the test binary") },
	})
}

// TestScripts runs the stories of testdata/script, each against a Rowlock process and a database of
// its own.
//
// The kubectl is that of test/scenario/kubectl or, if ROWLOCK_TEST_KUBECTL names a program, it is
// that program: so the suite also shows whether a kubectl of another version works (make
// test-kubectl).
//
// In a script, KUBECONFIG and SERVER lead to that process and EXAMPLES names the directory of the
// documents' manifests. A script's file images.yaml is passed to the server's --images, and its
// file serve.args has further flags for it. Besides testscript's own commands there are kubectl,
// rowlock and those of scriptcmd_test.go.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "script"),
		Setup: startServer,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waitfor": waitfor,
			"same":    same,
			"capture": capture,
			"bounds":  bounds,
			"certify": certify,
			"request": request,
		},
		RequireUniqueNames: true,
	})
}

// readyTimeout bounds how long a server may take until it is ready.
const readyTimeout = 30 * time.Second

// startServer starts the script's server and points the script's environment to it. The server is
// stopped when the script ends, and must then exit with 0; its log is shown if the script has
// failed.
func startServer(env *testscript.Env) error {
	t, ok := env.T().(testing.TB)
	if !ok {
		return fmt.Errorf("scripts must be run by testscript.Run")
	}
	examples, err := filepath.Abs(filepath.Join("..", "..", "docs", "examples"))
	if err != nil {
		return err
	}
	args := []string{"serve", "--listen=127.0.0.1:0", "--database-url=" + pgtest.NewURL(t), "--data-dir=" + filepath.Join(env.WorkDir, ".rowlock")}
	if images := filepath.Join(env.WorkDir, "images.yaml"); exists(images) {
		args = append(args, "--images="+images)
	}
	if text, err := os.ReadFile(filepath.Join(env.WorkDir, "serve.args")); err == nil {
		args = append(args, strings.Fields(strings.ReplaceAll(string(text), "$WORK", env.WorkDir))...)
	}
	server := exec.Command("rowlock", args...)
	log := &childprocess.Log{}
	server.Stderr = log
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	env.Defer(func() {
		if err := stopServer(server); err != nil {
			t.Errorf("rowlock serve: %v", err)
		}
		if t.Failed() {
			t.Logf("rowlock serve logged:\n%s", log)
		}
	})
	ready, err := childprocess.AwaitReady(out, readyTimeout)
	if err != nil {
		return fmt.Errorf("rowlock serve: %w\n%s", err, log)
	}
	env.Setenv("SERVER", ready.URL)
	env.Setenv("KUBECONFIG", ready.Kubeconfig)
	env.Setenv("EXAMPLES", examples)
	env.Setenv("HOME", filepath.Join(env.WorkDir, ".home")) // kubectl caches discovery there
	env.Setenv("GORACE", os.Getenv("GORACE"))               // how programs with the race detector end
	return linkKubectl(env)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// linkKubectl puts the kubectl to test with first on the script's path.
func linkKubectl(env *testscript.Env) error {
	program, err := childprocess.Kubectl()
	if err != nil {
		return err
	}
	bin := filepath.Join(env.WorkDir, ".bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return err
	}
	if err := os.Symlink(program, filepath.Join(bin, "kubectl")); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
	return nil
}

// stopServer asks the process to end, and kills it if it does not.
func stopServer(server *exec.Cmd) error {
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	kill := time.AfterFunc(readyTimeout, func() { _ = server.Process.Kill() })
	defer kill.Stop()
	return server.Wait()
}
