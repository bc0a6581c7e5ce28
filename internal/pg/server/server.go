// Package server runs a PostgreSQL of Rowlock's own: it finds the binaries, creates the data
// directory, and makes sure that the server never outlives its process, however that ends, and that
// the next start recovers what was left.
//
// A data directory holds:
//
//	lock              held for as long as a Rowlock uses the directory, with its process id
//	pgdata            PostgreSQL's files; a name that exists only once they are complete
//	pgdata.init-*     an initdb under way, or left by one that was killed
//	run               the Unix socket, closed to other users
//	password          on Windows, where the server listens on loopback instead
//	postgresql.log    what the server has said since its last start
package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Options say which server to run.
type Options struct {
	// DataDir is where the data lives. It is created if it does not exist. Required, unless
	// Ephemeral.
	DataDir string

	// Ephemeral puts the data into a temporary directory that is removed when the server stops or
	// its process dies. Such a server commits in order but does not flush to disk.
	Ephemeral bool

	// TempDir is where an ephemeral server's directory is made. If empty, os.TempDir().
	TempDir string

	// BinDir is the directory of the server's binaries. If empty, Find searches for them.
	BinDir string

	// MaxConnections is how many sessions the server takes. 0 means 200.
	MaxConnections int
}

// Validate reports what Start would refuse before it touches anything.
func (o Options) Validate() error {
	switch {
	case o.Ephemeral && o.DataDir != "":
		return errors.New("an ephemeral server has no data directory to choose")
	case !o.Ephemeral && o.TempDir != "":
		return errors.New("only an ephemeral server has a temporary directory")
	case !o.Ephemeral && o.DataDir == "":
		return errors.New("no data directory")
	case o.MaxConnections < 0:
		return fmt.Errorf("%d connections is not a limit", o.MaxConnections)
	}
	return nil
}

// DefaultDataDir returns where data is kept by default: /var/lib/rowlock for root, whose home is
// closed to the user that the server runs as, and $XDG_DATA_HOME/rowlock or ~/.local/share/rowlock
// for other users.
func DefaultDataDir(getenv func(string) string) (string, error) {
	if runsAsRoot() {
		return "/var/lib/rowlock", nil
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "rowlock"), nil
	}
	if local := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && local != "" {
		return filepath.Join(local, "rowlock"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "rowlock"), nil
	}
	return "", errors.New("no data directory: neither XDG_DATA_HOME nor HOME is set")
}

// Server is a running PostgreSQL. Its methods may be called from several goroutines.
type Server struct {
	ephemeral bool
	dir       string
	at        address
	lock      *os.File
	process   *process
	stop      sync.Once
	stopped   error // the result of Stop; read after stop
}

// Start starts the server on its data directory, which it creates first if necessary, and returns
// when the server takes connections. Cancelling ctx ends the start, not the server.
//
// Errors: *NotFoundError if no PostgreSQL is installed, ErrInUse if another Rowlock has the
// directory, ErrOtherVersion if the data needs a PostgreSQL that is not installed.
func Start(ctx context.Context, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	user, err := serverAccount(o.DataDir)
	if err != nil {
		return nil, err
	}
	dir, err := makeDir(o, user)
	if err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{ephemeral: o.Ephemeral, dir: dir, lock: lock}
	if err := s.start(ctx, o, user); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// start does the work of Start under the directory's lock.
func (s *Server) start(ctx context.Context, o Options, user *account) error {
	data := filepath.Join(s.dir, dataName)
	bin, err := findFor(o.BinDir, data)
	if err != nil {
		return err
	}
	if err := clearLeftovers(ctx, s.dir); err != nil {
		return err
	}
	if err := initialise(ctx, bin, s.dir, user); err != nil {
		return err
	}
	if s.at, err = newAddress(s.dir, user); err != nil {
		return err
	}

	log := filepath.Join(s.dir, "postgresql.log")
	s.process, err = spawnServer(bin, s.dir, log, append(settings(o), s.at.settings()...), user, s.ephemeral)
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	s.process.lock = s.lock
	if err := s.process.awaitReady(ctx, data); err != nil {
		s.process.end(quit)
		return fmt.Errorf("start PostgreSQL: %w%s", err, tail(log))
	}
	return nil
}

// URL returns how to connect to the server, as pgx, libpq and psql understand it. Over the Unix
// socket there is no password; the directory around it keeps other users out.
func (s *Server) URL() string { return s.at.url() }

// Dir returns the data directory, absolute and free of symbolic links. An ephemeral server's
// directory is removed with everything in it when the server ends, even if this process is killed.
func (s *Server) Dir() string { return s.dir }

// Done returns a channel that is closed when the server's process has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Err returns how the process ended: nil while it runs and if it ended normally.
func (s *Server) Err() error {
	select {
	case <-s.process.done:
		return s.process.err
	default:
		return nil
	}
}

// Stop shuts the server down: it ends the sessions, writes a checkpoint and exits. If ctx ends
// first, the server is made to exit at once, and its next start recovers. An ephemeral server exits
// at once and its files are removed. A second Stop does nothing and returns the same.
func (s *Server) Stop(ctx context.Context) error {
	s.stop.Do(func() {
		if s.ephemeral {
			s.process.end(quit)
		} else {
			s.process.signal(fast)
			select {
			case <-s.process.done:
				s.stopped = s.process.err
			case <-ctx.Done():
				s.process.end(quit)
				s.stopped = fmt.Errorf("PostgreSQL did not shut down in time and was made to exit: %w", ctx.Err())
			}
		}
		s.stopped = errors.Join(s.stopped, s.release())
	})
	return s.stopped
}

// release releases the directory.
func (s *Server) release() error {
	err := s.at.remove()
	if s.ephemeral {
		err = errors.Join(err, removeAll(s.dir))
	}
	return errors.Join(err, unlock(s.lock), s.lock.Close())
}

// removeAll is os.RemoveAll, with patience for the last files that a dying process may still
// create.
func removeAll(dir string) error {
	var err error
	for range 100 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}
