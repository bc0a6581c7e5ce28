package batch_test

import (
	"math"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// jobSpec returns a change of a Job's spec.
func jobSpec(change func(*batchv1.JobSpec)) func(*batchv1.Job) {
	return func(j *batchv1.Job) { change(&j.Spec) }
}

// indexed makes a Job Indexed, sets its completions, and applies a further change.
func indexed(completions int32, change func(*batchv1.JobSpec)) func(*batchv1.Job) {
	return jobSpec(func(s *batchv1.JobSpec) {
		s.CompletionMode, s.Completions = new(batchv1.IndexedCompletion), &completions
		if change != nil {
			change(s)
		}
	})
}

// failurePolicy sets a pod failure policy with one rule.
func failurePolicy(rule batchv1.PodFailurePolicyRule) func(*batchv1.Job) {
	return jobSpec(func(s *batchv1.JobSpec) {
		s.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{rule}}
	})
}

// onExit returns a rule about exit codes.
func onExit(op batchv1.PodFailurePolicyOnExitCodesOperator, values ...int32) batchv1.PodFailurePolicyRule {
	return batchv1.PodFailurePolicyRule{
		Action: batchv1.PodFailurePolicyActionFailJob, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{Operator: op, Values: values},
	}
}

// successRule makes a Job Indexed with five completions and sets a success policy with one rule.
func successRule(indexes *string, count *int32) func(*batchv1.Job) {
	return indexed(5, func(s *batchv1.JobSpec) {
		s.SuccessPolicy = &batchv1.SuccessPolicy{Rules: []batchv1.SuccessPolicyRule{{SucceededIndexes: indexes, SucceededCount: count}}}
	})
}

