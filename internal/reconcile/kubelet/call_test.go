package kubelet

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// callee is a Pod that has run for a minute, at 10.244.0.9.
func callee(t *testing.T, pod *corev1.Pod) *network.Peer {
	t.Helper()
	pod.Name, pod.UID = "callee", "callee"
	w := &world{t: t, now: noon, pod: pod}
	w.live(time.Minute)
	w.pod.Status.PodIP, w.pod.Status.PodIPs = "10.244.0.9", []corev1.PodIP{{IP: "10.244.0.9"}}
	return &network.Peer{Pod: w.pod, Node: node(), Memory: w.memory}
}

// logOf is what the Pod's container has written by then, without the times.
func logOf(p *network.Peer, at time.Time, container string) (lines []string) {
	m := Machine(Snapshot{Pod: p.Pod, Node: p.Node, Images: images, Now: at, Memory: p.Memory})
	for stop := m.Run(at, derivedSteps); stop.Kind == emulator.StopNews; stop = m.Run(at, derivedSteps) {
		m.Take()
	}
	log, _ := m.Logs(container, "")
	for _, l := range log.Lines {
		lines = append(lines, l.Text)
	}
	return lines
}

// TestCall_IsNoticed: the log of a Pod has the requests of others, with their addresses, even if it
// was in closed form before. A Pod without requests keeps its form.
func TestCall_IsNoticed(t *testing.T) {
	t.Parallel()
	for name, pod := range map[string]*corev1.Pod{
		"closed form": bound(nginx()), "machine": bound(named("nginx", of("c", "nginx:1.28", "sh", "-c", "exec nginx -g 'daemon off;'"))),
	} {
		peer := callee(t, pod)
		if closed := len(peer.Memory) == 0; closed != (name == "closed form") {
			t.Fatalf("%s: %d bytes are remembered", name, len(peer.Memory))
		}
		w := &world{t: t, now: noon.Add(time.Minute), pod: bound(sh("wget -qO /dev/null http://10.244.0.9/?1; wget -qO /dev/null http://10.244.0.9/?2; nc -z 10.244.0.9 80; ping -c 1 10.244.0.9 >/dev/null; sleep infinity"))}
		w.others = []*network.Peer{peer}
		w.live(2 * time.Minute)
		var got []string
		for _, line := range logOf(peer, noon.Add(2*time.Minute), peer.Pod.Spec.Containers[0].Name) {
			if from, rest, ok := strings.Cut(line, " - - "); ok {
				_, request, _ := strings.Cut(rest, "] ")
				got = append(got, from+" "+request[:strings.Index(request, " HTTP")])
			}
		}
		if diff := cmp.Diff([]string{`10.244.0.2 "GET /?1`, `10.244.0.2 "GET /?2`}, got); diff != "" {
			t.Errorf("%s has logged (-want +got):\n%s", name, diff)
		}
		if len(w.calls) != 0 {
			t.Errorf("%s: calls stay: %+v", name, w.calls)
		}
	}
}

// TestCall_KeepsTheForm: a Pod in closed form that has been called lives as it would have
// otherwise.
func TestCall_KeepsTheForm(t *testing.T) {
	t.Parallel()
	q, err := json.Marshal(kernel.Query{Kind: kernel.QueryHTTP, Address: "10.244.0.9", Port: 80, Method: "GET", Path: "/"})
	if err != nil {
		t.Fatal(err)
	}
	stories := map[bool][]string{}
	for _, called := range []bool{false, true} {
		w := &world{t: t, now: noon, pod: bound(with(nginx(), func(c *corev1.Container) {
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 3}}}
		}))}
		w.live(time.Minute)
		if called {
			w.calls = []plan.Call{{Caller: "other", Callee: w.pod.UID, Number: 1, At: noon, Query: q}}
			p := Reconcile(w.snapshot())
			if len(p.Calls) != 1 || len(p.Memory) == 0 || len(p.Updates)+len(p.Events) > 0 {
				t.Fatalf("the plan is\n%s", p)
			}
			w.memory, w.calls = p.Memory, nil
		}
		w.now = noon.Add(2 * time.Minute)
		w.remove(30)
		w.live(5 * time.Minute)
		stories[called] = w.story
	}
	if diff := cmp.Diff(stories[false], stories[true]); diff != "" {
		t.Errorf("the story (-not called +called):\n%s", diff)
	}
}

