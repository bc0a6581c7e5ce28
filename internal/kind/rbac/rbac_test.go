package rbac_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/rbac"
)

func TestRole_Validate(t *testing.T) {
	t.Parallel()
	rules := func(r ...rbacv1.PolicyRule) []rbacv1.PolicyRule { return r }
	all := []string{"*"}
	tests := []struct {
		name                  string
		rules                 []rbacv1.PolicyRule
		namespaced, otherwise []string // for a Role, for a ClusterRole
	}{
		{"no rules", nil, nil, nil},
		{"a resource", rules(rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"v1"}, Resources: []string{"pods"}}), nil, nil},
		{"a path", rules(rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/*"}}),
			[]string{`rules[0].nonResourceURLs: Invalid value: ["/*"]: namespaced rules cannot apply to non-resource URLs`}, nil},
		{"a path without verbs", rules(rbacv1.PolicyRule{NonResourceURLs: []string{"/*"}}),
			[]string{"rules[0].verbs: Required value: verbs must contain at least one value",
				`rules[0].nonResourceURLs: Invalid value: ["/*"]: namespaced rules cannot apply to non-resource URLs`},
			[]string{"rules[0].verbs: Required value: verbs must contain at least one value"}},
		{"a path and names", rules(rbacv1.PolicyRule{Verbs: all, NonResourceURLs: []string{"/a"}, ResourceNames: []string{"b"}}),
			[]string{`rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs`,
				`rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs`},
			[]string{`rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs`}},
		{"no group", rules(rbacv1.PolicyRule{Verbs: all, APIGroups: all, Resources: all}, rbacv1.PolicyRule{Verbs: all, Resources: all}),
			[]string{"rules[1].apiGroups: Required value: resource rules must supply at least one api group"},
			[]string{"rules[1].apiGroups: Required value: resource rules must supply at least one api group"}},
		{"no resource", rules(rbacv1.PolicyRule{Verbs: all, APIGroups: all}),
			[]string{"rules[0].resources: Required value: resource rules must supply at least one resource"},
			[]string{"rules[0].resources: Required value: resource rules must supply at least one resource"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "system:a b"}, Rules: tt.rules}
			kindtest.Diff(t, tt.namespaced, kindtest.Texts(rbac.Role.Validate(role)))
			everywhere := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "system:a b"}, Rules: tt.rules}
			kindtest.Diff(t, tt.otherwise, kindtest.Texts(rbac.ClusterRole.Validate(everywhere)))
		})
	}
	kindtest.Diff(t, []string{`metadata.name: Invalid value: "a/b": may not contain '/'`, "metadata.namespace: Required value"},
		kindtest.Texts(rbac.Role.Validate(&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "a/b"}})))
	kindtest.Diff(t, []string{"metadata.name: Required value: name or generateName is required"}, kindtest.Texts(rbac.ClusterRole.Validate(&rbacv1.ClusterRole{})))
}

func TestClusterRole_ValidateAggregation(t *testing.T) {
	t.Parallel()
	role := func(selectors ...metav1.LabelSelector) *rbacv1.ClusterRole {
		return &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: "1"}, AggregationRule: &rbacv1.AggregationRule{ClusterRoleSelectors: selectors}}
	}
	good := role(metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}})
	bad := role(metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In", Values: []string{"-"}}}})
	kindtest.Diff(t, []string(nil), kindtest.Texts(rbac.ClusterRole.Validate(good)))
	kindtest.Diff(t, []string{"aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil"},
		kindtest.Texts(rbac.ClusterRole.Validate(role())))
	want := []string{
		`aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values[0]: Invalid value: "-": ` + kindtest.NotLabelValue,
		"aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.",
	}
	kindtest.Diff(t, want, kindtest.Texts(rbac.ClusterRole.Validate(bad)))
	kindtest.Diff(t, want, kindtest.Texts(rbac.ClusterRole.ValidateUpdate(bad, good)))
	kindtest.Diff(t, want[1:], kindtest.Texts(rbac.ClusterRole.ValidateUpdate(bad, bad)))
}

func TestRoleBinding_Validate(t *testing.T) {
	t.Parallel()
	type change func(*rbacv1.RoleRef, *[]rbacv1.Subject)
	tests := []struct {
		name                  string
		change                change
		namespaced, otherwise []string // for a RoleBinding, for a ClusterRoleBinding
	}{
		{"good", func(*rbacv1.RoleRef, *[]rbacv1.Subject) {}, nil, nil},
		{"no subjects", func(_ *rbacv1.RoleRef, s *[]rbacv1.Subject) { *s = nil }, nil, nil},
		{"a Role", func(r *rbacv1.RoleRef, _ *[]rbacv1.Subject) { r.Kind = "Role" }, nil,
			[]string{`roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"`}},
		{"another group", func(r *rbacv1.RoleRef, _ *[]rbacv1.Subject) { r.APIGroup = "tea" },
			[]string{`roleRef.apiGroup: Unsupported value: "tea": supported values: "rbac.authorization.k8s.io"`},
			[]string{`roleRef.apiGroup: Unsupported value: "tea": supported values: "rbac.authorization.k8s.io"`}},
		{"nothing", func(r *rbacv1.RoleRef, _ *[]rbacv1.Subject) { *r = rbacv1.RoleRef{} },
			[]string{`roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"`, "roleRef.name: Required value"},
			[]string{`roleRef.kind: Unsupported value: "": supported values: "ClusterRole"`, "roleRef.name: Required value"}},
		{"a name that is no part of a path", func(r *rbacv1.RoleRef, _ *[]rbacv1.Subject) { r.Name = "a%b" },
			[]string{`roleRef.name: Invalid value: "a%b": may not contain '%'`}, []string{`roleRef.name: Invalid value: "a%b": may not contain '%'`}},
		{"a subject of no kind", func(_ *rbacv1.RoleRef, s *[]rbacv1.Subject) { *s = []rbacv1.Subject{{Name: "a"}} },
			[]string{`subjects[0].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"`},
			[]string{`subjects[0].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"`}},
		{"no account's name", func(_ *rbacv1.RoleRef, s *[]rbacv1.Subject) {
			*s = []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "a"}, {Kind: "ServiceAccount", Namespace: "a", Name: "a.b", APIGroup: "c"}, {Kind: "User"}}
		}, []string{"subjects[0].name: Required value", `subjects[1].apiGroup: Unsupported value: "c": supported values: ""`, "subjects[2].name: Required value"},
			[]string{"subjects[0].name: Required value", `subjects[1].apiGroup: Unsupported value: "c": supported values: ""`, "subjects[2].name: Required value"}},
		{"an account of no namespace", func(_ *rbacv1.RoleRef, s *[]rbacv1.Subject) {
			*s = []rbacv1.Subject{{Kind: "ServiceAccount", Name: "a"}}
		},
			nil, []string{"subjects[0].namespace: Required value"}},
		{"another group's user", func(_ *rbacv1.RoleRef, s *[]rbacv1.Subject) {
			*s = []rbacv1.Subject{{Kind: "User", Name: "a", APIGroup: "b"}}
		},
			[]string{`subjects[0].apiGroup: Unsupported value: "b": supported values: "rbac.authorization.k8s.io"`},
			[]string{`subjects[0].apiGroup: Unsupported value: "b": supported values: "rbac.authorization.k8s.io"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ref := rbacv1.RoleRef{Kind: "ClusterRole", Name: "view"}
			subjects := []rbacv1.Subject{{Kind: "User", Name: "a@b"}, {Kind: "Group", Name: "c:d"}, {Kind: "ServiceAccount", Namespace: "e", Name: "f"}}
			tt.change(&ref, &subjects)
			in := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}, RoleRef: ref, Subjects: subjects}
			rbac.RoleBinding.Default(in)
			kindtest.Diff(t, tt.namespaced, kindtest.Texts(rbac.RoleBinding.Validate(in)))
			all := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "a"}, RoleRef: ref, Subjects: subjects}
			rbac.ClusterRoleBinding.Default(all)
			kindtest.Diff(t, tt.otherwise, kindtest.Texts(rbac.ClusterRoleBinding.Validate(all)))
		})
	}
}

// A binding's role is immutable, so that users who may change its subjects cannot change its
// rights.
func TestRoleBinding_KeepsItsRole(t *testing.T) {
	t.Parallel()
	in := func(role string) *rbacv1.RoleBinding {
		b := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a", ResourceVersion: "1"}, RoleRef: rbacv1.RoleRef{Kind: "Role", Name: role}}
		rbac.RoleBinding.Default(b)
		return b
	}
	kindtest.Diff(t, []string(nil), kindtest.Texts(rbac.RoleBinding.ValidateUpdate(in("a"), in("a"))))
	kindtest.Diff(t, []string{`roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef`},
		kindtest.Texts(rbac.RoleBinding.ValidateUpdate(in("b"), in("a"))))
	all := func(role string) *rbacv1.ClusterRoleBinding {
		b := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: "1"}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: role}}
		rbac.ClusterRoleBinding.Default(b)
		return b
	}
	kindtest.Diff(t, []string{`roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"b"}: cannot change roleRef`},
		kindtest.Texts(rbac.ClusterRoleBinding.ValidateUpdate(all("b"), all("a"))))
}

func TestRBAC_Rows(t *testing.T) {
	t.Parallel()
	subjects := []rbacv1.Subject{
		{Kind: "User", Name: "a"}, {Kind: "Group", Name: "b"}, {Kind: "User", Name: "c"}, {Kind: "ServiceAccount", Namespace: "d", Name: "e"},
	}
	meta := metav1.ObjectMeta{Name: "x", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-60e9))}
	kindtest.Diff(t, []any{"x", "2026-01-02T03:03:05Z"}, rbac.Role.Row(&rbacv1.Role{ObjectMeta: meta}, kindtest.Now))
	kindtest.Diff(t, []any{"x", "2026-01-02T03:03:05Z"}, rbac.ClusterRole.Row(&rbacv1.ClusterRole{ObjectMeta: meta}, kindtest.Now))
	kindtest.Diff(t, []any{"x", "Role/y", "60s", "a, c", "b", "d/e"},
		rbac.RoleBinding.Row(&rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "y"}, Subjects: subjects}, kindtest.Now))
	kindtest.Diff(t, []any{"x", "ClusterRole/y", "60s", "", "", ""},
		rbac.ClusterRoleBinding.Row(&rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "y"}}, kindtest.Now))
}
