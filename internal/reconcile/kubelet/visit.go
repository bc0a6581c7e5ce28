package kubelet

import (
	"errors"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/emulator"
)

// Visit is a Pod's machine as somebody finds it who gives it inputs, and what they leave to be remembered. A Pod in closed form gets a
// machine, and keeps it.
type Visit struct {
	Machine emulator.Machine
	At      time.Time // of the inputs: cluster time, or how far the machine has come if that is later

	// Unchanged says that there were no inputs after all: nothing is to be stored.
	Unchanged bool

	k     *sync
	limit time.Time
	left  int64 // steps
	asked bool
	news  []emulator.News
}

const (
	// visitSteps is how many steps a visit runs a machine at most.
	visitSteps = 100_000
	// visitAhead is how far beyond the cluster's time a machine may run for a visit, for as long as its programs compute.
	visitAhead = time.Second
)

// ErrNotRunning says that a Pod has nothing to visit.
var ErrNotRunning = errors.New("the Pod has not started")

// NewVisit opens the machine of a Pod, and runs it up to now. s is as for Reconcile; see NeededToRead. The error is ErrNotRunning.
func NewVisit(s Snapshot) (*Visit, error) {
	if s.Node == nil || s.Pod.Status.StartTime == nil || ended(s.Pod.Status.Phase) {
		return nil, ErrNotRunning
	}
	k := newSync(s)
	k.todo = k.computeAction()
	k.open()
	v := &Visit{k: k, limit: s.Now.Add(instant), left: visitSteps}
	m, ok := k.runtime.(emulator.Machine)
	if !ok {
		m = k.newMachine(k.needs().Begin)
		k.runtime = m
		k.derive(true)
	}
	v.Machine = m
	derived := len(k.memory.machine) == 0
	v.Run()
	if derived { // of all else the kubelet has told already
		v.news = slices.DeleteFunc(v.news, func(n emulator.News) bool {
			c := k.named(n.Container)
			return n.Kind != emulator.NewsExited && n.Kind != emulator.NewsSick || c == nil || !c.running()
		})
		k.wake = s.Now
	}
	return v, nil
}

// Run runs the machine up to now and, while its programs compute, beyond: a second at most, and so many steps in all as a visit may.
// It ends early where the machine asks something of the cluster, which only the kubelet can answer.
func (v *Visit) Run() {
	for v.left > 0 && !v.asked {
		until := v.limit
		if m := v.Machine.Now(); m.After(until) || v.Machine.Computes() {
			until = later(until, m.Add(instant))
		}
		stop := v.Machine.Run(until, v.left)
		v.left -= max(stop.Steps, 1)
		switch stop.Kind {
		case emulator.StopNews:
			v.news = append(v.news, v.Machine.Take()...)
		case emulator.StopAsked:
			v.asked = true
		case emulator.StopUntil:
			if !v.Machine.Computes() || v.Machine.Now().Sub(v.limit) >= visitAhead {
				v.At = later(v.k.Now, v.Machine.Now())
				return
			}
		case emulator.StopSpent, emulator.StopHeard:
		}
	}
	v.At = later(v.k.Now, v.Machine.Now())
}

// longestSilence is how long a session can be silent, in real time, before it is taken for one whose server has died.
const longestSilence = 5 * time.Minute

// Reap notes that a session is there, at a real time, and hangs up those that have been silent for too long. 0 is no session.
func (v *Visit) Reap(real time.Time, session int) {
	for _, silent := range v.Machine.Beat(session, real, longestSilence) {
		v.Machine.Hangup(v.At, silent)
	}
}

// Waits says whether the machine waits for the kubelet's answer to a question.
func (v *Visit) Waits() bool { return v.asked }

// Left is what a visit leaves behind.
type Left struct {
	Memory []byte
	Wake   time.Time // when the kubelet is to sync the Pod at the latest, in cluster time; zero for no need
	Heard  time.Time // when the session that the machine listens to has something to collect; zero if nothing is foreseen
}

// Leave encodes the machine and looks ahead; nothing can be done with it after that. The error is emulator.ErrSize.
func (v *Visit) Leave() (Left, error) {
	k := v.k
	v.Machine.Return(v.news)
	k.memory.Queries = v.Machine.Queries()
	var err error
	if k.memory.machine, err = v.Machine.Encode(); err != nil {
		return Left{}, err
	}
	left := Left{Memory: k.memory.encode(), Wake: k.wake}
	if len(v.news) > 0 || v.asked {
		left.Wake = k.Now
		return left, nil
	}
	for steps := int64(foreseeSteps); ; {
		stop := v.Machine.Ahead(steps)
		steps -= stop.Steps
		switch {
		case stop.Kind == emulator.StopHeard && steps > 0:
			if left.Heard.IsZero() {
				left.Heard = stop.At
			}
			v.Machine.Listen(0)
			continue
		case !stop.At.IsZero():
			k.wakeAt(k.whole(stop.At))
			left.Wake = k.wake
		}
		return left, nil
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
