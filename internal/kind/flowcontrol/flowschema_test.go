package flowcontrol_test

import (
	"strings"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// The objects that every cluster has are valid and defaulted.
func TestFlowControl_OwnObjects(t *testing.T) {
	t.Parallel()
	for _, s := range flowcontrol.FlowSchemas() {
		want := s.DeepCopy()
		flowcontrol.FlowSchema.Default(s)
		kindtest.Diff(t, want, s)
		kindtest.Diff(t, []string(nil), kindtest.Texts(flowcontrol.FlowSchema.Validate(s)))
	}
	for _, l := range flowcontrol.PriorityLevels() {
		want := l.DeepCopy()
		flowcontrol.PriorityLevelConfiguration.Default(l)
		kindtest.Diff(t, want, l)
		kindtest.Diff(t, []string(nil), kindtest.Texts(flowcontrol.PriorityLevelConfiguration.Validate(l)))
	}
	kindtest.Diff(t, []any{"exempt", "exempt", int64(1), "<none>", "<unknown>", "?"}, flowcontrol.FlowSchema.Row(flowcontrol.FlowSchemas()[0], kindtest.Now))
	kindtest.Diff(t, []any{"system", "Limited", int32(30), int32(64), int32(6), int32(50), "<unknown>"}, flowcontrol.PriorityLevelConfiguration.Row(flowcontrol.PriorityLevels()[2], kindtest.Now))
	kindtest.Diff(t, []any{"exempt", "Exempt", "<none>", "<none>", "<none>", "<none>", "<unknown>"}, flowcontrol.PriorityLevelConfiguration.Row(flowcontrol.PriorityLevels()[1], kindtest.Now))
}

func TestFlowSchema_Validate(t *testing.T) {
	t.Parallel()
	type spec = *flowcontrolv1.FlowSchemaSpec
	rule := func(s spec) *flowcontrolv1.ResourcePolicyRule { return &s.Rules[0].ResourceRules[0] }
	tests := []struct {
		name   string
		change func(s spec)
		want   []string
	}{
		{"good", func(spec) {}, nil},
		{"negative", func(s spec) { s.MatchingPrecedence = -1 }, []string{"spec.matchingPrecedence: Invalid value: -1: must be a positive value"}},
		{"too high", func(s spec) { s.MatchingPrecedence = 10001 }, []string{"spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"}},
		{"the first", func(s spec) { s.MatchingPrecedence = 1 }, []string{"spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1"}},
		{"no level", func(s spec) { s.PriorityLevelConfiguration.Name = "" }, []string{"spec.priorityLevelConfiguration.name: Required value: must reference a priority level"}},
		{"no rule", func(s spec) { s.Rules[0] = flowcontrolv1.PolicyRulesWithSubjects{} }, []string{
			"spec.rules[0].subjects: Required value: subjects must contain at least one value",
			"spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty"}},
		{"another subject's kind", func(s spec) { s.Rules[0].Subjects[0].Kind = "User" }, []string{
			"spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
			"spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'"}},
		{"no subject's kind", func(s spec) { s.Rules[0].Subjects[0].Kind = "Tea" }, []string{
			`spec.rules[0].subjects[0].kind: Unsupported value: "Tea": supported values: "Group", "ServiceAccount", "User"`}},
		{"an account", func(s spec) {
			s.Rules[0].Subjects[0] = flowcontrolv1.Subject{Kind: "ServiceAccount", ServiceAccount: &flowcontrolv1.ServiceAccountSubject{}}
		}, []string{
			"spec.rules[0].subjects[0].serviceAccount.name: Required value",
			"spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account"}},
		{"all verbs and more", func(s spec) { rule(s).Verbs = []string{"*", "get"} }, []string{
			`spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`}},
		{"nowhere", func(s spec) { rule(s).Namespaces, rule(s).ClusterScope = nil, false }, []string{
			"spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace"}},
		{"paths", func(s spec) {
			s.Rules[0].NonResourceRules[0].NonResourceURLs = []string{"", "/", "x", "/a b", "/a//b", "/a*", "/a/*"}
		}, []string{
			`spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty`,
			`spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "x": must start with slash`,
			`spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a b": must not contain white-space`,
			`spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a//b": must not contain double slash`,
			`spec.rules[0].nonResourceRules[0].nonResourceURLs[5]: Invalid value: "/a*": wildcard can only do suffix matching`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := flowcontrol.FlowSchemas()[0]
			s.Name, s.Spec.MatchingPrecedence = "mine", 500
			tt.change(&s.Spec)
			kindtest.Diff(t, tt.want, kindtest.Texts(flowcontrol.FlowSchema.Validate(s)))
		})
	}
	fixed := flowcontrol.FlowSchemas()[1]
	fixed.Spec.MatchingPrecedence = 9999
	errs := kindtest.Texts(flowcontrol.FlowSchema.ValidateUpdate(fixed, flowcontrol.FlowSchemas()[1]))
	if len(errs) != 1 || !strings.HasSuffix(errs[0], "spec of 'catch-all' must equal the fixed value") {
		t.Error(errs)
	}
}

func TestPriorityLevelConfiguration_Validate(t *testing.T) {
	t.Parallel()
	type spec = *flowcontrolv1.PriorityLevelConfigurationSpec
	tests := []struct {
		name   string
		change func(s spec)
		want   []string
	}{
		{"good", func(spec) {}, nil},
		{"exempt", func(s spec) { s.Type, s.Limited = "Exempt", nil }, []string{"spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"}},
		{"without limits", func(s spec) { s.Limited = nil }, []string{"spec.limited: Required value: must not be empty when type is Limited"}},
		{"shares", func(s spec) {
			s.Limited.NominalConcurrencyShares, s.Limited.LendablePercent = new(int32(-1)), new(int32(101))
		}, []string{
			"spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer",
			"spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive"}},
		{"no queues", func(s spec) { s.Limited.LimitResponse.Queuing = nil }, []string{"spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited"}},
		{"queues where requests are refused", func(s spec) { s.Limited.LimitResponse.Type = "Reject" }, []string{
			"spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited"}},
		{"too many queues", func(s spec) { s.Limited.LimitResponse.Queuing.Queues = 10_000_001 }, []string{
			"spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000",
			"spec.limited.limitResponse.queuing.handSize: Invalid value: 6: required entropy bits of deckSize 10000001 and handSize 6 should not be greater than 60"}},
		{
			"too large a hand", func(s spec) { s.Limited.LimitResponse.Queuing.HandSize = 65 },
			[]string{"spec.limited.limitResponse.queuing.handSize: Invalid value: 65: should not be greater than queues (64)"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := flowcontrol.PriorityLevels()[2]
			l.Name = "mine"
			tt.change(&l.Spec)
			kindtest.Diff(t, tt.want, kindtest.Texts(flowcontrol.PriorityLevelConfiguration.Validate(l)))
		})
	}
	exempt := flowcontrol.PriorityLevels()[1]
	exempt.Spec.Exempt.LendablePercent = new(int32(30))
	kindtest.Diff(t, []string(nil), kindtest.Texts(flowcontrol.PriorityLevelConfiguration.Validate(exempt)))

	// Defaults are applied.
	l := &flowcontrolv1.PriorityLevelConfiguration{Spec: flowcontrolv1.PriorityLevelConfigurationSpec{Type: "Limited", Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
		LimitResponse: flowcontrolv1.LimitResponse{Type: "Queue", Queuing: &flowcontrolv1.QueuingConfiguration{}},
	}}}
	flowcontrol.PriorityLevelConfiguration.Default(l)
	kindtest.Diff(t, &flowcontrolv1.LimitedPriorityLevelConfiguration{
		NominalConcurrencyShares: new(int32(30)), LendablePercent: new(int32(0)),
		LimitResponse: flowcontrolv1.LimitResponse{Type: "Queue", Queuing: &flowcontrolv1.QueuingConfiguration{HandSize: 8, Queues: 64, QueueLengthLimit: 50}},
	}, l.Spec.Limited)
}
