package job_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/job"
)

var (
	now     = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	started = metav1.NewTime(now.Add(-time.Minute))
	yes     = true
	owner   = metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: "pi", UID: "pi-uid", Controller: &yes, BlockOwnerDeletion: &yes}
)

type (
	jobEdit = func(*batchv1.Job)
	podEdit = func(*corev1.Pod)
)

// theJob is default/pi as defaulting leaves it, one Pod to complete, with edits. It was synced a
// minute ago.
func theJob(edits ...jobEdit) *batchv1.Job {
	mode := batchv1.NonIndexedCompletion
	j := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pi", UID: "pi-uid", ResourceVersion: "5", Generation: 1},
		Spec: batchv1.JobSpec{
			Parallelism: new(int32(1)), Completions: new(int32(1)), BackoffLimit: new(int32(6)), CompletionMode: &mode, Suspend: new(false),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"uid": "pi"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"uid": "pi"}},
				Spec:       corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "c", Image: "perl"}}},
			},
		},
		Status: batchv1.JobStatus{StartTime: &started, Ready: new(int32(0)), Terminating: new(int32(0)), UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{}},
	}
	for _, edit := range edits {
		edit(j)
	}
	return j
}

func fresh(j *batchv1.Job) { j.Status = batchv1.JobStatus{} }

func parallelism(n int32) jobEdit { return func(j *batchv1.Job) { j.Spec.Parallelism = &n } }

func completions(n int32) jobEdit { return func(j *batchv1.Job) { j.Spec.Completions = &n } }

func workQueue(j *batchv1.Job) { j.Spec.Completions = nil }

func backoffLimit(n int32) jobEdit { return func(j *batchv1.Job) { j.Spec.BackoffLimit = &n } }

func deadline(seconds int64) jobEdit {
	return func(j *batchv1.Job) { j.Spec.ActiveDeadlineSeconds = &seconds }
}

func indexedJob(n int32) jobEdit {
	return func(j *batchv1.Job) {
		*j.Spec.CompletionMode, j.Spec.Completions, j.Spec.Parallelism = batchv1.IndexedCompletion, &n, &n
	}
}

func perIndex(n int32) jobEdit { return func(j *batchv1.Job) { j.Spec.BackoffLimitPerIndex = &n } }

func maxFailed(n int32) jobEdit { return func(j *batchv1.Job) { j.Spec.MaxFailedIndexes = &n } }

func suspend(j *batchv1.Job) { j.Spec.Suspend = new(true) }

func onFailure(j *batchv1.Job) { j.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure }

func replacing(policy batchv1.PodReplacementPolicy) jobEdit {
	return func(j *batchv1.Job) { j.Spec.PodReplacementPolicy = &policy }
}

func failurePolicy(rules ...batchv1.PodFailurePolicyRule) jobEdit {
	return func(j *batchv1.Job) {
		j.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: rules}
		replacing(batchv1.Failed)(j)
	}
}

func onExit(action batchv1.PodFailurePolicyAction, operator batchv1.PodFailurePolicyOnExitCodesOperator, codes ...int32) batchv1.PodFailurePolicyRule {
	return batchv1.PodFailurePolicyRule{Action: action, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{Operator: operator, Values: codes}}
}

func onCondition(action batchv1.PodFailurePolicyAction, condition corev1.PodConditionType) batchv1.PodFailurePolicyRule {
	return batchv1.PodFailurePolicyRule{Action: action, OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{Type: condition, Status: corev1.ConditionTrue}}}
}

func successPolicy(rules ...batchv1.SuccessPolicyRule) jobEdit {
	return func(j *batchv1.Job) { j.Spec.SuccessPolicy = &batchv1.SuccessPolicy{Rules: rules} }
}

// status sets what an earlier sync has written.
func status(edit func(*batchv1.JobStatus)) jobEdit { return func(j *batchv1.Job) { edit(&j.Status) } }

func active(n int32) jobEdit { return func(j *batchv1.Job) { j.Status.Active = n } }

func condition(kind batchv1.JobConditionType, reason, message string) jobEdit {
	return func(j *batchv1.Job) {
		j.Status.Conditions = append(j.Status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, Message: message,
			LastProbeTime: started, LastTransitionTime: started})
	}
}

func beingDeleted(j *batchv1.Job) { j.DeletionTimestamp = &started }

// pod is a Running Pod of the Job, tracked and not Ready, a minute old, with edits.
func pod(name string, edits ...podEdit) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name + "-uid"), ResourceVersion: "6", CreationTimestamp: started,
			Labels: map[string]string{"uid": "pi"}, OwnerReferences: []metav1.OwnerReference{owner}, Finalizers: []string{batchv1.JobTrackingFinalizer},
		},
		Spec:   corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func isReady(p *corev1.Pod) {
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started})
}
func orphan(p *corev1.Pod)    { p.OwnerReferences = nil }
func unmatched(p *corev1.Pod) { p.Labels = nil }
func untracked(p *corev1.Pod) { p.Finalizers = nil }
func pending(p *corev1.Pod)   { p.Status.Phase, p.Spec.NodeName = corev1.PodPending, "" }