// TestCall_PostedAgain: a call that a snapshot has lost comes again as it was, and a server that
// holds it serves it once.
func TestCall_PostedAgain(t *testing.T) {
	t.Parallel()
	asks := emulator.Query{ID: 4, Kind: kernel.QueryHTTP, Address: "10.96.0.20", Port: 80, Method: "GET", Path: "/dial?host=10.244.0.3&port=80&request=hostname"}
	lost := memory.Call{ID: 4, Callee: "callee", At: noon.Add(2 * time.Minute), Posted: noon, Port: 8080, From: "10.128.0.1"}
	caller := newSync(Snapshot{Pod: bound(nginx()), Node: node(), Images: images, Now: noon.Add(2 * time.Minute), Outside: &network.Outside{}, Still: true})
	caller.memory.Calls = []memory.Call{lost}
	caller.runtime = caller.newMachine(noon.Add(2 * time.Minute))
	if _, known := caller.callAgain(*caller.pending(4), asks); known || len(caller.calls) != 1 {
		t.Fatalf("known %v, calls %+v", known, caller.calls)
	}
	if diff := cmp.Diff([]memory.Call{{ID: 4, Callee: "callee", At: lost.At, Posted: caller.Now, Port: 8080, From: "10.128.0.1"}}, caller.memory.Calls); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
	c := caller.calls[0]
	c.Caller = "caller"
	peer := callee(t, bound(with(of("c", "registry.k8s.io/e2e-test-images/agnhost:2.63.0"), func(c *corev1.Container) { c.Args = []string{"netexec"} })))
	other := &network.Peer{Pod: bound(nginx()), Node: node()}
	other.Pod.Name, other.Pod.UID = "other", "other"
	outside := &network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.3"}: other}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.3"}: nil}}
	for i, now := range []time.Time{noon.Add(2 * time.Minute), noon.Add(2*time.Minute + time.Second)} {
		p := Reconcile(Snapshot{Pod: peer.Pod, Node: peer.Node, Images: images, Now: now, Memory: peer.Memory, Still: true, Calls: []plan.Call{c}, Outside: outside})
		if n := slices.IndexFunc(p.Calls, func(c plan.Call) bool { return c.Caller == "caller" }); n < 0 || !isTaken(p.Calls[n].Answer) || !p.Calls[n].At.Equal(lost.At) {
			t.Fatalf("the plan of sync %d is\n%s", i, p)
		}
		if m, err := memory.Decode(p.Memory); err != nil || len(m.Served) != 1 {
			t.Errorf("after sync %d it holds %+v, %v", i, m.Served, err)
		}
		peer.Memory = p.Memory
	}
}

