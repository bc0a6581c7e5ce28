package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// initialise creates the database cluster of an empty data directory. It works under another name,
// flushes the files and renames, so that a cluster is either complete or missing, whenever it is
// killed.
func initialise(ctx context.Context, bin Binaries, dir string, user *account) error {
	data := filepath.Join(dir, dataName)
	if _, err := os.Stat(data); err == nil || !errors.Is(err, os.ErrNotExist) {
		return err
	}
	unfinished, err := os.MkdirTemp(dir, initPrefix)
	if err != nil {
		return fmt.Errorf("initialise PostgreSQL: %w", err)
	}
	if err := user.own(unfinished); err != nil {
		return err
	}
	args := []string{
		"--pgdata=" + unfinished, "--username=" + superuser, "--encoding=UTF8", "--locale=C",
		"--no-sync", "--no-instructions",
	}
	if runtime.GOOS == "windows" {
		file, err := newPassword(dir)
		if err != nil {
			return fmt.Errorf("initialise PostgreSQL: %w", err)
		}
		args = append(args, "--auth=scram-sha-256", "--pwfile="+file)
	} else {
		args = append(args, "--auth=trust")
	}
	if err := runInitdb(ctx, bin, dir, user, args...); err != nil {
		return err
	}
	if err := runInitdb(ctx, bin, dir, user, "--pgdata="+unfinished, "--sync-only"); err != nil {
		return err
	}
	if err := os.Rename(unfinished, data); err != nil {
		return fmt.Errorf("initialise PostgreSQL: %w", err)
	}
	return syncDir(dir)
}

// runInitdb runs initdb to its end. It dies with this process, and when ctx ends.
func runInitdb(ctx context.Context, bin Binaries, dir string, user *account, args ...string) error {
	var output bytes.Buffer
	cmd := exec.Command(filepath.Join(bin.Dir, executable("initdb")), args...)
	cmd.Dir, cmd.Env = dir, environment()
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 5 * time.Second // for a killed initdb, whose own children may keep the output open
	p, err := spawn(cmd, user)
	if err != nil {
		return fmt.Errorf("initialise PostgreSQL: %w", err)
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.end(quit)
		return fmt.Errorf("initialise PostgreSQL: %w", ctx.Err())
	}
	if p.err != nil {
		return fmt.Errorf("initialise PostgreSQL: initdb: %w\n%s", p.err, bytes.TrimSpace(output.Bytes()))
	}
	return nil
}

// syncDir makes a rename in dir survive a power failure.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // directories cannot be flushed there, and need not be
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
