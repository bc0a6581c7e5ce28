package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// enforceMountableSecrets is a deprecated annotation of ServiceAccounts.
const enforceMountableSecrets = "kubernetes.io/enforce-mountable-secrets"

// ServiceAccount is core/v1 ServiceAccount. Since v1.36 its table has no column for Secrets, which
// accounts have not had since v1.24.
//
// Source: kubernetes v1.36 pkg/registry/core/serviceaccount/strategy.go
var ServiceAccount = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "ServiceAccount", Plural: "serviceaccounts", Namespaced: true,
		New: func() object.Object { return &corev1.ServiceAccount{} },
	},
	Singular:   "serviceaccount",
	ShortNames: []string{"sa"},
	NewList:    func() runtime.Object { return &corev1.ServiceAccountList{} },

	PrepareCreate: keepSecretNames,

	Columns:             []metav1.TableColumnDefinition{kind.NameColumn, kind.AgeColumn},
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.ServiceAccount]{
	Default:        func(*corev1.ServiceAccount) {},
	PrepareUpdate:  func(next, _ *corev1.ServiceAccount) { keepSecretNames(next) },
	Validate:       validateServiceAccount,
	ValidateUpdate: validateServiceAccountUpdate,
	Warnings:       warnOfMountableSecrets,
	Row: func(o *corev1.ServiceAccount, now time.Time) []any {
		return []any{o.GetName(), kind.Age(o.GetCreationTimestamp(), now)}
	},
})

// keepSecretNames reduces references to Secrets to their names, in place, because the other fields
// have no meaning.
func keepSecretNames(o object.Object) {
	sa := o.(*corev1.ServiceAccount)
	for i, ref := range sa.Secrets {
		sa.Secrets[i] = corev1.ObjectReference{Name: ref.Name}
	}
}

func validateServiceAccount(sa *corev1.ServiceAccount) field.ErrorList {
	return check.Meta(&sa.ObjectMeta, true, validation.ValidateServiceAccountName)
}

func validateServiceAccountUpdate(sa, was *corev1.ServiceAccount) field.ErrorList {
	return append(check.MetaUpdate(&sa.ObjectMeta, &was.ObjectMeta), validateServiceAccount(sa)...)
}

// warnOfMountableSecrets warns about adding the deprecated annotation. old is nil at creation.
func warnOfMountableSecrets(next, old *corev1.ServiceAccount) []string {
	if old != nil {
		if _, had := old.GetAnnotations()[enforceMountableSecrets]; had {
			return nil
		}
	}
	if _, has := next.GetAnnotations()[enforceMountableSecrets]; !has {
		return nil
	}
	return []string{"metadata.annotations[" + enforceMountableSecrets + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}
}
