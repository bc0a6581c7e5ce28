//go:build !windows

package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/pg/server"
)

// alive reports that a process exists and is not a zombie, which has ended and only waits for its
// new parent.
func alive(pid string) bool {
	if runtime.GOOS == "linux" {
		stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		return err == nil && !bytes.Contains(stat, []byte(") Z "))
	}
	state, err := exec.Command("ps", "-o", "state=", "-p", pid).Output()
	return err == nil && !bytes.HasPrefix(bytes.TrimSpace(state), []byte("Z"))
}

// postmasterOf returns the process id of the server at url.
func postmasterOf(t *testing.T, url string) string {
	t.Helper()
	return query(t, url, "SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)")
}

func TestKill_ServerGoesAndDataStays(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for round := range 3 {
		v := startVictim(t, dir, true)
		if round == 0 {
			query(t, v.url, "CREATE TABLE kept (round int)")
		}
		query(t, v.url, fmt.Sprintf("INSERT INTO kept VALUES (%d)", round))
		postmaster := postmasterOf(t, v.url)
		killed := time.Now()
		v.kill()
		eventually(t, "the server ends with its parent", func() bool { return !alive(postmaster) })
		t.Logf("gone after %s", time.Since(killed).Round(time.Millisecond))
		if !refuses(t, v.url) {
			t.Fatal("somebody still answers")
		}
	}
	s := start(t, server.Options{DataDir: dir})
	if got := query(t, s.URL(), "SELECT count(*) FROM kept"); got != "3" {
		t.Errorf("%s of 3 acknowledged rows are left", got)
	}
}

// TestKill_NextStartAtOnce: the next start does not wait until the old server is gone: it is often
// faster than that.
func TestKill_NextStartAtOnce(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	v := startVictim(t, dir, true)
	query(t, v.url, "CREATE TABLE kept AS SELECT 'yes' AS value")
	v.kill()
	s := start(t, server.Options{DataDir: dir})
	if got := query(t, s.URL(), "SELECT value FROM kept"); got != "yes" {
		t.Errorf("the next start finds %q", got)
	}
}

func TestKill_DuringInitdb(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	v := startVictim(t, dir, false)
	unfinished := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "pgdata.init-*", "PG_VERSION"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	eventually(t, "initdb begins", func() bool { return len(unfinished()) > 0 || exists(filepath.Join(dir, "pgdata")) })
	v.kill()
	s := start(t, server.Options{DataDir: dir})
	query(t, s.URL(), "CREATE TABLE works ()")
	if left := unfinished(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestKill_EphemeralLeavesNothing(t *testing.T) {
	t.Parallel()
	v := startVictim(t, "ephemeral", true)
	dir := filepath.Dir(query(t, v.url, "SHOW data_directory"))
	postmaster := postmasterOf(t, v.url)
	v.kill()
	eventually(t, "the server ends with its parent", func() bool { return !alive(postmaster) })
	eventually(t, "its files go", func() bool { return !exists(dir) })
}

// TestDone_ServerDies: Done is how the program learns that its database is gone.
func TestDone_ServerDies(t *testing.T) {
	t.Parallel()
	s := start(t, server.Options{Ephemeral: true})
	if err := s.Err(); err != nil {
		t.Errorf("a running server has ended with %v", err)
	}
	pid, err := strconv.Atoi(postmasterOf(t, s.URL()))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.Done():
	case <-time.After(time.Minute):
		t.Fatal("Done stays open")
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("a killed server has ended with %v", err)
	}
}

// orphan runs a server on a data directory without the precautions of Start.
func orphan(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	bin, err := server.Find(os.Getenv("PG_BIN"), 0)
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "pgdata")
	info, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	cmd := exec.Command(filepath.Join(bin.Dir, "postgres"), "-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories="+data)
	cmd.Dir = dir
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }() // how it ends does not matter
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	return cmd
}

func TestStart_TakesOverFromAnOrphan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		stopped bool
	}{
		{name: "that runs"},
		{name: "that is stopped and hears nothing", stopped: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			first := start(t, server.Options{DataDir: dir})
			query(t, first.URL(), "CREATE TABLE kept AS SELECT 'yes' AS value")
			stop(t, first)
			left := orphan(t, dir)
			eventually(t, "the orphan runs", func() bool {
				text, err := os.ReadFile(filepath.Join(dir, "pgdata", "postmaster.pid"))
				return err == nil && strings.Contains(string(text), "ready")
			})
			if test.stopped {
				if err := left.Process.Signal(syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			second := start(t, server.Options{DataDir: dir})
			if got := query(t, second.URL(), "SELECT value FROM kept"); got != "yes" {
				t.Errorf("the next start finds %q", got)
			}
			if alive(strconv.Itoa(left.Process.Pid)) {
				t.Error("the orphan lives on")
			}
		})
	}
}

// TestStart_StaleProcessID: after a restart of a container, the process id in postmaster.pid often
// belongs to another process.
func TestStart_StaleProcessID(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	stop(t, start(t, server.Options{DataDir: dir}))
	stranger := exec.Command("sleep", "60")
	stale := filepath.Join(dir, "pgdata", "postmaster.pid")
	info, err := os.Stat(filepath.Join(dir, "pgdata"))
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if os.Geteuid() == 0 {
		stranger.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	}
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stranger.Process.Kill(); _ = stranger.Wait() })
	text := fmt.Sprintf("%d\n%s\n1\n5432\n%s\n\n\nready   \n", stranger.Process.Pid, filepath.Join(dir, "pgdata"), dir)
	if err := os.WriteFile(stale, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, server.Options{DataDir: dir})
	if !alive(strconv.Itoa(stranger.Process.Pid)) {
		t.Error("a stranger was killed")
	}
}

// TestStart_HoldsItsDirectoryForAsLongAsTheServerLives: a server whose process has kept only the
// URL is not taken for a leftover.
func TestStart_HoldsItsDirectoryForAsLongAsTheServerLives(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	v := startVictim(t, dir, true)
	if _, err := server.Start(t.Context(), server.Options{DataDir: dir, BinDir: os.Getenv("PG_BIN")}); !errors.Is(err, server.ErrInUse) {
		t.Errorf("a second server on the directory: %v, want ErrInUse", err)
	}
	if got := query(t, v.url, "SELECT 1"); got != "1" {
		t.Errorf("the first server answers %q", got)
	}
}
