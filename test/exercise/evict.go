package exercise

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
)

// guarded is the Deployment whose Pods several clients evict at once, and its budget.
const guarded = "guarded"

// evictPods evicts Pods of a Deployment whose budget allows one to be missing, and scales it. It
// avoids the nodes that fail, so that its Pods are rarely lost otherwise and the checker can judge
// most evictions.
func evictPods(a *actor) {
	a.guard()
	for a.ctx.Err() == nil {
		if a.IntN(12) == 0 {
			if _, ok := a.patchDeployment(work, guarded, scaleTo(3+a.IntN(4)), never); !ok {
				a.guard() // its creation was lost
			}
		}
		if p := a.somePod(work, "app="+guarded); p != nil {
			a.evict(p.Namespace, p.Name)
		}
		a.rest(500 * time.Millisecond)
	}
}

// guard creates the Deployment and its budget.
func (a *actor) guard() {
	do(a, deploymentsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		d := deploymentOf(work, guarded, 5)
		d.Spec.Template = template(calm, guarded, "nginx:1.29")
		return client.AppsV1().Deployments(work).Create(ctx, d, metav1.CreateOptions{})
	})
	do(a, "poddisruptionbudgets.policy", exists, func(ctx context.Context, client kubernetes.Interface) (*policyv1.PodDisruptionBudget, error) {
		return client.PolicyV1().PodDisruptionBudgets(work).Create(ctx, budgetOf(guarded), metav1.CreateOptions{})
	})
}

// evict asks one replica once: a temporary refusal is an answer, and there is always another Pod.
func (a *actor) evict(namespace, name string) {
	client := a.somebody()
	if client == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	err := client.PolicyV1().Evictions(namespace).Evict(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	if err == nil || gone(err) || apierrors.IsTooManyRequests(err) || a.refusals.Retryable(err) {
		return
	}
	a.Wrong("%s got an unexpected answer to the eviction of %s: %v", a.name, name, err)
}

func budgetOf(app string) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: app}, Spec: policyv1.PodDisruptionBudgetSpec{
		MaxUnavailable: new(intstr.FromInt32(1)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}},
	}}
}
