package job_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// noteStatus keeps the ledger of what the status says: a Pod enters a counter when it leaves
// uncountedTerminatedPods, which it enters once in its life, and the counters hold exactly those
// Pods.
func (w *world) noteStatus(next *batchv1.Job) {
	before, after := w.job.Status.UncountedTerminatedPods, next.Status.UncountedTerminatedPods
	if before == nil {
		before = &batchv1.UncountedTerminatedPods{}
	}
	seen := map[types.UID]bool{}
	for _, uid := range slices.Concat(after.Succeeded, after.Failed) {
		if seen[uid] || w.counted[uid] != 0 || w.dropped[uid] {
			w.fail("Pod %s is noted again", uid)
		}
		seen[uid] = true
	}
	for counter, lists := range map[int32][2][]types.UID{asSucceeded: {before.Succeeded, after.Succeeded}, asFailed: {before.Failed, after.Failed}} {
		for _, uid := range lists[0] {
			if slices.Contains(lists[1], uid) {
				continue
			}
			if p := w.pods[uid]; p != nil && slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) && metav1.IsControlledBy(p, w.job) {
				w.fail("Pod %s is counted while it has its finalizer", p.Name)
			}
			w.counted[uid] = counter
		}
	}
	w.checkCounters(next)
}

// checkCounters compares the counters with the ledger. In an indexed Job succeeded is the number of
// indexes.
func (w *world) checkCounters(j *batchv1.Job) {
	n := map[int32]int32{}
	for _, counter := range w.counted {
		n[counter]++
	}
	if *j.Spec.CompletionMode == batchv1.NonIndexedCompletion && j.Status.Succeeded != n[asSucceeded] || j.Status.Failed != n[asFailed] {
		w.fail("succeeded %d, failed %d; the ledger has %v", j.Status.Succeeded, j.Status.Failed, n)
	}
}

// noteFreed keeps the ledger of a Pod that loses its finalizer: it is noted in the status, its
// index is, or it is dropped because it was not wanted any more.
func (w *world) noteFreed(old, next *corev1.Pod) {
	tracked := func(p *corev1.Pod) bool { return slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) }
	if !tracked(old) || tracked(next) {
		return
	}
	u := w.job.Status.UncountedTerminatedPods
	if u != nil && (slices.Contains(u.Succeeded, old.UID) || slices.Contains(u.Failed, old.UID)) {
		return
	}
	w.dropped[old.UID] = true
}

// judgeVictims compares the deleted Pods with the predicted ones; a plan cannot also delete what it
// adopts.
func (w *world) judgeVictims(s job.Snapshot, p plan.Plan) {
	var predicted, gone []string
	for _, v := range job.Victims(s) {
		if metav1.IsControlledBy(s.Pods[slices.IndexFunc(s.Pods, func(p *corev1.Pod) bool { return p.UID == v.Pod.UID })], s.Job) {
			predicted = append(predicted, v.Pod.Name+" "+strconv.FormatBool(v.Rule != ""))
		}
	}
	for _, d := range p.Deletes {
		gone = append(gone, d.Object.GetName()+" true")
	}
	if !slices.Equal(predicted, gone) {
		w.fail("the prediction was %q, and %q went", predicted, gone)
	}
}

// judge says what must hold of every plan.
func (w *world) judge(s job.Snapshot, p plan.Plan) {
	var memory struct{ Failures int }
	if err := json.Unmarshal(p.Memory, &memory); len(p.Memory) > 0 && err != nil || memory.Failures > len(w.failed) {
		w.fail("%s is remembered of %d failures", p.Memory, len(w.failed))
	}
	w.judgeVictims(s, p)
	spec := &s.Job.Spec
	activeNow, indexes := 0, map[string]bool{}
	for _, pod := range s.Pods {
		if podstate.Active(pod) && metav1.IsControlledBy(pod, s.Job) {
			activeNow++
			indexes[pod.Annotations[batchv1.JobCompletionIndexAnnotation]] = true
		}
	}
	if n := len(p.Creates); n > 0 {
		if activeNow+n > int(*spec.Parallelism) {
			w.fail("%d Pods are active and %d created, at most %d may be", activeNow, n, *spec.Parallelism)
		}
		if spec.Completions != nil && activeNow+n+int(s.Job.Status.Succeeded) > int(*spec.Completions) {
			w.fail("%d Pods are active and %d created, of %d have %d succeeded", activeNow, n, *spec.Completions, s.Job.Status.Succeeded)
		}
		if *spec.Suspend || s.Job.DeletionTimestamp != nil || job.Finished(s.Job) || len(p.Deletes) > 0 {
			w.fail("no Pod may be created:\n%s", p)
		}
	}
	for _, c := range p.Creates {
		index := c.Object.GetAnnotations()[batchv1.JobCompletionIndexAnnotation]
		if index != "" && indexes[index] {
			w.fail("index %s has two Pods", index)
		}
		indexes[index] = true
	}
}

// mischief is what users may do to a Job and its Pods.
var mischief = []func(w *world, p *corev1.Pod){
	func(w *world, p *corev1.Pod) { w.remove(p, "", "") },
	func(w *world, p *corev1.Pod) { w.remove(p, "", "") },
	func(w *world, _ *corev1.Pod) {
		w.edit(func(j *batchv1.Job) { j.Spec.Suspend = new(!*j.Spec.Suspend) })
	},
	func(w *world, _ *corev1.Pod) {
		w.edit(func(j *batchv1.Job) {
			if *j.Spec.CompletionMode == batchv1.NonIndexedCompletion {
				j.Spec.Parallelism = new(int32(w.pick(4)))
			}
		})
	},
}