func TestJob_Validate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*batchv1.Job)
		want   []string
	}{
		{"JOB-002 the template is enough", nil, nil},
		{"JOB-004 Always, which is the Pods' default", jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.RestartPolicy = "" }), []string{
			`spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`,
		}},
		{"JOB-004 no such policy", jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.RestartPolicy = "Sometimes" }), []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`,
			`spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"`,
		}},
		{"JOB-003 the name becomes the value of a label", func(j *batchv1.Job) { j.Name = strings.Repeat("a", 64) }, []string{
			`spec.template.labels: Invalid value: "` + strings.Repeat("a", 64) + `": must be no more than 63 bytes`,
			`spec.template.labels: Invalid value: "` + strings.Repeat("a", 64) + `": must be no more than 63 bytes`,
		}},
		{"JOB-016 negative numbers", jobSpec(func(s *batchv1.JobSpec) {
			s.Parallelism, s.Completions, s.BackoffLimit, s.ActiveDeadlineSeconds, s.TTLSecondsAfterFinished = new(int32(-1)), new(int32(-2)), new(int32(-3)), new(int64(-4)), new(int32(-5))
		}), []string{
			"spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
			"spec.completions: Invalid value: -2: must be greater than or equal to 0",
			"spec.activeDeadlineSeconds: Invalid value: -4: must be greater than or equal to 0",
			"spec.backoffLimit: Invalid value: -3: must be greater than or equal to 0",
			"spec.ttlSecondsAfterFinished: Invalid value: -5: must be greater than or equal to 0",
		}},
		{"JOB-019 Indexed needs completions", jobSpec(func(s *batchv1.JobSpec) {
			s.CompletionMode, s.Parallelism = new(batchv1.IndexedCompletion), new(int32(2))
		}), []string{"spec.completions: Required value: when completion mode is Indexed"}},
		{"JOB-019 no such mode", jobSpec(func(s *batchv1.JobSpec) { s.CompletionMode = new(batchv1.CompletionMode("Random")) }), []string{
			`spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"`,
		}},
		{"JOB-021 the hostname of the last index", func(j *batchv1.Job) {
			j.Name = strings.Repeat("a", 62)
			indexed(3, nil)(j)
		}, []string{
			`metadata.name: Invalid value: "` + strings.Repeat("a", 62) + `": will not able to create pod with invalid DNS label: ` + strings.Repeat("a", 62) + "-2",
		}},
		{"Indexed limits", indexed(200_000, func(s *batchv1.JobSpec) {
			s.Parallelism, s.BackoffLimitPerIndex, s.MaxFailedIndexes = new(int32(100_001)), new(int32(1)), new(int32(100_001))
		}), []string{
			"spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
			"spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000",
			"spec.parallelism: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
			"spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
		}},
		{"many indexes need a limit", indexed(100_001, func(s *batchv1.JobSpec) { s.BackoffLimitPerIndex = new(int32(1)) }), []string{
			"spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
		}},
		{"more failed than there are", indexed(3, func(s *batchv1.JobSpec) {
			s.BackoffLimitPerIndex, s.MaxFailedIndexes = new(int32(1)), new(int32(4))
		}), []string{"spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions"}},
		{"limits per index without indexes", jobSpec(func(s *batchv1.JobSpec) { s.BackoffLimitPerIndex, s.MaxFailedIndexes = new(int32(1)), new(int32(1)) }), []string{
			"spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
			"spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode",
		}},
		{"maxFailedIndexes alone", indexed(3, func(s *batchv1.JobSpec) { s.MaxFailedIndexes = new(int32(1)) }), []string{
			"spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
		}},
		{"managedBy", jobSpec(func(s *batchv1.JobSpec) { s.ManagedBy = new("example.com/mine") }), nil},
		{"managedBy without a domain", jobSpec(func(s *batchv1.JobSpec) { s.ManagedBy = new("mine") }), []string{
			`spec.managedBy: Invalid value: "mine": must be a domain-prefixed path (such as "acme.io/foo")`,
		}},
		{"managedBy too long", jobSpec(func(s *batchv1.JobSpec) { s.ManagedBy = new("example.com/" + strings.Repeat("m", 52)) }), []string{
			"spec.managedBy: Too long: may not be more than 63 bytes",
		}},
		{"podReplacementPolicy", jobSpec(func(s *batchv1.JobSpec) { s.PodReplacementPolicy = new(batchv1.PodReplacementPolicy("Soon")) }), []string{
			`spec.podReplacementPolicy: Unsupported value: "Soon": supported values: "Failed", "TerminatingOrFailed"`,
		}},
		{"JOB-064 a selector of one's own", jobSpec(func(s *batchv1.JobSpec) {
			s.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
			s.Template.Labels = map[string]string{"a": "b"}
		}), []string{
			"spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\",\"batch.kubernetes.io/controller-uid\":\"0b5e\"}}: `selector` not auto-generated",
		}},
		{"JOB-064 labels that are the Job's to give", jobSpec(func(s *batchv1.JobSpec) { s.Template.Labels = map[string]string{"job-name": "other"} }), []string{
			`spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"0b5e","batch.kubernetes.io/job-name":"pi","controller-uid":"0b5e","job-name":"other"}: must be 'pi'`,
		}},
		{"JOB-064 a manual selector must be given", jobSpec(func(s *batchv1.JobSpec) { s.ManualSelector = new(true) }), []string{
			"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
		}},
		{"JOB-065 and match", jobSpec(func(s *batchv1.JobSpec) {
			s.ManualSelector, s.Selector = new(true), &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
		}), []string{"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(batch.Job.Validate(job(tt.change))))
		})
	}
}

