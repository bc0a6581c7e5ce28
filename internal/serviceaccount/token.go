package serviceaccount

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// How long a token is valid, in seconds. A Pod's token requested for exactly WarnOnlySeconds is
// valid for ExtendedSeconds, because programs that do not reread their token would fail; it says
// from when on it is too old.
//
// Source: kubernetes v1.36 pkg/apis/authentication/v1/defaults.go, pkg/apis/authentication/validation/validation.go, MinTokenAgeSec, and
// pkg/serviceaccount/claims.go
const (
	UsualSeconds    = 60 * 60
	MinSeconds      = 10 * 60
	MaxSeconds      = 1 << 32
	WarnOnlySeconds = 60*60 + 7
	ExtendedSeconds = 365 * 24 * 60 * 60
)

// Ref names an object that a token is bound to.
type Ref struct {
	Name string    `json:"name,omitempty"`
	UID  types.UID `json:"uid,omitempty"`
}

// Objects returns the objects that tokens are bound to, by resource, namespace and name; nil if
// there is none.
type Objects func(resource, namespace, name string) metav1.Object

// Claims are the claims of a token. Times are in whole seconds.
type Claims struct {
	ID                        string // of the token itself
	Namespace                 string
	Account                   Ref
	Pod, Secret, Node         *Ref // what else the token is bound to; nil for nothing. A Pod's token also names its node
	Audiences                 []string
	Issued, Expires, WarnFrom time.Time // WarnFrom is zero for none

	// Legacy is the whole token if it belongs to a Secret of the type
	// kubernetes.io/service-account-token; empty for others. It has no dates, and its Secret no
	// uid.
	Legacy string
}

// private are Kubernetes' own claims, and the audiences, which are a list even if there is one.
//
// Source: kubernetes v1.36 pkg/serviceaccount/claims.go, privateClaims
type private struct {
	Audiences  []string `json:"aud,omitempty"`
	Kubernetes bound    `json:"kubernetes.io,omitzero"`
}

// bound is what a token is for and bound to.
type bound struct {
	Namespace string           `json:"namespace,omitempty"`
	Node      *Ref             `json:"node,omitempty"`
	Pod       *Ref             `json:"pod,omitempty"`
	Secret    *Ref             `json:"secret,omitempty"`
	Account   Ref              `json:"serviceaccount,omitzero"`
	WarnAfter *jwt.NumericDate `json:"warnafter,omitempty"`
}

// payload is everything in a token, in order. A token without Expires does not expire.
type payload struct {
	Audiences  []string         `json:"aud,omitempty"`
	Expires    *jwt.NumericDate `json:"exp,omitempty"`
	Issued     *jwt.NumericDate `json:"iat,omitempty"`
	Issuer     string           `json:"iss"`
	ID         string           `json:"jti,omitempty"`
	Kubernetes bound            `json:"kubernetes.io"`
	NotBefore  *jwt.NumericDate `json:"nbf,omitempty"`
	Subject    string           `json:"sub"`
}

// Payload returns the middle part of the token with these claims, before it is encoded: what
// SignPayload signs. It needs no key.
//
// Source: kubernetes v1.36 pkg/serviceaccount/claims.go, Claims, and jwt.go, GenerateToken
func (c *Claims) Payload() []byte {
	date := func(t time.Time) *jwt.NumericDate {
		if t.IsZero() {
			return nil
		}
		return jwt.NewNumericDate(t)
	}
	b, err := json.Marshal(payload{
		Audiences: c.Audiences, Expires: date(c.Expires), Issued: date(c.Issued), Issuer: Issuer, ID: c.ID,
		Kubernetes: bound{Namespace: c.Namespace, Node: c.Node, Pod: c.Pod, Secret: c.Secret, Account: c.Account, WarnAfter: date(c.WarnFrom)},
		NotBefore:  date(c.Issued), Subject: Subject(c.Namespace, c.Account.Name),
	})
	if err != nil {
		panic(fmt.Sprintf("serviceaccount: the claims of a token: %v", err)) // strings and numbers
	}
	return b
}

// NamesAccount reports whether a Payload has the UID of its ServiceAccount. Without it, no server
// accepts the token.
func NamesAccount(p []byte) bool {
	var claims payload
	return json.Unmarshal(p, &claims) == nil && claims.Kubernetes.Account.UID != ""
}

// StableID returns a token ID that is derived from a text.
func StableID(of string) string { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(of)).String() }

// Size returns the length of the token of a payload, in bytes, whichever key signs it.
func Size(payload []byte) int {
	const (
		header    = 90 // of {"alg":"RS256","kid":"…"}, where the key's name is a hash of 32 bytes
		signature = 342
	)
	return header + 1 + base64.RawURLEncoding.EncodedLen(len(payload)) + 1 + signature
}

// Sign makes the token with these claims. The same claims give the same token.
func (k *Key) Sign(c Claims) (string, error) { return k.SignPayload(c.Payload()) }

// SignPayload makes the token of a Payload. It takes a millisecond of processor time. The same
// payload gives the same token.
func (k *Key) SignPayload(payload []byte) (string, error) {
	signed, err := k.signer.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("signing a token: %w", err)
	}
	return signed.CompactSerialize()
}

var (
	// ErrNotOurs says that a token does not belong to a service account of this cluster.
	ErrNotOurs = errors.New("the token is none of a service account")
	errSubject = errors.New("service account token claims could not be validated: the subject is not the account")
)

// maxToken bounds the length of a token that is parsed, in bytes.
const maxToken = 16 << 10

// Verify returns the claims of a token that the key has signed. Its error is ErrNotOurs for any
// other, whatever its contents. It does not judge whether the token is still valid; see
// Claims.Judge.
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
	err = parsed.Claims(k.private.Public(), &public, &own)
	if err == nil && public.Issuer == legacyIssuer {
		return k.legacy(token, parsed, public.Subject)
	}
	if err != nil || public.Issuer != Issuer {
		return Claims{}, ErrNotOurs
	}
	c := Claims{
		ID: public.ID, Namespace: own.Kubernetes.Namespace, Account: own.Kubernetes.Account,
		Pod: own.Kubernetes.Pod, Secret: own.Kubernetes.Secret, Node: own.Kubernetes.Node,
		Audiences: own.Audiences, Issued: dateOf(public.IssuedAt), Expires: dateOf(public.Expiry), WarnFrom: dateOf(own.Kubernetes.WarnAfter),
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

// Shared returns those of a token's audiences that are wanted.
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

// WrongAudience returns the error for a token that is for others.
func (c *Claims) WrongAudience(audiences []string) error {
	return fmt.Errorf("token audiences %q is invalid for the target audiences %q", c.Audiences, audiences)
}
