package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
)

// mostOpening is how many connections a pool opens at a time. Each costs the server a new process.
// If all replicas opened all of theirs at once, after a restart of a busy server, each would take
// longer than its timeout, and would be tried again for ever.
const mostOpening = 4

// opening makes the connections of a pool wait for each other. The wait does not count as a part of
// the timeout. It is a tracer, because pgx tells nothing else of a connection that fails.
type opening struct{ slots chan struct{} }

// admitted marks the context of a connection that has a slot.
type admitted struct{}

// traced returns the tracer of a new pool, which also calls another one unless that is nil.
func traced(inner pgx.QueryTracer) pgx.QueryTracer {
	o := opening{make(chan struct{}, mostOpening)}
	if inner == nil {
		return o
	}
	return multitracer.New(o, inner)
}

// TraceConnectStart waits for a slot.
func (o opening) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	select {
	case o.slots <- struct{}{}:
		return context.WithValue(ctx, admitted{}, true)
	case <-ctx.Done():
		return ctx // the connection then fails
	}
}

// TraceConnectEnd frees the slot.
func (o opening) TraceConnectEnd(ctx context.Context, _ pgx.TraceConnectEndData) {
	if ctx.Value(admitted{}) != nil {
		<-o.slots
	}
}

// TraceQueryStart does nothing.
func (opening) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing.
func (opening) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
