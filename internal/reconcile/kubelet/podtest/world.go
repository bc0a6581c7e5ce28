// Package podtest has Pods on a node to test the kubelet with: it syncs a Pod again and again, as
// its plans ask for it, checks what must hold for every plan, and tells what happens as a story.
package podtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// Noon is when Pods are bound, and Stamp is the same as in a status. Images are the emulated
// images.
var (
	Noon   = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	Stamp  = metav1.Time{Time: Noon}
	Images = emulator.NewCatalogue()
)

// World is one Pod on its node, with a clock that jumps from one thing that happens to the next.
type World struct {
	T     Failer
	Pod   *corev1.Pod // nil once it is deleted
	Now   time.Time
	Wake  time.Time
	Story []string

	Events   []string // the messages of Events about failures
	Memory   []byte
	Around   podsetup.Surroundings
	Services []*corev1.Service
	Others   []*network.Peer
	Calls    []plan.Call // that the Pod has made
	Traffic  map[string]plan.Counts
	Silent   map[string]bool
	Node     NodeFiles
	Record   string                    // of the node's last outage
	Heard    func(event, about string) // called for every event; may be nil
	Late     bool                      // the next sync is later than requested
	Faults   fault.OfPod
	Shortage *kubelet.Shortage
	Sign     func(claims []byte) (token []byte, signed bool)
}

// Failer is what *testing.T and *rapid.T have in common.
type Failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// New is a Pod on its node at noon.
func New(t Failer, pod *corev1.Pod) *World { return &World{T: t, Now: Noon, Pod: pod} }

// Live syncs the Pod now and whenever it asks for it, until nothing is left to wait for or the time
// has come. Each sync that changes anything adds a line to the story.
func (w *World) Live(until time.Duration) {
	w.T.Helper()
	w.Sync()
	for w.Pod != nil && !w.Wake.IsZero() && !w.Wake.After(Noon.Add(until)) {
		w.Now = w.Wake
		w.Sync()
	}
	w.Now = Noon.Add(until)
}

// Sync reconciles once and checks what must hold for every plan: it is the same for the same input,
// does not modify the input, wakes later than now unless it deletes next, and when its update is
// applied nothing more is left to do, unless it came late.
func (w *World) Sync() {
	w.T.Helper()
	before := w.Pod.DeepCopy()
	p := kubelet.Reconcile(w.Snapshot())
	if diff := cmp.Diff(before, w.Pod); diff != "" {
		w.T.Fatalf("the snapshot was changed (-want +got):\n%s", diff)
	}
	if again := kubelet.Reconcile(w.Snapshot()); again.String() != p.String() {
		w.T.Fatalf("two plans for one input:\n%s\n%s", p, again)
	}
	w.Wake = p.WakeAt
	w.Node.keep(p.Files)
	w.exchange(p.Calls)
	for _, t := range p.Traffic {
		w.tally(t)
	}
	if p.Memory != nil {
		w.Memory = p.Memory
	}
	if !p.Empty() {
		w.Apply(p)
	}
	late := w.Late
	if w.Late = false; w.Pod == nil || len(p.Updates) == 0 || w.Wake.Equal(w.Now) || late {
		return
	}
	if next := kubelet.Reconcile(w.Snapshot()); len(next.Deletes) == 0 && (!next.Empty() || !next.WakeAt.Equal(p.WakeAt)) {
		w.T.Fatalf("at %s the plan\n%sis followed at once by\n%s", w.Now.Sub(Noon), p, next)
	}
}

// tally adds up what the Pod's plans count, by Service and Pod.
func (w *World) tally(t plan.Traffic) {
	if w.Traffic == nil {
		w.Traffic = map[string]plan.Counts{}
	}
	sum := w.Traffic[t.Service+" "+t.Callee]
	sum.Add(t.Counts)
	w.Traffic[t.Service+" "+t.Callee] = sum
}

// exchange posts and removes calls of the Pod, and has the others answer, each in a sync of its
// own.
func (w *World) exchange(calls []plan.Call) {
	w.T.Helper()
	for _, c := range calls {
		if c.Removed {
			w.Calls = slices.DeleteFunc(w.Calls, func(other plan.Call) bool { return other.Number == c.Number && other.At.Equal(c.At) })
			continue
		}
		for _, peer := range w.Others {
			if peer.Pod.UID != c.Callee {
				continue
			}
			p := kubelet.Reconcile(kubelet.Snapshot{
				Pod: peer.Pod, Node: peer.Node, Images: Images, Now: w.Now, Memory: peer.Memory, Still: true,
				Around: peer.Around, Calls: []plan.Call{c},
			})
			if len(p.Calls) != 1 || p.Calls[0].Number != c.Number || p.Calls[0].Answer == nil {
				w.T.Fatalf("the plan of %s does not answer: %s", peer.Pod.Name, p)
			}
			c.Answer = p.Calls[0].Answer
			if p.Memory != nil {
				peer.Memory = p.Memory
			}
			if len(p.Updates) > 0 {
				peer.Pod = p.Updates[0].Object.(*corev1.Pod)
			}
		}
		w.Calls, w.Wake = append(w.Calls, c), w.Now
	}
}

