package apitest

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/rbac"
)

// tokens are the users that WithLogin knows.
const tokens = `master,root,1,"system:masters"
viewer,vera,2,"rowlock:viewers"
plain,jane,3
`

// WithLogin enables authentication by tokens.
func WithLogin(t testing.TB) func(*api.Deps) {
	t.Helper()
	known, err := auth.ReadTokens(strings.NewReader(tokens))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rbac.IndexOf(rbac.Bootstrap()...)
	if err != nil {
		t.Fatal(err)
	}
	return func(d *api.Deps) {
		d.Authenticator, d.Authorizer = &auth.Authenticator{Tokens: func() *auth.Tokens { return known }}, rules
	}
}
