//go:build !windows

package server_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rowlock/rowlock/internal/pg/server"
)

// TestStart_FollowsNoLinks: the server's user can put no link into the data directory that a later
// start, as root, would write through: the directory stays root's, one that an earlier version has
// given away becomes root's again, and links are not followed.
func TestStart_FollowsNoLinks(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	stop(t, start(t, server.Options{DataDir: dir}))
	data, err := os.Stat(filepath.Join(dir, "pgdata"))
	if err != nil {
		t.Fatal(err)
	}
	postgres := data.Sys().(*syscall.Stat_t).Uid
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, int(postgres), -1); err != nil {
		t.Fatal(err)
	}
	victim, log := filepath.Join(t.TempDir(), "victim"), filepath.Join(dir, "postgresql.log")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, log); err != nil {
		t.Fatal(err)
	}
	stop(t, start(t, server.Options{DataDir: dir}))
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
		t.Errorf("the log went to where a link leads: %q, %v", text, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; int(owner) != os.Geteuid() {
		t.Errorf("the data directory is user %d's", owner)
	}
	if mode := info.Mode().Perm(); os.Geteuid() == 0 && mode != 0o711 {
		t.Errorf("its mode is %o", mode)
	}

	lock := filepath.Join(dir, "lock")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, lock); err != nil {
		t.Fatal(err)
	}
	if s, err := server.Start(t.Context(), server.Options{DataDir: dir}); err == nil {
		stop(t, s)
		t.Error("a lock that is a link is taken")
	}
}
