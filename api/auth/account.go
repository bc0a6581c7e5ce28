package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Accounts makes and knows the tokens of service accounts. It is safe for concurrent use.
type Accounts struct {
	Keys *serviceaccount.Keys
	// Objects finds what tokens are bound to, as it is known here; Fresh waits until that is
	// everything that was committed before.
	Objects serviceaccount.Objects
	Fresh   func(context.Context) error
	// Real and Now are real time and cluster time.
	Real, Now func() time.Time
	// Used notes that a Secret's token was shown.
	Used func(ctx context.Context, namespace, secret string)
}

// Sign makes the token that says so.
func (a *Accounts) Sign(ctx context.Context, c serviceaccount.Claims) (string, error) {
	key, err := a.Keys.Get(ctx)
	if err != nil {
		return "", err
	}
	return key.Sign(c)
}

// KeySet is the JSON document of the key by which others verify tokens.
func (a *Accounts) KeySet(ctx context.Context) ([]byte, error) {
	key, err := a.Keys.Get(ctx)
	if err != nil {
		return nil, err
	}
	return key.KeySet()
}

// user is whose token it is, and for which of the audiences. Errors are serviceaccount.ErrNotOurs
// and others, which say why a token that the cluster has signed does not hold.
func (a *Accounts) user(ctx context.Context, token string, audiences []string) (*User, []string, error) {
	if strings.Count(token, ".") != 2 { // no JSON Web Token: the key is not needed to say so
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
	if err != nil && a.Fresh(ctx) == nil { // what it is bound to may have been made elsewhere, a moment ago
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

// Verdict is what became of a token that somebody asks about.
type Verdict struct {
	User      *User    // whose it is; nil for nobody's
	Audiences []string // those of the ones asked for that it is for
	Problem   string   // why it is nobody's
}

// Review says whose a token is that somebody asks about, for the audiences; none are the API
// server's.
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

// APIAudiences are the audiences of tokens that are for the API server itself.
var APIAudiences = []string{serviceaccount.Issuer}

// byToken is whose token it is, and for which of the audiences. Tokens without an audience are for
// the API server.
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
