package auth_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/rbac"
)

// mayImpersonate maps users to their rules, each a list of "VERBS GROUP RESOURCES [NAMES]".
var mayImpersonate = map[string][]string{
	"legacy":                           {"impersonate core users,groups,serviceaccounts", "impersonate authentication.k8s.io uids,userextras/*"},
	"one":                              {"impersonate:user-info authentication.k8s.io users jane", "impersonate-on:user-info:list core pods"},
	"info":                             {"impersonate:user-info authentication.k8s.io users,uids,groups,userextras/acme.com/scopes", "impersonate-on:user-info:update core pods"},
	"unasked":                          {"impersonate:user-info authentication.k8s.io users"},
	"few":                              {"impersonate:user-info authentication.k8s.io users", "impersonate:user-info authentication.k8s.io groups a,b,c,d", "impersonate-on:user-info:list core pods"},
	"accounts":                         {"impersonate:serviceaccount authentication.k8s.io serviceaccounts web", "impersonate-on:serviceaccount:get,impersonate-on:serviceaccount:list core pods"},
	"nodes":                            {"impersonate:arbitrary-node authentication.k8s.io nodes n1", "impersonate-on:arbitrary-node:list core pods"},
	"system:serviceaccount:kube:agent": {"impersonate:associated-node authentication.k8s.io nodes", "impersonate-on:associated-node:list core pods"},
}

