package kubelet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

var (
	noon   = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	stamp  = metav1.Time{Time: noon}
	images = emulator.NewCatalogue()
)

// world is one Pod on its node, with a clock that jumps from one thing that happens to the next.
type world struct {
	t     failer
	pod   *corev1.Pod // nil once it is deleted
	now   time.Time
	wake  time.Time
	story []string

	events   []string // the messages of Events about failures
	memory   []byte
	around   podsetup.Surroundings
	services []*corev1.Service
	others   []*network.Peer
	calls    []plan.Call // that the Pod has made
	traffic  map[string]plan.Counts
	silent   map[string]bool
	node     nodeFiles
	record   string                    // of the node's last outage
	heard    func(event, about string) // called for every event; may be nil
	late     bool                      // the next sync is later than requested
	faults   fault.OfPod
	shortage *Shortage
	sign     func(claims []byte) (token []byte, signed bool)
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// live syncs the Pod now and whenever it asks for it, until nothing is left to wait for or the time
// has come. Each sync that changes anything adds a line to the story.
func (w *world) live(until time.Duration) {
	w.t.Helper()
	w.look()
	for w.pod != nil && !w.wake.IsZero() && !w.wake.After(noon.Add(until)) {
		w.now = w.wake
		w.look()
	}
	w.now = noon.Add(until)
}

// look reconciles once and checks what must hold for every plan: it is the same for the same input,
// does not modify the input, wakes later than now unless it deletes next, and when its update is
// applied nothing more is left to do, unless it came late.
func (w *world) look() {
	w.t.Helper()
	before := w.pod.DeepCopy()
	p := Reconcile(w.snapshot())
	if diff := cmp.Diff(before, w.pod); diff != "" {
		w.t.Fatalf("the snapshot was changed (-want +got):\n%s", diff)
	}
	if again := Reconcile(w.snapshot()); again.String() != p.String() {
		w.t.Fatalf("two plans for one input:\n%s\n%s", p, again)
	}
	w.wake = p.WakeAt
	w.node.keep(p.Files)
	w.exchange(p.Calls)
	for _, t := range p.Traffic {
		w.tally(t)
	}
	if p.Memory != nil {
		w.memory = p.Memory
	}
	if !p.Empty() {
		w.apply(p)
	}
	late := w.late
	if w.late = false; w.pod == nil || len(p.Updates) == 0 || w.wake.Equal(w.now) || late {
		return
	}
	if next := Reconcile(w.snapshot()); len(next.Deletes) == 0 && (!next.Empty() || !next.WakeAt.Equal(p.WakeAt)) {
		w.t.Fatalf("at %s the plan\n%sis followed at once by\n%s", w.now.Sub(noon), p, next)
	}
}

// exchange posts and removes calls of the Pod, and has the others answer, each in a sync of its
// own.
func (w *world) exchange(calls []plan.Call) {
	w.t.Helper()
	for _, c := range calls {
		if c.Removed {
			w.calls = slices.DeleteFunc(w.calls, func(other plan.Call) bool { return other.Number == c.Number && other.At.Equal(c.At) })
			continue
		}
		for _, peer := range w.others {
			if peer.Pod.UID != c.Callee {
				continue
			}
			p := Reconcile(Snapshot{Pod: peer.Pod, Node: peer.Node, Images: images, Now: w.now, Memory: peer.Memory, Still: true, Around: peer.Around, Calls: []plan.Call{c}})
			if len(p.Calls) != 1 || p.Calls[0].Number != c.Number || p.Calls[0].Answer == nil {
				w.t.Fatalf("the plan of %s does not answer: %s", peer.Pod.Name, p)
			}
			c.Answer = p.Calls[0].Answer
			if p.Memory != nil {
				peer.Memory = p.Memory
			}
			if len(p.Updates) > 0 {
				peer.Pod = p.Updates[0].Object.(*corev1.Pod)
			}
		}
		w.calls, w.wake = append(w.calls, c), w.now
	}
}

func (w *world) snapshot() Snapshot {
	s := Snapshot{Pod: w.pod, Node: node(), Address: "10.244.0.2", Images: images, Now: w.now, Memory: w.memory, Still: true, Calls: w.calls, Faults: w.faults, Shortage: w.shortage, Sign: w.sign}
	if w.record != "" {
		s.Node.Annotations, s.Address = map[string]string{outage.Record: w.record}, "10.244.0.3"
	}
	s.Files, s.Shared = w.node.seen(w.pod), w.node != nil
	if n := need.Of(w.pod, w.memory, images); len(n.ConfigMaps)+len(n.Secrets) > 0 || n.Services {
		s.Around = w.around
		if n.Asks() {
			s.Outside = lookOutside(n.Queries, w.services, w.others, w.silent)
		}
	}
	return s
}

// apply stores the update as JSON would keep it, and tells what happened.
func (w *world) apply(p plan.Plan) {
	line := fmt.Sprintf("%4s ", w.now.Sub(noon))
	switch {
	case len(p.Deletes) > 0:
		w.pod = nil
		line += "deleted"
	case len(p.Updates) > 0:
		body, err := json.Marshal(p.Updates[0].Object)
		if err != nil {
			w.t.Fatal(err)
		}
		w.pod = &corev1.Pod{}
		if err := json.Unmarshal(body, w.pod); err != nil {
			w.t.Fatal(err)
		}
		line += summary(w.pod)
	}
	for i, e := range p.Events {
		if w.heard != nil {
			w.heard(e.Reason+" "+e.Message, e.FieldPath)
		}
		if strings.HasPrefix(e.Reason, "Failed") {
			w.events = append(w.events, e.Message)
		}
		line += [2]string{" | ", ", "}[min(i, 1)] + e.Reason
	}
	w.story = append(w.story, line)
}

// summary is "Running 1/1 nginx=Running".
func summary(pod *corev1.Pod) string {
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

func node() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "node-1"},
		Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: "10.0.0.1"}, {Type: corev1.NodeHostName, Address: "node-1"},
		}, Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("64")}},
	}
}

