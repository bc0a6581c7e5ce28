package cluster

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// quietFor is how long a warning is not repeated. While the database is unreachable, everything
// that needs it warns ten times a second.
const quietFor = 5 * time.Second

// quiet is a handler that passes on the same warning of the same part of the program only once in a
// while. It counts what it leaves out in the next one, as "repeated". It passes on everything else.
type quiet struct {
	slog.Handler
	part string // the attributes that With has added, which distinguish the parts of the program
	said *said
}

// said is when each warning was last passed on, and how often it has occurred since.
type said struct {
	mu    sync.Mutex
	last  map[string]time.Time
	since map[string]int
}

func newQuiet(h slog.Handler) slog.Handler {
	return quiet{Handler: h, said: &said{last: map[string]time.Time{}, since: map[string]int{}}}
}

// Handle implements slog.Handler.
func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	if r.Level != slog.LevelWarn {
		return q.Handler.Handle(ctx, r)
	}
	repeated, pass := q.said.pass(q.part+r.Message, r.Time)
	if !pass {
		return nil
	}
	if repeated > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("repeated", repeated))
	}
	return q.Handler.Handle(ctx, r)
}

func (s *said) pass(key string, now time.Time) (repeated int, pass bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.last[key]; ok && now.Sub(last) < quietFor {
		s.since[key]++
		return 0, false
	}
	repeated = s.since[key]
	s.last[key], s.since[key] = now, 0
	return repeated, true
}

// WithAttrs implements slog.Handler.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		q.part += a.String() + " "
	}
	q.Handler = q.Handler.WithAttrs(attrs)
	return q
}

// WithGroup implements slog.Handler.
func (q quiet) WithGroup(name string) slog.Handler {
	q.Handler = q.Handler.WithGroup(name)
	return q
}
