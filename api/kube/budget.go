package kube

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/policy"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/store"
)

// errSeveralBudgets is the error for a Pod that several budgets select.
//
//nolint:staticcheck,revive // upstream's words
var errSeveralBudgets = errors.New("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")

// commitEviction deletes a Pod if its budget allows it, after counting the eviction in the budget.
// Both writes have the checked versions as preconditions: if one has changed, everything is checked
// again, but an eviction is not counted twice. So no budget is exceeded, whatever other replicas
// evict at the same time.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, Create
//
// Differs: if the Pod or the budget has changed, upstream retries a limited number of times, then
// answers 409, 429 or 504.
func (r *resource) commitEviction(ctx context.Context, d removal) error {
	var counted types.UID // UID of the Pod that its budget has counted
	var attempts attempts
	defer attempts.end()
	for {
		if err := r.Reader.Fresh(ctx); err != nil { // check the newest budget and the newest Pod
			return r.failure("delete", d.namespace, d.name, err)
		}
		current, err := r.current(ctx, "delete", d.namespace, d.name)
		if err != nil {
			return err
		}
		if err := r.checkPreconditions(ctx, d.opts.Preconditions, current); err != nil {
			return err
		}
		pod := current.Object().(*corev1.Pod)
		if !disruption.Unguarded(pod) && counted != pod.UID {
			outcome, err := r.countEviction(ctx, &attempts, pod, d)
			switch {
			case err != nil:
				return err
			case outcome == overtakenBudget:
				continue
			case outcome == countedByBudget:
				counted = pod.UID
			}
		}
		if _, _, err = r.attemptDelete(ctx, current, d); err == nil {
			return nil
		}
		if again, err := r.overtaken(ctx, &attempts, "delete", current, err); !again {
			var failure *Failure
			if errors.As(err, &failure) {
				return err
			}
			return r.failure("delete", d.namespace, d.name, err)
		}
	}
}

// budgetOutcome is the result of checking the Pod's budget.
type budgetOutcome int

const (
	allowedByBudget budgetOutcome = iota // for this version of the Pod, without counting
	countedByBudget
	overtakenBudget // the budget has changed
)

// countEviction checks the Pod's budget, if it has one, and counts the eviction in it. Errors:
// errSeveralBudgets, Statuses.
func (r *resource) countEviction(ctx context.Context, a *attempts, pod *corev1.Pod, d removal) (budgetOutcome, error) {
	version, err := r.budgetOf(pod)
	if version == nil || err != nil {
		return allowedByBudget, err
	}
	budget := version.Object().(*policyv1.PodDisruptionBudget)
	next, err := disruption.Evict(pod, budget, r.Now())
	var refused *disruption.Refused
	switch {
	case errors.As(err, &refused):
		return 0, budgetStatus(refused)
	case err != nil:
		return 0, apierrors.NewForbidden(policyv1.Resource("poddisruptionbudget"), budget.Name, err)
	case next == nil || len(d.opts.DryRun) > 0:
		return allowedByBudget, nil
	}
	t := &policy.PodDisruptionBudget.Type
	by := fieldmanager.Writer{Manager: "kube-apiserver", Subresource: "status", At: r.Now()}
	r.reportOwners(fieldmanager.Updated(t, next, budget, by))
	_, err = r.Writer.Write(ctx, store.Change{Verb: object.Updated, Type: t, Old: version, New: next, Writer: d.writer})
	if err == nil {
		return countedByBudget, nil
	}
	again, err := r.overtaken(ctx, a, "update", version, err)
	var failure *Failure
	switch {
	case again:
		return overtakenBudget, nil
	case errors.As(err, &failure):
		return 0, err
	}
	return 0, r.resource(policy.PodDisruptionBudget).failure("update", version.Namespace, version.Name, err)
}

// budgetOf returns the budget that selects a Pod; nil if none does. Errors: errSeveralBudgets.
func (r *resource) budgetOf(pod *corev1.Pod) (found *object.Version, err error) {
	r.Reader.List(policy.PodDisruptionBudget.Resource(), pod.Namespace).Ascend(object.Key{}, func(v *object.Version) bool {
		selector, invalid := metav1.LabelSelectorAsSelector(v.Object().(*policyv1.PodDisruptionBudget).Spec.Selector)
		if invalid != nil || !selector.Matches(labels.Set(pod.Labels)) {
			return true
		}
		if found != nil {
			err = errSeveralBudgets
			return false
		}
		found = v
		return true
	})
	return found, err
}

// budgetStatus returns the Status for an eviction that a budget does not allow now.
func budgetStatus(refused *disruption.Refused) error {
	err := apierrors.NewTooManyRequests(refused.Error(), refused.RetryAfterSeconds)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: refused.Cause})
	return err
}
