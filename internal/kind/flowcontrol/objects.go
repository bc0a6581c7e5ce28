package flowcontrol

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PriorityLevels returns new copies of the PriorityLevelConfigurations that every cluster has, the
// immutable ones first.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
func PriorityLevels() []*flowcontrolv1.PriorityLevelConfiguration {
	return append(mandatoryPriorityLevels(),
		queuedLevel("system", 30, 33, 64, 6),
		queuedLevel("node-high", 40, 25, 64, 6),
		queuedLevel("leader-election", 10, 0, 16, 4),
		queuedLevel("workload-high", 40, 50, 128, 6),
		queuedLevel("workload-low", 100, 90, 128, 6),
		queuedLevel("global-default", 20, 50, 128, 6),
	)
}

func mandatoryPriorityLevels() []*flowcontrolv1.PriorityLevelConfiguration {
	return []*flowcontrolv1.PriorityLevelConfiguration{
		priorityLevel(flowcontrolv1.PriorityLevelConfigurationNameCatchAll, flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: new(int32(5)), LendablePercent: new(int32(0)),
				LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
			},
		}),
		priorityLevel(flowcontrolv1.PriorityLevelConfigurationNameExempt, flowcontrolv1.PriorityLevelConfigurationSpec{
			Type:   flowcontrolv1.PriorityLevelEnablementExempt,
			Exempt: &flowcontrolv1.ExemptPriorityLevelConfiguration{NominalConcurrencyShares: new(int32(0)), LendablePercent: new(int32(0))},
		}),
	}
}

func priorityLevel(name string, spec flowcontrolv1.PriorityLevelConfigurationSpec) *flowcontrolv1.PriorityLevelConfiguration {
	return &flowcontrolv1.PriorityLevelConfiguration{ObjectMeta: flowcontrolMeta(name), Spec: spec}
}

func flowcontrolMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Generation: 1, Annotations: map[string]string{flowcontrolv1.AutoUpdateAnnotationKey: "true"}}
}

// queuedLevel returns a level that queues requests.
func queuedLevel(name string, shares, lendable, queues, hand int32) *flowcontrolv1.PriorityLevelConfiguration {
	return priorityLevel(name, flowcontrolv1.PriorityLevelConfigurationSpec{
		Type: flowcontrolv1.PriorityLevelEnablementLimited,
		Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: &shares, LendablePercent: &lendable,
			LimitResponse: flowcontrolv1.LimitResponse{
				Type: flowcontrolv1.LimitResponseTypeQueue, Queuing: &flowcontrolv1.QueuingConfiguration{Queues: queues, HandSize: hand, QueueLengthLimit: 50},
			},
		},
	})
}

// FlowSchemas returns new copies of the FlowSchemas that every cluster has, the immutable ones
// first.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go
func FlowSchemas() []*flowcontrolv1.FlowSchema {
	const byUser, byNamespace = flowcontrolv1.FlowDistinguisherMethodByUserType, flowcontrolv1.FlowDistinguisherMethodByNamespaceType
	nodes, everybody := groupSubjects("system:nodes"), groupSubjects("system:unauthenticated", "system:authenticated")
	inSystem := flowcontrolv1.Subject{
		Kind: flowcontrolv1.SubjectKindServiceAccount,
		ServiceAccount: &flowcontrolv1.ServiceAccountSubject{
			Namespace: metav1.NamespaceSystem, Name: flowcontrolv1.NameAll,
		},
	}
	leases := func(verbs ...string) flowcontrolv1.ResourcePolicyRule {
		return resourceRule(verbs, "coordination.k8s.io", false, "leases")
	}
	return append(mandatoryFlowSchemas(),
		flowSchema("system-nodes", "system", 500, byUser, anything(nodes)),
		flowSchema("system-node-high", "node-high", 400, byUser, flowcontrolv1.PolicyRulesWithSubjects{
			Subjects: nodes,
			ResourceRules: []flowcontrolv1.ResourcePolicyRule{
				resourceRule([]string{flowcontrolv1.VerbAll}, "", true, "nodes", "nodes/status"), leases(flowcontrolv1.VerbAll),
			},
		}),
		flowSchema("probes", "exempt", 2, "", flowcontrolv1.PolicyRulesWithSubjects{
			Subjects: everybody,
			NonResourceRules: []flowcontrolv1.NonResourcePolicyRule{
				{Verbs: []string{"get"}, NonResourceURLs: []string{"/healthz", "/readyz", "/livez"}},
			},
		}),
		flowSchema("system-leader-election", "leader-election", 100, byUser, flowcontrolv1.PolicyRulesWithSubjects{
			Subjects:      append(userSubjects("system:kube-controller-manager", "system:kube-scheduler"), inSystem),
			ResourceRules: []flowcontrolv1.ResourcePolicyRule{leases("get", "create", "update")},
		}),
		flowSchema("kube-controller-manager", "workload-high", 800, byNamespace, anything(userSubjects("system:kube-controller-manager"))),
		flowSchema("kube-scheduler", "workload-high", 800, byNamespace, anything(userSubjects("system:kube-scheduler"))),
		flowSchema("kube-system-service-accounts", "workload-high", 900, byNamespace, anything([]flowcontrolv1.Subject{inSystem})),
		flowSchema("service-accounts", "workload-low", 9000, byUser, anything(groupSubjects("system:serviceaccounts"))),
		flowSchema("global-default", "global-default", 9900, byUser, anything(everybody)),
	)
}

