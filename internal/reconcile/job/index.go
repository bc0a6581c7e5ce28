package job

import (
	"math"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// noIndex is the completion index of a Pod without one.
const noIndex = -1

// interval is the indexes from first to last, inclusive.
type interval struct{ first, last int }

// intervals are in ascending order, and no two of them touch.
type intervals []interval

// parseIntervals parses indexes as a status writes them: "1,3-5,7". It skips anything that is not a
// number, and indexes from limit on.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, parseIndexesFromString
func parseIntervals(text string, limit int) intervals {
	var out intervals
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		if err != nil {
			continue
		}
		last := first
		if isRange {
			if last, err = strconv.Atoi(to); err != nil {
				continue
			}
		}
		if first >= limit {
			break
		}
		out = out.add(interval{first, min(last, limit-1)})
	}
	return out
}

// add appends an interval that begins at or after the beginning of the last one.
func (in intervals) add(next interval) intervals {
	if n := len(in); n > 0 && next.first <= in[n-1].last+1 {
		in[n-1].last = max(in[n-1].last, next.last)
		return in
	}
	return append(in, next)
}

// merge is the union of both; neither is changed.
func (in intervals) merge(other intervals) intervals {
	out := make(intervals, 0, len(in)+len(other))
	for len(in) > 0 || len(other) > 0 {
		if len(other) == 0 || len(in) > 0 && in[0].first < other[0].first {
			out, in = out.add(in[0]), in[1:]
		} else {
			out, other = out.add(other[0]), other[1:]
		}
	}
	return out
}

// with is the intervals plus some indexes, in any order.
func (in intervals) with(indexes []int) intervals {
	slices.Sort(indexes)
	more := make(intervals, 0, len(indexes))
	for _, i := range indexes {
		more = more.add(interval{i, i})
	}
	return in.merge(more)
}

func (in intervals) total() (n int) {
	for _, i := range in {
		n += i.last - i.first + 1
	}
	return n
}

func (in intervals) has(index int) bool {
	_, found := slices.BinarySearchFunc(in, index, func(i interval, index int) int {
		switch {
		case i.last < index:
			return -1
		case i.first > index:
			return 1
		}
		return 0
	})
	return found
}

// String writes the indexes as a status does: "1,3-5,7"; two in a row are written "1,2".
func (in intervals) String() string {
	var b strings.Builder
	for _, i := range in {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(i.first))
		switch i.last - i.first {
		case 0:
			continue
		case 1:
			b.WriteByte(',')
		default:
			b.WriteByte('-')
		}
		b.WriteString(strconv.Itoa(i.last))
	}
	return b.String()
}

// indexOf is the Pod's completion index; noIndex if it has no valid one.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, getCompletionIndex
func indexOf(p *corev1.Pod) int {
	i, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation])
	if err != nil || i < 0 {
		return noIndex
	}
	return i
}

func indexesOf(pods []*corev1.Pod) []int {
	out := make([]int, 0, len(pods))
	for _, p := range pods {
		if i := indexOf(p); i != noIndex {
			out = append(out, i)
		}
	}
	return out
}

// takeStockOfIndexes determines which indexes have succeeded and which have failed permanently.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, calculateSucceededIndexes, calculateFailedIndexes
//
// Differs: a Pod that was counted as failed while it was being deleted stays failed, even if it
// succeeds before its finalizer is removed.
func (s *syncing) takeStockOfIndexes() {
	var succeeded, failed []int
	for _, p := range s.pods {
		if !tracked(p) || !s.hasPlace(p) {
			continue
		}
		if p.Status.Phase == corev1.PodSucceeded && !s.uncountedFails[p.UID] {
			succeeded = append(succeeded, indexOf(p))
		}
		if s.perIndex() && s.failsIndex(p) {
			failed = append(failed, indexOf(p))
		}
	}
	s.succeededNow = s.succeededBefore.with(succeeded)
	s.succeeded = int32(s.succeededNow.total())
	if s.perIndex() {
		if f := s.Job.Status.FailedIndexes; f != nil {
			s.failedNow = parseIntervals(*f, s.completions())
		}
		s.failedNow = s.failedNow.with(failed)
		s.replaceable = s.findReplaceable()
	}
}

