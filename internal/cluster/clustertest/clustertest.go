// Package clustertest gives tests a replica that runs over a database of its own, and a client of
// its API.
package clustertest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/test/history"
)

// Site is a replica and a client of it. A failure of a method ends the test.
type Site struct {
	T      testing.TB
	URL    string // of its API
	Client *http.Client
	Close  func() // ends the replica before the test ends; more calls do nothing
}

// Open opens a replica over a database, and closes it when the test ends. Options change its
// configuration.
func Open(t testing.TB, database string, options ...func(*cluster.Config)) *Site {
	t.Helper()
	c := cluster.Config{DatabaseURL: database, Nodes: 2, Log: slog.New(slog.DiscardHandler)}
	for _, o := range options {
		o(&c)
	}
	replica, err := cluster.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	s := &Site{T: t, URL: server.URL, Client: &http.Client{Transport: &http.Transport{}}}
	closed := false
	s.Close = func() {
		if !closed {
			closed = true
			s.Client.CloseIdleConnections()
			server.CloseClientConnections()
			server.Close()
			replica.Close()
		}
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// At returns the site below a path of the API, such as that of a fork.
func (s *Site) At(path string) *Site {
	under := *s
	under.URL += path
	return &under
}

// Try sends a request, with a body of JSON or none, and returns the answer and its code.
func (s *Site) Try(method, path, body string) (int, []byte) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.Client.Do(req)
	if err != nil {
		s.T.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close() //nolint:errcheck // it is only read
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		s.T.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, answer
}

// Do sends a request that must succeed, and returns the answer.
func (s *Site) Do(method, path, body string) []byte {
	s.T.Helper()
	code, answer := s.Try(method, path, body)
	if code/100 != 2 {
		s.T.Fatalf("%s %s answers %d: %s", method, path, code, answer)
	}
	return answer
}

// Refused returns the message of a request that must be refused with a code.
func (s *Site) Refused(code int, method, path, body string) string {
	s.T.Helper()
	got, answer := s.Try(method, path, body)
	var status struct{ Kind, Message string }
	if got != code || json.Unmarshal(answer, &status) != nil || status.Kind != "Status" {
		s.T.Fatalf("%s %s answers %d, not %d with a Status: %s", method, path, got, code, answer)
	}
	return status.Message
}

// Get reads an object into v.
func (s *Site) Get(path string, v any) {
	s.T.Helper()
	if err := json.Unmarshal(s.Do("GET", path, ""), v); err != nil {
		s.T.Fatal(err)
	}
}

// Abandon sends a request and closes the connection after a while. It reports whether the request
// was answered with success before.
func (s *Site) Abandon(after time.Duration, method, path, body string) bool {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.Client.Do(req)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// Until waits until a condition holds that no signal announces.
func (s *Site) Until(what string, holds func() bool) {
	s.T.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.T.Fatalf("not so in time: %s", what)
		}
	}
}

// Gone waits until nothing is at a path.
func (s *Site) Gone(path string) {
	s.T.Helper()
	s.Until(path+" is gone", func() bool { code, _ := s.Try("GET", path, ""); return code == http.StatusNotFound })
}

// Watch begins a watch, which ends with the test, and returns its lines. The path may have a query.
func (s *Site) Watch(path string) *bufio.Scanner {
	s.T.Helper()
	if strings.Contains(path, "?") {
		path += "&watch=true"
	} else {
		path += "?watch=true"
	}
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	res, err := s.Client.Do(req)
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() { cancel(); _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return lines
}

// Await waits until a condition holds that no signal announces.
func Await(t testing.TB, what string, holds func(context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !holds(ctx) {
		if ctx.Err() != nil {
			t.Fatalf("not so in time: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Pool opens connections to a database, which are closed when the test ends.
func Pool(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// WithLogin opens a replica that identifies users, and returns how to make clients by their tokens:
// "root" belongs to a master, "jane" to a user without roles.
func WithLogin(t testing.TB, url string) func(token string) *kubernetes.Clientset {
	t.Helper()
	known, err := auth.ReadTokens(strings.NewReader("root,root,1,\"system:masters\"\njane,jane,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	replica, err := cluster.Open(t.Context(), cluster.Config{
		DatabaseURL: url, Nodes: 1, Log: slog.New(slog.DiscardHandler),
		Authenticator: &auth.Authenticator{Tokens: func() *auth.Tokens { return known }},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); replica.Close() })
	return func(token string) *kubernetes.Clientset {
		client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, BearerToken: token, QPS: -1})
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
}

// Log returns the whole log of a database.
func Log(t testing.TB, url string) history.History {
	t.Helper()
	h, err := history.Read(t.Context(), Pool(t, url))
	if err != nil {
		t.Fatal(err)
	}
	return h
}
