package tenancy

import (
	"context"
	"crypto/rand"
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

// Database is a migrated database that lives at most as long as its process. Its methods are not
// safe for concurrent use.
type Database struct {
	server, name, url string
	held              *pgx.Conn // the session that holds its lock
}

// NewDatabase returns a database with the migrations on the server: the spare one if there is one,
// otherwise a new copy of a template, which it creates if necessary.
func NewDatabase(ctx context.Context, server string, migrations fs.FS) (*Database, error) {
	held, err := pgx.Connect(ctx, server)
	if err != nil {
		return nil, err
	}
	d := &Database{server: server, name: prefix + strings.ToLower(rand.Text()[:12]), held: held}
	if err := d.make(ctx, migrations); err != nil {
		return nil, errors.Join(err, held.Close(ctx))
	}
	return d, nil
}

// make takes the lock before the database exists, so that Sweep never finds one without it.
func (d *Database) make(ctx context.Context, migrations fs.FS) (err error) {
	if _, err := d.held.Exec(ctx, sqlHold, d.name); err != nil {
		return fmt.Errorf("hold the database %s: %w", d.name, err)
	}
	if d.url, err = pg.WithDatabase(d.server, d.name); err != nil {
		return err
	}
	spare, err := spareName(migrations)
	if err != nil {
		return err
	}
	if taken, err := pg.RenameDatabaseIn(ctx, d.held, spare, d.name); taken || err != nil {
		return err
	}
	template, err := pg.Template(ctx, d.server, migrations)
	if err != nil {
		return err
	}
	return pg.CreateDatabaseIn(ctx, d.held, d.name, template)
}

// Prepare creates the spare database of the migrations unless it exists. Copying a template takes
// ten times as long as renaming a database, so the next NewDatabase is that much faster. Several
// calls may run at the same time.
func Prepare(ctx context.Context, server string, migrations fs.FS) error {
	spare, err := spareName(migrations)
	if err != nil {
		return err
	}
	template, err := pg.Template(ctx, server, migrations)
	if err != nil {
		return err
	}
	if err := pg.CreateDatabase(ctx, server, spare, template, pg.ThroughWAL); err != nil && !pg.IsDuplicateDatabase(err) {
		return fmt.Errorf("create the spare database: %w", err)
	}
	return nil
}

// spareName returns the name of the spare database of the migrations.
func spareName(migrations fs.FS) (string, error) {
	template, err := pg.TemplateName(migrations)
	return template + "_spare", err
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
		if err := pg.DropDatabase(ctx, server, name); err != nil {
			return err
		}
	}
	return nil
}
