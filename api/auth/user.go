package auth

import (
	"context"
	"slices"
)

// User is the sender of a request. It is immutable and shared by requests.
type User struct {
	Name   string
	UID    string
	Groups []string
	Extra  map[string][]string
}

// Groups and users with a special meaning.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/user/user.go
const (
	Masters         = "system:masters"         // superusers
	Authenticated   = "system:authenticated"   // users with valid credentials
	Unauthenticated = "system:unauthenticated" // requests without credentials
	AnonymousName   = "system:anonymous"
)

// Anonymous sends requests without credentials. Local is every caller of a server without a login.
var (
	Anonymous = &User{Name: AnonymousName, Groups: []string{Unauthenticated}}
	Local     = &User{Name: "system:admin", Groups: []string{Masters, Authenticated}}
)

// In reports whether the user is in a group.
func (u *User) In(group string) bool { return slices.Contains(u.Groups, group) }

type contextKey struct{}

// NewContext returns a context that carries the user.
func NewContext(ctx context.Context, u *User) context.Context {
	return context.WithValue(ctx, contextKey{}, u)
}

// Known returns the user in the context, nil before authentication.
func Known(ctx context.Context) *User {
	u, _ := ctx.Value(contextKey{}).(*User)
	return u
}

type podKey struct{}

// WithPod marks the context of a request from a program in an emulated Pod.
func WithPod(ctx context.Context) context.Context { return context.WithValue(ctx, podKey{}, true) }

// FromPod reports whether a program in an emulated Pod sends the request. It is never true for a
// request from a network connection.
func FromPod(ctx context.Context) bool {
	from, _ := ctx.Value(podKey{}).(bool)
	return from
}

// FromContext returns the user in the context: after impersonation the impersonated one, and
// Anonymous before authentication.
func FromContext(ctx context.Context) *User {
	if u := Known(ctx); u != nil {
		return u
	}
	return Anonymous
}
