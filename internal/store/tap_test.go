package store_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// tap stands between a store and its server.
type tap struct {
	mu     sync.Mutex
	writes int // how many messages were sent
	// intercept, while not nil, is called instead of the next write, and then removed. The store
	// gets its return values; it may pass the message on to conn.
	intercept func(conn net.Conn, message []byte) (int, error)
}

func (p *tap) set(intercept func(net.Conn, []byte) (int, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intercept = intercept
}

func (p *tap) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writes
}

type tapped struct {
	net.Conn
	tap *tap
}

func (c tapped) Write(b []byte) (int, error) {
	c.tap.mu.Lock()
	c.tap.writes++
	intercept := c.tap.intercept
	c.tap.intercept = nil
	c.tap.mu.Unlock()
	if intercept != nil {
		return intercept(c.Conn, b)
	}
	return c.Conn.Write(b)
}

// newTapped makes a replica with one connection, which goes through a tap and has its statements
// prepared.
func newTapped(t testing.TB, url string) (fixture, *tap) {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	p := &tap{}
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return tapped{conn, p}, err
	}
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	f := newStoreOver(t, pool, store.Config{Writers: 1})
	f.MustWrite(storetest.CreateConfigMap("first-" + string(storetest.NewUID())))
	return f, p
}
