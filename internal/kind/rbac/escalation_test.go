package rbac_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/object"
)

// grant returns the error of the plugins for a write.
func grant(k *kind.Kind, next, old object.Object, by kind.Rights) string {
	for _, p := range k.Admission {
		if err := p.Grant(next, old, by); err != nil {
			return err.Error()
		}
	}
	return ""
}

const notHeld = `user "u" (groups=["g" "h"]) is attempting to grant RBAC permissions not currently held:` + "\n"

// No user can create a role with rights that they do not have.
func TestEscalation_Roles(t *testing.T) {
	t.Parallel()
	all := rbacv1.PolicyRule{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}}
	paths := rbacv1.PolicyRule{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}
	reader := kindtest.Holder{
		In: []rbacv1.PolicyRule{
			kindtest.RuleOf("get,list", "", "pods,*/status"), kindtest.RuleOf("get", "", "secrets", "one", "two"),
		},
		Everywhere: []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "nodes")},
	}
	tests := []struct {
		name  string
		by    kindtest.Holder
		rules []rbacv1.PolicyRule
		want  string
	}{
		{"no rules", kindtest.Holder{}, nil, ""},
		{"what is held", reader, []rbacv1.PolicyRule{kindtest.RuleOf("list,get", "", "pods"), kindtest.RuleOf("get", "", "nodes")}, ""},
		{"a part of what is held", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "secrets", "two"), kindtest.RuleOf("get", "", "jobs/status")}, ""},
		{"more verbs", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get,watch,delete", "", "pods")}, notHeld + `{APIGroups:[""], Resources:["pods"], Verbs:["watch" "delete"]}`},
		{"every verb", reader, []rbacv1.PolicyRule{kindtest.RuleOf("*", "", "pods")}, notHeld + `{APIGroups:[""], Resources:["pods"], Verbs:["*"]}`},
		{"another group", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "*", "pods")}, notHeld + `{APIGroups:["*"], Resources:["pods"], Verbs:["get"]}`},
		{"every resource", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "*")}, notHeld + `{APIGroups:[""], Resources:["*"], Verbs:["get"]}`},
		{"every subresource", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "*/log")}, notHeld + `{APIGroups:[""], Resources:["*/log"], Verbs:["get"]}`},
		{"any name", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "secrets")}, notHeld + `{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`},
		{"another name", reader, []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "secrets", "one", "three")}, notHeld + `{APIGroups:[""], Resources:["secrets"], ResourceNames:["three"], Verbs:["get"]}`},
		{"the right to give rights", reader, []rbacv1.PolicyRule{kindtest.RuleOf("bind,escalate", rbacv1.GroupName, "roles,clusterroles")},
			notHeld + `{APIGroups:["rbac.authorization.k8s.io"], Resources:["clusterroles"], Verbs:["bind" "escalate"]}` + "\n" +
				`{APIGroups:["rbac.authorization.k8s.io"], Resources:["roles"], Verbs:["bind" "escalate"]}`},
		{"somebody else's rights", reader, []rbacv1.PolicyRule{kindtest.RuleOf("impersonate", "", "users")}, notHeld + `{APIGroups:[""], Resources:["users"], Verbs:["impersonate"]}`},
		{"a wider role beside", kindtest.Holder{Everywhere: []rbacv1.PolicyRule{all}}, []rbacv1.PolicyRule{kindtest.RuleOf("x", "y", "z/a", "b")}, ""},
		{
			"what is not known", kindtest.Holder{Unknown: errors.New("gone")},
			[]rbacv1.PolicyRule{kindtest.RuleOf("get", "", "pods")},
			notHeld + `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}; resolution errors: [gone]`,
		},
		{"by a right of its own", kindtest.Holder{May: []string{"escalate"}}, []rbacv1.PolicyRule{all}, ""},
		{"billions of combinations", reader, []rbacv1.PolicyRule{{Verbs: words(1000), APIGroups: words(1000), Resources: words(1000), ResourceNames: words(1000)}},
			`the rules combine too many verbs, groups, resources and names to be compared with those of user "u": limit is 20000`},
		{"many rules", reader, slices.Repeat([]rbacv1.PolicyRule{kindtest.RuleOf("get", "", "pods")}, 30_000),
			`the rules combine too many verbs, groups, resources and names to be compared with those of user "u": limit is 20000`},
	}
	for _, tt := range tests {
		if got := grant(rbac.Role, &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}, Rules: tt.rules}, nil, tt.by); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	everywhere := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Rules: []rbacv1.PolicyRule{kindtest.RuleOf("get", "", "pods")}}
	kindtest.Diff(t, notHeld+`{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`, grant(rbac.ClusterRole, everywhere, nil, reader))
	urls := &rbacv1.ClusterRole{Rules: []rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/a", "/b/*"}}}}
	kindtest.Diff(t, notHeld+`{NonResourceURLs:["/b/*"], Verbs:["get"]}`,
		grant(rbac.ClusterRole, urls, nil, kindtest.Holder{
			Everywhere: []rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/a", "/b/c*"}}},
		}))

	gathering := &rbacv1.ClusterRole{AggregationRule: &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{}}}}
	const cannotGather = "must have cluster-admin privileges to use the aggregationRule"
	kindtest.Diff(t, cannotGather, grant(rbac.ClusterRole, gathering, nil, kindtest.Holder{Everywhere: []rbacv1.PolicyRule{all}}))
	kindtest.Diff(t, cannotGather, grant(rbac.ClusterRole, &rbacv1.ClusterRole{}, gathering, reader)) // the aggregated rules would stay
	kindtest.Diff(t, "", grant(rbac.ClusterRole, gathering, nil, kindtest.Holder{Everywhere: []rbacv1.PolicyRule{all, paths}}))
}

func words(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.Repeat("x", i%7) + string(rune('a'+i%26))
	}
	return all
}

// No user can bind a role with rights that they do not have, unless they may bind that role there.
func TestEscalation_Bindings(t *testing.T) {
	t.Parallel()
	ref := func(kind, name string) rbacv1.RoleRef {
		return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: name}
	}
	in := func(r rbacv1.RoleRef) *rbacv1.RoleBinding {
		return &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "b", ResourceVersion: "1"}, RoleRef: r}
	}
	reader := kindtest.Holder{In: []rbacv1.PolicyRule{kindtest.RuleOf("*", "*", "pods")}}
	missing := notHeld + `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
	for _, tt := range []struct {
		name string
		by   kindtest.Holder
		ref  rbacv1.RoleRef
		want string
	}{
		{"held", reader, ref("Role", "reader"), ""}, {"held, of the cluster", reader, ref("ClusterRole", "reader"), ""}, {"not held", kindtest.Holder{}, ref("Role", "reader"), missing},
		{"a role that is not there", reader, ref("Role", "gone"), `roles.rbac.authorization.k8s.io "gone" not found`},
		{"a role of the cluster that is not there", reader, ref("ClusterRole", "gone"), `clusterroles.rbac.authorization.k8s.io "gone" not found`},
		{"by a right of its own", kindtest.Holder{May: []string{"bind roles/ns/reader"}}, ref("Role", "reader"), ""},
		{"to a role that is not there yet", kindtest.Holder{May: []string{"bind clusterroles/ns/gone"}}, ref("ClusterRole", "gone"), ""},
		{"by a right in another namespace", kindtest.Holder{May: []string{"bind roles/other/reader", "bind clusterroles/ns/reader"}}, ref("Role", "reader"), missing},
		{"by a right to another role", kindtest.Holder{May: []string{"bind roles/ns/other", "escalate"}}, ref("Role", "reader"), missing},
		{"a role of no kind", kindtest.Holder{May: []string{"bind /ns/reader"}}, ref("Tea", "reader"), `unsupported role reference kind: "Tea"`},
	} {
		if got := grant(rbac.RoleBinding, in(tt.ref), nil, tt.by); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	all := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "b"}, RoleRef: ref("ClusterRole", "reader")}
	kindtest.Diff(t, missing, grant(rbac.ClusterRoleBinding, all, nil, reader)) // held in one namespace only
	kindtest.Diff(t, "", grant(rbac.ClusterRoleBinding, all, nil, kindtest.Holder{May: []string{"bind clusterroles//reader"}}))

	next := in(ref("Role", "reader"))
	next.Finalizers, next.OwnerReferences, next.ManagedFields = []string{"a/b"}, []metav1.OwnerReference{{Name: "x"}}, []metav1.ManagedFieldsEntry{{Manager: "gc"}}
	kindtest.Diff(t, "", grant(rbac.RoleBinding, next, in(ref("Role", "reader")), kindtest.Holder{}))
	next.Subjects = []rbacv1.Subject{{Kind: "User", Name: "u"}}
	kindtest.Diff(t, missing, grant(rbac.RoleBinding, next, in(ref("Role", "reader")), kindtest.Holder{}))
	next = in(ref("Role", "reader"))
	next.Labels = map[string]string{"a": "b"}
	kindtest.Diff(t, missing, grant(rbac.RoleBinding, next, in(ref("Role", "reader")), kindtest.Holder{}))
}
