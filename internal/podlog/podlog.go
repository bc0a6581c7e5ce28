// Package podlog reads the output of the containers of Pods. It is not collected: a reader takes
// the Pod's machine as last stored and runs a copy of it up to now, on any replica; then it has
// what the container has written by then.
//
// Inputs of a machine happen at whole seconds of cluster time, and output from before one never
// changes. So a log is read up to the last whole second, and the instant after it that the kubelet
// counts as the same time.
package podlog

import (
	"bytes"
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/gate"
	"github.com/rowlock/rowlock/internal/object"
)

const (
	// poll is how often an unfinished log is read, in real time: what changes the machine need not
	// change the Pod.
	poll = time.Second
	// askedPoll is how often it is read while the machine waits for an answer from outside.
	askedPoll = 100 * time.Millisecond
	// A read runs a machine for at most readSteps: freeSteps at once, which is enough for most
	// Pods, and the rest in turns of turnSteps, one reader of the Source at a time. A read waits
	// for its first turn, and continues with others for at most patience: the rest comes with the
	// next read.
	readSteps = 100_000
	freeSteps = 5_000
	turnSteps = 20_000
	patience  = time.Second
	// instant is what the kubelet counts as the same time.
	instant = 10 * time.Millisecond
)

// Source is where logs are read from. It is safe for concurrent use.
type Source struct {
	// Memory returns what the kubelet remembers beside a Pod, nil for nothing.
	Memory func(ctx context.Context, pod types.UID) ([]byte, error)
	// Machine returns the machine of a Pod with this memory; nil if the Pod needs none, and so has
	// no output.
	Machine func(pod *corev1.Pod, memory []byte) (emulator.Machine, error)

	Now   func() time.Time                // cluster time
	Until func(t time.Time) time.Duration // real time until a moment of cluster time

	gate gate.Gate
}

// Page is the output of a run up to a moment.
type Page struct {
	Lines   []emulator.Line
	Dropped int  // how many lines before Lines are no longer kept
	Ended   bool // nothing follows
	// Again is the real time until there may be more, if nothing changes before.
	Again time.Duration
	Steps int64 // how many steps of the machine the read has run
}

// Log is the output of one run of a container. It is not safe for concurrent use.
type Log struct {
	source        *Source
	container, id string

	// The machine as it was last read, and run on since.
	memory   []byte
	revision object.Revision // of the Pod, if the machine comes from it
	machine  emulator.Machine
	late     bool // the last read did not finish
}

// Log returns the log of one run: the one with that id, as in the Pod's status.
func (s *Source) Log(container, id string) *Log {
	return &Log{source: s, container: container, id: id}
}

// Read reads the output of the run. It may be called again, with a newer version of the Pod, and
// then costs only what has happened since.
func (l *Log) Read(ctx context.Context, v *object.Version) (Page, error) {
	pod, ok := v.Object().(*corev1.Pod)
	if !ok {
		return Page{}, fmt.Errorf("the log of %s, which is no Pod", v.Key())
	}
	if err := l.update(ctx, v, pod); err != nil {
		return Page{}, err
	}
	page := Page{Again: poll, Ended: !runs(pod, l.container, l.id)}
	if l.machine == nil {
		return page, nil
	}
	l.run(ctx, &page)
	if log, ok := l.machine.Logs(l.container, l.id); ok {
		page.Lines, page.Dropped, page.Ended = log.Lines, log.Dropped, page.Ended || log.Ended
	}
	return page, nil
}

// update takes the machine from the memory if that has changed.
func (l *Log) update(ctx context.Context, v *object.Version, pod *corev1.Pod) error {
	memory, err := l.source.Memory(ctx, v.UID)
	if err != nil {
		return err
	}
	if l.revision != 0 && bytes.Equal(memory, l.memory) && (memory != nil || v.Revision == l.revision) {
		return nil
	}
	m, err := l.source.Machine(pod, memory)
	if err != nil {
		return fmt.Errorf("the machine of %s: %w", v.Key(), err)
	}
	l.memory, l.revision, l.machine = memory, v.Revision, m
	return nil
}

// run runs the machine up to the last whole second, or as long as a read may. It sets the page's
// Again and Steps.
func (l *Log) run(ctx context.Context, page *Page) {
	now := l.source.Now().Truncate(time.Second).Add(instant)
	ended := l.runFor(now, freeSteps, page)
	for wait := ctx; !ended && page.Steps < readSteps; {
		if !l.source.gate.Pass(wait, l.late, func() { ended = l.runFor(now, turnSteps, page) }) {
			break
		}
		if l.late = true; wait == ctx {
			var cancel context.CancelFunc
			wait, cancel = context.WithTimeout(ctx, patience)
			defer cancel()
		}
	}
	l.late = !ended
}

// runFor runs the machine for at most this many steps, and reports whether it has reached the time.
func (l *Log) runFor(now time.Time, steps int64, page *Page) (ended bool) {
	for steps > 0 {
		stop := l.machine.Run(now, steps)
		steps, page.Steps = steps-max(stop.Steps, 1), page.Steps+stop.Steps
		switch stop.Kind {
		case emulator.StopNews:
			l.machine.Take() // the kubelet handles what follows from it
		case emulator.StopAsked:
			page.Again = askedPoll
			return true
		case emulator.StopUntil:
			if page.Again = poll; !stop.At.IsZero() {
				page.Again = min(l.source.Until(shown(stop.At)), poll)
			}
			return true
		case emulator.StopSpent, emulator.StopHeard, emulator.StopReplied: // the next turn, if there is one, continues it
		}
	}
	page.Again = poll
	return false
}

// shown returns the first whole second that shows what happens at a time.
func shown(t time.Time) time.Time {
	whole := t.Truncate(time.Second)
	if t.Sub(whole) > instant {
		return whole.Add(time.Second)
	}
	return whole
}

// runs reports whether a Pod's status has a container running with an id.
func runs(pod *corev1.Pod, container, id string) bool {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses, pod.Status.EphemeralContainerStatuses} {
		for _, s := range list {
			if s.Name == container {
				return s.State.Running != nil && s.ContainerID == id
			}
		}
	}
	return false
}