// writeIndexes updates the status of an indexed Job.
func (s *syncing) writeIndexes() {
	if !s.indexed() {
		return
	}
	s.status.Succeeded, s.status.CompletedIndexes = s.succeeded, s.succeededNow.String()
	s.status.FailedIndexes = nil
	if s.perIndex() {
		s.status.FailedIndexes = new(s.failedNow.String())
	}
}

// failsIndex reports whether the index has failed permanently with this Pod.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, isIndexFailed
func (s *syncing) failsIndex(p *corev1.Pod) bool {
	if !s.isFailed(p) {
		return false
	}
	m, counts := s.match(p)
	if m != nil && m.action == batchv1.PodFailurePolicyActionFailIndex {
		return true
	}
	return counts && failures(p) >= *s.Job.Spec.BackoffLimitPerIndex
}

// findReplaceable returns, for each index that must run again, the failed Pod that a new Pod
// replaces. The failed Pod keeps its finalizer, and so exists until the new Pod has taken over its
// failure count.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, getPodsWithDelayedDeletionPerIndex
func (s *syncing) findReplaceable() map[int]*corev1.Pod {
	active := map[int]bool{}
	for _, i := range indexesOf(s.active) {
		active[i] = true
	}
	out := map[int]*corev1.Pod{}
	for _, p := range s.pods {
		i := indexOf(p)
		if !tracked(p) || !s.hasPlace(p) || !s.isFailed(p) || s.succeededNow.has(i) || s.failedNow.has(i) || active[i] {
			continue
		}
		last := out[i]
		if last == nil || allFailures(last) <= allFailures(p) && !finishedAt(p).Before(finishedAt(last)) {
			out[i] = p
		}
	}
	return out
}

// pendingIndexes are up to n indexes without a Pod, lowest first.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, firstPendingIndexes
func (s *syncing) pendingIndexes(n int) []int {
	taken := s.succeededNow.with(indexesOf(s.active)).merge(s.failedNow)
	if s.replacesFailedOnly() {
		var terminating []*corev1.Pod
		for _, p := range s.pods {
			if podstate.Terminating(p) {
				terminating = append(terminating, p)
			}
		}
		taken = taken.with(indexesOf(terminating))
	}
	out := make([]int, 0, n)
	next := 0
	for _, t := range append(taken, interval{s.completions(), s.completions()}) {
		for ; next < t.first && next < s.completions() && len(out) < n; next++ {
			out = append(out, next)
		}
		next = max(next, t.last+1)
	}
	return out
}

// failures counts the earlier failures of the Pod's index that count towards the limit, ignored
// those that do not, and allFailures both.
func failures(p *corev1.Pod) int32 { return countIn(p, batchv1.JobIndexFailureCountAnnotation) }

func ignored(p *corev1.Pod) int32 { return countIn(p, batchv1.JobIndexIgnoredFailureCountAnnotation) }

func allFailures(p *corev1.Pod) int32 {
	return int32(min(int64(failures(p))+int64(ignored(p)), math.MaxInt32-1))
}

// countIn is the count in an annotation; 0 if it holds no valid count.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, parseInt32
func countIn(p *corev1.Pod, annotation string) int32 {
	n, err := strconv.ParseInt(p.Annotations[annotation], 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int32(n)
}

// inherit gives the annotations of a new Pod the failure count of the failed Pod that it replaces;
// nil if it replaces none.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, addIndexFailureCountAnnotation
func (s *syncing) inherit(annotations map[string]string, from *corev1.Pod) {
	var counted, notCounted int32
	if from != nil {
		counted, notCounted = failures(from), ignored(from)
		if _, counts := s.match(from); counts {
			counted = min(counted, math.MaxInt32-1) + 1
		} else {
			notCounted = min(notCounted, math.MaxInt32-1) + 1
		}
	}
	annotations[batchv1.JobIndexFailureCountAnnotation] = strconv.Itoa(int(counted))
	if notCounted > 0 {
		annotations[batchv1.JobIndexIgnoredFailureCountAnnotation] = strconv.Itoa(int(notCounted))
	}
}
