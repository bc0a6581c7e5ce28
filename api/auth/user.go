package auth

import (
	"context"
	"slices"
)

// User is who sends a request. It never changes and is shared by requests.
type User struct {
	Name   string
	UID    string
	Groups []string
	Extra  map[string][]string
}

// The groups and users that have a meaning of their own.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/user/user.go
const (
	Masters         = "system:masters"         // may do everything
	Authenticated   = "system:authenticated"   // everybody who has shown who they are
	Unauthenticated = "system:unauthenticated" // everybody else
	AnonymousName   = "system:anonymous"
)

// Anonymous is who has not shown who they are. Local is everybody on a server without a login.
var (
	Anonymous = &User{Name: AnonymousName, Groups: []string{Unauthenticated}}
	Local     = &User{Name: "system:admin", Groups: []string{Masters, Authenticated}}
)

// In says whether the user is in a group.
func (u *User) In(group string) bool { return slices.Contains(u.Groups, group) }

type contextKey struct{}

// NewContext is the context of a request of the user.
func NewContext(ctx context.Context, u *User) context.Context {
	return context.WithValue(ctx, contextKey{}, u)
}

// Known is the user whose request it is, nil where nobody has found out yet.
func Known(ctx context.Context) *User {
	u, _ := ctx.Value(contextKey{}).(*User)
	return u
}

type podKey struct{}

// WithPod is the context of a request that a program in an emulated Pod sends.
func WithPod(ctx context.Context) context.Context { return context.WithValue(ctx, podKey{}, true) }

// FromPod says whether a program in an emulated Pod sends the request. A request over a connection
// never seems to be one.
func FromPod(ctx context.Context) bool {
	from, _ := ctx.Value(podKey{}).(bool)
	return from
}

// FromContext is the user whose request it is, after an impersonation the impersonated one;
// Anonymous where nobody has found out.
func FromContext(ctx context.Context) *User {
	if u := Known(ctx); u != nil {
		return u
	}
	return Anonymous
}
