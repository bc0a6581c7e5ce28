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
	// presencePause is how often a process looks who else is there, in real time.
	presencePause = time.Second
	// absences is how often one must have been missing before its sessions are ended: a connection that was lost is soon made again.
	absences = 3
)

// Watch ends the sessions of processes that have died, until ctx ends: a terminal's processes get SIGHUP, others the end of their
// input. It takes one short query a second, whatever the number of sessions. It returns nil.
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

// watch is what a process knows of the others.
type watch struct {
	*Source
	present []int32
	left    int // looks until sessions that are abandoned are ended; 0 for not to look for any
}

// look looks who is there. When somebody is missing, that one's hints may be too.
func (w *watch) look(ctx context.Context) error {
	present, err := w.Store.Presences(ctx)
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

// endAbandoned ends sessions of those who are not there, and says whether there were any.
func (s *Source) endAbandoned(ctx context.Context, present []int32) (found bool, err error) {
	abandoned, err := s.Store.AbandonedSessions(ctx, present)
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

// end hangs sessions up, whoever has their clients.
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
		return s.Store.ForgetSessions(ctx, pod, sessions...)
	}
	return err
}
