package tenancy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/rowlock/rowlock/internal/pg/server"
)

const (
	// look is how often Serve checks for members and for databases whose owners have gone.
	look = time.Second
	// patience is how long Serve tries to take the server's lock: others hold it for a moment, to
	// check whether any process does.
	patience = 200 * time.Millisecond
	// stopTimeout bounds how long the server may take to stop.
	stopTimeout = 10 * time.Second
)

// Options say how Serve runs the server.
type Options struct {
	// BinDir is the directory of PostgreSQL's programs; if empty, they are searched for.
	BinDir string
	// Idle is how long the server runs without a member. It must be positive.
	Idle time.Duration
	Log  *slog.Logger
}

// Serve runs an ephemeral PostgreSQL for the members of a directory until there has been none for a
// while, the directory is removed, or ctx ends. It returns nil at once if another process runs it.
// Errors are those of server.Start.
func Serve(ctx context.Context, dir string, o Options) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	held, err := open(dir, lockName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	free, err := take(ctx, held)
	if err != nil || !free {
		return err
	}
	defer func() { err = errors.Join(err, unlock(held)) }()
	members, err := open(dir, membersName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, members.Close()) }()

	if err := os.Remove(filepath.Join(dir, urlName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // that of another process, which was killed
	}
	own, err := server.Start(ctx, server.Options{Ephemeral: true, BinDir: o.BinDir, MaxConnections: maxConnections})
	if err != nil {
		return err
	}
	o.Log.Info("the shared PostgreSQL is ready", "url", own.URL())
	defer func() {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, urlName)), own.Stop(stopping))
	}()
	if err := publish(dir, own.URL()); err != nil {
		return err
	}
	return o.watch(ctx, own, members)
}

// maxConnections is enough for some 40 instances at a time.
const maxConnections = 1000

// take takes the server's lock; false means that another process holds it.
func take(ctx context.Context, f *os.File) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		free, err := lock(f, true)
		if free || err != nil {
			return free, err
		}
		if pause(ctx, nil) != nil {
			return false, nil
		}
	}
}

// publish writes the URL for members, completely or not at all.
func publish(dir, url string) error {
	path := filepath.Join(dir, urlName)
	if err := os.WriteFile(path+".new", []byte(url+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// watch drops what members leave behind, until there has been none for a while, or none can join.
// Then it returns with an exclusive lock on members, which is released with the file.
func (o Options) watch(ctx context.Context, own *server.Server, members *os.File) error {
	tick := time.NewTicker(look)
	defer tick.Stop()
	var idle time.Duration
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-own.Done():
			return errors.Join(errors.New("the shared PostgreSQL has exited"), own.Err())
		case <-tick.C:
		}
		if _, err := os.Stat(members.Name()); errors.Is(err, fs.ErrNotExist) {
			o.Log.Info("stopping the shared PostgreSQL: its directory was removed")
			return nil
		}
		if err := Sweep(ctx, own.URL()); err != nil && ctx.Err() == nil {
			o.Log.Warn("could not drop the databases of processes that have ended", "error", err)
		}
		alone, err := lock(members, true)
		if err != nil {
			return fmt.Errorf("look for members: %w", err)
		}
		if !alone {
			idle = 0
			continue
		}
		if idle += look; idle >= o.Idle {
			o.Log.Info("stopping the shared PostgreSQL: no process uses it")
			return nil
		}
		if err := unlock(members); err != nil {
			return fmt.Errorf("unlock for members: %w", err)
		}
	}
}
