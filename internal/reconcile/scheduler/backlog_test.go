package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

// counting counts the Pods that a batch asks for.
type counting struct {
	*world
	visits *int
}

func (c counting) Pod(uid types.UID) *corev1.Pod {
	*c.visits++
	return c.world.Pod(uid)
}

// waiting is a cluster with Pods that wait, and the batches that it goes through.
type waiting struct {
	t      *testing.T
	world  *world
	c      *Cluster
	limit  int
	visits int // of the last batch
}

func newWaiting(t *testing.T, nodes ...fixture) *waiting {
	w := &waiting{t: t, world: &world{Pods: map[types.UID]*corev1.Pod{}}, c: cluster(nodes...), limit: 500}
	for _, n := range nodes {
		for _, p := range n.pods {
			w.world.Pods[p.UID] = p
		}
	}
	return w
}

func (w *waiting) add(pods ...*corev1.Pod) {
	for _, p := range pods {
		w.world.Pods[p.UID] = p
		w.c.SetPending(p)
	}
}

// refusedWith sets the condition that the Pod does not fit, with this message.
func refusedWith(message string) podOption {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: message, ObservedGeneration: p.Generation, LastTransitionTime: metav1.Time{Time: noon}}}
	}
}

func aged(age time.Duration) podOption {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.Time{Time: noon.Add(-age)} }
}

// batch plans for what may have become free.
func (w *waiting) batch() plan.Plan {
	w.t.Helper()
	w.visits = 0
	w.c.Recall()
	p, tried := Schedule(Snapshot{Cluster: w.c, Related: counting{w.world, &w.visits}, Freed: true, Limit: w.limit, Now: noon})
	w.c.Note(tried)
	if w.visits > 4*w.limit+cohortsAtMost || len(p.Updates) > w.limit {
		w.t.Fatalf("a batch of %d visits %d and changes %d", w.limit, w.visits, len(p.Updates))
	}
	return p
}

// apply carries a plan out and returns the names of the Pods that were bound.
func (w *waiting) apply(p plan.Plan) (bound []string) {
	for _, u := range p.Updates {
		pod := u.Object.(*corev1.Pod)
		w.world.Pods[pod.UID] = pod
		if pod.Spec.NodeName == "" {
			w.c.SetPending(pod)
			continue
		}
		w.c.RemovePending(pod.UID)
		w.c.AddPod(pod)
		bound = append(bound, pod.Name)
	}
	return bound
}

const tooBig = "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."

// TestBacklog_OneOfMany is found at the same cost however many Pods wait that ask for the same as
// each other.
func TestBacklog_OneOfMany(t *testing.T) {
	t.Parallel()
	var visits []int
	for _, many := range []int{1000, 20_000} {
		w := newWaiting(t, node("node-1"))
		for i := range many {
			w.add(pod(fmt.Sprintf("big-%05d", i), requesting("cpu", "9"), aged(time.Hour), refusedWith(tooBig)))
		}
		w.add(pod("small", requesting("cpu", "1"), aged(0), refusedWith("0/1 nodes are available: 1 Insufficient cpu.")))
		p := w.batch()
		if bound := w.apply(p); !slices.Equal(bound, []string{"small"}) || len(p.Updates) != 1 || !p.WakeAt.IsZero() {
			t.Errorf("%d: %v", many, p)
		}
		visits = append(visits, w.visits)
		if p := w.batch(); !p.Empty() || !p.WakeAt.IsZero() || w.visits > 0 {
			t.Errorf("nothing has changed, and %d are visited: %v", w.visits, p)
		}
	}
	if visits[0] != visits[1] || visits[0] > 3 {
		t.Errorf("%v are visited", visits)
	}
}

// TestBacklog_NoneStarves: 3,000 Pods with different requirements, none of which fits, and a
// younger one that does, while something becomes free before every batch.
func TestBacklog_NoneStarves(t *testing.T) {
	t.Parallel()
	w := newWaiting(t, node("node-1"))
	for i := range 3000 {
		w.add(pod(fmt.Sprintf("big-%05d", i), requesting("cpu", fmt.Sprint(10+i)), ofPriority(int32(i%3)), aged(time.Hour), refusedWith(tooBig)))
	}
	w.add(pod("small", requesting("cpu", "1"), aged(0), refusedWith("0/1 nodes are available: 1 Insufficient cpu.")))
	for batch := 1; ; batch++ {
		if batch > 3000/(cohortsAtMost/2)+1 {
			t.Fatalf("after %d batches the one that fits has not been tried", batch)
		}
		p := w.batch()
		if p.WakeAt.IsZero() {
			t.Fatalf("batch %d leaves what is due", batch)
		}
		if slices.Contains(w.apply(p), "small") {
			break
		}
		w.c.HelpAll()
	}
	for batch := 0; !w.batch().WakeAt.IsZero(); batch++ {
		if batch > 3000/(cohortsAtMost/2) {
			t.Fatal("it does not end")
		}
	}
}

