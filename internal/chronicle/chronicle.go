// Package chronicle reads the log back: who made which change and what caused it. It lets many
// readers follow the log at once.
//
// The past is read from the database by each caller. The end of the log is read once for all
// followers: a goroutine of the Chronicle, which runs while there are followers, reads what is new
// whenever the mirror has advanced, and keeps the last entries. A follower is a place in the log.
// One that falls behind what is kept reads the database until it has caught up; one that falls
// behind the compaction ends with store.ErrCompacted rather than miss a change. So nothing is
// queued per follower.
package chronicle

import (
	"context"
	"sync"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Chronicle reads the log. It is safe for concurrent use.
type Chronicle struct {
	Source
	mirror Mirror

	mu   sync.Mutex
	tail *tail // while there are followers
}

// New makes a Chronicle.
func New(log Source, m Mirror) *Chronicle { return &Chronicle{Source: log, mirror: m} }

// Follower is a moving place in the log. Use it from one goroutine, and close it.
type Follower struct {
	chronicle *Chronicle
	tail      *tail
	at        object.Revision // everything up to here has been delivered
}

// pageEntries is how many entries a follower takes at a time.
const pageEntries = 256

// Follow follows the log after a revision. It returns mirror.ErrUnavailable while the mirror does
// not follow the database.
func (c *Chronicle) Follow(after object.Revision) (*Follower, error) {
	if err := c.mirror.Ready(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tail != nil && c.tail.ended() {
		c.tail.stop()
		c.tail = nil
	}
	if c.tail == nil {
		c.tail = newTail(c.Source, c.mirror)
	}
	c.tail.followers++
	return &Follower{chronicle: c, tail: c.tail, at: after}, nil
}

// Close ends the follower.
func (f *Follower) Close() {
	c := f.chronicle
	c.mu.Lock()
	defer c.mu.Unlock()
	f.tail.followers--
	if f.tail.followers > 0 {
		return
	}
	f.tail.stop()
	if c.tail == f.tail {
		c.tail = nil
	}
}

// Next waits for new entries, and returns some of them, in order and without gaps. Errors:
// store.ErrCompacted if entries are gone, mirror.ErrUnavailable if the mirror no longer follows the
// database, ctx's, and those of reading the log.
func (f *Follower) Next(ctx context.Context) ([]store.Entry, error) {
	for {
		entries, wait, err := f.tail.after(f.at, pageEntries)
		switch {
		case err != nil:
			return nil, err
		case wait == nil && len(entries) == 0: // it is behind what is kept
			if entries, err = f.chronicle.Tail(ctx, f.at, pageEntries); err != nil {
				return nil, err
			}
		}
		if len(entries) > 0 {
			f.at = entries[len(entries)-1].Revision
			return entries, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
