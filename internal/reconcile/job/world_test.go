package job_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/kind/batch"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// world is a Job and its Pods in a cluster that leaves out changes of plans at random, as the
// applier does where another row is locked. The objects that a change wakes are found by the routes
// of the controllers, so that what wakes a Job is tested with it. A ledger records what happened to
// each Pod: see noteStatus and noteFreed.
type world struct {
	t        *rapid.T
	pick     laws.Pick
	leaveOut int // how many changes of plans may be left out

	now      time.Time
	job      *batchv1.Job
	pods     map[types.UID]*corev1.Pod
	memory   []byte
	revision object.Revision
	drawn    int
	woken    bool                // the Job must be synced
	due      []time.Time         // times at which it wants to be
	astray   map[types.UID]bool  // Pods that syncJobPod must sync
	lately   []string            // what has happened
	counted  map[types.UID]int32 // in which counter a Pod is: see the constants
	dropped  map[types.UID]bool  // Pods that lost their finalizer uncounted
	failed   map[types.UID]bool  // Pods that have failed, or were deleted
}

// The counters of the ledger.
const (
	asSucceeded int32 = iota + 1
	asFailed
)

func newWorld(t *rapid.T, j *batchv1.Job) *world {
	w := &world{t: t, pick: laws.Drawn(t), now: now, pods: map[types.UID]*corev1.Pod{}, astray: map[types.UID]bool{},
		counted: map[types.UID]int32{}, dropped: map[types.UID]bool{}, failed: map[types.UID]bool{}}
	w.job, w.woken = j, true
	return w
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nstatus%s\nlately: %q", fmt.Sprintf(format, args...), changes(batchv1.JobStatus{}, w.job.Status), w.lately[max(0, len(w.lately)-30):])
}

