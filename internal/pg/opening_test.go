package pg_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// holding is a tracer that holds up connections as they are being opened, while it is closed.
type holding struct {
	pgx.QueryTracer
	began chan struct{} // one for each that is held up

	mu        sync.Mutex
	gate      chan struct{} // open if nil
	now, most int           // held up
}

func (h *holding) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (h *holding) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (h *holding) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	h.mu.Lock()
	gate := h.gate
	h.now++
	h.most = max(h.most, h.now)
	h.mu.Unlock()
	if gate != nil {
		h.began <- struct{}{}
		<-gate
	}
	h.mu.Lock()
	h.now--
	h.mu.Unlock()
	return ctx
}

func (h *holding) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) {}

// TestOpen_FewConnectionsAtATime: a pool that needs many connections at once opens four at a time,
// and all in the end.
func TestOpen_FewConnectionsAtATime(t *testing.T) {
	t.Parallel()
	const many, few = 20, 4
	h := &holding{began: make(chan struct{}, many)}
	pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewURL(t), MaxConns: many, Tracer: h})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	gate := make(chan struct{})
	h.mu.Lock()
	h.gate = gate
	h.mu.Unlock()
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			conn, err := pool.Acquire(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			<-gate
			conn.Release()
		})
	}
	for range few {
		<-h.began
	}
	for pool.Stat().ConstructingConns() < many-1 && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	close(gate)
	all.Wait()
	if h.most != few {
		t.Errorf("%d connections were opened at a time, want %d", h.most, few)
	}
}