func TestJob_ValidatePolicies(t *testing.T) {
	t.Parallel()
	disrupted := batchv1.PodFailurePolicyOnPodConditionsPattern{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}
	const rule, success = "spec.podFailurePolicy.rules[0]", "spec.successPolicy.rules[0]"
	for _, tt := range []struct {
		name   string
		change func(*batchv1.Job)
		want   []string
	}{
		{"JOB-050 exit codes", failurePolicy(onExit("In", 1, 42)), nil},
		{"JOB-043 a policy needs Never", func(j *batchv1.Job) {
			failurePolicy(onExit("In", 1))(j)
			j.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
		}, []string{
			`spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified`,
		}},
		{"JOB-052 and to wait for the end of Pods", func(j *batchv1.Job) {
			failurePolicy(onExit("In", 1))(j)
			j.Spec.PodReplacementPolicy = new(batchv1.TerminatingOrFailed)
		}, []string{`spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"`}},
		{"JOB-045 no such container", failurePolicy(batchv1.PodFailurePolicyRule{
			Action: "Count", OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{ContainerName: new("main"), Operator: "In", Values: []int32{1}},
		}), []string{rule + `.onExitCodes.containerName: Invalid value: "main": must be one of the container or initContainer names in the pod template`}},
		{"JOB-046 no action", failurePolicy(batchv1.PodFailurePolicyRule{OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{disrupted}}), []string{
			rule + `.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
		}},
		{"JOB-046 no such action", failurePolicy(batchv1.PodFailurePolicyRule{Action: "Cry", OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{disrupted}}), []string{
			rule + `.action: Unsupported value: "Cry": supported values: "Count", "FailIndex", "FailJob", "Ignore"`,
		}},
		{"FailIndex needs a limit per index", failurePolicy(batchv1.PodFailurePolicyRule{Action: "FailIndex", OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{disrupted}}), []string{
			rule + `.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
		}},
		{"neither codes nor conditions", failurePolicy(batchv1.PodFailurePolicyRule{Action: "Count"}), []string{
			rule + ": Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
		}},
		{"both", func(j *batchv1.Job) {
			r := onExit("In", 1)
			r.OnPodConditions = []batchv1.PodFailurePolicyOnPodConditionsPattern{disrupted}
			failurePolicy(r)(j)
		}, []string{rule + ": Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"}},
		{"codes", failurePolicy(onExit("", 3, 0, 3, 1)), []string{
			rule + `.onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`,
			rule + ".onExitCodes.values[2]: Duplicate value: 3",
			rule + ".onExitCodes.values: Invalid value: [3,0,3,1]: must be ordered",
		}},
		{"code 0 cannot be in", failurePolicy(onExit("In", 0)), []string{rule + ".onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator"}},
		{"no codes", failurePolicy(onExit("Out")), []string{
			rule + `.onExitCodes.operator: Unsupported value: "Out": supported values: "In", "NotIn"`,
			rule + ".onExitCodes.values: Invalid value: null: at least one value is required",
		}},
		{"conditions", failurePolicy(batchv1.PodFailurePolicyRule{Action: "Ignore", OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{Type: "a b", Status: "Maybe"}}}), []string{
			rule + ".onPodConditions[0].type: Invalid value: \"a b\": " + kindtest.NotQualifiedName,
			rule + `.onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`,
		}},
		{"too much", jobSpec(func(s *batchv1.JobSpec) {
			s.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: make([]batchv1.PodFailurePolicyRule, 21)}
			for i := range s.PodFailurePolicy.Rules {
				s.PodFailurePolicy.Rules[i] = onExit("NotIn", 0)
			}
			s.PodFailurePolicy.Rules[0].OnExitCodes.Values = make([]int32, 256)
			for i := range s.PodFailurePolicy.Rules[0].OnExitCodes.Values {
				s.PodFailurePolicy.Rules[0].OnExitCodes.Values[i] = int32(i)
			}
		}), []string{
			"spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items",
			rule + ".onExitCodes.values: Too many: 256: must have at most 255 items",
		}},

		{"success of indexes", successRule(new("0,2-4"), nil), nil},
		{"success of some indexes", successRule(new("0,2-4"), new(int32(4))), nil},
		{"success of nothing", successRule(nil, nil), []string{success + ": Required value: at least one of succeededCount or succeededIndexes must be specified"}},
		{"success of too many", successRule(new("0,2-3"), new(int32(6))), []string{
			success + ".succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)",
			success + ".succeededCount: Invalid value: 6: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)",
		}},
		{"an index that there is not", successRule(new("0,5"), nil), []string{success + `.succeededIndexes: Invalid value: "0,5": error parsing succeededIndexes: too large index: "5"`}},
		{
			"indexes out of order", successRule(new("3,1-2"), nil),
			[]string{success + `.succeededIndexes: Invalid value: "3,1-2": error parsing succeededIndexes: ` +
				`non-increasing order, previous: 3, current: 1`},
		},
		{"a span backwards", successRule(new("3-1"), nil), []string{success + `.succeededIndexes: Invalid value: "3-1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`}},
		{
			"a span of three", successRule(new("1-2-3"), nil),
			[]string{success + `.succeededIndexes: Invalid value: "1-2-3": error parsing succeededIndexes: ` +
				`the fragment "1-2-3" violates the requirement that an index interval can have at most two parts ` +
				`separated by '-'`},
		},
		{"no number", successRule(new("a"), nil), []string{success + `.succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"`}},
		{"no rules", indexed(5, func(s *batchv1.JobSpec) { s.SuccessPolicy = &batchv1.SuccessPolicy{} }), []string{
			"spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified",
		}},
		{"a success policy without indexes", jobSpec(func(s *batchv1.JobSpec) { s.SuccessPolicy = &batchv1.SuccessPolicy{} }), []string{
			`spec.successPolicy: Invalid value: {"Rules":null}: requires indexed completion mode`,
		}},
		{"a success policy without completions", jobSpec(func(s *batchv1.JobSpec) {
			s.CompletionMode, s.Parallelism = new(batchv1.IndexedCompletion), new(int32(1))
			s.SuccessPolicy = &batchv1.SuccessPolicy{Rules: []batchv1.SuccessPolicyRule{{SucceededCount: new(int32(1))}}}
		}), []string{"spec.completions: Required value: when completion mode is Indexed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(batch.Job.Validate(job(tt.change))))
		})
	}
}

