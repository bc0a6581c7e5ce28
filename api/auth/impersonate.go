package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Impersonate returns the effective user of a request: the requestor u, or the user that the
// headers name if u may impersonate it for this request. about describes the request. It tries the
// constrained modes first, in order; if all fail, it returns the first mode's error, which is a
// Status for the client.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/constrained_impersonation.go,
// impersonationModesTracker.getImpersonatedUser
//
// Differs: results are not cached, so the mode that succeeded last is not tried first.
func Impersonate(by Authorizer, u *User, h http.Header, about Attributes) (*User, error) {
	as, err := impersonated(h)
	if as == nil || err != nil {
		return u, err
	}
	var first error
	for i := range impersonationModes {
		mode := &impersonationModes[i]
		if !mode.applies(as, u) {
			continue
		}
		to, err := impersonation{by, u, as, mode.name}.carryOut(about)
		if err == nil {
			return to, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// impersonated returns the user that the headers name; nil if they name none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/constrained_impersonation.go,
// processImpersonationHeaders
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
		return nil, apierrors.NewBadRequest(fmt.Sprintf("requested &user.DefaultInfo{Name:%#v, UID:%#v, Groups:%#v, Extra:%#v} without impersonating a user name",
			as.Name, as.UID, as.Groups, as.Extra))
	}
	return nil, nil //nolint:nilnil // no impersonation is not an error
}
