package ledger_test

import (
	"context"
	"regexp"
	"sync"

	"github.com/jackc/pgx/v5"
)

// tracer counts what a replica sends to its database for the story: statements, and the messages
// that contain them. What the replica sends because real time has passed does not count: its
// context does not come from the story.
type tracer struct {
	mu  sync.Mutex
	now sent
}

// sent is what has been sent.
type sent struct {
	roundTrips, statements, applies int
}

// ofStory marks the contexts of the story's requests and turns.
type ofStory struct{}

// callsApply matches the statement that writes changes. The store's writer sends those of requests,
// with its own context.
var callsApply = regexp.MustCompile(`\bFROM apply\(`)

func (t *tracer) count(ctx context.Context, queries ...string) {
	applies := 0
	for _, sql := range queries {
		applies += len(callsApply.FindAllString(sql, -1))
	}
	if applies == 0 && ctx.Value(ofStory{}) == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.roundTrips++
	t.now.statements += len(queries)
	t.now.applies += applies
}

// sent returns what has been counted so far.
func (t *tracer) sent() sent {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// forget discards what has been counted since before.
func (t *tracer) forget(before sent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = before
}

// TraceQueryStart implements pgx.QueryTracer.
func (t *tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t.count(ctx, data.SQL)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (t *tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	queries := make([]string, len(data.Batch.QueuedQueries))
	for i, q := range data.Batch.QueuedQueries {
		queries[i] = q.SQL
	}
	t.count(ctx, queries...)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
