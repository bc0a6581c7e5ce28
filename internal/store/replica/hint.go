// Package replica is how the replicas of a cluster know of each other: hints, which replicas are
// present, and sessions in Pods whose replica is gone.
package replica

import (
	"context"
	_ "embed"
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

var (
	//go:embed notify.sql
	sqlNotify string
	//go:embed present.sql
	sqlPresent string
)

// presenceClass is the class of the locks that show which processes are present.
const presenceClass int32 = 0x0badcafe

const (
	hintChannel = "rowlock"
	// hintEvery is the minimum time between two hints of one process: what happens in between goes
	// with the next.
	hintEvery = 2 * time.Millisecond
	hintPause = 100 * time.Millisecond // after the connection was lost
	// hintSessions bounds how many sessions one hint names: NOTIFY takes 8,000 bytes.
	hintSessions = 100
)

// Hint tells the other processes that the log has grown and which controllers have new work, that
// the clock was changed, or that a fork was made or removed. It is only a hint (S10): it is sent
// after the commit, and receivers rely on it only for speed. It is lost if the sender dies before
// sending it; the sender is then missing from Hints.Presences, and the others poll. A process that
// knows of no other one sends none.
type Hint struct {
	From  string   `json:"from"` // the sending process
	Woken []string `json:"woken,omitempty"`
	Clock bool     `json:"clock,omitempty"`
	Forks bool     `json:"forks,omitempty"` // a fork was made or removed

	// Audible are sessions that have output to collect. Deafened says that there were more than a
	// hint can name.
	Audible  []Audible `json:"audible,omitempty"`
	Deafened bool      `json:"deafened,omitempty"`

	// Joined says that the sender has begun to listen, or was alone until now: it has not sent hints
	// of what it did before.
	Joined bool `json:"joined,omitempty"`
}

// Audible names sessions in a Pod that have output to collect.
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
	signal chan struct{} // buffer of one: there is something to send
	// listening says whether others can tell this process that they join. alone says that no other
	// process is present, so that nothing need be sent. news counts what has changed either.
	listening, alone bool
	news             int
}

// NewHints makes this process's end of the channel. Nothing is sent or received unless Run is
// running.
func NewHints(pool *pgxpool.Pool, log *slog.Logger) *Hints {
	self := uuid.New()
	return &Hints{pool: pool, self: self.String(), replica: int32(binary.BigEndian.Uint32(self[:]) >> 1), log: log, signal: make(chan struct{}, 1)}
}

// Replica returns the number of this process. While Run listens, it is among Presences.
func (h *Hints) Replica() int32 { return h.replica }

// Send tells the other processes, soon, that the log has grown and which controllers were woken. It
// does not block.
func (h *Hints) Send(woken []string) { h.add(Hint{Woken: woken}) }

// SendClock tells the other processes, soon, that the clock was changed and which controllers have
// work by the new time. It does not block.
func (h *Hints) SendClock(woken []string) { h.add(Hint{Woken: woken, Clock: true}) }

// SendForks tells the other processes, soon, that a fork was made or removed. It does not block.
func (h *Hints) SendForks() { h.add(Hint{Forks: true}) }

// SendAudible tells the other processes, soon, that sessions in a Pod have output to collect. It
// does not block.
func (h *Hints) SendAudible(pod types.UID, sessions []int) {
	h.add(Hint{Audible: []Audible{{Pod: pod, Sessions: sessions}}})
}

func (h *Hints) add(more Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.alone {
		return
	}
	h.next.Joined = h.next.Joined || more.Joined
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
	select {
	case h.signal <- struct{}{}:
	default:
	}
}

// Run sends what Send and SendClock queue, and calls receive for every hint of another process,
// until ctx ends. After a lost connection, and when another process joins, it also calls receive
// with an empty hint, because hints may have been missed. It returns nil.
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
	raw := conn.Hijack()                        // a session that listens must not return to the pool
	defer raw.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written
	if _, err := raw.Exec(ctx, sqlPresent, presenceClass, h.replica); err != nil {
		return err
	}
	if _, err := raw.Exec(ctx, "LISTEN "+pgx.Identifier{hintChannel}.Sanitize()); err != nil {
		return err
	}
	h.listens(true)
	defer h.listens(false)
	if _, err := raw.Exec(ctx, sqlNotify, hintChannel, h.payload(Hint{Joined: true})); err != nil {
		return err
	}
	receive(Hint{})
	if _, err := h.Presences(ctx); err != nil { // it may find that there is no other process
		return err
	}
	for {
		n, err := raw.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		var hint Hint
		if json.Unmarshal([]byte(n.Payload), &hint) != nil || hint.From == h.self {
			continue // our own hint, or one of another version: polling finds what it announced
		}
		if hint.Joined {
			h.joined()
			receive(Hint{})
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
		h.next = Hint{}
		h.mu.Unlock()
		if _, err := h.pool.Exec(ctx, sqlNotify, hintChannel, h.payload(hint)); err != nil && ctx.Err() == nil {
			h.log.Warn("a hint could not be sent", "error", err)
			h.add(hint) // nothing else notifies sessions
			pause(ctx, hintPause)
		}
		pause(ctx, hintEvery)
	}
}

// payload encodes a hint of this process.
func (h *Hints) payload(hint Hint) string {
	hint.From = h.self
	b, _ := json.Marshal(hint) // it holds nothing that cannot be encoded
	return string(b)
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
