//go:build unix

package credential_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/credential"
)

// TestDir_MustBeOurs: a directory in which another user could have put a token or a key is refused
// before anything in it is used or created.
func TestDir_MustBeOurs(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	chmod := func(mode os.FileMode) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			t.Helper()
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	chown := func(t *testing.T, path string) {
		t.Helper()
		if os.Geteuid() != 0 {
			t.Skip("giving files away takes root")
		}
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	link := func(t *testing.T, path string) {
		t.Helper()
		if err := os.Rename(path, path+".real"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path+".real", path); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, of string // below the parent directory
		do       func(t *testing.T, path string)
		refused  string // "" for an accepted directory
	}{
		{"as it was made", "d", chmod(0o700), ""},
		{"readable", "d", chmod(0o755), ""},
		{"writable by the group", "d", chmod(0o770), "can be written by others (its mode is 0770)"},
		{"writable by all", "d", chmod(0o707), "can be written by others (its mode is 0707)"},
		{"somebody else's", "d", chown, "belongs to user 65534"},
		{"a token file that all can write", "d/tokens.csv", chmod(0o606), "tokens.csv can be written by others"},
		{"somebody else's token file", "d/tokens.csv", chown, "tokens.csv belongs to user 65534"},
		{"a key that the group can write", "d/ca.key", chmod(0o660), "ca.key can be written by others"},
		{"in a directory that all can write", ".", chmod(0o777), "can be written by others (its mode is 0777)"},
		{"in a sticky directory", ".", chmod(0o777 | os.ModeSticky), ""},
		{"in somebody else's directory", ".", chown, "belongs to user 65534"},
		{"a link", "d", link, ""},
		{"somebody else's link", "d", func(t *testing.T, path string) {
			t.Helper()
			link(t, path)
			if os.Geteuid() != 0 {
				t.Skip("giving files away takes root")
			}
			if err := os.Lchown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}, "belongs to user 65534"},
		{"a link to a directory that all can write", "d", func(t *testing.T, path string) {
			t.Helper()
			link(t, path)
			chmod(0o777)(t, path)
		}, "d.real can be written by others"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parent := filepath.Join(t.TempDir(), "parent")
			if err := os.Mkdir(parent, 0o700); err != nil {
				t.Fatal(err)
			}
			dir := credential.Dir(filepath.Join(parent, "d"))
			if err := dir.Fill([]string{"localhost"}); err != nil {
				t.Fatal(err)
			}
			tt.do(t, filepath.Join(parent, tt.of))
			err := dir.Fill([]string{"localhost", "another.example"})
			switch {
			case tt.refused == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)):
				t.Errorf("error %v; want %q", err, tt.refused)
			}
		})
	}
}
