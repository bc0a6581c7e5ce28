package cluster_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// stepped is a cluster whose clock is paused unless it is set, and whose workers do nothing by
// themselves. What its turns do depends only on counts, even on a slow machine: real time is paused
// for its workers, and the database gives them unlimited time.
type stepped struct {
	t       *testing.T
	url     string // of the database
	site    *clustertest.Site
	cluster *cluster.Cluster
	now     time.Time
	turns   map[string]int // by controller name
	ran     map[string]int // how often machines have been resumed, of Pods whose name begins with evil
	names   map[types.UID]string
}

func newStepped(t *testing.T) *stepped {
	t.Helper()
	s := &stepped{t: t, now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), turns: map[string]int{}, ran: map[string]int{}, names: map[types.UID]string{}}
	pool := pgtest.New(t)
	ticking, err := clock.Open(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	if err := ticking.Set(t.Context(), s.now); err != nil {
		t.Fatal(err)
	}
	s.url = untimed(pool.Config().ConnString())
	config := cluster.Config{DatabaseURL: s.url, Nodes: 2, Stepped: true, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	if s.cluster, err = cluster.Open(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	for _, w := range s.cluster.Workers() {
		w.Real = func() (fixed time.Time) { return fixed }
	}
	server := httptest.NewServer(s.cluster.Handler())
	s.site = &clustertest.Site{T: t, URL: server.URL, Client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		s.site.Client.CloseIdleConnections()
		server.Close()
		s.cluster.Close()
	})
	s.settle()
	return s
}

// untimed returns a database's URL with transactions that may idle without limit.
func untimed(url string) string {
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	return url + separator + "idle_in_transaction_session_timeout=0"
}

// settle makes the workers take turns until none has anything to do, except those named.
func (s *stepped) settle(without ...string) {
	s.t.Helper()
	for idle := false; !idle; {
		idle = true
		for _, w := range s.cluster.Workers() {
			if !strings.Contains(" "+strings.Join(without, " ")+" ", " "+w.Name()+" ") && s.turn(w) {
				idle = false
			}
		}
	}
}

// turn makes a worker take a turn, and reports whether it had anything to do.
func (s *stepped) turn(w *engine.Worker) bool {
	s.t.Helper()
	turn, err := w.Turn(s.t.Context())
	for again := 0; err != nil && again < 5; again++ { // on a machine so slow that the database ends the session
		s.t.Logf("%s: %v", w.Name(), err)
		turn, err = w.Turn(s.t.Context())
	}
	if err != nil {
		s.t.Fatalf("%s: %v", w.Name(), err)
	}
	if len(turn.Claims) == 0 {
		return false
	}
	s.turns[w.Name()]++
	for _, p := range turn.Planned {
		if p.Plan.Memory != nil && strings.HasPrefix(s.names[p.UID], "evil") {
			s.ran[w.Name()]++
		}
	}
	return true
}

// pass sets the clock forward.
func (s *stepped) pass(d time.Duration) {
	s.t.Helper()
	s.now = s.now.Add(d)
	if err := s.cluster.Clock().Set(s.t.Context(), s.now); err != nil {
		s.t.Fatal(err)
	}
}

// create creates a Pod that runs a script.
func (s *stepped) create(name, script string) {
	s.t.Helper()
	pod := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c",%q]}]}}`, name, script)
	code, body := s.site.Try(http.MethodPost, "/api/v1/namespaces/default/pods", pod)
	var made corev1.Pod
	if err := json.Unmarshal(body, &made); code != http.StatusCreated || err != nil {
		s.t.Fatalf("%d %v %s", code, err, body)
	}
	s.names[made.UID] = name
}

// delete deletes a Pod.
func (s *stepped) delete(pod string) {
	s.t.Helper()
	if code, body := s.site.Try(http.MethodDelete, "/api/v1/namespaces/default/pods/"+pod, ""); code != http.StatusOK {
		s.t.Fatalf("%d %s", code, body)
	}
}

// ready returns how many Pods whose names begin with the prefix are ready, and how many there are.
func (s *stepped) ready(prefix string) (ready, left int) {
	s.t.Helper()
	var list corev1.PodList
	code, body := s.site.Try(http.MethodGet, "/api/v1/namespaces/default/pods", "")
	if err := json.Unmarshal(body, &list); code != http.StatusOK || err != nil {
		s.t.Fatalf("%d %v %s", code, err, body)
	}
	for _, pod := range list.Items {
		if !strings.HasPrefix(pod.Name, prefix) {
			continue
		}
		left++
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	return ready, left
}

// manyPods is how many Pods burn CPU time in these tests, and how many others exist:
// ROWLOCK_EVIL_PODS, or few.
var manyPods = func() int {
	n, err := strconv.Atoi(os.Getenv("ROWLOCK_EVIL_PODS"))
	if err != nil || n < 24 {
		return 24
	}
	return n
}()

// TestBurning_HoldsUpNobody creates Pods that never rest, and then others, which become ready
// before any of the first is resumed; in the end all have reached the same time.
func TestBurning_HoldsUpNobody(t *testing.T) {
	t.Parallel()
	s := newStepped(t)
	for i := range manyPods {
		s.create(fmt.Sprintf("evil-%d", i), burns[i%len(burns)].script())
	}
	busy := []string{names.KubeletBacklog, names.KubeletTermination}
	s.settle(busy...)
	if ready, _ := s.ready("evil"); ready != manyPods {
		t.Errorf("%d of %d that burn CPU time are ready", ready, manyPods)
	}
	if ran := s.ran[names.Kubelet]; ran > 2*manyPods {
		t.Errorf("their kubelet has run them %d times before they wait behind others", ran)
	}
	for second := 1; second <= 2; second++ {
		s.pass(time.Second)
		s.ran[names.Kubelet], s.turns[names.Kubelet] = 0, 0
		for i := range manyPods {
			s.create(fmt.Sprintf("good-%d-%d", second, i), "echo hello; sleep 3600")
		}
		s.settle(busy...)
		if ready, left := s.ready("good"); ready != left || left != second*manyPods {
			t.Errorf("second %d: %d of %d harmless Pods are ready", second, ready, left)
		}
		if turns, most := s.turns[names.Kubelet], 2+2*manyPods/100; turns > most {
			t.Errorf("second %d: the harmless Pods took the kubelet %d turns, want %d at most", second, turns, most)
		}
		if ran := s.ran[names.Kubelet]; ran > 0 {
			t.Errorf("second %d: Pods that burn CPU time were run %d times beside them", second, ran)
		}
	}
	for i := 4; i < manyPods; i++ { // the others show that an end is reached
		s.delete(fmt.Sprintf("evil-%d?gracePeriodSeconds=0", i))
	}
	s.settle()
	if n := s.turns[names.KubeletBacklog]; n < 5 || n > 100 {
		t.Errorf("all are run up to now in %d turns", n)
	}
}

// TestBurning_IsDeleted: a Pod is deleted while others that burn CPU time wait to run.
func TestBurning_IsDeleted(t *testing.T) {
	t.Parallel()
	s := newStepped(t)
	for i := range manyPods {
		s.create(fmt.Sprintf("evil-%d", i), burns[i%2].script())
	}
	s.settle(names.KubeletBacklog)
	s.pass(3 * time.Second)
	for _, name := range []string{"evil-0", "evil-1"} {
		s.delete(name)
	}
	s.delete("evil-2?gracePeriodSeconds=0")
	s.settle(names.KubeletBacklog)
	if _, left := s.ready("evil"); left != manyPods-1 {
		t.Errorf("%d are left after one was deleted without grace", left)
	}
	s.pass(30 * time.Second)
	s.settle(names.KubeletBacklog)
	if _, left := s.ready("evil"); left != manyPods-3 {
		t.Errorf("%d are left when the grace is over", left)
	}
	if n := s.turns[names.KubeletTermination]; n > 40 {
		t.Errorf("two were run up to their end in %d turns", n)
	}
}

// burn is a program that never rests: it repeats something.
type burn struct {
	before, again string
	heavy         int64  // the minimum steps of again, if a single command does much
	says          string // how the heavy command ends; empty if silently, or not at all
}

func (b burn) script() string { return b.before + "while :; do " + b.again + "; done" }

const longText = `s=$(head -c 50000 /dev/zero | tr '\0' a); `

var burns = []burn{
	{again: ":"},
	{before: "x=0; ", again: "x=$((x+1))"},
	{again: "yes > /dev/null"},
	{before: "f() { f; }; ", again: "(f)"},
	{again: "date > /tmp/now"},
	{again: "echo x | sed ':a;s/$/x/;ta' | wc -c", heavy: 90_000},
	{before: longText, again: ": ${s//a*b/}", heavy: 5_000}, // patterns take time in proportion to the text
	{before: longText, again: "echo $s | grep -cE '((a{1,30}){1,30}|b{1,99})c'", heavy: 90_000, says: "grep: stopped after"},
	{again: "head -c 1000000 /dev/zero | tr '\\0' a | awk '{ print length($0), match($0, /a*b/) }'", heavy: 90_000, says: "awk: stopped after"},
	{before: "p=$(yes d | head -n 1500 | tr '\\n' /); ", again: "mkdir -p /tmp/$p; cat /tmp/$p/x", heavy: 90_000, says: "mkdir: stopped after"},
}

// TestBurns_AreHeavy: the commands meant to be heavy are, and none of them merely fails.
func TestBurns_AreHeavy(t *testing.T) {
	t.Parallel()
	for _, b := range burns {
		if b.heavy == 0 {
			continue
		}
		t.Run(b.again, func(t *testing.T) {
			t.Parallel()
			before, _ := steps(t, b.before+":", 1_000_000)
			all, out := steps(t, b.before+b.again, 1_000_000)
			if n := all - before; n < b.heavy {
				t.Errorf("it takes %d steps, want %d at least", n, b.heavy)
			}
			if b.says == "" && out != "" || !strings.HasPrefix(out, b.says) {
				t.Errorf("it says %.200q, want %q", out, b.says)
			}
		})
	}
}

// steps returns how many steps a script takes, at most about most if it does not end, and its
// output.
func steps(t *testing.T, script string, most int64) (n int64, out string) {
	t.Helper()
	img, err := emulator.NewCatalogue().Find("busybox:1.36")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	devices, err := vfs.NewBase("dev", start, vfs.Devices())
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewView(vfs.NewTree("root", img.Base(), start), "seed", start)
	if err := fs.Mount("/dev", vfs.NewTree("dev", devices, start), "/dev", false); err != nil {
		t.Fatal(err)
	}
	k := kernel.New("seed", start)
	k.Output = func(w kernel.Written) { out += string(w.Data) }
	k.AddSandbox(kernel.Sandbox{Name: "c", FS: fs})
	if _, err := k.Spawn("c", img.Argv(&corev1.Container{Command: []string{"sh", "-c", script}}), img.Env(), "/", kernel.Stdio{}); err != nil {
		t.Fatal(err)
	}
	for n < most {
		stop := k.Run(start.Add(time.Hour), kernel.Budget{Steps: most - n})
		if n += stop.Steps; stop.Kind != kernel.KindSpent {
			break
		}
	}
	return n, out
}
