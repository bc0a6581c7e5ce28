package emulator

import (
	"errors"
	"time"
)

// closedForm is the Runtime of a Pod whose programs only serve, sleep or are not known. The times
// when such a run is started and stopped decide everything about it: nothing is run, and nothing is
// remembered from one sync to the next. So every sync repeats all starts and stops, at their times.
//
// Differs from a machine: it reports that a probe has failed for too long when the container has
// ended for that reason, and that the readiness probe fails when the container starts.
type closedForm struct {
	now  time.Time
	runs []course
	room [1]course // most Pods have one container
	news []News
}

func (f *closedForm) course(container string) *course {
	for i := range f.runs {
		if f.runs[i].outline.Name == container {
			return &f.runs[i]
		}
	}
	return nil
}

// Start implements Runtime. It never fails.
func (f *closedForm) Start(at time.Time, s Spec) error {
	r := f.course(s.Outline.Name)
	if r == nil {
		if f.runs == nil {
			f.runs = f.room[:0]
		}
		f.runs = append(f.runs, course{})
		r = &f.runs[len(f.runs)-1]
	}
	*r = course{outline: s.Outline, started: at}
	r.foresee()
	if c := s.Outline.Container; c != nil && c.ReadinessProbe != nil {
		if r.unready = s.Outline.ask(c.ReadinessProbe); r.unready != "" {
			f.news = append(f.news, News{At: at, Container: s.Outline.Name, Kind: NewsUnhealthy, Message: "Readiness probe failed: " + r.unready})
		}
	}
	return nil
}

// Terminate implements Runtime.
func (f *closedForm) Terminate(at time.Time, container string, grace time.Duration) (changed bool) {
	r := f.course(container)
	if r == nil || r.hasEnded {
		return false
	}
	r.stop(at, grace)
	return !r.end.at.After(f.now)
}

// Prepare implements Runtime. Its effect shows when Terminate comes.
func (f *closedForm) Prepare(at time.Time, container string, _ time.Duration) (changed bool) {
	r := f.course(container)
	if r == nil || r.hasEnded || !r.prepared.IsZero() || !r.stopping.at.IsZero() && !r.stopping.failed.After(at) {
		return false
	}
	if r.prepared = at; r.stopping.failure != "" {
		r.foresee() // the hook began before the probe failed
	}
	return false
}

// Cut implements Runtime.
func (f *closedForm) Cut(at time.Time, container string, code int32) {
	if r := f.course(container); r != nil && !r.hasEnded {
		r.end, r.hasEnded = ending{at: at, code: code}, true
	}
	f.news = nil
}

// Run implements Runtime. It takes no steps.
func (f *closedForm) Run(until time.Time, _ int64) Stop {
	for len(f.news) == 0 {
		var next *course
		for i := range f.runs {
			if r := &f.runs[i]; !r.hasEnded && (next == nil || r.end.comesBefore(&next.end)) {
				next = r
			}
		}
		if next == nil || next.end.at.IsZero() || next.end.at.After(until) {
			f.now = later(f.now, until)
			return Stop{Kind: StopUntil, At: f.due()}
		}
		f.now = later(f.now, next.end.at)
		if e := &next.end; e.failure != "" {
			f.news = append(f.news, News{At: e.failed, Container: next.outline.Name, Kind: NewsSick, Probe: e.probe,
				Message: e.probe.String() + " probe failed: " + e.failure})
		}
		next.hasEnded = true
		f.news = append(f.news, News{At: next.end.at, Container: next.outline.Name, Kind: NewsExited})
	}
	return Stop{Kind: StopNews, At: f.news[0].At}
}

// Ahead implements Runtime.
func (f *closedForm) Ahead(int64) Stop { return Stop{Kind: StopUntil, At: f.due()} }

// due is when a State changes next; zero for never.
func (f *closedForm) due() (due time.Time) {
	sooner := func(t time.Time, ok bool) {
		if ok && t.After(f.now) && (due.IsZero() || t.Before(due)) {
			due = t
		}
	}
	for i := range f.runs {
		if r := &f.runs[i]; !r.hasEnded {
			sooner(r.end.at, true)
			sooner(r.startedAt())
			sooner(r.readyAt())
		}
	}
	return due
}

// Take implements Runtime.
func (f *closedForm) Take() []News {
	news := f.news
	f.news = nil
	return news
}

// Now implements Runtime.
func (f *closedForm) Now() time.Time { return f.now }

// State implements Runtime.
func (f *closedForm) State(container string) State {
	r := f.course(container)
	if r == nil {
		return State{}
	}
	s := State{ID: r.outline.ID, Started: r.started}
	if r.hasEnded {
		s.Ended, s.ExitCode, s.WasStopped = r.end.at, r.end.code, r.end.told
		return s
	}
	s.Live = true
	at, ok := r.startedAt()
	s.HasStarted = ok && !f.now.Before(at)
	at, ok = r.readyAt()
	s.IsReady = ok && !f.now.Before(at)
	return s
}

// Live implements Runtime.
func (f *closedForm) Live() bool {
	for i := range f.runs {
		if !f.runs[i].hasEnded {
			return true
		}
	}
	return false
}

// Resize implements Runtime. Resources do not matter in closed form.
func (f *closedForm) Resize(time.Time, string, Resources) (changed bool) { return false }

// HasFiles implements Runtime.
func (f *closedForm) HasFiles() bool { return false }

// IsNamed implements Runtime.
func (f *closedForm) IsNamed() bool { return true }

// Identify implements Runtime.
func (f *closedForm) Identify(Identity) error { return nil }

// Rename implements Runtime.
func (f *closedForm) Rename() {}

// Empty implements Runtime.
func (f *closedForm) Empty(time.Time, string, int64) {}

// Show implements Runtime.
func (f *closedForm) Show(time.Time, string, *Image) {}

// Write implements Runtime.
func (f *closedForm) Write(time.Time, string, int, []Projected) (changed bool, err error) {
	return false, nil
}

// ReadFile implements Runtime.
func (f *closedForm) ReadFile(_, _ string) ([]byte, error) {
	return nil, errors.New("the Pod has no files")
}

// ReadHost implements Runtime.
func (f *closedForm) ReadHost(time.Time, string, []HostFile) (changed bool) { return false }

// WroteHost implements Runtime.
func (f *closedForm) WroteHost(string) []HostFile { return nil }

// Queries implements Runtime.
func (f *closedForm) Queries() []Query { return nil }

// Answer implements Runtime.
func (f *closedForm) Answer(time.Time, int, Answer) error {
	return errors.New("nothing has been asked")
}

// Query implements Runtime.
func (f *closedForm) Query(int) (q Query, ok bool) { return Query{}, false }

// Hold implements Runtime.
func (f *closedForm) Hold(int) {}

// Serves implements Runtime.
func (f *closedForm) Serves() bool { return false }

// Reply implements Runtime.
func (f *closedForm) Reply(int) (a Answer, done bool) { return Answer{Outcome: OutcomeReset}, true }

// Serve implements Runtime. To get a Pod's answers, callers use its Machine.
func (f *closedForm) Serve(Query) Answer { return Answer{Outcome: OutcomeRefused} }

// Receive implements Runtime. Like Serve, it refuses.
func (f *closedForm) Receive(time.Time, Query) Answer { return Answer{Outcome: OutcomeRefused} }

// Encode implements Runtime.
func (f *closedForm) Encode() ([]byte, error) { return nil, nil }

// Retire implements Runtime.
func (f *closedForm) Retire() {}
