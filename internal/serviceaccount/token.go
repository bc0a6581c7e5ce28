package serviceaccount

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"k8s.io/apimachinery/pkg/types"
)

// Ref names an object that a token is bound to.
type Ref struct {
	Name string    `json:"name,omitempty"`
	UID  types.UID `json:"uid,omitempty"`
}

// Claims are what a token says. Times are in whole seconds.
type Claims struct {
	ID                        string // of the token itself
	Namespace                 string
	Account                   Ref
	Pod, Secret, Node         *Ref // what the token is bound to besides; nil for nothing. A Pod's token names its node too
	Audiences                 []string
	Issued, Expires, WarnFrom time.Time // WarnFrom is zero for none
}

// private are the claims that are Kubernetes' own, and the audiences, which are a list even if there is one.
//
// Source: kubernetes v1.36 pkg/serviceaccount/claims.go, privateClaims
type private struct {
	Audiences  []string `json:"aud,omitempty"`
	Kubernetes struct {
		Namespace string           `json:"namespace,omitempty"`
		Node      *Ref             `json:"node,omitempty"`
		Pod       *Ref             `json:"pod,omitempty"`
		Secret    *Ref             `json:"secret,omitempty"`
		Account   Ref              `json:"serviceaccount,omitzero"`
		WarnAfter *jwt.NumericDate `json:"warnafter,omitempty"`
	} `json:"kubernetes.io,omitzero"`
}

// Sign makes the token that says so. The same claims give the same token.
//
// Source: kubernetes v1.36 pkg/serviceaccount/claims.go, Claims, and jwt.go, GenerateToken
func (k *Key) Sign(c Claims) (string, error) {
	public := jwt.Claims{
		Issuer: Issuer, Subject: Subject(c.Namespace, c.Account.Name), ID: c.ID,
		IssuedAt: jwt.NewNumericDate(c.Issued), NotBefore: jwt.NewNumericDate(c.Issued), Expiry: jwt.NewNumericDate(c.Expires),
	}
	own := private{Audiences: c.Audiences}
	own.Kubernetes.Namespace, own.Kubernetes.Account = c.Namespace, c.Account
	own.Kubernetes.Pod, own.Kubernetes.Secret, own.Kubernetes.Node = c.Pod, c.Secret, c.Node
	if !c.WarnFrom.IsZero() {
		own.Kubernetes.WarnAfter = jwt.NewNumericDate(c.WarnFrom)
	}
	return jwt.Signed(k.signer).Claims(public).Claims(own).Serialize()
}

var (
	// ErrNotOurs says that a token is none of a service account of this cluster.
	ErrNotOurs = errors.New("the token is none of a service account")
	errSubject = errors.New("service account token claims could not be validated: the subject is not the account")
)

// maxToken bounds how long a token is that is looked into, in bytes.
const maxToken = 16 << 10

// Verify finds out what a token says that the key has signed. Its error is ErrNotOurs for any other, whatever it says. It does not judge
// whether the token still holds; see Claims.Judge.
//
// Source: kubernetes v1.36 pkg/serviceaccount/jwt.go, AuthenticateToken
func (k *Key) Verify(token string) (Claims, error) {
	if len(token) > maxToken {
		return Claims{}, ErrNotOurs
	}
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil || len(parsed.Headers) != 1 || parsed.Headers[0].KeyID != k.id {
		return Claims{}, ErrNotOurs
	}
	var public jwt.Claims
	var own private
	if err := parsed.Claims(k.private.Public(), &public, &own); err != nil || public.Issuer != Issuer {
		return Claims{}, ErrNotOurs
	}
	c := Claims{
		ID: public.ID, Namespace: own.Kubernetes.Namespace, Account: own.Kubernetes.Account,
		Pod: own.Kubernetes.Pod, Secret: own.Kubernetes.Secret, Node: own.Kubernetes.Node,
		Audiences: own.Audiences, Issued: public.IssuedAt.Time(), Expires: public.Expiry.Time(), WarnFrom: dateOf(own.Kubernetes.WarnAfter),
	}
	if public.Subject != Subject(c.Namespace, c.Account.Name) {
		return Claims{}, errSubject
	}
	return c, nil
}

func dateOf(d *jwt.NumericDate) time.Time {
	if d == nil {
		return time.Time{}
	}
	return d.Time()
}

// Shared are the audiences that a token is for, of those that are wanted.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/authenticator/audiences.go, Intersect
func Shared(audiences, wanted []string) (shared []string) {
	for _, a := range wanted {
		if slices.Contains(audiences, a) {
			shared = append(shared, a)
		}
	}
	return shared
}

// WrongAudience is the error about a token that is for others.
func (c *Claims) WrongAudience(audiences []string) error {
	return fmt.Errorf("token audiences %q is invalid for the target audiences %q", c.Audiences, audiences)
}
