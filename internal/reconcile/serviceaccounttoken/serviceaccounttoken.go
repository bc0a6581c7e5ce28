// Package serviceaccounttoken fills Secrets of the type kubernetes.io/service-account-token with
// the token of the ServiceAccount that they name, and deletes those whose account is gone.
//
// Source: kubernetes v1.36 pkg/controller/serviceaccount/tokens_controller.go
package serviceaccounttoken

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Snapshot is a Secret with the account that it names. Reconcile does not modify it.
type Snapshot struct {
	Secret *corev1.Secret
	// Account is the account that the Secret names; nil if it does not exist.
	Account *corev1.ServiceAccount
	// CABundle are the certificates by which clients verify the server, in PEM; empty for plain
	// HTTP.
	CABundle string
	// Sign signs the claims of a token; it returns false if it cannot do so yet. If nil, there are
	// no tokens.
	Sign func(payload []byte) (token []byte, signed bool)
}

// Reconcile adds what the Secret lacks, or deletes it if its account does not exist.
//
// Source: kubernetes v1.36 pkg/controller/serviceaccount/tokens_controller.go, syncSecret and generateTokenIfNeeded
func Reconcile(s Snapshot) (p plan.Plan) {
	if s.Secret.Type != corev1.SecretTypeServiceAccountToken || s.Secret.DeletionTimestamp != nil || s.Sign == nil {
		return p
	}
	if s.Account == nil || !serviceaccount.IsTokenOf(s.Secret, s.Account) {
		p.Deletes = append(p.Deletes, plan.Delete{Object: s.Secret})
		return p
	}
	needs := map[string][]byte{}
	if s.CABundle != "" && string(s.Secret.Data[corev1.ServiceAccountRootCAKey]) != s.CABundle {
		needs[corev1.ServiceAccountRootCAKey] = []byte(s.CABundle)
	}
	if len(s.Secret.Data[corev1.ServiceAccountNamespaceKey]) == 0 {
		needs[corev1.ServiceAccountNamespaceKey] = []byte(s.Secret.Namespace)
	}
	if len(s.Secret.Data[corev1.ServiceAccountTokenKey]) == 0 {
		token, signed := s.Sign(serviceaccount.LegacyPayload(s.Account, s.Secret.Name))
		if !signed {
			return plan.Plan{Retry: true}
		}
		needs[corev1.ServiceAccountTokenKey] = token
	}
	if len(needs) == 0 {
		return p
	}
	next := s.Secret.DeepCopy()
	if next.Data == nil {
		next.Data = map[string][]byte{}
	}
	for key, value := range needs {
		next.Data[key] = value
	}
	metav1.SetMetaDataAnnotation(&next.ObjectMeta, corev1.ServiceAccountNameKey, s.Account.Name)
	metav1.SetMetaDataAnnotation(&next.ObjectMeta, corev1.ServiceAccountUIDKey, string(s.Account.UID))
	p.Updates = append(p.Updates, plan.Update{Object: next})
	return p
}

// Forget removes the references to Secrets that are gone from an account, which is not modified
// itself. gone reports whether a Secret is gone.
//
// Source: kubernetes v1.36 pkg/controller/serviceaccount/tokens_controller.go, removeSecretReference
// Differs: when one token's Secret is removed, references to others that are gone are removed too.
func Forget(account *corev1.ServiceAccount, gone func(secret string) bool) (p plan.Plan) {
	next := account.DeepCopy()
	next.Secrets = slices.DeleteFunc(next.Secrets, func(ref corev1.ObjectReference) bool { return gone(ref.Name) })
	if len(next.Secrets) < len(account.Secrets) && account.DeletionTimestamp == nil {
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
	return p
}
