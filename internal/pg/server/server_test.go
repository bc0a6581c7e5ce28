package server_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/pg/server"
)

func TestStart_MakesTheDataOnceAndFindsItAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	first := start(t, server.Options{DataDir: dir})
	query(t, first.URL(), "CREATE TABLE kept AS SELECT 'yes' AS value")
	stop(t, first)
	select {
	case <-first.Done():
	default:
		t.Error("Done is open after Stop")
	}
	if err := first.Err(); err != nil {
		t.Errorf("an orderly end is an error: %v", err)
	}

	second := start(t, server.Options{DataDir: dir})
	if got := query(t, second.URL(), "SELECT value FROM kept"); got != "yes" {
		t.Errorf("the second start finds %q", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if diff := cmp.Diff([]string{"lock", "pgdata", "postgresql.log", "run"}, names); diff != "" {
		t.Errorf("the data directory (-want +got):\n%s", diff)
	}
}

func TestStart_Settings(t *testing.T) {
	t.Parallel()
	common := map[string]string{
		"synchronous_commit": "on", "jit": "off", "wal_compression": "off", "shared_buffers": "128MB",
		"checkpoint_timeout": "15min", "max_wal_size": "4GB", "autovacuum_naptime": "5s", "listen_addresses": "",
		"server_encoding": "UTF8", "lc_collate": "C", "TimeZone": "UTC",
	}
	for _, test := range []struct {
		name    string
		options server.Options
		own     map[string]string
	}{
		{"durable", server.Options{DataDir: dataDir(t)}, map[string]string{
			"fsync": "on", "full_page_writes": "on", "wal_level": "replica", "max_connections": "200",
		}},
		{"ephemeral", server.Options{Ephemeral: true, MaxConnections: 30}, map[string]string{
			"fsync": "off", "full_page_writes": "off", "wal_level": "minimal", "max_connections": "30",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, test.options)
			got, want := map[string]string{}, map[string]string{}
			for _, settings := range []map[string]string{common, test.own} {
				for name, value := range settings {
					// From PostgreSQL 16 on, databases have the collation, not servers.
					got[name] = query(t, s.URL(), "SELECT coalesce(current_setting('"+name+"', true), datcollate) FROM pg_database LIMIT 1")
					want[name] = value
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStart_RefusesADirectoryInUse(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	first := start(t, server.Options{DataDir: dir})
	second, err := server.Start(t.Context(), server.Options{DataDir: dir})
	if err == nil {
		stop(t, second)
		t.Fatal("two servers have one directory")
	}
	if !errors.Is(err, server.ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Errorf("the refusal is not clear: %v", err)
	}
	query(t, first.URL(), "SELECT 1")
}

func TestStart_LongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), strings.Repeat("long", 20), strings.Repeat("path", 20))
	s := start(t, server.Options{DataDir: dir})
	socket := query(t, s.URL(), "SHOW unix_socket_directories")
	if strings.HasPrefix(socket, dir) {
		t.Errorf("the socket is at %s, which no client can address", socket)
	}
	stop(t, s)
	if exists(socket) {
		t.Errorf("%s is left", socket)
	}
	again := start(t, server.Options{DataDir: dir})
	if s.URL() != again.URL() {
		t.Errorf("the URL has changed from %s to %s", s.URL(), again.URL())
	}
}

func TestStart_Cancelled(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := server.Start(ctx, server.Options{DataDir: dir}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	// It has released everything.
	start(t, server.Options{DataDir: dir})
}

func TestStart_ReportsWhatTheServerSays(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	stop(t, start(t, server.Options{DataDir: dir}))
	if err := os.WriteFile(filepath.Join(dir, "pgdata", "postgresql.auto.conf"), []byte("nonsense = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := server.Start(t.Context(), server.Options{DataDir: dir})
	if err == nil || !strings.Contains(err.Error(), `unrecognized configuration parameter "nonsense"`) {
		t.Errorf("the server's reason is missing: %v", err)
	}
}

func TestStop_EphemeralLeavesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, server.Options{Ephemeral: true})
	dir := query(t, s.URL(), "SHOW data_directory")
	if !exists(dir) || filepath.Dir(dir) != s.Dir() {
		t.Fatalf("the data is in %s, and Dir is %s", dir, s.Dir())
	}
	if info, err := os.Stat(s.Dir()); err != nil || os.Geteuid() == 0 && info.Mode().Perm() != 0o711 {
		t.Errorf("root keeps its directory as %v, %v", info.Mode(), err)
	}
	stop(t, s)
	if exists(s.Dir()) {
		t.Errorf("%s is left", s.Dir())
	}
	stop(t, s) // stopping again does nothing
}

func TestStop_InAHurryLosesNothing(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, err := server.Start(t.Context(), server.Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	query(t, s.URL(), "CREATE TABLE kept AS SELECT 'yes' AS value")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	again := start(t, server.Options{DataDir: dir})
	if got := query(t, again.URL(), "SELECT value FROM kept"); got != "yes" {
		t.Errorf("the next start finds %q", got)
	}
}

func TestOptions_Validate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options server.Options
		valid   bool
	}{
		{"a directory", server.Options{DataDir: "/d"}, true},
		{"ephemeral", server.Options{Ephemeral: true}, true},
		{"neither", server.Options{}, false},
		{"both", server.Options{Ephemeral: true, DataDir: "/d"}, false},
		{"fewer connections than none", server.Options{Ephemeral: true, MaxConnections: -1}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := test.options.Validate(); (err == nil) != test.valid {
				t.Errorf("Validate says %v", err)
			}
		})
	}
}

func TestDefaultDataDir(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		env  map[string]string
		want string // for a user other than root
	}{
		{"XDG first", map[string]string{"XDG_DATA_HOME": "/x", "HOME": "/home/u"}, "/x/rowlock"},
		{"a relative XDG does not count", map[string]string{"XDG_DATA_HOME": "x", "HOME": "/home/u"}, "/home/u/.local/share/rowlock"},
		{"home", map[string]string{"HOME": "/home/u"}, "/home/u/.local/share/rowlock"},
		{"nothing", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := test.want
			if os.Geteuid() == 0 {
				want = "/var/lib/rowlock"
			}
			got, err := server.DefaultDataDir(func(name string) string { return test.env[name] })
			if got != want || (err != nil) != (want == "") {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}
