package pg

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3/lock"
)

var (
	//go:embed functions_installed.sql
	sqlFunctionsInstalled string
	//go:embed functions_lock.sql
	sqlFunctionsLock string
)

// function is an SQL function as in its file.
type function struct {
	name    string // of the function and of its file
	text    string // the whole file
	body    string // the text between the dollar quotes
	comment string // identifies the installed function
}

// readFunctions reads the functions directory of the migrations' file system, which may be missing.
func readFunctions(migrations fs.FS) ([]function, error) {
	files, err := fs.Glob(migrations, "functions/*.sql")
	if err != nil {
		return nil, err
	}
	all := make([]function, len(files))
	for i, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			return nil, err
		}
		if all[i], err = parseFunction(strings.TrimSuffix(path.Base(file), ".sql"), string(text)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parseFunction parses a file: comments, CREATE OR REPLACE FUNCTION name(…) …, AS $$, the body, and
// $$; at the end.
func parseFunction(name, text string) (function, error) {
	const create = "CREATE OR REPLACE FUNCTION "
	_, head, created := strings.Cut("\n"+text, "\n"+create)
	head, rest, begun := strings.Cut(head, " $$")
	if !begun {
		head, rest, begun = strings.Cut(head, "\n$$")
	}
	body, ended := strings.CutSuffix(rest, "$$;\n")
	if !created || !begun || !ended || !strings.HasPrefix(head, name+"(") || strings.Contains(body, "$$") || strings.Contains(body, create) {
		return function{}, fmt.Errorf("functions/%s.sql is not one statement %s%s(…) … AS $$…$$;", name, create, name)
	}
	return function{name: name, text: text, body: body, comment: fmt.Sprintf("Rowlock: migrations/functions/%s.sql, arguments %s, text %s",
		name, digest(head), digest(text))}, nil
}

// digest returns a short hash of a text.
func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// installed is an SQL function as the database has it.
type installed struct {
	Name, Signature, Body, Comment string
}

// is reports whether the database has the function as in the file.
func (i installed) is(f function) bool {
	return i.Name == f.name && i.Comment == f.comment && i.Body == f.body
}

// takes reports whether the file's function can replace it while it is being called: it has the
// same arguments, results and settings.
func (i installed) takes(f function) bool {
	was, _, _ := strings.Cut(i.Comment, ", text ")
	is, _, _ := strings.Cut(f.comment, ", text ")
	return was == is
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func readInstalled(ctx context.Context, db querier) ([]installed, error) {
	rows, err := db.Query(ctx, sqlFunctionsInstalled)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[installed])
}

// difference returns what must be dropped and what created so that the database has the files'
// functions.
func difference(have []installed, want []function) (drop []installed, create []function) {
	todo := map[string]function{}
	for _, f := range want {
		todo[f.name] = f
	}
	current := map[string]bool{}
	for _, i := range have {
		f, wanted := todo[i.Name]
		switch {
		case wanted && i.is(f):
			current[i.Name] = true
		case !wanted || !i.takes(f):
			drop = append(drop, i)
		}
	}
	for _, f := range want {
		if !current[f.name] {
			create = append(create, f)
		}
	}
	return drop, create
}

// installFunctions installs the files' functions in a database at the files' version, in one
// transaction: it replaces those that differ, and drops those without a file. Functions that are
// not Rowlock's stay, and cause an error if one has the name of one of Rowlock's and other
// arguments.
//
// It takes the lock under which the migrations run. A database at another version is left alone: it
// has, or will have, the functions of the process that brought it there. Running processes call the
// new functions from their next statement on; calls in progress finish with the old ones.
func installFunctions(ctx context.Context, pool *pgxpool.Pool, migrations fs.FS, version int64) error {
	want, err := readFunctions(migrations)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, sqlFunctionsLock, lock.DefaultLockID); err != nil {
			return err
		}
		have, err := readVersion(ctx, tx)
		if err != nil || have != version {
			return err
		}
		return replaceFunctions(ctx, tx, want)
	})
}

func replaceFunctions(ctx context.Context, tx pgx.Tx, want []function) error {
	have, err := readInstalled(ctx, tx)
	if err != nil {
		return err
	}
	drop, create := difference(have, want)
	for _, i := range drop {
		if _, err := tx.Exec(ctx, "DROP FUNCTION "+i.Signature); err != nil {
			return fmt.Errorf("drop the function %s: %w", i.Signature, err)
		}
	}
	for _, f := range create {
		if _, err := tx.Exec(ctx, f.text); err != nil {
			return fmt.Errorf("create the function %s: %w", f.name, err)
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf("COMMENT ON FUNCTION %s IS '%s'", f.name, f.comment)); err != nil {
			return fmt.Errorf("create the function %s: %w", f.name, err)
		}
	}
	return nil
}

// checkFunctions returns ErrNotMigrated if the database does not have the files' functions.
func checkFunctions(ctx context.Context, pool *pgxpool.Pool, migrations fs.FS) error {
	want, err := readFunctions(migrations)
	if err != nil {
		return err
	}
	have, err := readInstalled(ctx, pool)
	if err != nil {
		return fmt.Errorf("read the database's functions: %w", err)
	}
	switch drop, create := difference(have, want); {
	case len(drop) > 0:
		return fmt.Errorf("%w: its function %s belongs to another version of Rowlock", ErrNotMigrated, drop[0].Signature)
	case len(create) > 0:
		return fmt.Errorf("%w: its function %s differs from that of this version of Rowlock", ErrNotMigrated, create[0].name)
	}
	return nil
}