// TestCall_WithoutAnswer: who calls a Pod that goes away, or takes too long, hears nothing; a call
// that is there no more is made again, and one that was taken by a Pod which has gone since was
// reset.
func TestCall_WithoutAnswer(t *testing.T) {
	t.Parallel()
	w := &world{t: t, now: noon, pod: bound(sh("wget -T 100 -qO /dev/null http://10.244.0.9 && echo yes || echo no; sleep infinity"))}
	peer := callee(t, bound(nginx()))
	q := network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.9"}: peer}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.9"}: nil}}
	sync := func(after time.Duration, calls []plan.Call, gone bool) plan.Plan {
		t.Helper()
		q.Gone = map[types.UID]bool{"callee": gone}
		w.now = noon.Add(after)
		s := w.snapshot()
		s.Outside, s.Calls = &q, calls
		p := Reconcile(s)
		if p.Memory != nil {
			w.memory = p.Memory
		}
		if len(p.Updates) > 0 {
			w.apply(p)
		}
		return p
	}
	sync(0, nil, false)
	var posted plan.Call
	for at := time.Duration(0); posted.Number == 0 && at < 3*time.Second; at += time.Second {
		for _, c := range sync(at, nil, false).Calls {
			posted = c
		}
	}
	if posted.Callee != "callee" || posted.Removed || len(posted.Query) == 0 {
		t.Fatalf("posted is %+v", posted)
	}
	asked, held := w.memory, posted
	held.Query, held.Answer = nil, taken
	for name, tt := range map[string]struct {
		after time.Duration
		calls []plan.Call
		gone  bool
		want  string
	}{
		"it is taken":           {5 * time.Second, []plan.Call{held}, false, ""},
		"who has taken it went": {5 * time.Second, []plan.Call{held}, true, "remove call"},
		"taken for too long":    {63 * time.Second, []plan.Call{held}, false, "remove call"},
		"it waits":              {5 * time.Second, []plan.Call{posted}, false, ""},
		"it is not there":       {5 * time.Second, nil, false, "post call"},
		"it takes too long":     {63 * time.Second, []plan.Call{posted}, false, "remove call"},
		"the other Pod went":    {5 * time.Second, []plan.Call{posted}, true, "remove call"},
		"too many calls":        {5 * time.Second, []plan.Call{{Caller: posted.Caller, Callee: "callee", Number: posted.Number, At: posted.At, Query: posted.Query, Answer: []byte{}}}, false, "remove call"},
		"one of another start":  {5 * time.Second, []plan.Call{posted, {Caller: posted.Caller, Callee: "callee", Number: 99, At: noon, Query: []byte("x")}}, false, "remove call 99"},
	} {
		w.memory = asked
		p := sync(tt.after, tt.calls, tt.gone)
		lines := ""
		for _, line := range strings.Split(p.String(), "\n") {
			if strings.Contains(line, " call ") {
				lines += line + ";"
			}
		}
		if !strings.HasPrefix(lines, tt.want) || tt.want == "" && lines != "" {
			t.Errorf("%s: %q, next at %s", name, lines, p.WakeAt)
		}
		if tt.want != "remove call" {
			continue
		}
		if reset := strings.Contains(strings.Join(w.log("c"), "\n"), "Connection reset by peer"); reset != (name == "who has taken it went") {
			t.Errorf("%s: the program hears of a reset: %t", name, reset)
		}
	}
}

// TestCall_TakesTime: a call and its answer arrive a moment after they were sent, or at once while
// the clock stands still. Before that neither is seen.
func TestCall_TakesTime(t *testing.T) {
	t.Parallel()
	q, err := json.Marshal(kernel.Query{Kind: kernel.QueryHTTP, Address: "10.244.0.9", Port: 80, Method: "GET", Path: "/"})
	if err != nil {
		t.Fatal(err)
	}
	peer, now := callee(t, bound(nginx())), noon.Add(time.Minute)
	for _, tt := range []struct {
		still bool
		due   time.Time
		want  time.Time // when its answer arrives; zero for none
	}{{false, now, now.Add(time.Millisecond)}, {true, now, now}, {false, now.Add(time.Millisecond), time.Time{}}} {
		p := Reconcile(Snapshot{Pod: peer.Pod, Node: peer.Node, Images: images, Now: now, Still: tt.still, Calls: []plan.Call{{Caller: "x", Callee: "callee", Number: 1, At: now, Due: tt.due, Query: q}}})
		var got time.Time
		for _, c := range p.Calls {
			got = c.Due
		}
		if !got.Equal(tt.want) {
			t.Errorf("%+v: the answer arrives at %s", tt, got)
		}
	}

	w := &world{t: t, now: noon, pod: bound(sh("wget -qO /dev/null http://10.244.0.9; echo over; sleep infinity"))}
	var posted plan.Call
	for posted.Number == 0 {
		s := w.snapshot()
		s.Still = false
		s.Outside = &network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.9"}: peer}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.9"}: nil}}
		p := Reconcile(s)
		for _, c := range p.Calls {
			posted = c
		}
		if p.Memory != nil {
			w.memory = p.Memory
		}
		if len(p.Updates) > 0 {
			w.apply(p)
		}
		if w.now = w.now.Add(time.Second); w.now.After(noon.Add(5 * time.Second)) {
			t.Fatal("nothing was posted")
		}
	}
	if sent := w.now.Add(-time.Second); !posted.Due.Equal(sent.Add(time.Millisecond)) {
		t.Errorf("posted at %s, it arrives at %s", sent, posted.Due)
	}
	for after, want := range map[time.Duration]bool{-time.Millisecond: false, 0: true} {
		s := w.snapshot()
		posted.Query, posted.Answer, posted.Due = nil, []byte(`{"Status":200}`), s.Now.Add(-after)
		s.Outside, s.Calls = &network.Outside{}, []plan.Call{posted}
		if got := strings.Contains(Reconcile(s).String(), "remove call"); got != want {
			t.Errorf("%s after the answer has arrived the caller has it: %t", after, got)
		}
	}
}

