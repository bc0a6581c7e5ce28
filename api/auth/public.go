package auth

import "net/http"

// Public says whether everybody may make the request, also who has not shown who they are.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, system:public-info-viewer
func Public(method, path string) bool {
	if method != http.MethodGet {
		return false
	}
	switch path {
	case "/livez", "/readyz", "/healthz", "/version", "/version/":
		return true
	}
	return false
}