// TestBacklog_Order gives freed room to the most important Pod, then to the oldest, among cohorts
// and untried Pods.
func TestBacklog_Order(t *testing.T) {
	t.Parallel()
	w := newWaiting(t, node("node-1", offering("cpu", "3")))
	w.add(pod("young", requesting("cpu", "1"), app("b"), aged(time.Minute), refusedWith("full")),
		pod("old", requesting("cpu", "1"), app("a"), aged(time.Hour), refusedWith("full")),
		pod("older", requesting("cpu", "1"), app("b"), aged(2*time.Hour), refusedWith("full")),
		pod("urgent", requesting("cpu", "1"), aged(0), ofPriority(7)),
		pod("huge", requesting("cpu", "9"), ofPriority(9), refusedWith("full")))
	want := []string{"urgent", "older", "old"}
	if got := w.apply(w.batch()); !slices.Equal(got, want) {
		t.Errorf("%v are bound, not %v", got, want)
	}
	if message := refusedBy(w.world.Pods["uid-huge"]).Message; !strings.HasPrefix(message, "0/1 nodes are available: 1 Insufficient cpu.") {
		t.Errorf("huge is told %q", message)
	}
}

// TestBacklog_TellsInPieces: changed messages about Pods that do not fit are written in pieces,
// after the Pods that fit.
func TestBacklog_TellsInPieces(t *testing.T) {
	t.Parallel()
	w := newWaiting(t, node("node-1"))
	w.limit = 100
	for i := range 350 {
		w.add(pod(fmt.Sprintf("big-%05d", i), requesting("cpu", "9"), aged(time.Hour), refusedWith("0/0 nodes are available.")))
	}
	w.add(pod("small", requesting("cpu", "1"), aged(0), refusedWith("0/0 nodes are available.")))
	batches := 0
	for p := w.batch(); ; p = w.batch() {
		if bound := w.apply(p); (batches == 0) != slices.Equal(bound, []string{"small"}) {
			t.Errorf("batch %d binds %v", batches, bound)
		}
		if batches++; p.WakeAt.IsZero() {
			break
		}
	}
	if batches != 4 {
		t.Errorf("it takes %d batches", batches)
	}
	for uid, p := range w.world.Pods {
		if p.Spec.NodeName == "" && refusedBy(p).Message != tooBig {
			t.Errorf("%s is told %q", uid, refusedBy(p).Message)
		}
	}
}

// TestBacklog_ForgetsWhatWasNotCarriedOut tries a cohort again that did not fit beside Pods whose
// binding failed.
func TestBacklog_ForgetsWhatWasNotCarriedOut(t *testing.T) {
	t.Parallel()
	w := newWaiting(t, node("node-1"))
	const full = "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
	w.add(pod("first", requesting("cpu", "4"), aged(time.Hour)), pod("second", requesting("cpu", "3"), aged(0), refusedWith(full)))
	if got := w.batch().String(); !strings.Contains(got, "update Pod default/first binding") {
		t.Fatal(got)
	}
	delete(w.world.Pods, "uid-first") // the plan is not applied, and the Pod no longer requests anything
	w.world.Pods["uid-first"] = pod("first", requesting("cpu", "9"), aged(time.Hour))
	if got := w.apply(w.batch()); !slices.Equal(got, []string{"second"}) {
		t.Errorf("%v are bound", got)
	}
}

// TestCohortKey: Pods have different keys if one may fit where another does not.
func TestCohortKey(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i, options := range [][]podOption{
		nil, {requesting("cpu", "1")}, {requesting("memory", "1")}, {requesting("example.com/gpu", "1")}, {onHostPort(80)}, {onHostPort(81)},
		{selecting("disk", "ssd")}, {selecting("disk", "hdd")}, {app("web")}, {ofPriority(1)}, {never}, {near("web", "zone")}, {far("web", "zone")},
		{far("db", "zone")}, {spreading("web", "zone", 1)}, {spreading("web", "zone", 2)},
		{func(p *corev1.Pod) { p.Namespace = "other" }},
		{func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: corev1.TolerationOpExists}}
		}},
		{func(p *corev1.Pod) { p.Status.NominatedNodeName = "node-1" }},
		{func(p *corev1.Pod) { p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} }},
		{func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}}}
		}},
	} {
		a, b := pod(fmt.Sprint("a-", i), options...), pod(fmt.Sprint("b-", i), options...)
		key := cohortKey(a, a.Status.NominatedNodeName)
		if other, known := seen[key]; known {
			t.Errorf("%d and %d are one cohort", i, other)
		}
		seen[key] = i
		alone := a.Status.NominatedNodeName != "" || hasClaims(&a.Spec)
		if same := key == cohortKey(b, b.Status.NominatedNodeName); same == alone {
			t.Errorf("%d: two such Pods are one cohort: %t", i, same)
		}
	}
}
