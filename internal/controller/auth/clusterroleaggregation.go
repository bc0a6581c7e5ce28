package auth

import (
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	rbackind "github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/clusterroleaggregation"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Aggregator is the field manager that owns aggregated rules.
const Aggregator = "clusterrole-aggregation-controller"

// NewClusterRoleAggregation makes the controller that collects the rules of ClusterRoles that have
// an aggregationRule. It syncs the namespace "default", because any role may be aggregated by
// others.
//
// Cost: all ClusterRoles; it reads at most 10,000, and evaluates selectors at most 2,000,000 times.
func NewClusterRoleAggregation(world.World) engine.Controller {
	return engine.Controller{
		Name: names.ClusterRoleAggregation, UserAgent: Aggregator, Others: []string{"namespaces"}, Batch: 16, Reconcile: gather.Each(syncClusterRoles),
		Sources: []wakeup.Source{wakeup.Watches(&rbackind.ClusterRole.Type, clusterRoleChanged)},
	}
}

// clusterRoleChanged asks for the namespace after a change of a role's labels, its rules or its
// aggregation selectors.
func clusterRoleChanged(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	was, before := d.Old.(*rbacv1.ClusterRole)
	is, after := d.New.(*rbacv1.ClusterRole)
	if before && after && equality.Semantic.DeepEqual(was.Labels, is.Labels) && equality.Semantic.DeepEqual(was.Rules, is.Rules) &&
		equality.Semantic.DeepEqual(was.AggregationRule, is.AggregationRule) {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: "namespaces", Name: metav1.NamespaceDefault})
}

func syncClusterRoles(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	if o.Name != metav1.NamespaceDefault {
		return plan.Plan{}
	}
	s := clusterroleaggregation.Snapshot{Now: now}
	there := map[string]*rbacv1.ClusterRole{}
	v.Each(rbackind.ClusterRole.Resource(), "", func(o *object.Version) bool {
		role := o.Object().(*rbacv1.ClusterRole)
		s.Roles, there[role.Name] = append(s.Roles, role), role
		return len(s.Roles) < clusterroleaggregation.MaxRoles
	})
	p := clusterroleaggregation.Reconcile(s)
	for i := range p.Updates {
		u := &p.Updates[i]
		if next, err := applyRules(there[u.Object.GetName()], u.Object.(*rbacv1.ClusterRole), now); err == nil {
			u.Object, u.Owned = next, true
		}
	}
	return p
}

// applyRules returns the role with the rules of next, as its controller applies them.
func applyRules(role, next *rbacv1.ClusterRole, now time.Time) (object.Object, error) {
	rules, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&rbacv1.ClusterRole{Rules: next.Rules})
	if err != nil {
		return nil, err
	}
	applied := map[string]any{
		"apiVersion": rbacv1.SchemeGroupVersion.String(), "kind": rbackind.ClusterRole.Kind, "metadata": map[string]any{"name": role.Name}, "rules": rules["rules"],
	}
	return fieldmanager.Apply(&rbackind.ClusterRole.Type, role, applied, fieldmanager.Writer{Manager: Aggregator, At: now}, true)
}
