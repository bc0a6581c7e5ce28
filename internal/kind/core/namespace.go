package core

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/object"
)

// Namespace is core/v1 Namespace.
//
// A namespace is deleted in two steps: a DELETE sets its deletionTimestamp and phase; it disappears
// when it is empty and /finalize has removed the last of spec.finalizers.
//
// Source: kubernetes v1.36 pkg/registry/core/namespace/strategy.go and storage/storage.go
var Namespace = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Namespace", Plural: "namespaces",
		New: func() object.Object { return &corev1.Namespace{} },
	},
	Singular:   "namespace",
	ShortNames: []string{"ns"},
	OneByOne:   true,
	NewList:    func() runtime.Object { return &corev1.NamespaceList{} },

	Admission: []kind.Plugin{security.Namespaces},

	Status: kind.Through(kind.Write[*corev1.Namespace]{
		Prepare:  prepareNamespaceStatus,
		Validate: validateNamespaceStatus,
	}),
	Subresources: map[string]*kind.Subresource{
		"finalize": {
			Prepare:  prepareNamespaceFinalize,
			Validate: validateNamespaceFinalize,
		},
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Status", Type: "string", Description: "The status of the namespace"},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.Namespace]{
	Default:        defaultNamespace,
	PrepareCreate:  prepareNamespaceCreate,
	PrepareUpdate:  prepareNamespaceUpdate,
	Validate:       validateNamespace,
	ValidateUpdate: validateNamespaceUpdate,
	Row: func(ns *corev1.Namespace, now time.Time) []any {
		return []any{ns.Name, string(ns.Status.Phase), kind.Age(ns.CreationTimestamp, now)}
	},
	SelectableFields: func(o *corev1.Namespace) fields.Set {
		return fields.Set{"status.phase": string(o.Status.Phase)}
	},
})

// defaultNamespace sets the phase and, once the name is known, the label with the name.
func defaultNamespace(ns *corev1.Namespace) {
	if ns.Status.Phase == "" {
		ns.Status.Phase = corev1.NamespaceActive
	}
	labelNamespace(ns)
}

// labelNamespace sets kubernetes.io/metadata.name, whatever the client sent.
func labelNamespace(ns *corev1.Namespace) {
	if ns.Name == "" {
		return
	}
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
}

func prepareNamespaceCreate(ns *corev1.Namespace) {
	ns.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(ns.Spec.Finalizers, corev1.FinalizerKubernetes) {
		ns.Spec.Finalizers = append(ns.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
	labelNamespace(ns)
}

func prepareNamespaceUpdate(next, old *corev1.Namespace) {
	ns, was := next, old.DeepCopy()
	ns.Spec.Finalizers, ns.Status = was.Spec.Finalizers, was.Status
	labelNamespace(ns)
}

func prepareNamespaceStatus(ns, old *corev1.Namespace) {
	ns.Spec = *old.Spec.DeepCopy()
	labelNamespace(ns)
}

func prepareNamespaceFinalize(next, old object.Object) {
	ns := next.(*corev1.Namespace)
	ns.Status = *old.(*corev1.Namespace).Status.DeepCopy()
	labelNamespace(ns)
}

func validateNamespace(ns *corev1.Namespace) field.ErrorList {
	errs := check.Meta(&ns.ObjectMeta, false, validation.ValidateNamespaceName)
	return append(errs, validateNamespaceFinalizers(ns, func(int) *field.Path { return namespaceFinalizersPath })...)
}

var namespaceFinalizersPath = field.NewPath("spec", "finalizers")

// validateNamespaceFinalizers validates spec.finalizers. path returns the path of the finalizer at
// an index, because upstream uses the index in one case only.
func validateNamespaceFinalizers(ns *corev1.Namespace, path func(i int) *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range ns.Spec.Finalizers {
		errs = append(errs, validation.ValidateFinalizerName(string(f), path(i))...)
		errs = append(errs, check.Finalizer(string(f), path(i))...)
	}
	return errs
}

func validateNamespaceUpdate(ns, was *corev1.Namespace) field.ErrorList {
	return append(validateNamespace(ns), check.MetaUpdate(&ns.ObjectMeta, &was.ObjectMeta)...)
}

func validateNamespaceStatus(ns, was *corev1.Namespace) field.ErrorList {
	errs := check.MetaUpdate(&ns.ObjectMeta, &was.ObjectMeta)
	path := field.NewPath("status", "Phase")
	switch phase := ns.Status.Phase; {
	case ns.DeletionTimestamp.IsZero() && phase != corev1.NamespaceActive:
		errs = append(errs, field.Invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty"))
	case !ns.DeletionTimestamp.IsZero() && phase != corev1.NamespaceTerminating:
		errs = append(errs, field.Invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty"))
	}
	return errs
}

func validateNamespaceFinalize(next, old object.Object) field.ErrorList {
	ns, was := next.(*corev1.Namespace), old.(*corev1.Namespace)
	errs := check.MetaUpdate(&ns.ObjectMeta, &was.ObjectMeta)
	return append(errs, validateNamespaceFinalizers(ns, namespaceFinalizersPath.Index)...)
}
