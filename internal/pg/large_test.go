package pg_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestOpen_ArraysOfBytesArrive: an array of bytes arrives as PostgreSQL writes it: with NULLs,
// empty, absent, and larger than any buffer.
func TestOpen_ArraysOfBytesArrive(t *testing.T) {
	t.Parallel()
	pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	large := []byte(`"` + string(bytes.Repeat([]byte("a"), 1<<20)) + `"`)
	for name, sent := range map[string][][]byte{
		"absent": nil,
		"empty":  {},
		"some":   {[]byte(`{"a": 1}`), nil, []byte(`"ü"`)},
		"large":  {large, []byte(`1`), large},
	} {
		for element, text := range map[string]string{"json": "x::text", "text": "x", "bytea": "convert_from(x, 'UTF8')"} {
			var null bool
			var got []*string
			err := pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error {
				var batch pgx.Batch
				query := "SELECT $1::" + element + "[] IS NULL, ARRAY(SELECT " + text + " FROM unnest($1::" + element + "[]) AS x)"
				batch.Queue(query, sent).QueryRow(func(row pgx.Row) error { return row.Scan(&null, &got) })
				return pg.SendBatch(t.Context(), conn.Conn(), &batch, len(large))
			})
			if err != nil {
				t.Fatalf("%s as %s[]: %v", name, element, err)
			}
			var want []*string
			for _, e := range sent {
				if want = append(want, nil); e != nil {
					want[len(want)-1] = new(string(e))
				}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || null != (sent == nil) {
				t.Errorf("%s as %s[]: NULL %v (-want +got):\n%s", name, element, null, diff)
			}
		}
	}
}

// TestSendBatch_BuffersAreOnesOwn: connections that send batches at the same time, with buffers
// that others have used before, each send their own bytes, after failures too.
func TestSendBatch_BuffersAreOnesOwn(t *testing.T) {
	t.Parallel()
	pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var senders errgroup.Group
	for sender := range 4 {
		senders.Go(func() error {
			for turn := range 200 {
				size := 1 << (turn % 18)
				text := strings.Repeat(string(rune('a'+sender)), size)
				err := pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error {
					var first, second []string
					var batch pgx.Batch
					batch.Queue("SELECT $1::text[]", [][]byte{[]byte(text)}).QueryRow(func(row pgx.Row) error { return row.Scan(&first) })
					if turn%7 == 3 {
						batch.Queue("SELECT 1 / cardinality($1::text[])", [][]byte{})
					}
					batch.Queue("SELECT $1::text[] || $2::text[]", [][]byte{[]byte(text)}, []string{text + text}).
						QueryRow(func(row pgx.Row) error { return row.Scan(&second) })
					err := pg.SendBatch(t.Context(), conn.Conn(), &batch, 8<<10)
					if turn%7 == 3 {
						if err == nil {
							return errors.New("a division by zero went well")
						}
						return nil
					}
					if diff := cmp.Diff([][]string{{text}, {text, text + text}}, [][]string{first, second}); err == nil && diff != "" {
						return fmt.Errorf("sender %d, turn %d: (-want +got):\n%s", sender, turn, diff)
					}
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := senders.Wait(); err != nil {
		t.Fatal(err)
	}
}
