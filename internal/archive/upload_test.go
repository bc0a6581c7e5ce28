package archive_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

const snapshots = v1.SnapshotsPath

// upload is a file that a client is sending.
type upload struct {
	rest *io.PipeWriter
	code chan int // of the answer
}

// beginUpload sends the beginning of a file, and returns when its name is taken.
func beginUpload(s *clustertest.Site, pool *pgxpool.Pool, name string, beginning []byte) upload {
	s.T.Helper()
	body, rest := io.Pipe()
	req, err := http.NewRequestWithContext(s.T.Context(), http.MethodPut, s.URL+snapshots+"/"+name+"/file", body)
	if err != nil {
		s.T.Fatal(err)
	}
	u := upload{rest, make(chan int, 1)}
	go func() {
		res, err := s.Client.Do(req)
		if err != nil {
			s.T.Error(err)
			close(u.code)
			return
		}
		defer res.Body.Close() //nolint:errcheck // it is not read
		u.code <- res.StatusCode
	}()
	if _, err := rest.Write(beginning); err != nil {
		s.T.Fatal(err)
	}
	s.Until("the name is taken", func() (taken bool) {
		if err := pool.QueryRow(s.T.Context(), "SELECT EXISTS (SELECT FROM snapshots WHERE name = $1)", name).Scan(&taken); err != nil {
			s.T.Fatal(err)
		}
		return taken
	})
	return u
}

// end sends the rest of the file and returns the code of the answer.
func (u upload) end(rest []byte) int {
	_, _ = u.rest.Write(rest) // refused if the answer has been given
	_ = u.rest.Close()        // it returns no error
	return <-u.code
}

// TestSnapshot_AbandonedUpload: while a client sends a file, another removes the name and gives it
// to another snapshot. What fails then does not take the other with it.
func TestSnapshot_AbandonedUpload(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	s, pool := clustertest.Open(t, database), clustertest.Pool(t, database)
	s.Do("POST", snapshots, `{"name":"source"}`)
	file := s.Do("GET", snapshots+"/source/file", "")
	half := len(file) / 2

	first := beginUpload(s, pool, "given", file[:half])
	s.Do("DELETE", snapshots+"/given", "")
	s.Do("PUT", snapshots+"/given/file", string(file))
	if code := first.end(file[half:]); code != http.StatusNotFound {
		t.Errorf("the file that was removed while it was sent is answered with %d", code)
	}
	if got := s.Do("GET", snapshots+"/given/file", ""); !bytes.Equal(got, file) {
		t.Errorf("the other snapshot has %d bytes, not %d", len(got), len(file))
	}
}

// TestSnapshot_LeftUnfinished: a snapshot whose writer has not written for two minutes, as it has
// died, does not hold its name against another save.
func TestSnapshot_LeftUnfinished(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	s, pool := clustertest.Open(t, database), clustertest.Pool(t, database)
	s.Do("POST", snapshots, `{"name":"source"}`)
	file := s.Do("GET", snapshots+"/source/file", "")
	left := beginUpload(s, pool, "given", file[:10])
	s.Refused(http.StatusConflict, "POST", snapshots, `{"name":"given"}`)

	if _, err := pool.Exec(t.Context(), "UPDATE snapshots SET touched = touched - interval '2 minutes' WHERE name = 'given'"); err != nil {
		t.Fatal(err)
	}
	s.Do("POST", snapshots, `{"name":"given"}`)
	if code := left.end(file[10:]); code != http.StatusNotFound {
		t.Errorf("the writer that had been taken for dead is answered with %d", code)
	}
	s.Do("GET", snapshots+"/given", "")
}
