package store

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/contain"
)

const (
	hintChannel = "rowlock"
	// hintEvery is the least time between two hints of one process: what happens in between goes with the next.
	hintEvery = 2 * time.Millisecond
	hintPause = 100 * time.Millisecond // after the connection was lost
)

// Hint tells the other processes that the log has grown and who has new work, that the clock was changed, or a fork made or removed. It is only a hint (S10): it is sent after
// the commit, it may be lost, and nobody relies on it.
type Hint struct {
	From  string   `json:"from"` // the process
	Woken []string `json:"woken,omitempty"`
	Clock bool     `json:"clock,omitempty"`
	Forks bool     `json:"forks,omitempty"` // a fork has come or gone
}

// Hints sends and receives hints over connections of its own. It is safe for concurrent use.
type Hints struct {
	pool *pgxpool.Pool
	self string
	log  *slog.Logger

	mu     sync.Mutex
	next   Hint
	signal chan struct{} // has room for one: there is something to send
}

// NewHints makes the process's end of the channel. Run must be running for anything to be sent or received.
func NewHints(pool *pgxpool.Pool, log *slog.Logger) *Hints {
	return &Hints{pool: pool, self: uuid.NewString(), log: log, signal: make(chan struct{}, 1)}
}

// Send tells the others, soon, that the log has grown and whom that woke. It does not block.
func (h *Hints) Send(woken []string) { h.add(Hint{Woken: woken}) }

// SendClock tells the others, soon, that the clock was changed and who has work by the new time. It does not block.
func (h *Hints) SendClock(woken []string) { h.add(Hint{Woken: woken, Clock: true}) }

// SendForks tells the others, soon, that a fork has come or gone. It does not block.
func (h *Hints) SendForks() { h.add(Hint{Forks: true}) }

func (h *Hints) add(more Hint) {
	h.mu.Lock()
	h.next.Forks = h.next.Forks || more.Forks
	h.next.Clock = h.next.Clock || more.Clock
	for _, w := range more.Woken {
		if !slices.Contains(h.next.Woken, w) {
			h.next.Woken = append(h.next.Woken, w)
		}
	}
	h.mu.Unlock()
	select {
	case h.signal <- struct{}{}:
	default:
	}
}

// Run sends what Send and SendClock are given, and calls receive for every hint of another process, until ctx ends. It calls receive,
// with an empty hint, also after the connection was away, as hints may have been missed. It returns nil.
func (h *Hints) Run(ctx context.Context, receive func(Hint)) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = contain.Keep(ctx, h.log, "hints", nil, func(ctx context.Context) error { h.sendLoop(ctx); return nil }) // it returns none
	}()
	for ctx.Err() == nil {
		if err := contain.Call(func() error { return h.listen(ctx, receive) }); err != nil && ctx.Err() == nil {
			h.log.Warn("hints cannot be received", "error", err)
			pause(ctx, hintPause)
		}
	}
	<-done
	return nil
}

func (h *Hints) listen(ctx context.Context, receive func(Hint)) error {
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	raw := conn.Hijack()                        // a session that listens must not go back to the pool
	defer raw.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written
	if _, err := raw.Exec(ctx, "LISTEN "+pgx.Identifier{hintChannel}.Sanitize()); err != nil {
		return err
	}
	receive(Hint{})
	for {
		n, err := raw.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		var hint Hint
		if json.Unmarshal([]byte(n.Payload), &hint) != nil || hint.From == h.self {
			continue // ours, or not a hint of this version: the poll finds what it was about
		}
		receive(hint)
	}
}

func (h *Hints) sendLoop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.signal:
		}
		h.mu.Lock()
		hint := h.next
		hint.From = h.self
		h.next = Hint{}
		h.mu.Unlock()
		payload, err := json.Marshal(hint)
		if err == nil {
			_, err = h.pool.Exec(ctx, sqlNotify, hintChannel, string(payload))
		}
		if err != nil && ctx.Err() == nil {
			h.log.Warn("a hint could not be sent", "error", err)
			pause(ctx, hintPause)
		}
		pause(ctx, hintEvery)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
