package cluster_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestSnapshot_AbandonedUpload: while a client sends a file, somebody removes the name and gives it
// to another snapshot. What fails then does not take the other with it.
func TestSnapshot_AbandonedUpload(t *testing.T) {
	t.Parallel()
	s := openSite(t, pgtest.NewURL(t))
	const path = "/rowlock/v1/snapshots"
	s.do("POST", path, `{"name":"source"}`)
	file := s.do("GET", path+"/source/file", "")

	body, rest := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.url+path+"/given/file", body)
	if err != nil {
		t.Fatal(err)
	}
	code := make(chan int, 1)
	go func() {
		res, err := s.client.Do(req)
		if err != nil {
			t.Error(err)
			code <- 0
			return
		}
		defer res.Body.Close() //nolint:errcheck // it is not read
		code <- res.StatusCode
	}()
	if _, err := rest.Write(file[:len(file)/2]); err != nil {
		t.Fatal(err)
	}
	s.until("the name is taken", func() bool { return s.removes(path + "/given") })
	s.do("PUT", path+"/given/file", string(file))
	if _, err := rest.Write(file[len(file)/2:]); err != nil {
		t.Fatal(err)
	}
	_ = rest.Close() // it returns no error
	if got := <-code; got != http.StatusNotFound {
		t.Errorf("the file that was removed while it was sent is answered with %d", got)
	}
	if got := s.do("GET", path+"/given/file", ""); !bytes.Equal(got, file) {
		t.Errorf("the other snapshot has %d bytes, not %d", len(got), len(file))
	}
}

// removes reports whether there was something at the path, which is removed.
func (s *site) removes(path string) bool {
	s.t.Helper()
	code, _ := s.try("DELETE", path, "")
	return code == http.StatusOK
}
