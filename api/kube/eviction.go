package kube

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// evict serves POST on a Pod's /eviction: it deletes the Pod and marks it as disrupted, so that its
// controller can tell the eviction from a failure. r is the resource of Pods.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go, EvictionREST
// Differs: the condition and the deletion are one write; upstream writes the condition first.
func (r *resource) evict(w http.ResponseWriter, req *http.Request) error {
	eviction := new(policyv1.Eviction)
	rep, query, err := r.receive(w, req, expected{nil, createOptions, wire.EvictionKind}, eviction)
	if err != nil {
		return err
	}
	namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	if err := registry.MatchNamespace(eviction, namespace); err != nil {
		return err
	}
	if name != eviction.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	opts, err := evictionOptions(eviction, query)
	if err != nil {
		return err
	}
	d := removal{namespace: namespace, name: name, opts: opts, writer: WriterOf(req), mark: func(o object.Object) object.Object {
		return registry.Disrupted(o.(*corev1.Pod), r.Now())
	}}
	answer := &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess, Code: http.StatusCreated,
	}
	switch err := r.commitEviction(req.Context(), d); {
	case errors.Is(err, errSeveralBudgets): // as upstream, a Status in the body and a failure
		answer.Status, answer.Code, answer.Message = metav1.StatusFailure, http.StatusInternalServerError, err.Error()
	case err != nil:
		return err
	}
	return wire.WriteValue(w, rep, int(answer.Code), answer)
}

// evictionOptions returns the options of the deletion: those in the body, with dryRun also from the
// query.
func evictionOptions(eviction *policyv1.Eviction, query writeOptions) (*metav1.DeleteOptions, error) {
	opts := eviction.DeleteOptions
	if opts == nil {
		opts = &metav1.DeleteOptions{}
	}
	switch {
	case !query.dryRun:
	case len(opts.DryRun) == 0:
		opts.DryRun = []string{metav1.DryRunAll}
	case !slices.Equal(opts.DryRun, []string{metav1.DryRunAll}):
		return nil, wire.UnknownFailure(fmt.Sprintf("Non-matching dry-run options in request and content: %v and %v", []string{metav1.DryRunAll}, opts.DryRun))
	}
	if err := wire.InvalidOptions("DeleteOptions", registry.ValidateDeleteOptions(opts)); err != nil {
		return nil, err
	}
	var errs field.ErrorList
	if ignore := opts.IgnoreStoreReadErrorWithClusterBreakingPotential; ignore != nil && *ignore {
		errs = append(errs, field.Invalid(field.NewPath("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential"), true,
			"can not be set for pod eviction, try after removing the option"))
	}
	if len(errs) > 0 {
		return nil, &registry.Invalid{Kind: wire.EvictionKind.GroupKind(), Name: eviction.Name, Errors: errs}
	}
	return opts, wire.InvalidOptions("DeleteOptions", registry.ValidateDeleteOptions(opts))
}