func impersonators(t *testing.T) *rbac.Index {
	t.Helper()
	var all []object.Object
	for user, lines := range mayImpersonate {
		role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: user}}
		for _, line := range lines {
			words := strings.Fields(strings.ReplaceAll(line, "core", `""`) + " ")
			r := rbacv1.PolicyRule{Verbs: strings.Split(words[0], ","), APIGroups: strings.Split(strings.Trim(words[1], `"`), ","), Resources: strings.Split(words[2], ",")}
			for i := range r.APIGroups {
				r.APIGroups[i] = strings.Trim(r.APIGroups[i], `"`)
			}
			if len(words) > 3 {
				r.ResourceNames = strings.Split(words[3], ",")
			}
			role.Rules = append(role.Rules, r)
		}
		all = append(all, role, &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: user}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: user},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: user}},
		})
	}
	x, err := rbac.IndexOf(all...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Which user may impersonate which, for which request.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/constrained_impersonation_test.go
func TestImpersonate(t *testing.T) {
	t.Parallel()
	x := impersonators(t)
	const agent = "system:serviceaccount:kube:agent"
	onNode := map[string][]string{"authentication.kubernetes.io/node-name": {"n1"}}
	tests := []struct {
		name, by, headers, request string
		want                       string // "NAME [GROUPS]", or what is forbidden
	}{
		{"nobody", "legacy", "", "list pods", "legacy []"},
		{"without constraints", "legacy", "User: jane", "delete secrets", "jane [system:authenticated]"},
		{"without constraints, to masters", "legacy", "User: jane, Group: system:masters", "delete secrets", "jane [system:masters system:authenticated]"},
		{"without constraints, a node", "legacy", "User: system:node:n1", "list pods", "system:node:n1 [system:authenticated]"},
		{
			"without constraints, an account", "legacy", "User: system:serviceaccount:ns:web", "list pods",
			"system:serviceaccount:ns:web [system:serviceaccounts system:serviceaccounts:ns system:authenticated]",
		},
		{"anonymous", "legacy", "User: system:anonymous", "list pods", "system:anonymous [system:unauthenticated]"},
		{"a user for a request", "one", "User: jane", "list pods", "jane [system:authenticated]"},
		{"a user for another request", "one", "User: jane", "get pods", `pods is forbidden: User "one" cannot impersonate-on:user-info:get resource "pods" in API group "" at the cluster scope`},
		{"a user for a path", "one", "User: jane", "get /version", `forbidden: User "one" cannot impersonate-on:user-info:get path "/version"`},
		{
			"another user", "one", "User: eve", "list pods",
			`users.authentication.k8s.io "eve" is forbidden: User "one" cannot impersonate:user-info resource "users" in API ` +
				`group "authentication.k8s.io" at the cluster scope`,
		},
		{"a user and a group", "one", "User: jane, Group: dev", "list pods", `groups.authentication.k8s.io "dev" is forbidden: User "one" cannot impersonate:user-info resource "groups"`},
		{"everything of a user", "info", "User: jane, Uid: 7, Group: dev, Extra-acme.com%2fscopes: a", "update pods", "jane [dev system:authenticated]"},
		{
			"another extra", "info", "User: jane, Extra-acme.com%2fother: a", "update pods",
			`userextras.authentication.k8s.io "a" is forbidden: User "info" cannot impersonate:user-info resource ` +
				`"userextras/acme.com/other"`,
		},
		{
			"an extra without a domain", "info", "User: jane, Extra-scopes: a", "update pods",
			"impersonating an invalid key in extra is not allowed: extra.key: Invalid value: \"scopes\": " +
				"must be a domain-prefixed path",
		},
		{"an extra that is empty", "info", "User: jane, Extra-acme.com%2fscopes: ", "update pods", "impersonating the empty string value in extra is not allowed"},
		{
			"masters", "info", "User: jane, Group: system:masters", "update pods",
			`groups.authentication.k8s.io "system:masters" is forbidden: User "info" cannot impersonate:user-info resource ` +
				`"groups" in API group "authentication.k8s.io" at the cluster scope: ` +
				`impersonating the system:masters group is not allowed`,
		},
		{"the group without a name", "info", "User: jane, Group: ", "update pods", "impersonating the empty string group is not allowed"},
		{"five groups by the right to all", "info", "User: jane, Group: a, Group: b, Group: c, Group: d, Group: e", "update pods", "jane [a b c d e system:authenticated]"},
		{"four groups one by one", "few", "User: jane, Group: a, Group: b, Group: c, Group: d", "list pods", "jane [a b c d system:authenticated]"},
		{"a fifth group", "few", "User: jane, Group: a, Group: b, Group: c, Group: d, Group: e", "list pods", `groups.authentication.k8s.io "e" is forbidden`},
		{"a user, for no request", "unasked", "User: jane", "list pods", `cannot impersonate-on:user-info:list`},
		{"a node is no user", "info", "User: system:node:n1", "list pods", `cannot impersonate-on:arbitrary-node:list`},
		{"an account is no user", "info", "User: system:serviceaccount:ns:web", "list pods", `cannot impersonate-on:serviceaccount:list`},
		{"an account", "accounts", "User: system:serviceaccount:ns:web", "list pods", "system:serviceaccount:ns:web [system:serviceaccounts system:serviceaccounts:ns system:authenticated]"},
		{
			"another account", "accounts", "User: system:serviceaccount:ns:db", "list pods",
			`serviceaccounts.authentication.k8s.io "db" is forbidden: User "accounts" cannot impersonate:serviceaccount ` +
				`resource "serviceaccounts" in API group "authentication.k8s.io" in the namespace "ns"`,
		},
		{
			"an account with a group", "accounts", "User: system:serviceaccount:ns:web, Group: a", "list pods",
			`serviceaccounts "web" is forbidden: User "accounts" cannot impersonate resource "serviceaccounts" in API group ` +
				`"" in the namespace "ns"`,
		},
		{"a node", "nodes", "User: system:node:n1", "list pods", "system:node:n1 [system:nodes system:authenticated]"},
		{"another node", "nodes", "User: system:node:n2", "list pods", `nodes.authentication.k8s.io "n2" is forbidden: User "nodes" cannot impersonate:arbitrary-node`},
		{"no node's name", "nodes", "User: system:node:N_1", "list pods", `cannot impersonate-on:user-info:list`},
		{"the node of an agent", agent, "User: system:node:n1", "list pods", "system:node:n1 [system:nodes system:authenticated]"},
		{"the node of an agent, for another request", agent, "User: system:node:n1", "list secrets", `cannot impersonate-on:associated-node:list resource "secrets"`},
		{"another node of an agent", agent, "User: system:node:n2", "list pods", `cannot impersonate-on:arbitrary-node:list`},
		{"a group without a user", "legacy", "Group: a", "list pods", `requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name`},
	}
	for _, tt := range tests {
		u, h := &auth.User{Name: tt.by}, http.Header{}
		if tt.by == agent {
			u.Extra = onNode
		}
		for line := range strings.SplitSeq(tt.headers, ", ") {
			if name, value, is := strings.Cut(line, ": "); is {
				h.Add("Impersonate-"+name, value)
			}
		}
		about := auth.Attributes{}
		about.Verb, about.Resource, _ = strings.Cut(tt.request, " ")
		if strings.HasPrefix(about.Resource, "/") {
			about.Path, about.Resource = about.Resource, ""
		}
		before := slices.Clone(h["Impersonate-Group"])
		to, err := auth.Impersonate(x, u, h, about)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(to.Name, " ", to.Groups)
		}
		if !strings.Contains(got, tt.want) || err == nil && got != tt.want || !slices.Equal(before, h["Impersonate-Group"]) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
