package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	rbackind "github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/rbac"
	"github.com/rowlock/rowlock/internal/reconcile/clusterroleaggregation"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ClusterRoleAggregation collects the rules of ClusterRoles that have an aggregationRule. It syncs
// the namespace "default", because any role may be aggregated by others.
//
// Cost: all ClusterRoles; it reads at most 10,000, and evaluates selectors at most 2,000,000 times.
const ClusterRoleAggregation = "clusterroleaggregation"

// aggregator is the field manager that owns aggregated rules.
const aggregator = "clusterrole-aggregation-controller"

func newClusterRoleAggregation(World) engine.Controller {
	return engine.Controller{
		Name: ClusterRoleAggregation, UserAgent: aggregator, Others: []string{"namespaces"}, Batch: 16, Reconcile: each(syncClusterRoles),
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
	return fieldmanager.Apply(&rbackind.ClusterRole.Type, role, applied, fieldmanager.Writer{Manager: aggregator, At: now}, true)
}

// RestoreRoles creates or repairs the roles and bindings that every cluster begins with, after
// another state was loaded. The mirror must be fresh.
func RestoreRoles(ctx context.Context, deps engine.Deps) error {
	missing, err := repairRoles(ctx, deps)
	if err != nil {
		return err
	}
	return createMissing(ctx, deps, missing)
}

// repairRoles restores what was removed from the roles and bindings that every cluster begins with,
// and returns those that are missing.
//
// Source: kubernetes v1.36 pkg/registry/rbac/rest/storage_rbac.go, ensureRBACPolicy
func repairRoles(ctx context.Context, deps engine.Deps) (missing []object.Object, err error) {
	seed, revision := uidOf(deps, object.Key{Resource: "namespaces", Name: metav1.NamespaceSystem}), deps.Mirror.Revision()
	for _, want := range rbac.Bootstrap() {
		k := rbac.KindOf(want)
		key := object.Key{Resource: k.Resource(), Namespace: want.GetNamespace(), Name: want.GetName()}
		if v := deps.Mirror.Get(key); v != nil {
			gone, err := repairRole(ctx, deps, k, v, want)
			if err != nil {
				return nil, err
			}
			if !gone {
				continue
			}
		}
		want.SetUID(derivedUID(seed, fmt.Sprintf("%s/%s/%s@%d", key.Resource, key.Namespace, key.Name, revision)))
		missing = append(missing, want)
	}
	return missing, nil
}

// repairRole repairs an existing role or binding. It reports whether that is now gone, and must be
// created again.
func repairRole(ctx context.Context, deps engine.Deps, k *kind.Kind, v *object.Version, want object.Object) (gone bool, err error) {
	next, anew := rbac.Repaired(v.Object(), want)
	if next == nil || anew && len(next.GetFinalizers()) > 0 {
		return false, nil
	}
	c := store.Change{Verb: object.Updated, Type: &k.Type, Old: v, New: next, Writer: "rowlock", Cause: object.NoRequest}
	if anew {
		c.Verb, c.New = object.Deleted, nil
	} else if err := fieldmanager.Updated(&k.Type, next, v.Object(), fieldmanager.Writer{Manager: "kube-apiserver", At: deps.Clock.Now()}); err != nil {
		return false, err
	}
	_, err = deps.Store.Write(ctx, c)
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict), errors.Is(err, store.ErrGone): // another replica repairs it, or it is being changed meanwhile
		return false, nil
	case err != nil:
		return false, fmt.Errorf("repair a role: %w", err)
	}
	return anew, nil
}

func uidOf(deps engine.Deps, key object.Key) types.UID {
	if v := deps.Mirror.Get(key); v != nil {
		return v.UID
	}
	return deps.Draw.UID()
}

// derivedUID derives a uid from another and a name.
func derivedUID(seed types.UID, name string) types.UID {
	space, err := uuid.Parse(string(seed))
	if err != nil {
		return seed // which the store refuses
	}
	return types.UID(uuid.NewSHA1(space, []byte(name)).String())
}
