package visit

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

const (
	// presencePause is how often a process checks which others are present, in real time.
	presencePause = time.Second
	// absences is how often a process must be missing before its sessions are ended: a lost
	// connection is soon made again.
	absences = 3
)

// Watch ends the sessions of processes that have died, until ctx ends: a terminal's processes get
// SIGHUP, others the end of their input. It takes one short query a second, whatever the number of
// sessions. It returns nil.
func (s *Source) Watch(ctx context.Context, log *slog.Logger) error {
	t := time.NewTicker(presencePause)
	defer t.Stop()
	w := watch{Source: s, left: absences}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := w.look(ctx); err != nil && ctx.Err() == nil {
				log.Warn("sessions of processes that have died were not ended", "error", err)
			}
		}
	}
}

// watch is what a process knows about the others.
type watch struct {
	*Source
	present []int32
	left    int // checks left until abandoned sessions are ended; 0 if none are searched for
}

// look checks which processes are present. If one is missing, its hints may be missing too.
func (w *watch) look(ctx context.Context) error {
	present, err := w.Presences(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(w.present, func(r int32) bool { return !slices.Contains(present, r) }) {
		w.TellAll()
		if w.Missing != nil {
			w.Missing()
		}
		w.left = absences
	}
	if w.present = present; w.left == 0 {
		return nil
	}
	if w.left--; w.left > 0 {
		return nil
	}
	more, err := w.endAbandoned(ctx, present)
	if err != nil || more {
		w.left = 1
	}
	return err
}

// endAbandoned ends sessions of processes that are not present, and reports whether there were any.
func (s *Source) endAbandoned(ctx context.Context, present []int32) (found bool, err error) {
	abandoned, err := s.Sessions.Abandoned(ctx, present)
	if err != nil {
		return false, err
	}
	for pod, sessions := range abandoned {
		if err := s.end(ctx, pod, sessions); err != nil {
			return true, err
		}
	}
	return len(abandoned) > 0, nil
}

// end hangs sessions up, whichever process their clients are connected to.
func (s *Source) end(ctx context.Context, pod types.UID, sessions []int) error {
	_, err := s.Do(ctx, pod, func(v *Visitor) error {
		for _, id := range sessions {
			v.Machine.Hangup(v.At, id)
		}
		v.over = append(v.over, sessions...)
		v.Run()
		return nil
	})
	if errors.Is(err, ErrGone) || errors.Is(err, ErrNotRunning) {
		return s.Sessions.Forget(ctx, pod, sessions...)
	}
	return err
}
