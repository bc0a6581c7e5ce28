// Command withpg runs a command with a PostgreSQL server for its tests: an ephemeral one, whose URL
// is in ROWLOCK_TEST_DATABASE_URL and which ends with the command, or the one that the variable
// already names.
//
//	withpg go test ./...
//
// Without a command it prints the variable and keeps the server until it is interrupted, so that
// the databases of failed tests can be inspected.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/pg/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpg:", err)
	}
	os.Exit(code)
}

// run returns the command's exit code, or 1 with an error of its own.
func run(ctx context.Context, command []string, out io.Writer) (code int, err error) {
	url := os.Getenv(pgtest.URLVariable)
	if url == "" {
		s, err := server.Start(ctx, server.Options{Ephemeral: true, TempDir: memoryDir(), BinDir: os.Getenv("PG_BIN"), MaxConnections: 2000})
		if err != nil {
			return 1, fmt.Errorf("tests need PostgreSQL 15 or newer, which `make deps` installs: %w", err)
		}
		defer func() {
			if stopErr := s.Stop(context.Background()); stopErr != nil {
				code, err = 1, errors.Join(err, stopErr)
			}
		}()
		url = s.URL()
	}
	if len(command) == 0 {
		if _, err := fmt.Fprintf(out, "export %s='%s'\n", pgtest.URLVariable, url); err != nil {
			return 1, err
		}
		<-ctx.Done()
		return 0, nil
	}
	return runCommand(ctx, url, command)
}

// runCommand gives an interrupted command ten seconds to end by itself.
func runCommand(ctx context.Context, url string, command []string) (int, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), pgtest.URLVariable+"="+url)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return max(1, exit.ExitCode()), nil // -1 when a signal ended it
	case err != nil:
		return 1, err
	}
	return 0, nil
}
