package pg_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// Keepalives are not checked here: a session on a Unix socket has none.
func TestOpen_SettingsReachTheSession(t *testing.T) {
	t.Parallel()
	pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	got := map[string]string{}
	want := map[string]string{
		"application_name":                    "rowlock",
		"idle_in_transaction_session_timeout": "2s",
		"client_connection_check_interval":    "500ms",
		"jit":                                 "off",
		"synchronous_commit":                  "on",
		"TimeZone":                            "UTC",
	}
	for name := range want {
		var value string
		if err := pool.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&value); err != nil {
			t.Fatal(err)
		}
		got[name] = value
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings of a session (-want +got):\n%s", diff)
	}
	if got := pool.Config().MaxConns; got != 3 {
		t.Errorf("the pool takes %d connections, want 3", got)
	}
}

func TestOpen_RefusesAReadOnlyServer(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pool, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	// How a standby appears to its clients.
	const readOnly = `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
	END $$`
	if _, err := pool.Exec(t.Context(), readOnly); err != nil {
		t.Fatal(err)
	}
	second, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err == nil {
		second.Close()
		t.Fatal("a server that refuses writes was opened")
	}
	if !pg.IsRetryable(err) {
		t.Errorf("waiting for the failover to end is not tried: %v", err)
	}
}

// TestOpen_RefusedSetting: the error names the setting of the URL that the server refuses.
func TestOpen_RefusedSetting(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"no_such_setting=on", "statement_timeout=never"} {
		name, _, _ := strings.Cut(setting, "=")
		pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t) + "&" + setting})
		if err == nil {
			pool.Close()
			t.Fatalf("%s is accepted", setting)
		}
		if !strings.Contains(err.Error(), name) || pg.IsRetryable(err) || pg.IsConnectionLoss(err) {
			t.Errorf("%s: the error is %v", setting, err)
		}
	}
}

// TestSession_IdleTransactionIsEnded: a replica that stops in the middle of a transaction does not
// keep its row locks.
func TestSession_IdleTransactionIsEnded(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context()) //nolint:errcheck // the session is gone
	if _, err := tx.Exec(t.Context(), "SELECT pg_advisory_xact_lock(1)"); err != nil {
		t.Fatal(err)
	}
	// Returns when the lock is free, which is when the other session has ended.
	if _, err := pool.Exec(t.Context(), "SELECT pg_advisory_lock(1)"); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "SELECT 1"); !pg.IsConnectionLoss(err) {
		t.Errorf("the idle transaction's session lives on: %v", err)
	}
}