func mandatoryFlowSchemas() []*flowcontrolv1.FlowSchema {
	return []*flowcontrolv1.FlowSchema{
		flowSchema(flowcontrolv1.FlowSchemaNameExempt, "exempt", 1, "", anything(groupSubjects("system:masters"))),
		flowSchema(flowcontrolv1.FlowSchemaNameCatchAll, "catch-all", 10000, flowcontrolv1.FlowDistinguisherMethodByUserType,
			anything(groupSubjects("system:unauthenticated", "system:authenticated"))),
	}
}

func flowSchema(
	name, level string, precedence int32, method flowcontrolv1.FlowDistinguisherMethodType,
	rule flowcontrolv1.PolicyRulesWithSubjects,
) *flowcontrolv1.FlowSchema {
	s := &flowcontrolv1.FlowSchema{ObjectMeta: flowcontrolMeta(name), Spec: flowcontrolv1.FlowSchemaSpec{
		PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: level},
		MatchingPrecedence:         precedence, Rules: []flowcontrolv1.PolicyRulesWithSubjects{rule},
	}}
	if method != "" {
		s.Spec.DistinguisherMethod = &flowcontrolv1.FlowDistinguisherMethod{Type: method}
	}
	return s
}

// anything matches all requests of the subjects.
func anything(subjects []flowcontrolv1.Subject) flowcontrolv1.PolicyRulesWithSubjects {
	verbs := []string{flowcontrolv1.VerbAll}
	return flowcontrolv1.PolicyRulesWithSubjects{
		Subjects: subjects,
		ResourceRules: []flowcontrolv1.ResourcePolicyRule{
			resourceRule(verbs, flowcontrolv1.APIGroupAll, true, flowcontrolv1.ResourceAll),
		},
		NonResourceRules: []flowcontrolv1.NonResourcePolicyRule{
			{Verbs: verbs, NonResourceURLs: []string{flowcontrolv1.NonResourceAll}},
		},
	}
}

// resourceRule matches requests for resources of a group, in all namespaces and, if inNone is set,
// cluster-scoped ones.
func resourceRule(verbs []string, group string, inNone bool, resources ...string) flowcontrolv1.ResourcePolicyRule {
	return flowcontrolv1.ResourcePolicyRule{
		Verbs: verbs, APIGroups: []string{group}, Resources: resources, ClusterScope: inNone, Namespaces: []string{flowcontrolv1.NamespaceEvery},
	}
}

func groupSubjects(names ...string) (all []flowcontrolv1.Subject) {
	for _, name := range names {
		all = append(all, flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindGroup, Group: &flowcontrolv1.GroupSubject{Name: name}})
	}
	return all
}

func userSubjects(names ...string) (all []flowcontrolv1.Subject) {
	for _, name := range names {
		all = append(all, flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: name}})
	}
	return all
}
