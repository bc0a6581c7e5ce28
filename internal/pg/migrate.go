package pg

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed schema_version.sql
var sqlSchemaVersion string

// What Migrate and CheckMigrated refuse.
var (
	ErrNotMigrated = errors.New("the database has not been migrated")
	ErrNewerSchema = errors.New("the database was migrated by a newer Rowlock")
	ErrOlderSchema = errors.New("the database is too old: open it with an earlier Rowlock first")
)

// Migrate brings the database to the newest version in migrations, goose files in the root of the
// file system, and then installs the functions of its functions directory, one file each. Several
// processes may call it at once: a session lock lets one of them work while the others wait, at
// most a minute. A database that is newer than the files is left alone without an error;
// CheckMigrated detects it. One that is older than the oldest file, but not empty, is left alone
// with ErrOlderSchema.
func Migrate(ctx context.Context, pool *pgxpool.Pool, migrations fs.FS) error {
	have, err := SchemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	var newest int64
	err = withProvider(pool, migrations, func(p *goose.Provider) error {
		var oldest int64
		if oldest, newest = versions(p); 0 < have && have < oldest {
			return fmt.Errorf("%w: it is at version %d, and this Rowlock migrates from version %d", ErrOlderSchema, have, oldest)
		}
		_, err := p.Up(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if err := installFunctions(ctx, pool, migrations, newest); err != nil {
		return fmt.Errorf("install the database's functions: %w", err)
	}
	return nil
}

// Unmigrate takes the database back to the given version: it drops the functions, which belong to
// the newest version, and runs the newer migrations' down halves, newest first. 0 undoes all. It
// destroys data; tests of migrations use it.
func Unmigrate(ctx context.Context, pool *pgxpool.Pool, migrations fs.FS, version int64) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return replaceFunctions(ctx, tx, nil) })
	if err == nil {
		err = withProvider(pool, migrations, func(p *goose.Provider) error {
			_, err := p.DownTo(ctx, version)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("migrate the database down to version %d: %w", version, err)
	}
	return nil
}

// CheckMigrated compares the database with the migrations and changes nothing. It returns
// ErrNotMigrated if some were not run or a function differs from its file, and ErrNewerSchema if
// the database has a migration that the files lack.
func CheckMigrated(ctx context.Context, pool *pgxpool.Pool, migrations fs.FS) error {
	have, err := SchemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	var want int64
	err = withProvider(pool, migrations, func(p *goose.Provider) error {
		_, want = versions(p)
		return nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("read the migrations: %w", err)
	case have < want:
		return fmt.Errorf("%w: it is at version %d, and this Rowlock needs %d", ErrNotMigrated, have, want)
	case have > want:
		return fmt.Errorf("%w: it is at version %d, and this Rowlock knows %d", ErrNewerSchema, have, want)
	}
	return checkFunctions(ctx, pool, migrations)
}

// versions returns the numbers of the oldest and the newest migration.
func versions(p *goose.Provider) (oldest, newest int64) {
	all := p.ListSources() // in order, and never empty
	return all[0].Version, all[len(all)-1].Version
}

// SchemaVersion returns the number of the newest migration that was run in the database, 0 if none
// was.
func SchemaVersion(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	return readVersion(ctx, pool)
}

func readVersion(ctx context.Context, db querier) (int64, error) {
	var version int64
	err := db.QueryRow(ctx, sqlSchemaVersion).Scan(&version)
	switch {
	case IsUndefinedTable(err):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("read the database's schema version: %w", err)
	}
	return version, nil
}

// withProvider lends a goose provider that borrows its connections from the pool.
func withProvider(pool *pgxpool.Pool, migrations fs.FS, use func(*goose.Provider) error) (err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60), lock.WithUnlockTimeout(1, 5))
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	return use(provider)
}
