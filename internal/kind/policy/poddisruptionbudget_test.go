package policy_test

import (
	"testing"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/policy"
)

// budget returns the PodDisruptionBudget "web" for app=web, with a change applied.
func budget(change func(*policyv1.PodDisruptionBudget)) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1", Generation: 3},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
	}
	if change != nil {
		change(b)
	}
	policy.PodDisruptionBudget.Default(b)
	return b
}

func TestPodDisruptionBudget_Validate(t *testing.T) {
	t.Parallel()
	set := func(change func(*policyv1.PodDisruptionBudgetSpec)) func(*policyv1.PodDisruptionBudget) {
		return func(b *policyv1.PodDisruptionBudget) { change(&b.Spec) }
	}
	two, negative, part, wrong, all := intstr.FromInt32(2), intstr.FromInt32(-1), intstr.FromString("101%"), intstr.FromString("half"), intstr.FromString("100%")
	unknown := policyv1.UnhealthyPodEvictionPolicyType("Sometimes")
	tests := []struct {
		name   string
		change func(*policyv1.PodDisruptionBudget)
		want   []string
	}{
		{"nothing is set", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector = nil }), nil},
		{"PDB-001 a number", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable = &two }), nil},
		{"a percentage", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MaxUnavailable = &all }), nil},
		{"both", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable, s.MaxUnavailable = &two, &all }), []string{
			`spec: Invalid value: {"MinAvailable":2,"Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":"100%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set`,
		}},
		{"negative", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable = &negative }), []string{
			"spec.minAvailable: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"more than all", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MaxUnavailable = &part }), []string{
			`spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		}},
		{"neither a number nor a percentage", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.MinAvailable = &wrong }), []string{
			`spec.minAvailable: Invalid value: "half": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
		}},
		{"policy", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.UnhealthyPodEvictionPolicy = &unknown }), []string{
			`spec.unhealthyPodEvictionPolicy: Unsupported value: "Sometimes": supported values: "AlwaysAllow", "IfHealthyBudget"`,
		}},
		{"selector", set(func(s *policyv1.PodDisruptionBudgetSpec) { s.Selector.MatchLabels = map[string]string{"a": "b c"} }), []string{
			`spec.selector.matchLabels: Invalid value: "b c": ` + kindtest.NotLabelValue,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(policy.PodDisruptionBudget.Validate(budget(tt.change))))
			next, old := budget(tt.change), budget(nil)
			kindtest.Diff(t, tt.want, kindtest.Texts(policy.PodDisruptionBudget.ValidateUpdate(next, old)))
		})
	}
	// A stored invalid value may stay.
	old := budget(set(func(s *policyv1.PodDisruptionBudgetSpec) {
		s.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: metav1.LabelSelectorOpIn, Values: []string{"b c"}}}
	}))
	kindtest.Diff(t, 1, len(policy.PodDisruptionBudget.Validate(old)))
	kindtest.Diff(t, []string(nil), kindtest.Texts(policy.PodDisruptionBudget.ValidateUpdate(old.DeepCopy(), old)))
}

func TestPodDisruptionBudget_Prepare(t *testing.T) {
	t.Parallel()
	two := intstr.FromInt32(2)
	old := budget(func(b *policyv1.PodDisruptionBudget) { b.Status.CurrentHealthy = 3 })
	created := old.DeepCopy()
	policy.PodDisruptionBudget.PrepareCreate(created)
	kindtest.Diff(t, policyv1.PodDisruptionBudgetStatus{}, created.Status)
	kindtest.Diff(t, int64(1), created.Generation)

	next := old.DeepCopy()
	next.Spec.MinAvailable, next.Status.CurrentHealthy = &two, 9
	policy.PodDisruptionBudget.PrepareUpdate(next, old)
	kindtest.Diff(t, int64(4), next.Generation)
	kindtest.Diff(t, old.Status, next.Status)

	next = old.DeepCopy()
	next.Spec.MinAvailable = &two
	next.Status = policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: -1, CurrentHealthy: -2, DesiredHealthy: -3, ExpectedPods: -4}
	policy.PodDisruptionBudget.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
	kindtest.Diff(t, []string{
		"status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0",
		"status.currentHealthy: Invalid value: -2: must be greater than or equal to 0",
		"status.desiredHealthy: Invalid value: -3: must be greater than or equal to 0",
		"status.expectedPods: Invalid value: -4: must be greater than or equal to 0",
	}, kindtest.Texts(policy.PodDisruptionBudget.Status.Validate(next, old)))
}

func TestPodDisruptionBudget_Row(t *testing.T) {
	t.Parallel()
	half := intstr.FromString("50%")
	b := budget(func(b *policyv1.PodDisruptionBudget) {
		b.CreationTimestamp, b.Status.DisruptionsAllowed = metav1.NewTime(kindtest.Now.Add(-time.Minute)), 1
		b.Spec.MaxUnavailable = &half
	})
	kindtest.Diff(t, []any{"web", "N/A", "50%", int64(1), "60s"}, policy.PodDisruptionBudget.Row(b, kindtest.Now))
	kindtest.Diff(t, b.Spec.Selector, policy.PodDisruptionBudget.Selector(b))
}
