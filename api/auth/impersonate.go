package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Impersonate is the user as whom a request is to be made: its own, or another whom its own may impersonate. Errors are told to
// the client as they are.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go, legacyImpersonationMode
//
// Differs: there is no constrained impersonation, by which a user may do some things only as somebody else.
func Impersonate(by Authorizer, u *User, h http.Header) (*User, error) {
	as, err := impersonated(h)
	if as == nil || err != nil {
		return u, err
	}
	for _, a := range impersonations(as) {
		if err := Check(by, u, a); err != nil {
			return nil, err
		}
	}
	if namespace, _, ok := serviceaccount.SplitSubject(as.Name); ok && len(as.Groups) == 0 {
		as.Groups = serviceaccount.Groups(namespace)
	}
	switch {
	case as.Name == AnonymousName && !as.In(Unauthenticated):
		as.Groups = append(as.Groups, Unauthenticated)
	case as.Name != AnonymousName && !as.In(Unauthenticated):
		as = authenticated(as)
	}
	return as, nil
}

// impersonated is the user that the headers name; nil if they name none.
func impersonated(h http.Header) (*User, error) {
	as := &User{
		Name: h.Get(authenticationv1.ImpersonateUserHeader), UID: h.Get(authenticationv1.ImpersonateUIDHeader),
		Groups: slices.Clone(h[authenticationv1.ImpersonateGroupHeader]),
	}
	for name, values := range h {
		key, ok := strings.CutPrefix(name, authenticationv1.ImpersonateUserExtraHeaderPrefix)
		if !ok || len(values) == 0 {
			continue
		}
		key = strings.ToLower(key)
		if plain, err := url.PathUnescape(key); err == nil {
			key = plain
		}
		if as.Extra == nil {
			as.Extra = map[string][]string{}
		}
		as.Extra[key] = append(as.Extra[key], values...)
	}
	switch {
	case as.Name != "":
		return as, nil
	case as.UID != "" || len(as.Groups) > 0 || len(as.Extra) > 0:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("requested %q without impersonating a user name", headersOf(as)))
	}
	return nil, nil //nolint:nilnil // no user is impersonated, which is no failure
}

// headersOf names what else was asked for.
func headersOf(as *User) (names []string) {
	if as.UID != "" {
		names = append(names, authenticationv1.ImpersonateUIDHeader)
	}
	if len(as.Groups) > 0 {
		names = append(names, authenticationv1.ImpersonateGroupHeader)
	}
	for key := range as.Extra {
		names = append(names, authenticationv1.ImpersonateUserExtraHeaderPrefix+key)
	}
	slices.Sort(names)
	return names
}

// impersonations are what one must be allowed to become a user.
func impersonations(as *User) []Attributes {
	const group = authenticationv1.GroupName
	own := Attributes{Verb: "impersonate", Version: "v1", Resource: "users", Name: as.Name}
	if namespace, name, ok := serviceaccount.SplitSubject(as.Name); ok {
		own.Resource, own.Namespace, own.Name = "serviceaccounts", namespace, name
	}
	out := []Attributes{own}
	if as.UID != "" {
		out = append(out, Attributes{Verb: "impersonate", Group: group, Version: "v1", Resource: "uids", Name: as.UID})
	}
	for _, g := range as.Groups {
		out = append(out, Attributes{Verb: "impersonate", Version: "v1", Resource: "groups", Name: g})
	}
	for key, values := range as.Extra {
		for _, v := range values {
			out = append(out, Attributes{Verb: "impersonate", Group: group, Version: "v1", Resource: "userextras", Subresource: key, Name: v})
		}
	}
	return out
}
