package tenancy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	membersName = "members"
	lockName    = "server.lock"
	urlName     = "url"

	// poll is the pause between two checks of another process.
	poll = 5 * time.Millisecond
	// again is how long a started server may take to take its lock before another is started.
	again = 2 * time.Second
	// connectTimeout bounds one attempt to connect.
	connectTimeout = 5 * time.Second
)

// Member is a process's membership in the server. It ends with Close or with the process.
type Member struct {
	url  string
	file *os.File
}

// URL returns how to connect to the server, as a user that may create databases.
func (m *Member) URL() string { return m.url }

// Close ends the membership. The server may stop from now on.
func (m *Member) Close() error { return errors.Join(unlock(m.file), m.file.Close()) }

// Join waits until the directory's server takes connections, and has it started by start if no
// process runs it: start starts a process that calls Serve for the directory, and returns a channel
// that delivers how that ended. The directory is created if it does not exist.
//
// Errors: the context's, joined with what was waited for; that of a process that start has started
// and that could not run the server.
func Join(ctx context.Context, dir string, start func() (<-chan error, error)) (*Member, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := open(dir, membersName)
	if err != nil {
		return nil, err
	}
	m := &Member{file: file}
	if err := m.await(ctx, dir, start); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// await takes the member's lock, and then waits for the server.
func (m *Member) await(ctx context.Context, dir string, start func() (<-chan error, error)) error {
	for {
		taken, err := lock(m.file, false)
		if err != nil {
			return err
		}
		if taken {
			break
		}
		if err := pause(ctx, errors.New("the shared PostgreSQL is stopping")); err != nil {
			return err
		}
	}
	var ended <-chan error
	var started time.Time
	for {
		err := m.connect(ctx, dir)
		if err == nil {
			return nil
		}
		select {
		case how := <-ended:
			if how != nil {
				return how
			}
			ended = nil // another process runs it
		default:
		}
		runs, lockErr := running(dir)
		if lockErr != nil {
			return lockErr
		}
		if !runs && ended == nil && time.Since(started) > again {
			if ended, err = start(); err != nil {
				return fmt.Errorf("start the shared PostgreSQL: %w", err)
			}
			started = time.Now()
		}
		if err := pause(ctx, err); err != nil {
			return err
		}
	}
}

// connect checks whether the server is running.
func (m *Member) connect(ctx context.Context, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, urlName))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	m.url = strings.TrimSpace(string(text))
	conn, err := pgx.Connect(ctx, m.url)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// running reports whether a process holds the server's lock.
func running(dir string) (bool, error) {
	f, err := open(dir, lockName)
	if err != nil {
		return false, err
	}
	free, err := lock(f, true)
	if free {
		err = errors.Join(err, unlock(f))
	}
	return !free, errors.Join(err, f.Close())
}

// pause waits a moment, or returns why ctx ended with what was waited for.
func pause(ctx context.Context, waitsFor error) error {
	t := time.NewTimer(poll)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("wait for the shared PostgreSQL: %w", ctx.Err()), waitsFor)
	case <-t.C:
		return nil
	}
}

func open(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
}
