package kubelet_test

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
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// logOf is what the Pod's container has written by then, without the times.
func logOf(p *network.Peer, at time.Time, container string) (lines []string) {
	m := kubelet.Machine(kubelet.Snapshot{Pod: p.Pod, Node: p.Node, Images: podtest.Images, Now: at, Memory: p.Memory})
	for stop := m.Run(at, 50_000); stop.Kind == emulator.StopNews; stop = m.Run(at, 50_000) {
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
		"closed form": podtest.Bound(podtest.Nginx()), "machine": podtest.Bound(podtest.Named("nginx", podtest.Of("c", "nginx:1.28", "sh", "-c", "exec nginx -g 'daemon off;'"))),
	} {
		peer := podtest.Callee(t, pod)
		if closed := len(peer.Memory) == 0; closed != (name == "closed form") {
			t.Fatalf("%s: %d bytes are remembered", name, len(peer.Memory))
		}
		w := &podtest.World{
			T: t, Now: podtest.Noon.Add(time.Minute),
			Pod: podtest.Bound(podtest.Sh("wget -qO /dev/null http://10.244.0.9/?1; wget -qO /dev/null http://10.244.0.9/?2; " +
				"nc -z 10.244.0.9 80; ping -c 1 10.244.0.9 >/dev/null; sleep infinity")),
		}
		w.Others = []*network.Peer{peer}
		w.Live(2 * time.Minute)
		var got []string
		for _, line := range logOf(peer, podtest.Noon.Add(2*time.Minute), peer.Pod.Spec.Containers[0].Name) {
			if from, rest, ok := strings.Cut(line, " - - "); ok {
				_, request, _ := strings.Cut(rest, "] ")
				got = append(got, from+" "+request[:strings.Index(request, " HTTP")])
			}
		}
		if diff := cmp.Diff([]string{`10.244.0.2 "GET /?1`, `10.244.0.2 "GET /?2`}, got); diff != "" {
			t.Errorf("%s has logged (-want +got):\n%s", name, diff)
		}
		if len(w.Calls) != 0 {
			t.Errorf("%s: calls stay: %+v", name, w.Calls)
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
		w := podtest.New(t, podtest.Bound(podtest.With(podtest.Nginx(), func(c *corev1.Container) {
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 3}}}
		})))
		w.Live(time.Minute)
		if called {
			w.Calls = []plan.Call{{Caller: "other", Callee: w.Pod.UID, Number: 1, At: podtest.Noon, Query: q}}
			p := kubelet.Reconcile(w.Snapshot())
			if len(p.Calls) != 1 || len(p.Memory) == 0 || len(p.Updates)+len(p.Events) > 0 {
				t.Fatalf("the plan is\n%s", p)
			}
			w.Memory, w.Calls = p.Memory, nil
		}
		w.Now = podtest.Noon.Add(2 * time.Minute)
		w.Remove(30)
		w.Live(5 * time.Minute)
		stories[called] = w.Story
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
	lost := memory.Call{ID: 4, Callee: "callee", At: podtest.Noon.Add(2 * time.Minute), Posted: podtest.Noon, Port: 8080, From: "10.128.0.1"}
	caller := kubelet.NewAsker(kubelet.Snapshot{
		Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node(), Images: podtest.Images,
		Now: podtest.Noon.Add(2 * time.Minute), Outside: &network.Outside{}, Still: true,
	})
	remembered, known := caller.AskAgain(lost, asks)
	if known || len(caller.Calls()) != 1 {
		t.Fatalf("known %v, calls %+v", known, caller.Calls())
	}
	if diff := cmp.Diff([]memory.Call{{ID: 4, Callee: "callee", At: lost.At, Posted: podtest.Noon.Add(2 * time.Minute), Port: 8080, From: "10.128.0.1"}}, remembered); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
	c := caller.Calls()[0]
	c.Caller = "caller"
	peer := podtest.Callee(t, podtest.Bound(podtest.With(podtest.Of("c", "registry.k8s.io/e2e-test-images/agnhost:2.63.0"), func(c *corev1.Container) { c.Args = []string{"netexec"} })))
	other := &network.Peer{Pod: podtest.Bound(podtest.Nginx()), Node: podtest.Node()}
	other.Pod.Name, other.Pod.UID = "other", "other"
	outside := &network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.3"}: other}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.3"}: nil}}
	for i, now := range []time.Time{podtest.Noon.Add(2 * time.Minute), podtest.Noon.Add(2*time.Minute + time.Second)} {
		p := kubelet.Reconcile(kubelet.Snapshot{Pod: peer.Pod, Node: peer.Node, Images: podtest.Images, Now: now, Memory: peer.Memory, Still: true, Calls: []plan.Call{c}, Outside: outside})
		if n := slices.IndexFunc(p.Calls, func(c plan.Call) bool { return c.Caller == "caller" }); n < 0 || !kubelet.IsTaken(p.Calls[n].Answer) || !p.Calls[n].At.Equal(lost.At) {
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
	w := podtest.New(t, podtest.Bound(podtest.Sh("wget -T 100 -qO /dev/null http://10.244.0.9 && echo yes || echo no; sleep infinity")))
	peer := podtest.Callee(t, podtest.Bound(podtest.Nginx()))
	q := network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.9"}: peer}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.9"}: nil}}
	sync := func(after time.Duration, calls []plan.Call, gone bool) plan.Plan {
		t.Helper()
		q.Gone = map[types.UID]bool{"callee": gone}
		w.Now = podtest.Noon.Add(after)
		s := w.Snapshot()
		s.Outside, s.Calls = &q, calls
		p := kubelet.Reconcile(s)
		if p.Memory != nil {
			w.Memory = p.Memory
		}
		if len(p.Updates) > 0 {
			w.Apply(p)
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
	asked, held := w.Memory, posted
	held.Query, held.Answer = nil, kubelet.Taken
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
		"one of another start":  {5 * time.Second, []plan.Call{posted, {Caller: posted.Caller, Callee: "callee", Number: 99, At: podtest.Noon, Query: []byte("x")}}, false, "remove call 99"},
	} {
		w.Memory = asked
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
		if reset := strings.Contains(strings.Join(w.Log("c"), "\n"), "Connection reset by peer"); reset != (name == "who has taken it went") {
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
	peer, now := podtest.Callee(t, podtest.Bound(podtest.Nginx())), podtest.Noon.Add(time.Minute)
	for _, tt := range []struct {
		still bool
		due   time.Time
		want  time.Time // when its answer arrives; zero for none
	}{{false, now, now.Add(time.Millisecond)}, {true, now, now}, {false, now.Add(time.Millisecond), time.Time{}}} {
		p := kubelet.Reconcile(kubelet.Snapshot{
			Pod: peer.Pod, Node: peer.Node, Images: podtest.Images, Now: now, Still: tt.still,
			Calls: []plan.Call{{Caller: "x", Callee: "callee", Number: 1, At: now, Due: tt.due, Query: q}},
		})
		var got time.Time
		for _, c := range p.Calls {
			got = c.Due
		}
		if !got.Equal(tt.want) {
			t.Errorf("%+v: the answer arrives at %s", tt, got)
		}
	}

	w := podtest.New(t, podtest.Bound(podtest.Sh("wget -qO /dev/null http://10.244.0.9; echo over; sleep infinity")))
	var posted plan.Call
	for posted.Number == 0 {
		s := w.Snapshot()
		s.Still = false
		s.Outside = &network.Outside{Peers: map[network.Host]*network.Peer{{Address: "10.244.0.9"}: peer}, Services: map[network.Subject]*corev1.Service{{Address: "10.244.0.9"}: nil}}
		p := kubelet.Reconcile(s)
		for _, c := range p.Calls {
			posted = c
		}
		if p.Memory != nil {
			w.Memory = p.Memory
		}
		if len(p.Updates) > 0 {
			w.Apply(p)
		}
		if w.Now = w.Now.Add(time.Second); w.Now.After(podtest.Noon.Add(5 * time.Second)) {
			t.Fatal("nothing was posted")
		}
	}
	if sent := w.Now.Add(-time.Second); !posted.Due.Equal(sent.Add(time.Millisecond)) {
		t.Errorf("posted at %s, it arrives at %s", sent, posted.Due)
	}
	for after, want := range map[time.Duration]bool{-time.Millisecond: false, 0: true} {
		s := w.Snapshot()
		posted.Query, posted.Answer, posted.Due = nil, []byte(`{"Status":200}`), s.Now.Add(-after)
		s.Outside, s.Calls = &network.Outside{}, []plan.Call{posted}
		if got := strings.Contains(kubelet.Reconcile(s).String(), "remove call"); got != want {
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
	w := podtest.New(t, podtest.Bound(podtest.Named("c", podtest.Of("c", "nginx:1.28", "sh", "-c", "nginx; wget -T 3 -qO /dev/null http://10.244.0.9; sleep infinity"))))
	peer := podtest.Callee(t, podtest.Bound(podtest.Nginx()))
	for range 10 {
		if w.Sync(); len(w.Calls) > 0 {
			break
		}
		w.Now = w.Wake
	}
	w.Calls = nil // there is no answer yet
	s := w.Snapshot()
	s.Calls = []plan.Call{{Caller: peer.Pod.UID, Callee: w.Pod.UID, Number: 7, At: podtest.Noon, Query: q}}
	if p := kubelet.Reconcile(s); !strings.Contains(p.String(), "answer call 7 of callee") {
		t.Errorf("the plan of one that waits itself:\n%s", p)
	}
}

// TestCall_OfAPodThatHasEnded is refused.
func TestCall_OfAPodThatHasEnded(t *testing.T) {
	t.Parallel()
	peer := podtest.Callee(t, podtest.Bound(podtest.Named("c", podtest.Sh("exit 0")), podtest.Restarting(corev1.RestartPolicyNever)))
	p := kubelet.Reconcile(kubelet.Snapshot{
		Pod: peer.Pod, Node: peer.Node, Images: podtest.Images, Now: podtest.Noon.Add(time.Minute),
		Calls: []plan.Call{{Caller: "x", Callee: "callee", Number: 1, Query: []byte("{}")}},
	})
	if len(p.Calls) != 1 || string(p.Calls[0].Answer) != `{"Outcome":"refused"}` {
		t.Errorf("the plan is\n%s", p)
	}
}

// TestConnect_ToItselfThroughAService asks the Pod's own server, as it is in this moment.
func TestConnect_ToItselfThroughAService(t *testing.T) {
	t.Parallel()
	pod := podtest.Bound(podtest.Of("c", "nginx:1.28", "sh", "-c", "nginx -g 'daemon off;' & sleep 1; curl -s http://10.96.0.20:8080 | grep -c Welcome; "+
		"echo mine > /usr/share/nginx/html/index.html; curl -s http://10.96.0.20:8080; kill %1; sleep 1; curl -s http://10.96.0.20:8080; echo $?; sleep infinity"))
	pod.Labels = map[string]string{"app": "web"}
	w := &podtest.World{T: t, Now: podtest.Noon, Pod: pod, Services: []*corev1.Service{podtest.Service("default", "web", "10.96.0.20", nil)}}
	w.Sync()
	w.Others = podtest.PeersOf(w.Pod)
	w.Live(time.Minute)
	var got []string
	for _, line := range w.Log("c") {
		if text := line[strings.Index(line, " ")+1:]; len(text) < len("mine ") {
			got = append(got, text)
		}
	}
	if diff := cmp.Diff([]string{"2", "mine", "7"}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
