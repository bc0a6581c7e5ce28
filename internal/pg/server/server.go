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
	"sync"
	"time"
)

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
				s.stopped = fmt.Errorf("PostgreSQL did not shut down in time and was stopped immediately: %w", ctx.Err())
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
