package kube

import (
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// bind serves POST on a Pod's /binding and, without a name in the URL, on bindings: it sets the
// node of a Pod. r is the resource of Pods.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/storage/storage.go, BindingREST
func (r *resource) bind(w http.ResponseWriter, req *http.Request) error {
	binding := new(corev1.Binding)
	rep, opts, err := r.receive(w, req, expected{nil, createOptions, corev1.SchemeGroupVersion.WithKind("Binding")}, binding)
	if err != nil {
		return err
	}
	namespace, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "name")
	if err := registry.MatchNamespace(binding, namespace); err != nil {
		return err
	}
	if name != "" && name != binding.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if err := registry.ValidateBinding(binding); err != nil {
		return err
	}
	u := &update{
		r: r, namespace: namespace, name: binding.Name, uid: binding.UID, sub: registry.Binding,
		write: opts.write(req),
		next: func(current *object.Version) (object.Object, error) {
			return registry.Bind(current.Object().(*corev1.Pod), binding, r.Now())
		},
	}
	u.write.owned = true // a binding owns no fields
	done, err := u.commit(req.Context())
	wire.AddWarnings(w, done.warnings)
	if err != nil {
		return err
	}
	return wire.WriteValue(w, rep, http.StatusCreated, &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess, Code: http.StatusCreated,
	})
}
