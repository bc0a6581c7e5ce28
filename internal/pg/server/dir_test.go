package server

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSweepEphemeral: directories of servers that run, or have just been made, stay.
func TestSweepEphemeral(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	for _, left := range []struct {
		name      string
		age       time.Duration
		unlocked  bool
		foreigner bool // without a lock file
	}{
		{name: ephemeralPrefix + "1-left", age: time.Hour, unlocked: true},
		{name: ephemeralPrefix + "2-in-use", age: time.Hour},
		{name: ephemeralPrefix + "3-young", unlocked: true},
		{name: ephemeralPrefix + "4-not-ours", age: time.Hour, foreigner: true},
		{name: "somebody-elses", age: time.Hour, unlocked: true},
	} {
		dir := filepath.Join(temp, left.name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if !left.foreigner {
			lock, err := lockDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Close() //nolint:errcheck // closed early or held to the end
			if left.unlocked {
				if err := lock.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		then := time.Now().Add(-left.age)
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}

	sweepEphemeral(temp)

	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{
		ephemeralPrefix + "2-in-use", ephemeralPrefix + "3-young", ephemeralPrefix + "4-not-ours", "somebody-elses",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("after sweeping (-want +got):\n%s", diff)
	}
}

func TestSocketDir(t *testing.T) {
	t.Parallel()
	short := filepath.Join(string(filepath.Separator), "var", "lib", "rowlock")
	if got := socketDir(short); got != filepath.Join(short, "run") {
		t.Errorf("the socket of %s is in %s", short, got)
	}
	long := filepath.Join(short, string(make([]byte, 100)))
	first, second, other := socketDir(long), socketDir(long), socketDir(long+"x")
	if first != second || first == other || filepath.Dir(first) != filepath.Clean(os.TempDir()) {
		t.Errorf("the sockets of long paths are in %s, %s and %s", first, second, other)
	}
}
