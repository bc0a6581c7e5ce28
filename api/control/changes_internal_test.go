package control

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/chronicle"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/store"
)

// silentLog is a log that never grows.
type silentLog struct {
	chronicle.Source
	progress mirror.Progress
}

func (silentLog) Ready() error                { return nil }
func (l silentLog) Progress() mirror.Progress { return l.progress }

// A stream of changes sends empty lines while nothing changes, so that no proxy considers it dead,
// and ends when its client disconnects.
func TestChanges_Heartbeat(t *testing.T) {
	t.Parallel()
	log := silentLog{progress: mirror.Progress{Advanced: make(chan struct{}), Down: make(chan struct{})}}
	follower, err := chronicle.New(log, log).Follow(0)
	if err != nil {
		t.Fatal(err)
	}
	defer follower.Close()
	ended := make(chan error, 1)
	s := New(Deps{Heartbeat: time.Millisecond})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ended <- s.stream(w).follow(req.Context(), follower, store.LogQuery{})
	}))
	defer web.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text := make([]byte, 3)
	if _, err := io.ReadFull(bufio.NewReader(res.Body), text); err != nil || string(text) != "\n\n\n" {
		t.Errorf("a silent stream sends %q, %v", text, err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("the stream ended without a reason")
	}
}
