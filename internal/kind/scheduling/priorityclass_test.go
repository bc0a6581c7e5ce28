package scheduling_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
)

func priorityClass(name string, value int32, shape ...func(*schedulingv1.PriorityClass)) *schedulingv1.PriorityClass {
	pc := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: "1"}, Value: value}
	for _, f := range shape {
		f(pc)
	}
	scheduling.PriorityClass.Default(pc)
	return pc
}

func globalDefault(pc *schedulingv1.PriorityClass) { pc.GlobalDefault = true }

func preempting(policy corev1.PreemptionPolicy) func(*schedulingv1.PriorityClass) {
	return func(pc *schedulingv1.PriorityClass) { pc.PreemptionPolicy = &policy }
}

// Source: kubernetes v1.36 pkg/apis/scheduling/validation/validation_test.go, TestValidatePriorityClass
func TestPriorityClass_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		class *schedulingv1.PriorityClass
		want  []string
	}{
		{"plain", priorityClass("tier1", 100), nil},
		{"negative", priorityClass("tier1", -100), nil},
		{"highest", priorityClass("tier1", 1_000_000_000), nil},
		{"never preempting", priorityClass("tier1", 1, preempting(corev1.PreemptNever)), nil},
		{"of the system", priorityClass("system-node-critical", 2_000_001_000), nil},
		{"too high", priorityClass("tier1", 1_000_000_001), []string{
			"value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
		}},
		{"not of the system", priorityClass("system-cluster-critical-x", 1), []string{
			"metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-cluster-critical-x is not a known system priority class",
		}},
		{"of the system with another value", priorityClass("system-node-critical", 5), []string{
			"metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
		}},
		{"of the system as the default", priorityClass("system-node-critical", 2_000_001_000, globalDefault), []string{
			"metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: globalDefault of system-node-critical PriorityClass must be false",
		}},
		{"an unknown policy", priorityClass("tier1", 1, preempting("Maybe")), []string{
			`preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"`,
		}},
		{"an empty policy", priorityClass("tier1", 1, preempting("")), []string{"preemptionPolicy: Required value"}},
		{"an invalid name", priorityClass("tier&1", 1), []string{
			`metadata.name: Invalid value: "tier&1": ` + kindtest.NotSubdomain,
		}},
		{"in a namespace", priorityClass("tier1", 1, func(pc *schedulingv1.PriorityClass) { pc.Namespace = "default" }), []string{
			"metadata.namespace: Forbidden: not allowed on this type",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(scheduling.PriorityClass.Validate(tt.class)))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/scheduling/validation/validation_test.go, TestValidatePriorityClassUpdate
func TestPriorityClass_ValidateUpdate(t *testing.T) {
	t.Parallel()
	old := priorityClass("tier1", 100)
	tests := []struct {
		name  string
		class *schedulingv1.PriorityClass
		want  []string
	}{
		{"described, and made the default", priorityClass("tier1", 100, globalDefault, func(pc *schedulingv1.PriorityClass) { pc.Description = "first" }), nil},
		{"another value", priorityClass("tier1", 101), []string{"value: Forbidden: may not be changed in an update."}},
		{"another policy", priorityClass("tier1", 100, preempting(corev1.PreemptNever)), []string{`preemptionPolicy: Invalid value: "Never": field is immutable`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(scheduling.PriorityClass.ValidateUpdate(tt.class, old)))
		})
	}
}

// Source: kubernetes v1.36 plugin/pkg/admission/priority/admission_test.go, TestPriorityClassAdmission and TestDefaultPriority
func TestPriorityClass_OneDefault(t *testing.T) {
	t.Parallel()
	const already = "PriorityClass base is already marked as default. Only one default can exist"
	base := priorityClass("base", 100, globalDefault)
	c := kindtest.Cluster(base, priorityClass("other", 1))
	tests := []struct {
		name      string
		next, old *schedulingv1.PriorityClass
		want      string
	}{
		{"another, not the default", priorityClass("new", 1), nil, ""},
		{"another", priorityClass("new", 1, globalDefault), nil, already},
		{"another by an update", priorityClass("other", 1, globalDefault), priorityClass("other", 1), already},
		{"the one that is", base, base, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.old == nil {
				kindtest.Diff(t, tt.want, kindtest.Refusal(kindtest.Deny(scheduling.PriorityClass, tt.next, c)))
			} else {
				kindtest.Diff(t, tt.want, kindtest.Refusal(kindtest.DenyUpdate(scheduling.PriorityClass, tt.next, tt.old, c)))
			}
		})
	}
	kindtest.Diff(t, "", kindtest.Refusal(kindtest.Deny(scheduling.PriorityClass, priorityClass("first", 1, globalDefault), kindtest.Cluster())))
	kindtest.Diff(t, []string{"priorityclass/default"}, scheduling.PriorityClass.Reservations(base))
	kindtest.Diff(t, []string(nil), scheduling.PriorityClass.Reservations(priorityClass("other", 1)))
}