type podOption func(*corev1.Pod)

// bound is a Pod that the scheduler has just bound, with one container.
func bound(c corev1.Container, options ...podOption) *corev1.Pod {
	grace := int64(30)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "11111111-1111-1111-1111-111111111111",
			ResourceVersion: "7", Generation: 1, CreationTimestamp: stamp},
		Spec: corev1.PodSpec{NodeName: "node-1", RestartPolicy: corev1.RestartPolicyAlways,
			TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{c}},
		Status: corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBestEffort,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: stamp}}},
	}
	for _, o := range options {
		o(pod)
	}
	return pod
}

func restarting(p corev1.RestartPolicy) podOption {
	return func(pod *corev1.Pod) { pod.Spec.RestartPolicy = p }
}

func withInit(list ...corev1.Container) podOption {
	return func(pod *corev1.Pod) { pod.Spec.InitContainers = list }
}

func withDeadline(seconds int64) podOption {
	return func(pod *corev1.Pod) { pod.Spec.ActiveDeadlineSeconds = &seconds }
}

// container runs an image, by default present and with its own program.
func of(name, image string, command ...string) corev1.Container {
	return corev1.Container{Name: name, Image: image, Command: command, ImagePullPolicy: corev1.PullIfNotPresent}
}

func nginx() corev1.Container { return of("nginx", "nginx:1.14.2") }

func sh(script string) corev1.Container { return of("c", "busybox", "sh", "-c", script) }

func asSidecar(c corev1.Container) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	c.RestartPolicy = &always
	return c
}

// remove asks for the Pod's deletion as the API does.
func (w *world) remove(grace int64) {
	w.pod = w.pod.DeepCopy()
	w.pod.Generation++
	w.pod.DeletionGracePeriodSeconds = &grace
	w.pod.DeletionTimestamp = &metav1.Time{Time: w.now.Truncate(time.Second).Add(time.Duration(grace) * time.Second)}
}

// suffer has the node fail now and be back after a time.
func (w *world) suffer(fault string, d time.Duration) {
	w.t.Helper()
	from := w.now.Truncate(time.Second)
	o := outage.Outage{Fault: fault, From: from}
	w.record = o.String()
	for range 2 { // another sync comes in between
		if p := Reconcile(w.snapshot()); !p.Empty() || p.Memory != nil || !p.WakeAt.IsZero() {
			w.t.Fatalf("on a node that is %s: %s", fault, p)
		}
		w.now = from.Add(d)
	}
	o.To, w.late = w.now, true
	w.record = o.String()
}
