package security

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/rowlock/rowlock/internal/kind"
)

// podStandards returns the evaluator of the standards.
var podStandards = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(fmt.Errorf("the Pod Security Standards: %w", err)) // the checks are fixed
	}
	return e
})

// securityOf returns the policy of a namespace. As upstream, invalid labels count as restricted for
// enforce, and as privileged for warn.
func securityOf(c kind.Cluster, namespace string) api.Policy {
	ns, ok := kind.Found[*corev1.Namespace](c, "namespaces", "", namespace)
	if !ok {
		return unrestricted // the write fails for another reason
	}
	config, _ := securityIn(c)
	p, _ := api.PolicyToEvaluate(ns.Labels, config.Defaults)
	return p
}

// isExempt reports whether a write with this Pod spec is exempt from all policies.
func isExempt(spec *corev1.PodSpec, namespace string, c kind.Cluster) bool {
	config, user := securityIn(c)
	return config.exempts(namespace, user) || config.exemptsClass(spec.RuntimeClassName)
}

// denyByPodSecurity rejects a Pod that violates the enforced level of its namespace.
func denyByPodSecurity(p *corev1.Pod, c kind.Cluster) error {
	if isExempt(&p.Spec, p.Namespace, c) {
		return nil
	}
	enforced := securityOf(c, p.Namespace).Enforce
	if violations := violationsOf(enforced, &p.ObjectMeta, &p.Spec); violations != "" {
		return errors.New("violates " + violations)
	}
	return nil
}

// warnByPodSecurity returns a namespace's warnings about a Pod or Pod template.
func warnByPodSecurity(meta *metav1.ObjectMeta, spec *corev1.PodSpec, namespace string, c kind.Cluster) []string {
	if isExempt(spec, namespace, c) {
		return nil
	}
	if violations := violationsOf(securityOf(c, namespace).Warn, meta, spec); violations != "" {
		return []string{"would violate " + violations}
	}
	return nil
}

// violationsOf returns a level and how a Pod violates it; "" if it does not.
func violationsOf(level api.LevelVersion, meta *metav1.ObjectMeta, spec *corev1.PodSpec) string {
	if level.Level == api.LevelPrivileged {
		return ""
	}
	result := policy.AggregateCheckResults(podStandards().EvaluatePod(level, meta, spec))
	if result.Allowed {
		return ""
	}
	return fmt.Sprintf("PodSecurity %q: %s", level.String(), result.ForbiddenDetail())
}

// changesImages reports whether an update of a Pod must be checked: it changes the set of
// containers or their images.
//
// Source: isSignificantPodUpdate
func changesImages(next, old *corev1.Pod) bool {
	same := func(a, b corev1.Container) bool { return a.Image == b.Image }
	if !slices.EqualFunc(next.Spec.Containers, old.Spec.Containers, same) || !slices.EqualFunc(next.Spec.InitContainers, old.Spec.InitContainers, same) {
		return true
	}
	return slices.ContainsFunc(next.Spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool {
		i := slices.IndexFunc(old.Spec.EphemeralContainers, func(was corev1.EphemeralContainer) bool { return was.Name == c.Name })
		return i < 0 || old.Spec.EphemeralContainers[i].Image != c.Image
	})
}

// denySecurityLabels rejects labels with an unknown level or version; in an update, only changed
// ones. old is nil for a new namespace.
//
// Source: ValidateNamespace
func denySecurityLabels(next, old *corev1.Namespace) error {
	_, errs := api.PolicyToEvaluate(next.Labels, unrestricted)
	if len(errs) == 0 {
		return nil
	}
	if old != nil {
		if _, were := api.PolicyToEvaluate(old.Labels, unrestricted); reflect.DeepEqual(were, errs) {
			return nil
		}
	}
	return apierrors.NewInvalid(schema.GroupKind{Kind: "Namespace"}, next.Name, errs)
}
