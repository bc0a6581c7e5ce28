package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
)

// conditions is a list that is never changed in place: adding or removing makes a new one.
type conditions = []appsv1.DeploymentCondition

// condition is the condition of the given type; nil if none exists.
func condition(list conditions, of appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	for i := range list {
		if list[i].Type == of {
			return &list[i]
		}
	}
	return nil
}

// withCondition is the list with c in it, updated now. An existing condition with the same status
// and reason stays unchanged, including its message and times. If only the status is the same,
// lastTransitionTime is kept.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, SetDeploymentCondition
func (s Snapshot) withCondition(list conditions, c appsv1.DeploymentCondition) conditions {
	current := condition(list, c.Type)
	if current != nil && current.Status == c.Status && current.Reason == c.Reason {
		return list
	}
	return s.renewCondition(list, c)
}

// renewCondition is withCondition without regard to the reason: it always updates c. Times that c
// already has are kept.
func (s Snapshot) renewCondition(list conditions, c appsv1.DeploymentCondition) conditions {
	if c.LastUpdateTime.IsZero() {
		c.LastUpdateTime, c.LastTransitionTime = s.stamp(), s.stamp()
	}
	if current := condition(list, c.Type); current != nil && current.Status == c.Status {
		c.LastTransitionTime = current.LastTransitionTime
	}
	return append(withoutCondition(list, c.Type), c)
}

func withoutCondition(list conditions, of appsv1.DeploymentConditionType) conditions {
	var kept conditions
	for _, c := range list {
		if c.Type != of {
			kept = append(kept, c)
		}
	}
	return kept
}
