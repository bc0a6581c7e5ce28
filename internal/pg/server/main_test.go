package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/pg/server"
)

// victimVariable makes the test binary a process that starts a server and waits to be killed. Its
// value is the data directory, or "ephemeral".
const victimVariable = "ROWLOCK_TEST_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimVariable); dir != "" {
		if err := beVictim(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// beVictim prints the server's URL and waits.
func beVictim(dir string) error {
	options := server.Options{DataDir: dir, BinDir: os.Getenv("PG_BIN")}
	if dir == "ephemeral" {
		options = server.Options{Ephemeral: true, BinDir: os.Getenv("PG_BIN")}
	}
	s, err := server.Start(context.Background(), options)
	if err != nil {
		return err
	}
	url := s.URL()
	for range 2 { // from here on nothing holds s: the server must not need that
		runtime.GC()
		time.Sleep(5 * time.Millisecond) // for effects of the collection in other goroutines
	}
	fmt.Println(url)
	_, err = io.Copy(io.Discard, os.Stdin) // ends with the test, should that forget to kill us
	return err
}

// victim is a child process with a server.
type victim struct {
	cmd *exec.Cmd
	url string // empty if it was not waited for
}

// startVictim starts a victim. It waits for the server unless ready is false.
func startVictim(t *testing.T, dir string, ready bool) *victim {
	t.Helper()
	v := &victim{cmd: exec.Command(os.Args[0])}
	v.cmd.Env = append(os.Environ(), victimVariable+"="+dir)
	v.cmd.Stderr = os.Stderr
	output, err := v.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.kill)
	if ready {
		line, err := bufio.NewReader(output).ReadString('\n')
		if err != nil {
			t.Fatalf("the victim has no server: %v", err)
		}
		v.url = strings.TrimSpace(line)
	}
	return v
}

// kill is SIGKILL, after which no code of the victim runs.
func (v *victim) kill() {
	_ = v.cmd.Process.Kill() // a second kill finds nothing
	_ = v.cmd.Wait()
}

// dataDir returns a path that does not exist yet, in a directory that every user can enter.
func dataDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "rowlock-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(parent); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(parent, "data")
}

// start starts a server that ends with the test.
func start(t *testing.T, options server.Options) *server.Server {
	t.Helper()
	options.BinDir = os.Getenv("PG_BIN")
	began := time.Now()
	s, err := server.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %s", time.Since(began).Round(time.Millisecond))
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *server.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// query runs statements on a session of its own and returns the last one's first value.
func query(t *testing.T, url string, statements ...string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // each statement has been answered
	for _, statement := range statements {
		result := conn.PgConn().Exec(t.Context(), statement)
		all, err := result.ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		if last := all[len(all)-1]; len(last.Rows) > 0 {
			value = string(last.Rows[0][0])
		}
	}
	return value
}

// eventually waits for something that another process does.
func eventually(t *testing.T, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// refuses reports that nothing listens at url any more.
func refuses(t *testing.T, url string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return true
	}
	_ = conn.Close(t.Context()) // it was only a check
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
