package podclient

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	// atOnce is how many requests of Pods a replica executes concurrently.
	atOnce = 8
	// poll is the pause between two queries while requests are under way, or after a database
	// error, in real time.
	poll = time.Second
	// sweep bounds how long a replica sleeps when there are none, in real time. A hint can only be
	// lost with its sender, and Wake is called when a process is missing. So a sweep finds nothing
	// unless Rowlock has a bug, and may be rare: it only reads.
	sweep = 30 * time.Second
	// absences is how often in a row a replica must be missing before the requests that it has
	// taken are given up.
	absences = 3
	// answering is how long a replica tries to write an answer, in real time, and answerPause the
	// time between two attempts.
	answering   = 30 * time.Second
	answerPause = 200 * time.Millisecond
)

// Run executes requests, several at a time, until ctx ends. It returns nil when all that it has
// taken are answered, or given up.
func (s *Server) Run(ctx context.Context) error {
	var working sync.WaitGroup
	defer working.Wait()
	next := step{take: true}
	for ctx.Err() == nil {
		var taken []store.APICall
		var err error
		if taken, next, err = s.step(ctx, next); err != nil && ctx.Err() == nil {
			s.Log.Warn("requests of Pods to the API were not taken", "error", err)
		}
		for _, c := range taken {
			working.Go(func() {
				s.execute(ctx, c)
				s.Wake()
			})
		}
		timer := time.NewTimer(next.pause)
		select {
		case <-ctx.Done():
		case <-s.signal:
			next.take = true
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// step is what Run does next.
type step struct {
	pause  time.Duration // before it, unless the server is woken
	take   bool          // requests may have arrived
	judged time.Time     // real time of the last check for requests that will not be answered
}

// step takes requests if some may have arrived, and returns what to do next. While there are none,
// it only reads.
func (s *Server) step(ctx context.Context, now step) (taken []store.APICall, next step, err error) {
	next = step{pause: poll, take: true, judged: now.judged}
	free := atOnce - s.underWay()
	if now.take {
		if taken, err = s.take(ctx, free); err != nil || len(taken) == free {
			return taken, next, err
		}
	}
	s.timed.Store(true) // otherwise a change of the clock during the query would be missed
	thorough := time.Since(now.judged) >= poll
	found, err := s.look(ctx, thorough)
	if err != nil {
		return taken, next, err
	}
	if thorough {
		next.judged = time.Now()
	}
	if !found.open {
		next.pause = sweep
	}
	if next.take = !found.next.IsZero(); next.take {
		next.pause = min(next.pause, max(s.Until(found.next), 0)+time.Millisecond)
	}
	s.timed.Store(next.take)
	return taken, next, nil
}

// Turn executes the requests that have arrived, one after another in the order of their times, and
// returns how many. It is for callers that run the parts of a cluster themselves.
func (s *Server) Turn(ctx context.Context) (executed int, err error) {
	taken, err := s.take(ctx, atOnce)
	for _, c := range taken {
		s.execute(ctx, c)
	}
	return len(taken), err
}

func (s *Server) underWay() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running)
}

func (s *Server) take(ctx context.Context, most int) ([]store.APICall, error) {
	if most == 0 {
		return nil, nil
	}
	taken, err := s.Store.TakeAPICalls(ctx, most)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range taken {
		s.running[keyOf(c)] = true
	}
	return taken, err
}

// found is the result of a query.
type found struct {
	next time.Time // cluster time at which the next request arrives; zero for none
	open bool      // requests were taken and not answered yet
}

// look returns when the next request arrives. If thorough, it gives up requests that will not be
// answered: those taken by a replica that is gone, and those that this one has taken without the
// database's confirmation.
func (s *Server) look(ctx context.Context, thorough bool) (found, error) {
	next, open, err := s.Store.OpenAPICalls(ctx)
	f := found{next, len(open) > 0}
	if err != nil || !thorough || !f.open {
		return f, err
	}
	present, err := s.Presences(ctx)
	if err != nil {
		return f, err
	}
	for _, c := range s.abandoned(open, present) {
		s.answer(ctx, c, emulator.Answer{Outcome: emulator.OutcomeReset})
	}
	return f, nil
}

// abandoned returns the requests that will not be answered.
func (s *Server) abandoned(open []store.APICall, present []int32) (left []store.APICall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	missed := map[int32]int{}
	for _, c := range open {
		switch {
		case c.Server == s.Store.Replica():
			if !s.running[keyOf(c)] {
				left = append(left, c)
			}
		case !slices.Contains(present, c.Server):
			missed[c.Server] = s.missed[c.Server] + 1
			if missed[c.Server] >= absences {
				left = append(left, c)
			}
		}
	}
	s.missed = missed
	return left
}

// execute executes a request and answers it. If the server is closed meanwhile, the request is cut
// off, and answered if the database still accepts that.
func (s *Server) execute(ctx context.Context, c store.APICall) {
	a := s.serve(ctx, c)
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), answering)
	defer cancel()
	s.answer(writing, c, a)
	s.mu.Lock()
	delete(s.running, keyOf(c))
	s.mu.Unlock()
}

// answer writes an answer. If that fails, it retries until ctx ends, because the caller's Pod, and
// an advance of the clock, wait for it.
func (s *Server) answer(ctx context.Context, c store.APICall, a emulator.Answer) {
	encoded := encode(a)
	for {
		err := s.Store.AnswerAPICall(ctx, c, encoded)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			s.Log.Warn("a request of a Pod to the API was not answered", "error", fmt.Errorf("pod %s: %w", c.Caller, err))
			return
		case <-time.After(answerPause):
		}
	}
}