// sorted are the Pods in a fixed order.
func (w *world) sorted() []*corev1.Pod {
	out := make([]*corev1.Pod, 0, len(w.pods))
	for _, p := range w.pods {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return out
}

var routes = controller.NewRouter()

// resourceOf names the resource of a Pod or Job that has changed.
func resourceOf(sides ...object.Object) string {
	for _, o := range sides {
		if _, ok := o.(*batchv1.Job); ok {
			return batch.Job.Resource()
		}
	}
	return podkind.Kind.Resource()
}

// route wakes whom a change wakes.
func (w *world) route(old, next object.Object, by string) {
	d := wakeup.Diff{Old: old, New: next, Controller: by}
	route := routes.Of(resourceOf(old, next))
	for _, wake := range route.Wakes(nil, d) {
		switch {
		case wake.Controller == names.Job && wake.UID == w.job.UID:
			w.woken = true
		case wake.Controller == names.JobPod:
			w.astray[wake.UID] = true
		}
	}
	if pod, ok := next.(*corev1.Pod); ok && len(route.Adopters(d)) > 0 && pod.Labels["uid"] == "pi" {
		w.woken = true
	}
}

// store stores a Pod, or removes it when nothing holds it any more.
func (w *world) store(next *corev1.Pod, controller string) {
	var old object.Object
	if p := w.pods[next.UID]; p != nil {
		if p.ResourceVersion != next.ResourceVersion {
			w.fail("the update of %s is of an old version", next.Name)
		}
		old = p
		w.noteFreed(p, next)
	}
	if next.DeletionTimestamp != nil || next.Status.Phase == corev1.PodFailed {
		w.failed[next.UID] = true
	}
	next = next.DeepCopy()
	w.revision++
	next.ResourceVersion = w.revision.ResourceVersion()
	grace := next.DeletionGracePeriodSeconds
	if next.DeletionTimestamp != nil && len(next.Finalizers) == 0 && (grace == nil || *grace == 0) {
		delete(w.pods, next.UID)
		w.note("%s removed %s", controller, next.Name)
		w.route(old, nil, controller)
		return
	}
	w.pods[next.UID] = next
	w.note("%s stored %s %s%s", controller, next.Name, next.Status.Phase, traits(next))
	w.route(old, next, controller)
}

func (w *world) note(format string, args ...any) {
	w.lately = append(w.lately, w.now.Format("04:05 ")+fmt.Sprintf(format, args...))
}

// remove is a DELETE request.
func (w *world) remove(p *corev1.Pod, without, controller string) {
	next := p.DeepCopy()
	grace := int64(30)
	if p.Spec.NodeName == "" || podstate.Terminal(p) {
		grace = 0
	}
	next.Finalizers = slices.DeleteFunc(next.Finalizers, func(f string) bool { return f == without })
	next.DeletionTimestamp, next.DeletionGracePeriodSeconds = new(metav1.NewTime(w.now.Add(time.Duration(grace)*time.Second))), &grace
	w.store(next, controller)
}

func (w *world) create(p *corev1.Pod, controller string) {
	p = p.DeepCopy()
	w.drawn++
	p.Name, p.UID = fmt.Sprintf("%s%03d", p.GenerateName, w.drawn), types.UID(fmt.Sprintf("uid-%03d", w.drawn))
	p.CreationTimestamp, p.Status.Phase = metav1.NewTime(w.now), corev1.PodPending
	w.store(p, controller)
}

// syncJob syncs the Job if that is due, judges the plan, and applies it except for what is left
// out. It reports whether it synced.
func (w *world) syncJob() bool {
	isDue := slices.ContainsFunc(w.due, func(at time.Time) bool { return !at.After(w.now) })
	if !w.woken && !isDue {
		return false
	}
	w.woken = false
	w.due = slices.DeleteFunc(w.due, func(at time.Time) bool { return !at.After(w.now) })
	s := job.Snapshot{Job: w.job, Pods: w.sorted(), Memory: w.memory, Now: w.now}
	p := laws.Check(w.t, job.Reconcile, s)
	w.judge(s, p)
	w.apply(p)
	return true
}

func (w *world) apply(p plan.Plan) {
	kept := func(what string) bool {
		if w.leaveOut > 0 && w.pick(3) == 0 {
			w.leaveOut--
			w.note("left out: %s", what)
			w.woken = true
			return false
		}
		return true
	}
	for _, u := range p.Updates {
		switch o := u.Object.(type) {
		case *corev1.Pod:
			if kept("update of " + o.Name) {
				w.store(o, names.Job)
			}
		case *batchv1.Job:
			w.noteStatus(o)
			old := w.job
			w.job = o.DeepCopy()
			w.note("status%s", changes(old.Status, o.Status))
			w.route(old, w.job, names.Job)
		}
	}
	for _, c := range p.Creates {
		if kept("a creation") {
			w.create(c.Object.(*corev1.Pod), names.Job)
		}
	}
	for _, d := range p.Deletes {
		if kept("deletion of " + d.Object.GetName()) {
			w.remove(d.Object.(*corev1.Pod), d.Without, names.Job)
		}
	}
	if p.Memory != nil {
		w.memory = p.Memory
	}
	if !p.WakeAt.IsZero() {
		w.due = append(w.due, p.WakeAt)
	}
}

// syncPods syncs a Pod that may have gone astray.
func (w *world) syncPods() bool {
	for _, p := range w.sorted() {
		if !w.astray[p.UID] {
			continue
		}
		delete(w.astray, p.UID)
		o := job.Orphan{Pod: p}
		if metav1.IsControlledBy(p, w.job) {
			o.Job = w.job
		}
		for _, u := range job.ReconcileOrphan(o).Updates {
			w.store(u.Object.(*corev1.Pod), names.JobPod)
		}
		return true
	}
	return false
}

// kubelet takes a Pod one step further: to a node, to run, to its end as fate has it, and away if
// it is being deleted.
func (w *world) kubelet(fate func(p *corev1.Pod) corev1.PodPhase) bool {
	var todo []*corev1.Pod
	for _, p := range w.sorted() {
		gone := p.DeletionTimestamp != nil && podstate.Terminal(p) && *p.DeletionGracePeriodSeconds == 0
		if !gone && (p.DeletionTimestamp != nil || !podstate.Terminal(p)) && (p.Spec.NodeName != "" || p.DeletionTimestamp == nil) {
			todo = append(todo, p)
		}
	}
	if len(todo) == 0 {
		return false
	}
	p := todo[w.pick(len(todo))].DeepCopy()
	switch {
	case p.DeletionTimestamp != nil && podstate.Terminal(p):
		p.DeletionGracePeriodSeconds = new(int64(0)) // its last word
	case p.DeletionTimestamp != nil:
		w.end(p, []corev1.PodPhase{corev1.PodFailed, corev1.PodSucceeded}[w.pick(2)])
	case p.Spec.NodeName == "":
		p.Spec.NodeName = "n1"
	case p.Status.Phase == corev1.PodPending:
		p.Status.Phase = corev1.PodRunning
		isReady(p)
	default:
		w.end(p, fate(p))
	}
	w.store(p, names.Kubelet)
	return true
}

func (w *world) end(p *corev1.Pod, phase corev1.PodPhase) {
	code := int32(0)
	if phase == corev1.PodFailed {
		code = 1
	}
	p.Status.Phase, p.Status.Conditions = phase, nil
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", State: corev1.ContainerState{
		Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: metav1.NewTime(w.now)},
	}}}
}
