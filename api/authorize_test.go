package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// TestAuthorize_ToEnterAPodTakesTheRightToCreate, also by a GET: who may only get exec may not execute.
func TestAuthorize_ToEnterAPodTakesTheRightToCreate(t *testing.T) {
	t.Parallel()
	grants := func(verbs ...string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"pods/exec", "pods/attach", "pods/portforward", "pods/log"}}}
	}
	l := login{authenticator: &auth.Authenticator{}, authorizer: auth.Groups{"getters": grants("get"), "creators": grants("create"), "both": grants("get", "create")}}
	served := l.authorize(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, test := range []struct {
		group, method, subresource string
		code                       int
	}{
		{"getters", http.MethodGet, "log", 200}, {"getters", http.MethodGet, "exec", 403}, {"getters", http.MethodGet, "attach", 403},
		{"getters", http.MethodGet, "portforward", 403}, {"getters", http.MethodPost, "exec", 403}, {"creators", http.MethodPost, "exec", 200},
		{"creators", http.MethodGet, "exec", 403}, {"both", http.MethodGet, "exec", 200}, {"both", http.MethodGet, "portforward", 200},
	} {
		rec := httptest.NewRecorder()
		req := httptest.NewRequest(test.method, "/api/v1/namespaces/default/pods/web/"+test.subresource, nil)
		user := &auth.User{Name: "jane", Groups: []string{test.group}}
		served.ServeHTTP(rec, req.WithContext(auth.NewContext(req.Context(), user)))
		if rec.Code != test.code {
			t.Errorf("%s: %s %s: %d, want %d: %s", test.group, test.method, test.subresource, rec.Code, test.code, strings.TrimSpace(rec.Body.String()))
		}
	}
}
