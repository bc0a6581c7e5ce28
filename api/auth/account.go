package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Accounts signs and verifies the tokens of service accounts. It is safe for concurrent use.
type Accounts struct {
	Keys *serviceaccount.Keys
	// Objects looks up the objects that tokens are bound to in this replica's mirror. Fresh waits
	// until the mirror has everything that was committed before the call.
	Objects serviceaccount.Objects
	Fresh   func(context.Context) error
	// Real returns real time, Now cluster time.
	Real, Now func() time.Time
	// Used records the use of a token in a Secret.
	Used func(ctx context.Context, namespace, secret string)
}

// Sign returns a signed token with these claims.
func (a *Accounts) Sign(ctx context.Context, c serviceaccount.Claims) (string, error) {
	key, err := a.Keys.Get(ctx)
	if err != nil {
		return "", err
	}
	return key.Sign(c)
}

// KeySet returns the JSON Web Key Set with which clients verify tokens.
func (a *Accounts) KeySet(ctx context.Context) ([]byte, error) {
	key, err := a.Keys.Get(ctx)
	if err != nil {
		return nil, err
	}
	return key.KeySet()
}

// user returns the owner of a token and the requested audiences that it is valid for. It returns
// serviceaccount.ErrNotOurs for a token that the cluster has not signed; other errors say why a
// signed token is not valid.
func (a *Accounts) user(ctx context.Context, token string, audiences []string) (*User, []string, error) {
	if strings.Count(token, ".") != 2 { // not a JSON Web Token: do not load the key
		return nil, nil, serviceaccount.ErrNotOurs
	}
	key, err := a.Keys.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := key.Verify(token)
	if err != nil {
		return nil, nil, err
	}
	both := serviceaccount.Shared(c.Audiences, audiences)
	if len(both) == 0 {
		return nil, nil, c.WrongAudience(audiences)
	}
	err = c.Judge(a.Real(), a.Now(), a.Objects)
	if err != nil && a.Fresh(ctx) == nil { // another replica may just have created what it is bound to
		err = c.Judge(a.Real(), a.Now(), a.Objects)
	}
	if marked := new(serviceaccount.MarkedError); c.Legacy != "" && (err == nil || errors.As(err, &marked)) {
		a.Used(ctx, c.Namespace, c.Secret.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	id := c.Identity()
	return authenticated(&User{Name: id.Name, UID: string(id.UID), Groups: id.Groups, Extra: id.Extra}), both, nil
}

// Verdict is the result of a token review.
type Verdict struct {
	User      *User    // owner of the token; nil if it is not valid
	Audiences []string // requested audiences that the token is valid for
	Problem   string   // why the token is not valid; "" if it is
}

// Review checks a token for a TokenReview. If audiences is empty, it uses the API server's.
//
// Source: kubernetes v1.36 pkg/registry/authentication/tokenreview/storage.go, Create, and
// staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go, AuthenticateRequest
func (a *Authenticator) Review(ctx context.Context, token string, audiences []string) Verdict {
	if len(audiences) == 0 {
		audiences = APIAudiences
	}
	u, both, err := a.byToken(ctx, token, audiences)
	if err != nil {
		return Verdict{Problem: err.Error()}
	}
	return Verdict{User: u, Audiences: both}
}

// APIAudiences are the audiences of tokens for the API server itself.
var APIAudiences = []string{serviceaccount.Issuer}

// byToken returns the owner of a token and the requested audiences that it is valid for. Static
// tokens have the API server's audiences.
//
// Source: kubernetes v1.36 pkg/kubeapiserver/authenticator/config.go, Config.New
func (a *Authenticator) byToken(ctx context.Context, token string, audiences []string) (*User, []string, error) {
	if a.Tokens != nil {
		if u := a.Tokens().find(token); u != nil {
			if both := serviceaccount.Shared(APIAudiences, audiences); len(both) > 0 {
				return u, both, nil
			}
			return nil, nil, errBadToken
		}
	}
	if a.Accounts == nil {
		return nil, nil, errBadToken
	}
	u, both, err := a.Accounts.user(ctx, token, audiences)
	switch {
	case errors.Is(err, serviceaccount.ErrNotOurs):
		return nil, nil, errBadToken
	case err != nil:
		return nil, nil, fmt.Errorf("[%w, %w]", errBadToken, err)
	}
	return u, both, nil
}
