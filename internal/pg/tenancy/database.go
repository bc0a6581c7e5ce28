package tenancy

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/pg"
)

var (
	//go:embed hold.sql
	sqlHold string
	//go:embed try_hold.sql
	sqlTryHold string
	//go:embed left.sql
	sqlLeft string
)

// prefix is the prefix of the names of all databases that NewDatabase returns.
const prefix = "rowlock_envtest_"

// Recipe is what the databases of one sort begin with.
type Recipe struct {
	// Migrations make the schema.
	Migrations fs.FS
	// Fill writes into a spare database what its user would otherwise write first; nil leaves it
	// empty. It may be called at any time, also for a database that is never used. A database that
	// was not spare is not filled.
	Fill func(ctx context.Context, url string) error
	// Version is that of Fill. What one version has filled is not used by another.
	Version string
}

// spareName returns the name of the spare database.
func (r Recipe) spareName() (string, error) {
	template, err := pg.TemplateName(r.Migrations)
	version := sha256.Sum256([]byte(r.Version))
	return fmt.Sprintf("%s_spare_%x", template, version[:4]), err
}

// Database is a migrated database that lives at most as long as its process. Its methods are not
// safe for concurrent use.
type Database struct {
	server, name, url string
	held              *pgx.Conn // the session that holds its lock
}

// NewDatabase returns a database with the migrations on the server: the spare one if there is one,
// otherwise a new copy of a template, which it creates if necessary. All callers must connect to the
// same database of the server, because its advisory locks belong to that database.
func NewDatabase(ctx context.Context, server string, r Recipe) (*Database, error) {
	spare, err := r.spareName()
	if err != nil {
		return nil, err
	}
	d, err := hold(ctx, server)
	if err != nil {
		return nil, err
	}
	taken, err := pg.RenameDatabaseIn(ctx, d.held, spare, d.name)
	if err == nil && !taken {
		err = d.create(ctx, r.Migrations)
	}
	if err != nil {
		return nil, errors.Join(err, d.held.Close(ctx))
	}
	return d, nil
}

// Prepare makes the spare database, unless there is one or another caller is making it. Copying a
// template takes ten times as long as renaming a database, and filling it longer still: the next
// NewDatabase saves both. What it leaves when it fails, or when its process ends, Sweep drops.
func Prepare(ctx context.Context, server string, r Recipe) (err error) {
	spare, err := r.spareName()
	if err != nil {
		return err
	}
	d, err := hold(ctx, server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.held.Close(ctx)) }() // this releases the locks
	var first, exists bool
	if err := d.held.QueryRow(ctx, sqlTryHold, spare).Scan(&first); err != nil || !first {
		return err
	}
	if exists, err = pg.DatabaseExistsIn(ctx, d.held, spare); err != nil || exists {
		return err
	}
	if err := d.create(ctx, r.Migrations); err != nil {
		return err
	}
	if r.Fill != nil {
		if err := r.Fill(ctx, d.url); err != nil {
			return fmt.Errorf("fill the spare database: %w", err)
		}
	}
	renamed, err := pg.RenameDatabaseIn(ctx, d.held, d.name, spare)
	if err == nil && !renamed {
		err = errors.New("the spare database is still in use")
	}
	return err
}

// hold draws a name and takes its lock, before the database exists: so Sweep never finds one
// without it.
func hold(ctx context.Context, server string) (*Database, error) {
	d := &Database{server: server, name: prefix + strings.ToLower(rand.Text()[:12])}
	var err error
	if d.url, err = pg.WithDatabase(d.server, d.name); err != nil {
		return nil, err
	}
	if d.held, err = pgx.Connect(ctx, server); err != nil {
		return nil, err
	}
	if _, err := d.held.Exec(ctx, sqlHold, d.name); err != nil {
		return nil, errors.Join(fmt.Errorf("lock the database %s: %w", d.name, err), d.held.Close(ctx))
	}
	return d, nil
}

// create creates the database.
func (d *Database) create(ctx context.Context, migrations fs.FS) error {
	template, err := pg.Template(ctx, d.server, migrations)
	if err != nil {
		return err
	}
	return pg.CreateDatabaseIn(ctx, d.held, d.name, template, pg.ThroughWAL)
}

// URL returns how to connect to the database.
func (d *Database) URL() string { return d.url }

// Close drops the database and ends the sessions in it.
func (d *Database) Close(ctx context.Context) error {
	return errors.Join(pg.DropDatabase(ctx, d.server, d.name), d.held.Close(ctx))
}

// Sweep drops the databases whose processes have ended. Several calls may run at the same time.
func Sweep(ctx context.Context, server string) (err error) {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }() // this releases the locks
	rows, err := conn.Query(ctx, sqlLeft, prefix)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		var free bool
		if err := conn.QueryRow(ctx, sqlTryHold, name).Scan(&free); err != nil {
			return err
		}
		if !free {
			continue
		}
		if err := pg.DropDatabaseIn(ctx, conn, name); err != nil {
			return err
		}
	}
	return nil
}
