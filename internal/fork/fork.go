package fork

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
)

var (
	//go:embed lock.sql
	sqlLock string
	//go:embed unlock.sql
	sqlUnlock string
	//go:embed claim.sql
	sqlClaim string
	//go:embed ready.sql
	sqlReady string
	//go:embed list.sql
	sqlList string
	//go:embed removing.sql
	sqlRemoving string
	//go:embed expire.sql
	sqlExpire string
	//go:embed left.sql
	sqlLeft string
	//go:embed gone.sql
	sqlGone string
)

// Max is how many forks a cluster may have.
const Max = 8

// Errors.
var (
	ErrExists    = errors.New("there is a fork of that name")
	ErrNotFound  = errors.New("there is no such fork")
	ErrTooMany   = fmt.Errorf("there are %d forks, and there may be no more", Max)
	ErrForbidden = errors.New("the database user may not create databases, which forks need: ask the administrator to run ALTER ROLE … CREATEDB")
)

// State is how far a fork is.
type State string

// The states.
const (
	Making   State = "making"
	Ready    State = "ready"
	Removing State = "removing"
)

// Fork is one fork.
type Fork struct {
	ID       uuid.UUID
	Name     string
	State    State
	Database string
	Origin   string          // the snapshot that it was made from; empty: the cluster
	Revision object.Revision // of the cluster or the snapshot
	Created  time.Time       // real time, as Expires
	Expires  time.Time       // zero for never
	Left     time.Duration   // until then, when it was read
}

// Registry manages the forks of a cluster. It is safe for concurrent use.
type Registry struct {
	Pool       *pgxpool.Pool
	URL        string // of the cluster's database
	Migrations fs.FS
}

// Order describes a fork to make.
type Order struct {
	Name, Origin string
	TTL          time.Duration // its lifetime; 0 means for ever
	// Fill fills the database, which has no other user, and returns the revision of its contents.
	Fill func(ctx context.Context, pool *pgxpool.Pool) (object.Revision, error)
}

// Make makes a fork. Errors: ErrExists, ErrTooMany, ErrForbidden, ErrNotFound if it was removed
// meanwhile, and those of Fill. After an error, nothing of it is left; if this process dies, its
// remains stay until another process Sweeps.
func (r *Registry) Make(ctx context.Context, o Order) (Fork, error) {
	id := uuid.New()
	session, err := r.Pool.Acquire(ctx)
	if err != nil {
		return Fork{}, fmt.Errorf("make the fork %s: %w", o.Name, err)
	}
	defer session.Release()
	if _, err := lock(ctx, session.Conn(), id); err != nil {
		return Fork{}, fmt.Errorf("make the fork %s: %w", o.Name, err)
	}
	defer unlock(ctx, session.Conn(), id)

	var ttl *time.Duration
	if o.TTL > 0 {
		ttl = &o.TTL
	}
	var database string
	err = session.QueryRow(ctx, sqlClaim, id, o.Name, o.Origin, ttl, Max).Scan(&database)
	switch {
	case pg.IsDuplicate(err):
		return Fork{}, fmt.Errorf("make the fork %s: %w", o.Name, ErrExists)
	case errors.Is(err, pgx.ErrNoRows):
		return Fork{}, ErrTooMany
	case err != nil:
		return Fork{}, fmt.Errorf("make the fork %s: %w", o.Name, err)
	}
	if err := r.fill(ctx, session.Conn(), id, database, o); err != nil {
		return Fork{}, fmt.Errorf("make the fork %s: %w", o.Name, errors.Join(forbidden(err), r.undo(ctx, session.Conn(), id, database, o.Name)))
	}
	return r.Find(ctx, o.Name)
}

// forbidden explains what to do about a missing privilege.
func forbidden(err error) error {
	if pg.IsForbidden(err) {
		return fmt.Errorf("%w (PostgreSQL says: %s)", ErrForbidden, pg.Message(err))
	}
	return err
}

// fill makes the database and its contents, and marks the fork as ready.
func (r *Registry) fill(ctx context.Context, session *pgx.Conn, id uuid.UUID, database string, o Order) error {
	template, err := pg.Template(ctx, r.URL, r.Migrations)
	if err != nil {
		return err
	}
	if err := pg.CreateDatabaseIn(ctx, session, database, template, pg.ThroughWAL); err != nil { // under the lock, even if the client is gone
		return err
	}
	url, err := r.DatabaseURL(database)
	if err != nil {
		return err
	}
	pool, err := pg.Open(ctx, pg.Config{URL: url, MaxConns: 2})
	if err != nil {
		return err
	}
	revision, err := o.Fill(ctx, pool)
	pool.Close()
	if err != nil {
		return err
	}
	tag, err := session.Exec(ctx, sqlReady, id, revision)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNotFound
	}
	return err
}

