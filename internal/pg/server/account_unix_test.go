//go:build !windows

package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAccount_MayEnter(t *testing.T) {
	t.Parallel()
	const stranger = 54321
	for _, test := range []struct {
		mode                os.FileMode
		own, group, neither bool
	}{
		{0o700, true, false, false},
		{0o750, true, true, false},
		{0o755, true, true, true},
		{0o711, true, true, true},
		{0o744, true, false, false},
		{0o077, false, true, true},
	} {
		t.Run(test.mode.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Chmod(dir, test.mode); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(dir)
			if err != nil {
				t.Fatal(err)
			}
			uid, gid := uint32(os.Geteuid()), uint32(os.Getegid())
			for name, row := range map[string]struct {
				account account
				want    bool
			}{
				"owner":    {account{uid: uid, gid: stranger}, test.own},
				"group":    {account{uid: stranger, gid: gid}, test.group},
				"stranger": {account{uid: stranger, gid: stranger}, test.neither},
			} {
				if got := row.account.mayEnter(info); got != row.want {
					t.Errorf("%s may enter: %t, want %t", name, got, row.want)
				}
			}
		})
	}
}

// t.TempDir is below a directory that only we can enter.
func TestAccount_ClosedParent(t *testing.T) {
	t.Parallel()
	user := &account{name: "postgres", uid: 54321, gid: 54321}
	parent := filepath.Join(t.TempDir(), "closed")
	if err := os.MkdirAll(filepath.Join(parent, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := user.openTo(filepath.Join(parent, "data"))
	if err == nil || !strings.Contains(err.Error(), "who may not access") {
		t.Errorf("got %v", err)
	}
	var ourselves *account
	if err := ourselves.openTo(filepath.Join(parent, "data")); err != nil {
		t.Errorf("our own directory is closed to us: %v", err)
	}
}
