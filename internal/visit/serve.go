package visit

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
)

const (
	// mostServing is how long a request waits for a server that answers later, in real time.
	mostServing = 5 * time.Minute
	// leastPause and mostPause bound the pauses between its visits: each is twice as long as the
	// previous one.
	leastPause = 10 * time.Millisecond
	mostPause  = 320 * time.Millisecond
)

// Serve makes the server of a Pod answer a query as a real request: its log shows the request, and
// its state changes. It blocks until the server answers, which may take cluster time. It calls
// enter before each visit, and leave after it; an error of enter ends the request.
//
// Errors: as for Do, enter's and ctx's.
func (s *Source) Serve(
	ctx context.Context, pod types.UID, q emulator.Query, enter func(context.Context) (leave func(), err error),
) (a emulator.Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, mostServing)
	defer cancel()
	request, began, done, lost := 0, false, false, patience{}
	for pause := leastPause; ; {
		err := s.visitServer(ctx, pod, enter, func(v *Visitor) {
			if request == 0 {
				a = v.Serve(q)
				request, done = a.Later, a.Later == 0
			}
			v.Run()
			if !done {
				if a, done = v.Machine.Reply(request); !done {
					v.Unchanged = began
				}
			}
		})
		switch {
		case err != nil && (!began || !errors.Is(err, ErrBusy)) && !lost.bears(err):
			return emulator.Answer{}, err
		case err != nil && !began:
			request, done = 0, false // the server has not received it
		case err != nil:
			done = false // the visit's request still exists
		case done:
			return a, nil
		default:
			began, lost = true, patience{}
		}
		pause = min(2*pause, mostPause)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return emulator.Answer{}, ctx.Err()
		case <-timer.C:
		}
	}
}

func (s *Source) visitServer(ctx context.Context, pod types.UID, enter func(context.Context) (func(), error), f func(*Visitor)) error {
	leave, err := enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	_, err = s.Do(ctx, pod, func(v *Visitor) error {
		f(v)
		return nil
	})
	return err
}
