package kube

import (
	"fmt"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// evictionKind is posted to a Pod's eviction and never stored. The form that it had before, evictionBeta, has the same fields.
var (
	evictionKind = policyv1.SchemeGroupVersion.WithKind("Eviction")
	evictionBeta = schema.GroupVersionKind{Group: evictionKind.Group, Version: "v1beta1", Kind: evictionKind.Kind}
)

// evict serves POST on a Pod's /eviction: it deletes the Pod as the disruption that it is, so that what made the Pod can
// tell it from a failure of the Pod's own. r is the resource of the Pods.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, EvictionREST
// Differs: the condition is written together with the deletion, where upstream writes it first; no eviction is
// refused, as no PodDisruptionBudgets are served.
func (r *resource) evict(w http.ResponseWriter, req *http.Request) error {
	eviction := new(policyv1.Eviction)
	rep, query, err := r.receive(w, req, expected{nil, createOptions, evictionKind}, eviction)
	if err != nil {
		return err
	}
	namespace, name := pathValue(req, "namespace"), pathValue(req, "name")
	if err := matchNamespace(eviction, namespace); err != nil {
		return err
	}
	if name != eviction.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	opts, err := evictionOptions(eviction, query)
	if err != nil {
		return err
	}
	d := removal{namespace: namespace, name: name, opts: opts, writer: WriterOf(req), mark: r.disrupted}
	if _, _, err := r.commitDelete(req.Context(), d); err != nil {
		return err
	}
	return writeValue(w, rep, http.StatusCreated, &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess, Code: http.StatusCreated,
	})
}

// evictionOptions are the options of the deletion: those in the body, and a dry run also if the query asks for one.
func evictionOptions(eviction *policyv1.Eviction, query writeOptions) (*metav1.DeleteOptions, error) {
	opts := eviction.DeleteOptions
	if opts == nil {
		opts = &metav1.DeleteOptions{}
	}
	if query.dryRun && len(opts.DryRun) == 0 {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	if err := invalidOptions("DeleteOptions", kind.ValidateDeleteOptions(opts)); err != nil {
		return nil, err
	}
	var errs field.ErrorList
	if ignore := opts.IgnoreStoreReadErrorWithClusterBreakingPotential; ignore != nil && *ignore {
		errs = append(errs, field.Invalid(field.NewPath("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential"), true,
			"can not be set for pod eviction, try after removing the option"))
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(evictionKind.GroupKind(), eviction.Name, errs)
	}
	return opts, invalidOptions("DeleteOptions", kind.ValidateDeleteOptions(opts))
}

// disrupted is a Pod with the condition that it is the target of a disruption, by an eviction.
func (r *resource) disrupted(o object.Object) object.Object {
	pod, ok := o.DeepCopyObject().(*corev1.Pod)
	if !ok {
		panic(fmt.Sprintf("%T is evicted, which is no Pod", o))
	}
	c := corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(r.Now()).Rfc3339Copy(),
		Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
	}
	at := slices.IndexFunc(pod.Status.Conditions, func(old corev1.PodCondition) bool { return old.Type == c.Type })
	if at < 0 {
		pod.Status.Conditions = append(pod.Status.Conditions, c)
		return pod
	}
	if old := pod.Status.Conditions[at]; old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	pod.Status.Conditions[at] = c
	return pod
}
