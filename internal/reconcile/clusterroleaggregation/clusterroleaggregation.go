// Package clusterroleaggregation collects the rules of ClusterRoles that have an aggregationRule:
// the rules of the ClusterRoles that its selectors select, each once, by selector and by name.
//
// Source: kubernetes v1.36 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go
// Differs: a role that aggregates roles which themselves aggregate is correct after one sync, not
// after several.
package clusterroleaggregation

import (
	"fmt"
	"slices"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/plan"
)

// MaxRoles is how many roles a sync reads. Roles after these, by name, neither aggregate nor are
// aggregated.
const MaxRoles = 10_000

const (
	maxChanges = 100    // roles changed by one plan
	maxWords   = 50_000 // verbs, groups, resources, names and paths in one aggregated role
	maxRounds  = 10     // nesting depth of aggregated roles
	// maxMatches is how many times a sync checks whether a selector selects a role. Once they are
	// used up, the remaining roles stay unchanged.
	maxMatches = 2_000_000
)

// Snapshot is all ClusterRoles, by name. Reconcile does not modify it.
type Snapshot struct {
	Roles []*rbacv1.ClusterRole
	Now   time.Time
}

// Reconcile updates the rules of aggregated roles. Its updates are server-side applies: the caller
// sets the owner of the rules.
func Reconcile(s Snapshot) (p plan.Plan) {
	roles, changed, left := slices.Clone(s.Roles), map[int]bool{}, maxMatches
	for range maxRounds {
		again := false
		for i, role := range roles {
			if role.AggregationRule == nil {
				continue
			}
			if left -= len(role.AggregationRule.ClusterRoleSelectors) * len(roles); left < 0 {
				break
			}
			rules, ok := Gather(role, roles)
			if !ok || equality.Semantic.DeepEqual(rules, role.Rules) {
				continue
			}
			next := role.DeepCopy()
			next.Rules = rules
			roles[i], changed[i], again = next, true, true
		}
		if !again {
			break
		}
	}
	for i, role := range roles {
		if !changed[i] || equality.Semantic.DeepEqual(role.Rules, s.Roles[i].Rules) {
			continue
		}
		if len(p.Updates) == maxChanges {
			p.WakeAt = s.Now
			break
		}
		p.Updates = append(p.Updates, plan.Update{Object: role})
	}
	return p
}

// Gather is the aggregated rules of a role, never nil. It returns false if the role's selectors are
// invalid, or if there would be too many rules: then the role stays unchanged.
func Gather(role *rbacv1.ClusterRole, roles []*rbacv1.ClusterRole) (rules []rbacv1.PolicyRule, ok bool) {
	rules = []rbacv1.PolicyRule{}
	seen, words := map[string]bool{}, 0
	for i := range role.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&role.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			return nil, false
		}
		for _, other := range roles {
			if other.Name == role.Name || !selector.Matches(labels.Set(other.Labels)) {
				continue
			}
			for _, r := range other.Rules {
				if words += wordsOf(r); words > maxWords {
					return nil, false
				}
				if said := fmt.Sprintf("%q", [][]string{r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs}); !seen[said] {
					seen[said] = true
					rules = append(rules, r)
				}
			}
		}
	}
	return rules, true
}

func wordsOf(r rbacv1.PolicyRule) int {
	return len(r.Verbs) + len(r.APIGroups) + len(r.Resources) + len(r.ResourceNames) + len(r.NonResourceURLs)
}
