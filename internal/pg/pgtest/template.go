package pgtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/pg"
)

// strategy copies a template block by block through the log. Copying its files would begin and end with a checkpoint
// of the whole server, for which tests that run at the same time would wait in turn.
const strategy = "wal_log"

// templateLock is the advisory lock under which one process makes the template while the others wait.
const templateLock = 7_262_116_001

// makeTemplate returns the name of a database that has the migrations, and makes it if it is not there.
func makeTemplate(ctx context.Context, base string, files fs.FS) (name string, err error) {
	hash, err := hashOf(files)
	if err != nil {
		return "", err
	}
	name = "rowlock_template_" + hash
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }() // which gives the lock back

	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return "", err
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil {
		return "", err
	}
	if exists {
		return name, nil
	}
	// It gets its name when it is complete. What a killed process left under the other is begun anew.
	unfinished := name + "_unfinished"
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + unfinished + " WITH (FORCE)",
		"CREATE DATABASE " + unfinished + " TEMPLATE template0 STRATEGY " + strategy,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", fmt.Errorf("%s: %w", statement, err)
		}
	}
	if err := migrate(ctx, base, unfinished, files); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+unfinished+" RENAME TO "+name)
	return name, err
}

func migrate(ctx context.Context, base, database string, files fs.FS) error {
	target, err := withDatabase(base, database)
	if err != nil {
		return err
	}
	pool, err := pg.Open(ctx, pg.Config{URL: target})
	if err != nil {
		return err
	}
	defer pool.Close()
	return pg.Migrate(ctx, pool, files)
}

// hashOf names the state of the migrations.
func hashOf(files fs.FS) (string, error) {
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
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), err
}

// withDatabase exchanges the database in a connection string.
func withDatabase(base, database string) (string, error) {
	if !strings.HasPrefix(base, "postgres://") && !strings.HasPrefix(base, "postgresql://") {
		return base + " dbname=" + database, nil // keywords and values: the last one counts
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("%s: %w", URLVariable, err)
	}
	u.Path = "/" + database
	return u.String(), nil
}

// exec runs one statement on a connection of its own: no test is to hold a session that another does not know of.
func exec(ctx context.Context, base, statement string) (err error) {
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
