package pg_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5/pgxpool"

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
				pg.MakeRoom(conn.Conn(), len(large))
				query := "SELECT $1::" + element + "[] IS NULL, ARRAY(SELECT " + text + " FROM unnest($1::" + element + "[]) AS x)"
				return conn.QueryRow(t.Context(), query, sent).Scan(&null, &got)
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
