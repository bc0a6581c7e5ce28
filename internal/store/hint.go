package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
)

const (
	hintChannel = "rowlock"
	// hintEvery is the least time between two hints of one process: what happens in between goes with the next.
	hintEvery = 2 * time.Millisecond
	hintPause = 100 * time.Millisecond // after the connection was lost
	// hintSessions is how many sessions one hint names at most: NOTIFY takes 8,000 bytes.
	hintSessions = 100
	// presenceClass is the class of the locks by which processes know that others are there.
	presenceClass int32 = 0x0badcafe
)

// Hint tells the other processes that the log has grown and who has new work, that the clock was
// changed, or a fork made or removed. It is only a hint (S10): it is sent after the commit, and
// nobody relies on it but for speed: it is lost when the sender dies before it is sent. Then the
// sender is missing from Store.Presences, and others look for themselves.
type Hint struct {
	From  string   `json:"from"` // the process
	Woken []string `json:"woken,omitempty"`
	Clock bool     `json:"clock,omitempty"`
	Forks bool     `json:"forks,omitempty"` // a fork has come or gone

	// Audible are sessions that have something to collect. Deafened says that there were more than a hint can name.
	Audible  []Audible `json:"audible,omitempty"`
	Deafened bool      `json:"deafened,omitempty"`
}

// Audible are sessions in a Pod that have something to collect.
type Audible struct {
	Pod      types.UID `json:"pod"`
	Sessions []int     `json:"sessions"`
}

// Hints sends and receives hints over connections of its own. It is safe for concurrent use.
type Hints struct {
	pool    *pgxpool.Pool
	self    string
	replica int32
	log     *slog.Logger

	mu     sync.Mutex
	next   Hint
	signal chan struct{} // has room for one: there is something to send
}

// NewHints makes the process's end of the channel. Run must be running for anything to be sent or received.
func NewHints(pool *pgxpool.Pool, log *slog.Logger) *Hints {
	self := uuid.New()
	return &Hints{pool: pool, self: self.String(), replica: int32(binary.BigEndian.Uint32(self[:]) >> 1), log: log, signal: make(chan struct{}, 1)}
}

// Replica is the process's number. While Run listens it is among Store.Presences.
func (h *Hints) Replica() int32 { return h.replica }

// Send tells the others, soon, that the log has grown and whom that woke. It does not block.
func (h *Hints) Send(woken []string) { h.add(Hint{Woken: woken}) }

// SendClock tells the others, soon, that the clock was changed and who has work by the new time. It does not block.
func (h *Hints) SendClock(woken []string) { h.add(Hint{Woken: woken, Clock: true}) }

// SendForks tells the others, soon, that a fork has come or gone. It does not block.
func (h *Hints) SendForks() { h.add(Hint{Forks: true}) }

// SendAudible tells the others, soon, that sessions in a Pod have something to collect. It does not block.
func (h *Hints) SendAudible(pod types.UID, sessions []int) {
	h.add(Hint{Audible: []Audible{{Pod: pod, Sessions: sessions}}})
}

func (h *Hints) add(more Hint) {
	h.mu.Lock()
	h.next.Forks = h.next.Forks || more.Forks
	h.next.Clock = h.next.Clock || more.Clock
	h.next.Deafened = h.next.Deafened || more.Deafened
	h.next.Audible = append(h.next.Audible, more.Audible...)
	if named := 0; !h.next.Deafened {
		for _, a := range h.next.Audible {
			named += 1 + len(a.Sessions)/8
		}
		h.next.Deafened = named > hintSessions
	}
	if h.next.Deafened {
		h.next.Audible = nil
	}
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
	if _, err := raw.Exec(ctx, sqlPresent, presenceClass, h.replica); err != nil {
		return err
	}
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
			h.add(hint) // nothing else tells sessions
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
