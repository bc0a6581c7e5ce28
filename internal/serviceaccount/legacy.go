package serviceaccount

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// legacyIssuer is the issuer of Secrets' tokens. InvalidSince is the label of Secrets whose tokens
// are no longer accepted, and LastUsed the label with the day on which a Secret's token was last
// used.
//
// Source: kubernetes v1.36 pkg/serviceaccount/legacy.go
const (
	legacyIssuer = "kubernetes/serviceaccount"
	InvalidSince = "kubernetes.io/legacy-token-invalid-since"
	LastUsed     = "kubernetes.io/legacy-token-last-used"
)

// MarkedError says that a Secret's token is not accepted because of the label InvalidSince.
type MarkedError struct{ text string }

func (e *MarkedError) Error() string { return e.text }

// LastUsedOn returns the value of the label LastUsed for a token that is used at a moment of
// cluster time. It is empty if the Secret already has the label.
//
// Source: kubernetes v1.36 pkg/serviceaccount/legacy.go, legacyValidator.patchSecretWithLastUsedDate
//
// Differs: the day is by the cluster's clock, like the other times of the Secret.
func LastUsedOn(secret *corev1.Secret, now time.Time) string {
	now = now.UTC()
	today, tomorrow := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	if last := secret.Labels[LastUsed]; last == today || last == tomorrow { // another replica may be ahead
		return ""
	}
	return today
}

// legacyClaims are the claims of a Secret's token, in order.
//
// Source: kubernetes v1.36 pkg/serviceaccount/legacy.go, LegacyClaims
type legacyClaims struct {
	Issuer    string    `json:"iss"`
	Namespace string    `json:"kubernetes.io/serviceaccount/namespace"`
	Secret    string    `json:"kubernetes.io/serviceaccount/secret.name"`
	Account   string    `json:"kubernetes.io/serviceaccount/service-account.name"`
	UID       types.UID `json:"kubernetes.io/serviceaccount/service-account.uid"`
	Subject   string    `json:"sub"`
}

// LegacyPayload returns the claims of the token that a Secret holds for an account: see
// Claims.Payload.
func LegacyPayload(account *corev1.ServiceAccount, secret string) []byte {
	b, err := json.Marshal(legacyClaims{
		Issuer: legacyIssuer, Namespace: account.Namespace, Secret: secret, Account: account.Name, UID: account.UID,
		Subject: Subject(account.Namespace, account.Name),
	})
	if err != nil {
		panic(fmt.Sprintf("serviceaccount: the claims of a Secret's token: %v", err)) // strings
	}
	return b
}

// legacy returns the claims of a Secret's token. It is only for the API server.
func (k *Key) legacy(token string, parsed *jwt.JSONWebToken, subject string) (Claims, error) {
	var said legacyClaims
	if err := parsed.Claims(k.private.Public(), &said); err != nil {
		return Claims{}, ErrNotOurs
	}
	if said.Secret == "" || said.UID == "" || subject != Subject(said.Namespace, said.Account) {
		return Claims{}, errSubject
	}
	return Claims{
		Namespace: said.Namespace, Account: Ref{Name: said.Account, UID: said.UID}, Secret: &Ref{Name: said.Secret}, Audiences: []string{Issuer}, Legacy: token,
	}, nil
}

// judgeLegacy is Judge for the token of a Secret: it is valid while the Secret holds it and the
// account exists.
//
// Source: kubernetes v1.36 pkg/serviceaccount/legacy.go, legacyValidator.Validate
// Differs: there is no warning for a token that the account names as one of its Secrets, because
// nothing here creates such Secrets automatically.
func (c *Claims) judgeLegacy(objects Objects) error {
	found := objects("secrets", c.Namespace, c.Secret.Name)
	secret, ok := found.(*corev1.Secret)
	account := objects("serviceaccounts", c.Namespace, c.Account.Name)
	switch {
	case !ok || secret.DeletionTimestamp != nil:
		return errors.New("Token has been invalidated") //nolint:staticcheck // as upstream says it
	case subtle.ConstantTimeCompare(secret.Data[corev1.ServiceAccountTokenKey], []byte(c.Legacy)) == 0:
		return errors.New("Token does not match server's copy") //nolint:staticcheck // as upstream says it
	case account == nil:
		return fmt.Errorf("serviceaccounts %q not found", c.Account.Name)
	case account.GetDeletionTimestamp() != nil:
		return fmt.Errorf("ServiceAccount %s/%s has been deleted", c.Namespace, c.Account.Name)
	case account.GetUID() != c.Account.UID:
		return fmt.Errorf("ServiceAccount UID (%s) does not match claim (%s)", account.GetUID(), c.Account.UID)
	case secret.Labels[InvalidSince] != "":
		return &MarkedError{fmt.Sprintf("the token in secret %s/%s for service account %s/%s has been marked invalid. "+
			"Use tokens from the TokenRequest API or manually created secret-based tokens, "+
			"or remove the '%s' label from the secret to temporarily allow use of this token",
			c.Namespace, c.Secret.Name, c.Namespace, c.Account.Name, InvalidSince)}
	}
	return nil
}

// IsTokenOf reports whether a Secret holds, or should hold, a token of an account with that name
// and, unless empty, uid.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, IsServiceAccountToken
func IsTokenOf(secret *corev1.Secret, account metav1.Object) bool {
	uid := secret.Annotations[corev1.ServiceAccountUIDKey]
	return secret.Type == corev1.SecretTypeServiceAccountToken && secret.Namespace == account.GetNamespace() &&
		secret.Annotations[corev1.ServiceAccountNameKey] == account.GetName() && (uid == "" || uid == string(account.GetUID()))
}
