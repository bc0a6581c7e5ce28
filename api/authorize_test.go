package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/rbac"
)

// TestAuthorize_ToEnterAPodTakesTheRightToCreate, also by a GET: who may only get exec may not execute.
func TestAuthorize_ToEnterAPodTakesTheRightToCreate(t *testing.T) {
	t.Parallel()
	var roles []object.Object
	for group, verbs := range map[string][]string{"getters": {"get"}, "creators": {"create"}, "both": {"get", "create"}} {
		rule := rbacv1.PolicyRule{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"pods/exec", "pods/attach", "pods/portforward", "pods/log"}}
		roles = append(roles, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: group}, Rules: []rbacv1.PolicyRule{rule}}, &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: group}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: group},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, Name: group}},
		})
	}
	rules, err := rbac.IndexOf(roles...)
	if err != nil {
		t.Fatal(err)
	}
	l := login{authenticator: &auth.Authenticator{}, authorizer: rules}
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
