package pg_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// verdict is the result of all predicates for one error.
type verdict struct {
	UndefinedTable, InvalidSetting bool
	ConnectionLoss, Retryable      bool
	Exhausted, OtherSchema         bool
}

func judge(err error) verdict {
	return verdict{
		UndefinedTable: pg.IsUndefinedTable(err), InvalidSetting: pg.IsInvalidSetting(err),
		ConnectionLoss: pg.IsConnectionLoss(err), Retryable: pg.IsRetryable(err),
		Exhausted: pg.IsExhausted(err), OtherSchema: pg.IsOtherSchema(err),
	}
}

func TestErrors_AsTheServerSaysThem(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	exec := func(statements ...string) func(context.Context, *pgxpool.Pool) error {
		return func(ctx context.Context, pool *pgxpool.Pool) error {
			return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
				defer conn.Exec(context.Background(), "RESET ALL") //nolint:errcheck // the session may be gone
				for _, statement := range statements {
					if _, err := conn.Exec(ctx, statement); err != nil {
						return fmt.Errorf("wrapped: %w", err)
					}
				}
				return nil
			})
		}
	}
	if err := exec("CREATE TABLE t (id int CONSTRAINT t_id UNIQUE)", "INSERT INTO t VALUES (1)")(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		do   func(context.Context, *pgxpool.Pool) error
		want verdict
	}{
		{"no error", exec("SELECT 1"), verdict{}},
		{"a duplicate", exec("INSERT INTO t VALUES (1)"), verdict{}},
		{"no such table", exec("SELECT FROM nowhere"), verdict{UndefinedTable: true, OtherSchema: true}},
		{"no such function", exec("SELECT nothing(1)"), verdict{OtherSchema: true}},
		{"a function with other arguments", exec("SELECT length(1, 2)"), verdict{OtherSchema: true}},
		{"no such column", exec("SELECT nothing FROM t"), verdict{OtherSchema: true}},
		{"a function that was replaced in this moment", exec(`DO $$ BEGIN RAISE EXCEPTION 'cache lookup failed for function 16384' USING ERRCODE = 'XX000'; END $$`), verdict{OtherSchema: true}},
		{"another internal error", exec(`DO $$ BEGIN RAISE EXCEPTION 'unexpected chunk' USING ERRCODE = 'XX000'; END $$`), verdict{}},
		{"a syntax error", exec("SELEC"), verdict{}},
		{"no such value", exec("SET jit = 'sometimes'"), verdict{InvalidSetting: true}},
		{"serialization", exec(raise("40001")), verdict{Retryable: true}},
		{"deadlock", exec(raise("40P01")), verdict{Retryable: true}},
		{"no connection to spare", exec(raise("53300")), verdict{Retryable: true, Exhausted: true}},
		{"no space on the disk", exec(raise("53100")), verdict{Retryable: true, Exhausted: true}},
		{"larger than the limit of temporary files", exec("SET temp_file_limit = 1", "SET work_mem = '64kB'", "SELECT FROM generate_series(1, 100000) AS n ORDER BY n"), verdict{}},
		{"the disk fails", exec(raise("58030")), verdict{Retryable: true, Exhausted: true}},
		{"lock not available", lockTwice, verdict{}},
		{"statement timeout", exec("SET statement_timeout = 10", "SELECT pg_sleep(10)"), verdict{}},
		{"read only", exec("SET default_transaction_read_only = on", "CREATE TABLE u ()"), verdict{Retryable: true}},
		{"the session is ended", exec("SELECT pg_terminate_backend(pg_backend_pid())"), verdict{ConnectionLoss: true, Retryable: true}},
		{"the caller gives up", func(ctx context.Context, pool *pgxpool.Pool) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return exec("SELECT 1")(ctx, pool)
		}, verdict{}},
		{"a closed connection", func(ctx context.Context, pool *pgxpool.Pool) error {
			return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
				if err := conn.Conn().Close(ctx); err != nil {
					return err
				}
				_, err := conn.Exec(ctx, "SELECT 1")
				return err
			})
		}, verdict{ConnectionLoss: true, Retryable: true}},
		{"nobody listens", func(ctx context.Context, _ *pgxpool.Pool) error {
			_, err := pgx.Connect(ctx, "postgres://127.0.0.1:1/x?sslmode=disable")
			return err
		}, verdict{ConnectionLoss: true, Retryable: true}},
		{"cut off in a message", func(context.Context, *pgxpool.Pool) error {
			return fmt.Errorf("receive: %w", io.ErrUnexpectedEOF)
		}, verdict{ConnectionLoss: true, Retryable: true}},
		{"words alone mean nothing", func(context.Context, *pgxpool.Pool) error {
			return &pgconn.PgError{Code: "P0001", Message: "could not serialize access, connection lost (SQLSTATE 40001)"}
		}, verdict{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.do(t.Context(), pool)
			if diff := cmp.Diff(test.want, judge(err)); diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// raise returns a statement that fails with the SQLSTATE.
func raise(state string) string {
	return fmt.Sprintf("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '%s'; END $$", state)
}

// lockTwice requests a row, without waiting, that another transaction has locked.
func lockTwice(ctx context.Context, pool *pgxpool.Pool) error {
	holder, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer holder.Rollback(ctx) //nolint:errcheck // it only held a lock
	if _, err := holder.Exec(ctx, "SELECT FROM t FOR UPDATE"); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "SELECT FROM t FOR UPDATE NOWAIT")
	return err
}

func TestNothingSent(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	_, ended := conn.Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())")
	if pg.NothingSent(ended) {
		t.Errorf("a statement that ran counts as never sent: %v", ended)
	}
	if _, err := conn.Exec(t.Context(), "SELECT 1"); !pg.NothingSent(err) {
		t.Errorf("a statement on a dead connection counts as sent: %v", err)
	}
}