// undo removes what exists of a fork that could not be made. If that fails too, it is left to
// Sweep, for example because the session was cut: the server may still be executing its last
// statement.
func (r *Registry) undo(ctx context.Context, session *pgx.Conn, id uuid.UUID, database, name string) error {
	if session.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	if err := r.drop(ctx, session, id, database); err != nil {
		return fmt.Errorf("undo the fork %s: %w", name, err)
	}
	return nil
}

// drop removes a fork's database, and then its row. The caller holds its lock.
func (r *Registry) drop(ctx context.Context, session *pgx.Conn, id uuid.UUID, database string) error {
	if err := pg.DropDatabaseIn(ctx, session, database); err != nil {
		return err
	}
	_, err := session.Exec(ctx, sqlGone, id)
	return err
}

// lock takes the lock of a fork if it is free.
func lock(ctx context.Context, session *pgx.Conn, id uuid.UUID) (free bool, err error) {
	err = session.QueryRow(ctx, sqlLock, id).Scan(&free)
	return free, err
}

// unlock releases it, with the session if necessary.
func unlock(ctx context.Context, session *pgx.Conn, id uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if _, err := session.Exec(ctx, sqlUnlock, id); err != nil {
		_ = session.Close(ctx) // the pool discards it
	}
}

// DatabaseURL returns the URL of a fork's database.
func (r *Registry) DatabaseURL(database string) (string, error) {
	return pg.WithDatabase(r.URL, database)
}

// List returns all forks, by name.
func (r *Registry) List(ctx context.Context) ([]Fork, error) {
	rows, err := r.Pool.Query(ctx, sqlList)
	if err != nil {
		return nil, fmt.Errorf("list the forks: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f Fork, err error) {
		var expires *time.Time
		var left *time.Duration
		err = row.Scan(&f.ID, &f.Name, &f.State, &f.Database, &f.Origin, &f.Revision, &f.Created, &expires, &left)
		f.Created = f.Created.UTC()
		if expires != nil {
			f.Expires, f.Left = expires.UTC(), *left
		}
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("list the forks: %w", err)
	}
	return all, nil
}

// Find returns the fork with a name, or ErrNotFound.
func (r *Registry) Find(ctx context.Context, name string) (Fork, error) {
	all, err := r.List(ctx)
	if err != nil {
		return Fork{}, err
	}
	for _, f := range all {
		if f.Name == name {
			return f, nil
		}
	}
	return Fork{}, ErrNotFound
}

// Hide marks a fork for removal: it is not found any more. Sweep then removes it, here or
// elsewhere. It returns ErrNotFound if there is no such fork.
func (r *Registry) Hide(ctx context.Context, name string) error {
	var id uuid.UUID
	var database string
	err := r.Pool.QueryRow(ctx, sqlRemoving, name).Scan(&id, &database)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("remove the fork %s: %w", name, err)
	}
	return nil
}

// Sweep removes the forks that are marked for removal or expired, or whose maker has died, and that
// no other process is working on. Any process may call it at any time. It returns how many it has
// removed, and how many others are working on.
func (r *Registry) Sweep(ctx context.Context) (swept, busy int, err error) {
	if _, err := r.Pool.Exec(ctx, sqlExpire); err != nil {
		return 0, 0, fmt.Errorf("look for forks that are to go: %w", err)
	}
	type left struct {
		ID       uuid.UUID
		Database string
	}
	rows, err := r.Pool.Query(ctx, sqlLeft)
	if err != nil {
		return 0, 0, fmt.Errorf("look for forks that are to go: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[left])
	if err != nil {
		return 0, 0, fmt.Errorf("look for forks that are to go: %w", err)
	}
	var errs []error
	for _, f := range all {
		errs = append(errs, r.Pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
			free, err := lock(ctx, c.Conn(), f.ID)
			if err != nil {
				return err
			}
			if !free {
				busy++
				return nil
			}
			defer unlock(ctx, c.Conn(), f.ID)
			swept++
			return r.drop(ctx, c.Conn(), f.ID, f.Database)
		}))
	}
	if err := errors.Join(errs...); err != nil {
		return swept, busy, fmt.Errorf("remove forks: %w", err)
	}
	return swept, busy, nil
}