func (w *world) edit(edit func(j *batchv1.Job)) {
	old := w.job
	w.job = old.DeepCopy()
	edit(w.job)
	w.job.Generation++
	w.note("edited: suspend=%v parallelism=%d", *w.job.Spec.Suspend, *w.job.Spec.Parallelism)
	w.route(old, w.job, "")
}

// run lets all actors act, in a picked order, until nothing is left to do.
func (w *world) run(tricks, failures int) {
	fate := func(*corev1.Pod) corev1.PodPhase {
		if failures > 0 && w.pick(2) == 0 {
			failures--
			return corev1.PodFailed
		}
		return corev1.PodSucceeded
	}
	user := func() bool {
		pods := w.sorted()
		if tricks == 0 {
			return false
		}
		if tricks--; len(pods) > 0 {
			mischief[w.pick(len(mischief))](w, pods[w.pick(len(pods))])
		}
		if tricks == 0 {
			w.edit(func(j *batchv1.Job) {
				j.Spec.Suspend, j.Spec.Parallelism = new(false), new(max(*j.Spec.Parallelism, 1))
			})
		}
		return true
	}
	actors := []func() bool{w.syncJob, w.syncPods, func() bool { return w.kubelet(fate) }, user}
	for range 3000 {
		acted, first := false, w.pick(len(actors))
		for i := range actors {
			if acted = actors[(first+i)%len(actors)](); acted {
				break
			}
		}
		w.checkAwake()
		w.now = w.now.Add(time.Second)
		switch {
		case acted:
		case len(w.due) == 0:
			w.checkEnd()
			return
		default:
			if next := slices.MinFunc(w.due, time.Time.Compare); next.After(w.now) {
				w.now = next
			}
		}
	}
	w.fail("the world has not settled")
}

// checkAwake fails if a sync of the Job would find something to do and the Job was not woken.
func (w *world) checkAwake() {
	if w.woken || slices.ContainsFunc(w.due, func(at time.Time) bool { return !at.After(w.now) }) {
		return
	}
	if p := job.Reconcile(job.Snapshot{Job: w.job, Pods: w.sorted(), Memory: w.memory, Now: w.now}); !p.Empty() {
		w.fail("no object was woken for\n%s", p)
	}
}

// checkEnd judges a Job when no actor has anything left to do.
func (w *world) checkEnd() {
	if !job.Finished(w.job) {
		w.fail("the Job has not finished")
	}
	st := &w.job.Status
	if st.Active != 0 || *st.Terminating != 0 || len(st.UncountedTerminatedPods.Succeeded)+len(st.UncountedTerminatedPods.Failed) > 0 {
		w.fail("something is left to count")
	}
	for _, p := range w.pods {
		if !podstate.Terminal(p) || len(p.Finalizers) > 0 {
			w.fail("Pod %s is left", p.Name)
		}
	}
	w.checkCounters(w.job)
	if complete := st.CompletionTime != nil; complete && w.job.Spec.Completions != nil && st.Succeeded < *w.job.Spec.Completions {
		w.fail("it is complete with %d", st.Succeeded)
	}
}

func TestLaw_EveryPodIsCountedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "spec") }
		edits := []jobEdit{fresh, parallelism(int32(1 + pick(4))), completions(int32(1 + pick(4))), backoffLimit(int32(pick(5)))}
		if pick(3) == 0 {
			edits = append(edits, workQueue)
		}
		if pick(3) == 0 {
			edits = append(edits, replacing(batchv1.Failed))
		}
		if pick(4) == 0 {
			edits = append(edits, deadline(int64(20*(1+pick(4)))))
		}
		if pick(4) == 0 {
			edits = append(edits, failurePolicy(onExit(batchv1.PodFailurePolicyActionIgnore, batchv1.PodFailurePolicyOnExitCodesOpIn, 1)))
		}
		w := newWorld(t, theJob(edits...))
		w.leaveOut = pick(30)
		w.run(1+pick(8), pick(6))
	})
}

func TestLaw_EveryIndexIsCountedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "spec") }
		edits := []jobEdit{fresh, indexedJob(int32(1 + pick(5))), parallelism(int32(1 + pick(4))), backoffLimit(int32(pick(9)))}
		if pick(3) == 0 {
			edits = append(edits, replacing(batchv1.Failed))
		}
		if pick(2) == 0 {
			edits = append(edits, perIndex(int32(pick(3))), backoffLimit(1<<30))
		}
		w := newWorld(t, theJob(edits...))
		w.leaveOut = pick(30)
		w.run(1+pick(8), pick(6))
		if got, want := w.job.Status.CompletedIndexes, w.indexesOfSuccess(); !want[got] {
			w.fail("completed indexes are %q, want one of %v", got, want)
		}
	})
}

// indexesOfSuccess are the forms that completedIndexes may have: of a Job that is complete only
// that of all indexes.
func (w *world) indexesOfSuccess() map[string]bool {
	n := int(*w.job.Spec.Completions)
	all := map[string]bool{}
	for set := range 1 << n {
		if set != 1<<n-1 && w.job.Status.CompletionTime != nil {
			continue
		}
		all[formOf(set, n)] = true
	}
	return all
}

// formOf is a set of indexes as a status writes it; each bit of set is an index.
func formOf(set, n int) string {
	text := ""
	for i := 0; i < n; i++ {
		first := i
		for set&(1<<i) != 0 {
			i++
		}
		if i == first {
			continue
		}
		if text != "" {
			text += ","
		}
		text += strconv.Itoa(first)
		switch i - first {
		case 1:
		case 2:
			text += "," + strconv.Itoa(i-1)
		default:
			text += "-" + strconv.Itoa(i-1)
		}
	}
	return text
}
