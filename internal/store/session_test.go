package store_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestS13_TheHotTablesAreVacuumed: this happens every few seconds if there are commits, and not
// otherwise.
func TestS13_TheHotTablesAreVacuumed(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{VacuumEvery: 10 * time.Millisecond})
	vacuums := func() int64 {
		return f.Number("SELECT min(vacuum_count) FROM pg_stat_user_tables WHERE relname IN ('wakeups', 'revision')")
	}
	storetest.Eventually(t, "the hot tables are vacuumed", func() bool { return vacuums() > 0 })
	var before int64
	storetest.Eventually(t, "it rests", func() bool {
		last := before
		before = vacuums()
		return last == before
	})
	f.MustWrite(storetest.CreateConfigMap("a"))
	storetest.Eventually(t, "they are vacuumed again", func() bool { return vacuums() > before })
}

// TestS15_EverySessionHasTheSettings: this holds however many sessions there are.
func TestS15_EverySessionHasTheSettings(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	want := map[string]string{
		"idle_in_transaction_session_timeout": "2s", "client_connection_check_interval": "500ms", "synchronous_commit": "on", "jit": "off",
		"default_transaction_isolation": "read committed", "TimeZone": "UTC",
	}
	for range 8 {
		conn := f.Session()
		got := map[string]string{}
		for name := range want {
			var value string
			if err := conn.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&value); err != nil {
				t.Fatal(err)
			}
			got[name] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a session's settings (-want +got):\n%s", diff)
		}
	}
}

// TestS15_TheLocksOfTheDeadAreFree: the claims of a process are free when the process is killed,
// however long its transaction may idle, and when it is stopped and has idled for that long.
func TestS15_TheLocksOfTheDeadAreFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		signal syscall.Signal
		idle   string // how long a transaction may idle
	}{
		{"killed", syscall.SIGKILL, "1h"},
		{"stopped", syscall.SIGSTOP, "500ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newStore(t, store.Config{})
			f.MustWrite(storetest.CreateReplicaSet("a", "web"))
			holder := startHolder(t, withSetting(f.URL(), "idle_in_transaction_session_timeout", test.idle))
			conn := f.Conn()
			take := func() int {
				claimed := f.Claim(conn, names.ReplicaSet, "")
				if _, err := conn.Exec(t.Context(), "ROLLBACK"); err != nil {
					t.Fatal(err)
				}
				return len(claimed.Claims)
			}
			if killed := test.signal == syscall.SIGKILL; killed && take() != 0 {
				t.Fatal("claimed an object that another process holds")
			}
			if err := holder.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			storetest.Eventually(t, "the object can be claimed", func() bool { return take() == 1 })
		})
	}
}

// withSetting returns the database's URL with a setting for its sessions.
func withSetting(of, name, value string) string {
	separator := "?"
	if strings.Contains(of, "?") {
		separator = "&"
	}
	return of + separator + name + "=" + value
}

// startHolder starts a process that has claimed the database's only object.
func startHolder(t *testing.T, url string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), holderVariable+"="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "claimed 1" {
		t.Fatalf("the process says %q, %v", line, err)
	}
	return cmd
}
