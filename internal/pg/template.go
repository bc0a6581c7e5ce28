package pg

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

var (
	//go:embed template_lock.sql
	sqlTemplateLock string
	//go:embed database_exists.sql
	sqlDatabaseExists string
)

// Strategy is how a server copies a database.
type Strategy string

const (
	// ThroughWAL copies block by block, through the write-ahead log.
	ThroughWAL Strategy = "wal_log"
	// AsFiles takes a third of the CPU time, but begins and ends with a checkpoint of the whole
	// server, which all concurrent users wait for in turn: for a server that does not flush to disk.
	AsFiles Strategy = "file_copy"
)

// Template returns the name of a database that has the migrations and nothing else, on the server
// that base names, and creates it if necessary. Connections to it are not allowed, because a
// database with sessions cannot be copied. The user must be allowed to create databases:
// IsForbidden detects that.
func Template(ctx context.Context, base string, migrations fs.FS) (name string, err error) {
	if name, err = TemplateName(migrations); err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }() // this releases the lock

	if _, err := conn.Exec(ctx, sqlTemplateLock); err != nil {
		return "", err
	}
	if exists, err := DatabaseExistsIn(ctx, conn, name); err != nil || exists {
		return name, err
	}
	// It gets its name when it is complete. What a killed process left under the other name is
	// started over.
	unfinished := name + "_unfinished"
	for _, statement := range []string{
		dropping(unfinished),
		creating(unfinished, "template0", ThroughWAL),
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", fmt.Errorf("%s: %w", statement, err)
		}
	}
	if err := migrateDatabase(ctx, base, unfinished, migrations); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+unfinished+" RENAME TO "+name)
	return name, err
}

func migrateDatabase(ctx context.Context, base, database string, migrations fs.FS) error {
	target, err := WithDatabase(base, database)
	if err != nil {
		return err
	}
	pool, err := Open(ctx, Config{URL: target})
	if err != nil {
		return err
	}
	defer pool.Close()
	return Migrate(ctx, pool, migrations)
}

// TemplateName returns the name of the template for a state of the migrations.
func TemplateName(files fs.FS) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%s %d\n%s", path, len(body), body)
		return err
	})
	return fmt.Sprintf("rowlock_template_%x", sum.Sum(nil)[:8]), err
}

// CreateDatabaseIn creates a database, in the caller's session, as a copy of another, which must have
// no connections. Locks of the session are held until the server has finished, even if the caller is
// gone by then.
func CreateDatabaseIn(ctx context.Context, session *pgx.Conn, name, template string, s Strategy) error {
	if _, err := session.Exec(ctx, creating(name, template, s)); err != nil {
		return fmt.Errorf("create the database %s: %w", name, err)
	}
	return nil
}

// DatabaseExistsIn reports, in the caller's session, whether the server has a database of this name.
func DatabaseExistsIn(ctx context.Context, session *pgx.Conn, name string) (exists bool, err error) {
	err = session.QueryRow(ctx, sqlDatabaseExists, name).Scan(&exists)
	return exists, err
}

// RenameDatabaseIn renames a database in the caller's session. It returns false if no database has
// the first name, or if sessions use it.
func RenameDatabaseIn(ctx context.Context, session *pgx.Conn, from, to string) (renamed bool, err error) {
	_, err = session.Exec(ctx, "ALTER DATABASE "+pgx.Identifier{from}.Sanitize()+" RENAME TO "+pgx.Identifier{to}.Sanitize())
	switch state(err) {
	case stateUndefinedDatabase, stateObjectInUse:
		return false, nil
	}
	return err == nil, err
}

func creating(name, template string, s Strategy) string {
	return "CREATE DATABASE " + pgx.Identifier{name}.Sanitize() + " TEMPLATE " + pgx.Identifier{template}.Sanitize() + " STRATEGY " + string(s)
}

// DropDatabase is DropDatabaseIn with a connection of its own.
func DropDatabase(ctx context.Context, base, name string) (err error) {
	session, err := pgx.Connect(ctx, base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close(ctx)) }()
	return DropDatabaseIn(ctx, session, name)
}

// DropDatabaseIn removes a database, in the caller's session, and ends the sessions in it. A missing
// database is not an error.
func DropDatabaseIn(ctx context.Context, session *pgx.Conn, name string) error {
	if _, err := session.Exec(ctx, dropping(name)); err != nil {
		return fmt.Errorf("drop the database %s: %w", name, err)
	}
	return nil
}

func dropping(name string) string {
	return fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", pgx.Identifier{name}.Sanitize())
}

// WithDatabase replaces the database in a connection string.
func WithDatabase(base, database string) (string, error) {
	if !strings.HasPrefix(base, "postgres://") && !strings.HasPrefix(base, "postgresql://") {
		return base + " dbname=" + database, nil // keywords and values: the last one counts
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("database URL: %w", err)
	}
	u.Path = "/" + database
	return u.String(), nil
}
