package podstate

import corev1 "k8s.io/api/core/v1"

// Victim is a Pod that is deleted because there are too many.
type Victim struct {
	Pod *corev1.Pod
	// Rule is why it is deleted rather than Than.
	Rule Rule
	// Than is a Pod that stays; nil if it does not matter which Pods stay.
	Than *corev1.Pod
}

// Explain says why a Pod is deleted: by the rule that distinguishes it from the first Pod that
// stays or, if only the uid does, from the last one.
func Explain(pod *corev1.Pod, stay []*corev1.Pod, rule func(than *corev1.Pod) Rule) Victim {
	v := Victim{Pod: pod, Rule: NoneIsToStay}
	for _, than := range stay {
		if r := rule(than); v.Than == nil || r != SmallerUID {
			v.Than, v.Rule = than, r
		}
		if v.Rule != SmallerUID {
			break
		}
	}
	return v
}

// Rule is why one Pod is deleted rather than another.
type Rule string

// The rules that controllers share, in the order in which they are applied.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, ActivePodsWithRanks
const (
	NotAssigned   Rule = "NotAssigned"   // it has no node
	Phase         Rule = "Phase"         // Pending before Unknown before Running
	NotReady      Rule = "NotReady"      // it is not Ready
	DeletionCost  Rule = "DeletionCost"  // its annotation pod-deletion-cost is lower
	DoubledUp     Rule = "DoubledUp"     // more related Pods are on its node
	ReadyLater    Rule = "ReadyLater"    // it has been Ready for a shorter time
	MoreRestarts  Rule = "MoreRestarts"  // a container, or else a sidecar, has restarted more often
	CreatedLater  Rule = "CreatedLater"  // it is younger
	SmallerUID    Rule = "SmallerUID"    // all else is equal: the uid decides
	NoIndex       Rule = "NoIndex"       // it has no index of its indexed Job
	SameIndex     Rule = "SameIndex"     // another Pod has its index
	NoneIsToStay  Rule = "NoneIsToStay"  // all go
	OtherOrdinal  Rule = "OtherOrdinal"  // its StatefulSet does not include its ordinal
	OwnerHasEnded Rule = "OwnerHasEnded" // its Job has succeeded, failed or been suspended: all go
)
