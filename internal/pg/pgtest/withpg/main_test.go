//go:build !windows

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// No test here is parallel: each sets the variable that all read.

func TestRun_GivesTheCommandAServerThatEndsWithIt(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "")
	seen := filepath.Join(t.TempDir(), "url")
	code, err := run(t.Context(), []string{"sh", "-c", `printf %s "$` + pgtest.URLVariable + `" > "$0"; exit 3`, seen}, os.Stdout)
	if code != 3 || err != nil {
		t.Errorf("the command exits with 3, and we with %d, %v", code, err)
	}
	url, err := os.ReadFile(seen)
	if err != nil || len(url) == 0 {
		t.Fatalf("the command saw %q, %v", url, err)
	}
	if conn, err := pgx.Connect(t.Context(), string(url)); err == nil {
		_ = conn.Close(t.Context())
		t.Error("the server is left")
	}
}

func TestRun_UsesTheServerThatIsNamed(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "postgres://named/x")
	code, err := run(t.Context(), []string{"sh", "-c", `[ "$` + pgtest.URLVariable + `" = postgres://named/x ]`}, os.Stdout)
	if code != 0 || err != nil {
		t.Errorf("got %d, %v", code, err)
	}
}

func TestRun_NoSuchCommand(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "postgres://named/x")
	if code, err := run(t.Context(), []string{"/no/such/command"}, os.Stdout); code != 1 || err == nil {
		t.Errorf("got %d, %v", code, err)
	}
}

func TestRun_WithoutACommandWaitsToBeInterrupted(t *testing.T) {
	t.Setenv(pgtest.URLVariable, "postgres://named/x")
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out bytes.Buffer
	code, err := run(ctx, nil, &out)
	if code != 0 || err != nil || strings.TrimSpace(out.String()) != "export "+pgtest.URLVariable+"='postgres://named/x'" {
		t.Errorf("got %d, %v, %q", code, err, out.String())
	}
}