// ending is being deleted since five seconds.
func ending(p *corev1.Pod) {
	p.DeletionTimestamp, p.DeletionGracePeriodSeconds = new(metav1.NewTime(now.Add(25*time.Second))), new(int64(30))
}

func succeeded(p *corev1.Pod) { exited(0, 0)(p) }

// exited ends the Pod so long ago with an exit code.
func exited(code int32, ago time.Duration) podEdit {
	return func(p *corev1.Pod) {
		p.Status.Phase = corev1.PodFailed
		if code == 0 {
			p.Status.Phase = corev1.PodSucceeded
		}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", State: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{ExitCode: code, FinishedAt: metav1.NewTime(now.Add(-ago))},
		}}}
	}
}

func failed(p *corev1.Pod) { exited(1, 0)(p) }

func disrupted(p *corev1.Pod) {
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue})
}

func restarted(n int32) podEdit {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: n}}
	}
}

func index(i int) podEdit {
	return func(p *corev1.Pod) { annotate(batchv1.JobCompletionIndexAnnotation, strconv.Itoa(i))(p) }
}

func annotate(key, value string) podEdit {
	return func(p *corev1.Pod) {
		if p.Annotations == nil {
			p.Annotations = map[string]string{}
		}
		p.Annotations[key] = value
	}
}

func failures(n int) podEdit {
	return annotate(batchv1.JobIndexFailureCountAnnotation, strconv.Itoa(n))
}

func snapshot(j *batchv1.Job, pods ...*corev1.Pod) job.Snapshot {
	return job.Snapshot{Job: j, Pods: pods, Now: now}
}

func remembering(s job.Snapshot, memory string) job.Snapshot {
	s.Memory = []byte(memory)
	return s
}

// show prints the whole plan, followed by its effects on the Job's status, if it changes, and on
// Pods.
func show(j *batchv1.Job, p plan.Plan) string {
	var b strings.Builder
	b.WriteString(p.String())
	for _, u := range p.Updates {
		switch o := u.Object.(type) {
		case *batchv1.Job:
			fmt.Fprintf(&b, "status%s\n", changes(j.Status, o.Status))
		case *corev1.Pod:
			fmt.Fprintf(&b, "%s%s\n", o.Name, traits(o))
		}
	}
	for _, c := range p.Creates {
		fmt.Fprintf(&b, "%s%s\n", c.Object.GetGenerateName(), traits(c.Object))
	}
	if len(p.Memory) > 0 {
		fmt.Fprintf(&b, "memory %s\n", p.Memory)
	}
	return b.String()
}

// traits are what matters of a Pod's metadata, in short.
func traits(o object.Object) (s string) {
	if ref := metav1.GetControllerOf(o); ref == nil {
		s += " orphan"
	}
	if len(o.GetFinalizers()) > 0 {
		s += " tracked"
	}
	if len(o.GetAnnotations()) > 0 {
		text, _ := json.Marshal(o.GetAnnotations())
		s += " " + strings.ReplaceAll(string(text), "batch.kubernetes.io/job-", "")
	}
	return s
}

// changes are the fields of a status that differ, as JSON; times are given as seconds from now.
func changes(old, next batchv1.JobStatus) string {
	before, after := asMap(old), asMap(next)
	for key := range before {
		if _, ok := after[key]; !ok {
			after[key] = nil
		}
	}
	for key := range after {
		if cmp.Equal(before[key], after[key]) {
			delete(after, key)
		}
	}
	var b strings.Builder
	for _, key := range []string{"active", "ready", "terminating", "succeeded", "failed", "completedIndexes", "failedIndexes", "startTime", "completionTime",
		"uncountedTerminatedPods", "conditions"} {
		value, ok := after[key]
		if !ok {
			continue
		}
		if key == "conditions" {
			for _, c := range next.Conditions {
				fmt.Fprintf(&b, " %s=%s(%s: %s)", c.Type, c.Status, c.Reason, c.Message)
			}
			continue
		}
		text, _ := json.Marshal(value)
		fmt.Fprintf(&b, " %s=%s", key, strings.ReplaceAll(string(text), now.Format(time.RFC3339), "now"))
	}
	return b.String()
}

func asMap(s batchv1.JobStatus) (m map[string]any) {
	text, _ := json.Marshal(s)
	_ = json.Unmarshal(text, &m)
	return m
}

// row is one decision: a snapshot and the expected output for its plan.
type row struct {
	name string
	s    job.Snapshot
	want string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			want := strings.TrimLeft(strings.ReplaceAll(r.want, "\t", ""), "\n")
			if d := cmp.Diff(want, show(r.s.Job, job.Reconcile(r.s))); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}
