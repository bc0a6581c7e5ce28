package rbac

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/component-helpers/auth/rbac/validation"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// roleEscalation keeps users from giving more rights, to themselves or others, than they have.
var roleEscalation = []kind.Plugin{{Name: "RoleEscalation", Grant: mayGrantRole}}

// mayGrantRole rejects a role with rules that the user does not have, unless they have the verb
// escalate for it.
//
// Source: kubernetes v1.36 pkg/registry/rbac/role/policybased/storage.go and pkg/registry/rbac/clusterrole/policybased/storage.go, Create and Update
func mayGrantRole(next, old object.Object, by kind.Rights) error {
	if by.Also("escalate") || old != nil && onlyForCollector(next, old) {
		return nil
	}
	role, ok := next.(*rbacv1.ClusterRole)
	if !ok {
		return confirmHeld(next.(*rbacv1.Role).Rules, next.GetNamespace(), by)
	}
	if err := confirmHeld(role.Rules, "", by); err != nil {
		return err
	}
	was, _ := old.(*rbacv1.ClusterRole)
	if !gathers(role) && !gathers(was) {
		return nil
	}
	all := []string{"*"}
	everything := []rbacv1.PolicyRule{{Verbs: all, APIGroups: all, Resources: all}, {Verbs: all, NonResourceURLs: all}}
	if confirmHeld(everything, "", by) != nil {
		return errors.New("must have cluster-admin privileges to use the aggregationRule")
	}
	return nil
}

func gathers(r *rbacv1.ClusterRole) bool {
	return r != nil && r.AggregationRule != nil && len(r.AggregationRule.ClusterRoleSelectors) > 0
}

// onlyForCollector reports whether an update changes only fields that the garbage collector
// changes.
//
// Source: kubernetes v1.36 pkg/registry/rbac/helpers.go, IsOnlyMutatingGCFields
func onlyForCollector(next, old object.Object) bool {
	next = next.DeepCopyObject().(object.Object)
	next.SetOwnerReferences(old.GetOwnerReferences())
	next.SetFinalizers(old.GetFinalizers())
	next.SetSelfLink(old.GetSelfLink())
	next.SetManagedFields(old.GetManagedFields())
	next.GetObjectKind().SetGroupVersionKind(old.GetObjectKind().GroupVersionKind())
	return equality.Semantic.DeepEqual(next, old)
}

// confirmHeld rejects rules that the user does not have in a namespace; "" means cluster-wide.
//
// Source: kubernetes v1.36 pkg/registry/rbac/validation/rule.go, ConfirmNoEscalation
func confirmHeld(rules []rbacv1.PolicyRule, namespace string, by kind.Rights) error {
	held, unknown := by.Rules(namespace)
	missing, ok := Uncovered(held, rules)
	if !ok {
		return fmt.Errorf(
			"the rules combine too many verbs, groups, resources and names to be compared with those of user %q: limit is %d",
			by.User().Username, maxCombinations,
		)
	}
	if len(missing) == 0 {
		return nil
	}
	described := map[string]bool{}
	for _, r := range compactRules(missing) {
		described[describeRule(&r)] = true
	}
	u := by.User()
	text := fmt.Sprintf("user %q (groups=%q) is attempting to grant RBAC permissions not currently held:\n%s", u.Username, u.Groups,
		strings.Join(slices.Sorted(maps.Keys(described)), "\n"))
	if unknown != nil {
		text += fmt.Sprintf("; resolution errors: %v", []error{unknown})
	}
	return errors.New(text)
}

// Limits of the comparison: combinations of verbs, groups, resources and names, and comparisons of
// these with the words of the user's rules.
const maxCombinations, maxComparisons = 20_000, 5_000_000

// Uncovered splits wanted into single rules and returns those that no rule of held covers. It
// returns false if there is too much to compare: rules of a few kilobytes can have billions of
// combinations.
func Uncovered(held, wanted []rbacv1.PolicyRule) (missing []rbacv1.PolicyRule, ok bool) {
	words, combinations := 1, 0
	for _, r := range held {
		words += len(r.Verbs) + len(r.APIGroups) + len(r.Resources) + len(r.ResourceNames) + len(r.NonResourceURLs)
	}
	for _, r := range wanted {
		combinations += product(len(r.Verbs), len(r.NonResourceURLs)) + product(len(r.Verbs), len(r.APIGroups), len(r.Resources), max(1, len(r.ResourceNames)))
		if combinations > maxCombinations || combinations*words > maxComparisons {
			return nil, false
		}
	}
	_, missing = validation.Covers(held, wanted)
	return missing, true
}

// product returns the product of the numbers, or something above maxCombinations if it exceeds
// that.
func product(of ...int) int {
	n := 1
	for _, k := range of {
		n = min(n*k, maxCombinations+1)
	}
	return n
}

// compactRules merges rules for one resource of one group, with at most one name, that differ only
// in their verbs.
//
// Source: kubernetes v1.36 pkg/registry/rbac/validation/policy_compact.go, CompactRules
func compactRules(rules []rbacv1.PolicyRule) (compact []rbacv1.PolicyRule) {
	at := map[string]int{}
	for _, r := range rules {
		if len(r.NonResourceURLs) > 0 || len(r.APIGroups) != 1 || len(r.Resources) != 1 || len(r.ResourceNames) > 1 {
			compact = append(compact, r)
			continue
		}
		about := fmt.Sprintf("%q", [][]string{r.APIGroups, r.Resources, r.ResourceNames})
		i, known := at[about]
		if !known {
			i = len(compact)
			at[about] = i
			compact = append(compact, *r.DeepCopy())
			continue
		}
		compact[i].Verbs = append(compact[i].Verbs, r.Verbs...)
	}
	return compact
}

// describeRule formats a rule in one line.
//
// Source: kubernetes v1.36 pkg/apis/rbac/v1/evaluation_helpers.go, CompactString
func describeRule(r *rbacv1.PolicyRule) string {
	var parts []string
	for _, part := range []struct {
		name string
		list []string
	}{{"APIGroups", r.APIGroups}, {"Resources", r.Resources}, {"NonResourceURLs", r.NonResourceURLs}, {"ResourceNames", r.ResourceNames}, {"Verbs", r.Verbs}} {
		if len(part.list) > 0 {
			parts = append(parts, fmt.Sprintf("%s:%q", part.name, part.list))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
