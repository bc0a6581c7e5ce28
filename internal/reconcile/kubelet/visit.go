package kubelet

import (
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

// Visit opens a Pod's machine for inputs from clients, and yields the memory to store afterwards. A
// Pod in closed form gets a machine, and keeps it.
type Visit struct {
	Machine emulator.Machine
	At      time.Time // of the inputs: cluster time, or the machine's time if that is later

	k     *sync
	limit time.Time
	may   int64 // steps in total
	left  int64 // steps left
	asked bool
	news  []emulator.News

	replied bool // a server has answered a request that it held
}

const (
	// visitSteps is the maximum number of steps of a visit. It may run what the Pod's share leaves,
	// but at least a new machine's credit, so that a user who types gets a response however busy
	// the Pod is.
	visitSteps = memory.BacklogSteps
	// visitAhead is how far beyond the cluster's time a machine may run for a visit, as long as its
	// programs compute.
	visitAhead = time.Second
)

// ErrNotRunning means that the Pod has nothing to visit.
var ErrNotRunning = errors.New("the Pod has not started")

// ErrUnsigned means that a program has read a token that cannot be signed yet: its key is not open,
// or the ServiceAccount of a new Pod does not exist yet.
var ErrUnsigned = errors.New("the token of the Pod's ServiceAccount cannot be signed")

// NewVisit opens the machine of a Pod, and runs it up to now. s is as for Reconcile; see
// need.ToRead. If s.Steps is not zero, the visit may run that many steps, and the Pod's share does
// not apply. The error is ErrNotRunning.
func NewVisit(s Snapshot) (*Visit, error) {
	if s.Node == nil || s.Pod.Status.StartTime == nil || ended(s.Pod.Status.Phase) {
		return nil, ErrNotRunning
	}
	k := newSync(s)
	k.todo = k.situation().Compute()
	k.open()
	v := &Visit{k: k, limit: s.Now.Add(instant), left: s.Steps}
	if v.left == 0 {
		v.left = min(max(k.memory.Share(s.Now), memory.CreditSteps), visitSteps)
	}
	v.may = v.left
	m, ok := k.runtime.(emulator.Machine)
	if !ok {
		m = k.newMachine(k.needs().Begin)
		k.runtime = m
		k.derive(true)
	}
	v.Machine = m
	derived := len(k.memory.Machine) == 0
	v.run(v.left/2, 0) // the inputs get the other half
	if derived {       // the kubelet has already reported everything else
		v.news = slices.DeleteFunc(v.news, func(n emulator.News) bool {
			c := k.named(n.Container)
			return n.Kind != emulator.NewsExited && n.Kind != emulator.NewsSick || c == nil || !c.running()
		})
		k.wake = s.Now
	}
	return v, nil
}

// Run runs the machine up to now and, while its programs compute, at most a second beyond, within
// the visit's steps. It ends early if the machine asks a question about the cluster, which only the
// kubelet can answer.
func (v *Visit) Run() { v.run(0, visitAhead) }

// Serve makes a server in the Pod answer a query, now or at the point where the machine waits for
// the kubelet.
func (v *Visit) Serve(q emulator.Query) emulator.Answer {
	at := v.At
	if v.asked {
		at = v.Machine.Now() // what is due in it comes first, when it continues
	}
	return v.Machine.Receive(at, q)
}

// run runs the machine at most so far ahead of now, and leaves that many steps.
func (v *Visit) run(leaves int64, ahead time.Duration) {
	until := v.limit
	for v.left > leaves && !v.asked {
		if m := v.Machine.Now(); ahead > 0 && (m.After(v.limit) || v.Machine.Computes()) {
			until = later(until, m.Add(instant))
		}
		stop := v.Machine.Run(until, v.left-leaves)
		v.left -= max(stop.Steps, 1)
		switch stop.Kind {
		case emulator.StopNews:
			v.news = append(v.news, v.Machine.Take()...)
		case emulator.StopAsked:
			v.asked = true
		case emulator.StopUntil:
			next := later(v.Machine.Now(), stop.At) // on a busy CPU a step takes long
			if !v.Machine.Computes() || next.Sub(v.limit) >= ahead {
				v.At = later(v.k.Now, v.Machine.Now())
				return
			}
			until = later(until, next)
		case emulator.StopReplied:
			v.replied = true
		case emulator.StopSpent, emulator.StopHeard:
		}
	}
	v.At = later(v.k.Now, v.Machine.Now())
}

// Pod is the visited Pod. It must not be modified.
func (v *Visit) Pod() *corev1.Pod { return v.k.Snapshot.Pod }

// Waits reports whether the machine waits for the kubelet's answer to a question.
func (v *Visit) Waits() bool { return v.asked }

// Spent is true if programs would continue to compute had the visit not used up its steps, and the
// kubelet will not continue them: it does so only with machines that are behind.
func (v *Visit) Spent() bool {
	return v.left <= 0 && !v.asked && v.Machine.Computes() && v.Machine.Now().After(v.k.Now.Add(-time.Second)) && v.Machine.Now().Sub(v.limit) < visitAhead
}

// Left is the result of a visit.
type Left struct {
	Memory []byte
	Wake   time.Time // when the kubelet must sync the Pod at the latest, in cluster time; zero if it need not

	// Audible are the sessions that have something to collect now. Heard is when the other
	// requested sessions will have some, as far as that can be predicted.
	Audible []int
	Heard   map[int]time.Time
}

// Leave encodes the machine and looks ahead, including for these sessions; the Visit cannot be used
// afterwards. Errors: emulator.ErrSize and ErrUnsigned.
func (v *Visit) Leave(sessions ...int) (left Left, err error) {
	k := v.k
	if k.signer.Failed {
		return Left{}, ErrUnsigned
	}
	v.Machine.Return(v.news)
	k.memory.Queries = v.Machine.Queries()
	k.memory.Pay(k.Now, v.may-v.left)
	left.Audible = v.Machine.Audible()
	if k.memory.Machine, err = v.Machine.Encode(); err != nil {
		return Left{}, err
	}
	left.Memory = k.memory.Encode()
	if left.Wake = k.wake; len(v.news) > 0 || v.asked || v.replied && len(k.memory.Served) > 0 {
		left.Wake = k.Now
		return left, nil
	}
	sessions = without(sessions, left.Audible)
	v.Machine.Listen(sessions...)
	for steps := int64(foreseeSteps); ; {
		stop := v.Machine.Ahead(steps)
		steps -= max(stop.Steps, 1)
		switch {
		case stop.Kind == emulator.StopHeard && steps > 0:
			audible := v.Machine.Audible()
			for _, id := range sessions {
				if slices.Contains(audible, id) {
					left.hear(id, stop.At)
				}
			}
			sessions = without(sessions, audible)
			v.Machine.Listen(sessions...)
			continue
		case !stop.At.IsZero():
			k.wakeAt(k.whole(stop.At))
			left.Wake = k.wake
		}
		return left, nil
	}
}

func (l *Left) hear(session int, at time.Time) {
	if l.Heard == nil {
		l.Heard = map[int]time.Time{}
	}
	l.Heard[session] = at
}

// without are the sessions that are not in others.
func without(sessions, others []int) (left []int) {
	for _, id := range sessions {
		if !slices.Contains(others, id) {
			left = append(left, id)
		}
	}
	return left
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