// Snapshot is the input of the Pod's next sync.
func (w *World) Snapshot() kubelet.Snapshot {
	s := kubelet.Snapshot{
		Pod: w.Pod, Node: Node(), Address: "10.244.0.2", Images: Images, Now: w.Now, Memory: w.Memory, Still: true,
		Calls: w.Calls, Faults: w.Faults, Shortage: w.Shortage, Sign: w.Sign,
	}
	if w.Record != "" {
		s.Node.Annotations, s.Address = map[string]string{outage.Record: w.Record}, "10.244.0.3"
	}
	s.Files, s.Shared = w.Node.Seen(w.Pod), w.Node != nil
	if n := need.Of(w.Pod, w.Memory, Images); len(n.ConfigMaps)+len(n.Secrets) > 0 || n.Services {
		s.Around = w.Around
		if n.Asks() {
			s.Outside = LookOutside(n.Queries, w.Services, w.Others, w.Silent)
		}
	}
	return s
}

// Apply stores the update as JSON would keep it, and tells what happened.
func (w *World) Apply(p plan.Plan) {
	line := fmt.Sprintf("%4s ", w.Now.Sub(Noon))
	switch {
	case len(p.Deletes) > 0:
		w.Pod = nil
		line += "deleted"
	case len(p.Updates) > 0:
		body, err := json.Marshal(p.Updates[0].Object)
		if err != nil {
			w.T.Fatal(err)
		}
		w.Pod = &corev1.Pod{}
		if err := json.Unmarshal(body, w.Pod); err != nil {
			w.T.Fatal(err)
		}
		line += Summary(w.Pod)
	}
	for i, e := range p.Events {
		if w.Heard != nil {
			w.Heard(e.Reason+" "+e.Message, e.FieldPath)
		}
		if strings.HasPrefix(e.Reason, "Failed") {
			w.Events = append(w.Events, e.Message)
		}
		line += [2]string{" | ", ", "}[min(i, 1)] + e.Reason
	}
	w.Story = append(w.Story, line)
}

// Summary is "Running 1/1 nginx=Running".
func Summary(pod *corev1.Pod) string {
	ready, parts := 0, []string(nil)
	for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for _, c := range list {
			state := "Running"
			switch {
			case c.State.Waiting != nil:
				state = c.State.Waiting.Reason
			case c.State.Terminated != nil:
				state = fmt.Sprintf("%s(%d)", c.State.Terminated.Reason, c.State.Terminated.ExitCode)
			}
			if c.RestartCount > 0 {
				state += fmt.Sprintf("×%d", c.RestartCount)
			}
			parts = append(parts, c.Name+"="+state)
		}
	}
	for _, c := range pod.Status.ContainerStatuses {
		if c.Ready {
			ready++
		}
	}
	text := string(pod.Status.Phase)
	if pod.Status.Reason != "" {
		text += "(" + pod.Status.Reason + ")"
	}
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady })
	if isReady := pod.Status.Conditions[i].Status == corev1.ConditionTrue; isReady {
		text += " ready"
	}
	return fmt.Sprintf("%s %d/%d %s", text, ready, len(pod.Status.ContainerStatuses), strings.Join(parts, " "))
}

// Remove asks for the Pod's deletion as the API does.
func (w *World) Remove(grace int64) {
	w.Pod = w.Pod.DeepCopy()
	w.Pod.Generation++
	w.Pod.DeletionGracePeriodSeconds = &grace
	w.Pod.DeletionTimestamp = &metav1.Time{Time: w.Now.Truncate(time.Second).Add(time.Duration(grace) * time.Second)}
}

// Suffer has the node fail now and be back after a time.
func (w *World) Suffer(fault string, d time.Duration) {
	w.T.Helper()
	from := w.Now.Truncate(time.Second)
	o := outage.Outage{Fault: fault, From: from}
	w.Record = o.String()
	for range 2 { // another sync comes in between
		if p := kubelet.Reconcile(w.Snapshot()); !p.Empty() || p.Memory != nil || !p.WakeAt.IsZero() {
			w.T.Fatalf("on a node that is %s: %s", fault, p)
		}
		w.Now = from.Add(d)
	}
	o.To, w.Late = w.Now, true
	w.Record = o.String()
}

// Want compares the story, and begins a new one.
func (w *World) Want(want ...string) {
	w.T.Helper()
	if diff := cmp.Diff(want, w.Story); diff != "" {
		w.T.Errorf("story (-want +got):\n%s", diff)
	}
	w.Story = nil
}