// TestCall_OfEachOther: two Pods that ask each other at the same time both get an answer.
func TestCall_OfEachOther(t *testing.T) {
	t.Parallel()
	q, err := json.Marshal(kernel.Query{Kind: kernel.QueryHTTP, Address: "10.244.0.2", Port: 80, Method: "GET", Path: "/"})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: noon, pod: bound(named("c", of("c", "nginx:1.28", "sh", "-c", "nginx; wget -T 3 -qO /dev/null http://10.244.0.9; sleep infinity")))}
	peer := callee(t, bound(nginx()))
	for range 10 {
		if w.look(); len(w.calls) > 0 {
			break
		}
		w.now = w.wake
	}
	w.calls = nil // there is no answer yet
	s := w.snapshot()
	s.Calls = []plan.Call{{Caller: peer.Pod.UID, Callee: w.pod.UID, Number: 7, At: noon, Query: q}}
	if p := Reconcile(s); !strings.Contains(p.String(), "answer call 7 of callee") {
		t.Errorf("the plan of one that waits itself:\n%s", p)
	}
}

// TestCall_OfAPodThatHasEnded is refused.
func TestCall_OfAPodThatHasEnded(t *testing.T) {
	t.Parallel()
	peer := callee(t, bound(named("c", sh("exit 0")), restarting(corev1.RestartPolicyNever)))
	p := Reconcile(Snapshot{Pod: peer.Pod, Node: peer.Node, Images: images, Now: noon.Add(time.Minute), Calls: []plan.Call{{Caller: "x", Callee: "callee", Number: 1, Query: []byte("{}")}}})
	if len(p.Calls) != 1 || string(p.Calls[0].Answer) != `{"Outcome":"refused"}` {
		t.Errorf("the plan is\n%s", p)
	}
}

// TestIsElsewhere: the node asks for a probe or a hook, so that its own host is the Pod's only
// where the Pod uses the node's network.
func TestIsElsewhere(t *testing.T) {
	t.Parallel()
	for host, want := range map[string][2]bool{ // of a Pod of its own network, and of one on the node's
		"10.244.0.2": {false, false}, "10.244.0.9": {true, true}, "10.96.0.50": {true, true}, "example.com": {true, true},
		"127.0.0.1": {true, false}, "localhost": {true, false}, "10.0.0.1": {true, false},
	} {
		for i, onHost := range [...]bool{false, true} {
			pod := bound(nginx())
			pod.Spec.HostNetwork, pod.Status.PodIP, pod.Status.HostIP = onHost, "10.244.0.2", "10.0.0.1"
			k := &sync{Snapshot: Snapshot{Pod: pod}, status: pod.Status}
			if got := k.isElsewhere(host); got != want[i] {
				t.Errorf("%s is elsewhere for a Pod that uses the node's network (%t): %t, want %t", host, onHost, got, want[i])
			}
		}
	}
}
