package api

import (
	"context"
	"errors"
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

// A refusal waits for rights that were just granted, except for anonymous requests.
func TestAuthorize_WaitsForRecentGrants(t *testing.T) {
	t.Parallel()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "r"}, Rules: []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}}}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "b"}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "r"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: "jane"}, {Kind: rbacv1.UserKind, Name: auth.Anonymous.Name}},
	}
	for name, test := range map[string]struct {
		user *auth.User
		err  error
		want int
	}{
		"a user": {&auth.User{Name: "jane"}, nil, 200}, "another": {&auth.User{Name: "joe"}, nil, 403},
		"without the database": {&auth.User{Name: "jane"}, errors.New("unreachable"), 403}, "a stranger": {auth.Anonymous, nil, 403},
	} {
		before, err := rbac.IndexOf(role)
		if err != nil {
			t.Fatal(err)
		}
		after, err := rbac.IndexOf(role, binding)
		if err != nil {
			t.Fatal(err)
		}
		rules := &later{Index: before}
		l := login{authenticator: &auth.Authenticator{}, authorizer: rules, fresh: func(context.Context) error {
			rules.Index = after
			return test.err
		}}
		rec, req := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/v1/namespaces/default/pods", nil)
		l.authorize(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(rec, req.WithContext(auth.NewContext(req.Context(), test.user)))
		if rec.Code != test.want {
			t.Errorf("%s: %d, want %d: %s", name, rec.Code, test.want, strings.TrimSpace(rec.Body.String()))
		}
	}
}

// later is an authorizer whose rules arrive late.
type later struct{ *rbac.Index }

// Opening a session in a Pod requires the verb create even for a GET: the verb get on exec is not
// enough.
func TestAuthorize_SessionsRequireCreate(t *testing.T) {
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