func TestJob_ValidateUpdate(t *testing.T) {
	t.Parallel()
	waiting := jobSpec(func(s *batchv1.JobSpec) { s.Suspend = new(true) })
	template := `spec.template: Invalid value: {"labels":{"batch.kubernetes.io/controller-uid":"0b5e","batch.kubernetes.io/job-name":"pi","controller-uid":"0b5e","job-name":"pi"},`
	for _, tt := range []struct {
		name        string
		old, change func(*batchv1.Job)
		want        []string // each is a prefix of a message
	}{
		{"JOB-062 what may change", nil, jobSpec(func(s *batchv1.JobSpec) {
			s.Parallelism, s.BackoffLimit, s.ActiveDeadlineSeconds, s.TTLSecondsAfterFinished = new(int32(3)), new(int32(1)), new(int64(9)), new(int32(9)) // TTL-008
			s.Suspend, s.PodReplacementPolicy = new(true), new(batchv1.Failed)
		}), nil},
		{"JOB-061 completions", nil, jobSpec(func(s *batchv1.JobSpec) { s.Completions = new(int32(2)) }), []string{"spec.completions: Invalid value: 2: field is immutable"}},
		{"JOB-063 elastic", indexed(3, func(s *batchv1.JobSpec) { s.Parallelism = new(int32(3)) }), jobSpec(func(s *batchv1.JobSpec) {
			s.Completions, s.Parallelism = new(int32(5)), new(int32(5))
		}), nil},
		{"JOB-063 not so", indexed(3, func(s *batchv1.JobSpec) { s.Parallelism = new(int32(3)) }), jobSpec(func(s *batchv1.JobSpec) { s.Completions = new(int32(5)) }), []string{
			"spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism",
		}},
		{"JOB-061 the selector", nil, jobSpec(func(s *batchv1.JobSpec) { s.Selector.MatchLabels["job-name"] = "pi" }), []string{
			`spec.selector: Invalid value: {"matchLabels":{"batch.kubernetes.io/controller-uid":"0b5e","job-name":"pi"}}: field is immutable`,
		}},
		{"JOB-061 what is fixed", nil, jobSpec(func(s *batchv1.JobSpec) {
			s.CompletionMode, s.ManagedBy, s.BackoffLimitPerIndex = new(batchv1.IndexedCompletion), new("example.com/mine"), new(int32(1))
			s.SuccessPolicy = &batchv1.SuccessPolicy{Rules: []batchv1.SuccessPolicyRule{{SucceededCount: new(int32(1))}}}
			s.PodFailurePolicy, s.PodReplacementPolicy = &batchv1.PodFailurePolicy{}, new(batchv1.Failed)
		}), []string{
			`spec.completionMode: Invalid value: "Indexed": field is immutable`,
			`spec.podFailurePolicy: Invalid value: {"Rules":null}: field is immutable`,
			"spec.backoffLimitPerIndex: Invalid value: 1: field is immutable",
			`spec.managedBy: Invalid value: "example.com/mine": field is immutable`,
			`spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: field is immutable`,
		}},
		{"JOB-061 the template", nil, jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.Containers[0].Image = "perl:6" }), []string{template}},
		{"JOB-060 scheduling of a Job that runs", nil, jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.NodeSelector = map[string]string{"zone": "a"} }), []string{template}},
		{"JOB-060 of one that waits", waiting, jobSpec(func(s *batchv1.JobSpec) {
			s.Template.Spec.NodeSelector = map[string]string{"zone": "a"}
			s.Template.Spec.Tolerations = []corev1.Toleration{{Key: "spot", Operator: corev1.TolerationOpExists}}
			s.Template.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/gate"}}
			s.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
			s.Template.Annotations, s.Template.Labels["queue"] = map[string]string{"a": "b"}, "x"
		}), nil},
		{"JOB-060 affinity to Pods stays", waiting, jobSpec(func(s *batchv1.JobSpec) {
			s.Template.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{}}
		}), []string{`spec.template.spec: Invalid value: {"Volumes":null`}},
		{"JOB-060 C-41 suspended, and its Pods are gone", func(j *batchv1.Job) {
			waiting(j)
			j.Status.StartTime = new(metav1.NewTime(kindtest.Now))
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}
		}, jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.NodeSelector = map[string]string{"zone": "a"} }), nil},
		{"JOB-060 not yet gone", func(j *batchv1.Job) {
			waiting(j)
			j.Status.Active = 1
		}, jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.NodeSelector = map[string]string{"zone": "a"} }), []string{template}},
		{"an image may not even then", waiting, jobSpec(func(s *batchv1.JobSpec) { s.Template.Spec.Containers[0].Image = "perl:6" }), []string{`spec.template.spec: Invalid value: {"Volumes":null`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := job(nil)
			if tt.old != nil {
				status := batchv1.Job{}
				tt.old(&status)
				old = job(tt.old)
				old.Status = status.Status
			}
			next := old.DeepCopy()
			tt.change(next)
			got := kindtest.Texts(batch.Job.ValidateUpdate(next, old))
			for i := range min(len(got), len(tt.want)) {
				got[i] = got[i][:min(len(got[i]), len(tt.want[i]))]
			}
			kindtest.Diff(t, tt.want, got)
		})
	}
}

func TestJob_Warnings(t *testing.T) {
	t.Parallel()
	const many = "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, " +
		"Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
	kindtest.Diff(t, []string(nil), batch.Job.Warnings(job(nil), nil))
	kindtest.Diff(t, []string{many}, batch.Job.Warnings(job(indexed(100_001, func(s *batchv1.JobSpec) { s.Parallelism = new(int32(10_001)) })), nil))
	kindtest.Diff(t, []string(nil), batch.Job.Warnings(job(indexed(math.MaxInt32, nil)), nil))
	dotted := batch.Job.Warnings(job(func(j *batchv1.Job) { j.Name = "a.b" }), nil)
	if len(dotted) != 1 || !strings.HasSuffix(dotted[0], "a DNS label is recommended: [must not contain dots]") {
		t.Errorf("for a name with a dot: %q", dotted)
	}
}