func TestPriorityClass_Row(t *testing.T) {
	t.Parallel()
	pc := priorityClass("gold", 1000, globalDefault)
	pc.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"gold", int64(1000), true, "90s", "PreemptLowerPriority"}, scheduling.PriorityClass.Row(pc, kindtest.Now))
}

// Source: kubernetes v1.36 plugin/pkg/admission/priority/admission_test.go, TestPodAdmission
func TestPod_Priority(t *testing.T) {
	t.Parallel()
	const mustNot = "must not be provided in pod spec; priority admission controller computed "
	const ofClass = " from the given PriorityClass name"
	never := preempting(corev1.PreemptNever)
	without := kindtest.Cluster(priorityClass("gold", 1000, never))
	with := kindtest.Cluster(priorityClass("gold", 1000, never), priorityClass("base", 7, globalDefault))
	type outcome struct {
		Class    string
		Priority int32
		Policy   corev1.PreemptionPolicy
		Refused  string
	}
	tests := []struct {
		name     string
		cluster  kindtest.ToyCluster
		class    string
		priority *int32
		policy   corev1.PreemptionPolicy
		want     outcome
	}{
		{"no class", without, "", nil, "", outcome{"", 0, "PreemptLowerPriority", ""}},
		{"no class, but a default", with, "", nil, "", outcome{"base", 7, "PreemptLowerPriority", ""}},
		{"a class that every cluster has", without, "system-node-critical", nil, "", outcome{"system-node-critical", 2_000_001_000, "PreemptLowerPriority", ""}},
		{"another class", with, "gold", nil, "", outcome{"gold", 1000, "Never", ""}},
		{"what the class gives anyhow", with, "gold", new(int32(1000)), "Never", outcome{"gold", 1000, "Never", ""}},
		{"a class that is not there", with, "lead", nil, "", outcome{"lead", 0, "", "no PriorityClass with name lead was found"}},
		{"a priority of the client's", without, "", new(int32(1000)), "", outcome{"", 1000, "", "the integer value of priority (1000) " + mustNot + "0" + ofClass}},
		{
			"a policy of the client's", with, "gold", nil, "PreemptLowerPriority",
			outcome{
				"gold", 1000, "PreemptLowerPriority",
				"the string value of PreemptionPolicy (PreemptLowerPriority) " + mustNot + "Never" + ofClass,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := kindtest.BarePod()
			p.Spec.PriorityClassName, p.Spec.Priority = tt.class, tt.priority
			if tt.policy != "" {
				p.Spec.PreemptionPolicy = &tt.policy
			}
			pod.Kind.Default(p)
			got := outcome{Refused: kindtest.Refusal(kindtest.Admit(pod.Kind, p, tt.cluster)), Class: p.Spec.PriorityClassName}
			if p.Spec.Priority != nil {
				got.Priority = *p.Spec.Priority
			}
			if p.Spec.PreemptionPolicy != nil {
				got.Policy = *p.Spec.PreemptionPolicy
			}
			kindtest.Diff(t, tt.want, got)
		})
	}
}
