package rbac_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/rbac"
)

// TestBootstrap: what every cluster begins with is valid, marked, bound to existing roles, and as
// many as upstream's, with two of Rowlock's own.
func TestBootstrap(t *testing.T) {
	t.Parallel()
	count, there := map[string]int{}, map[string]bool{}
	for _, o := range rbac.Bootstrap() {
		k := rbac.KindOf(o)
		count[k.Kind]++
		there[k.Kind+"/"+o.GetNamespace()+"/"+o.GetName()] = true
		want := o.DeepCopyObject()
		if k.Default(o); cmp.Diff(want, o) != "" {
			t.Errorf("%s %s is not as defaults would have it", k.Kind, o.GetName())
		}
		if errs := k.Validate(o); len(errs) > 0 {
			t.Errorf("%s %s: %v", k.Kind, o.GetName(), errs)
		}
		if o.GetLabels()["kubernetes.io/bootstrapping"] != "rbac-defaults" || o.GetAnnotations()["rbac.authorization.kubernetes.io/autoupdate"] != "true" {
			t.Errorf("%s %s is not marked", k.Kind, o.GetName())
		}
	}
	if diff := cmp.Diff(map[string]int{"ClusterRole": 31 + 38 + 1, "ClusterRoleBinding": 12 + 38 + 1, "Role": 7, "RoleBinding": 7}, count); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, o := range rbac.Bootstrap() {
		switch b := o.(type) {
		case *rbacv1.RoleBinding:
			if !there["Role/"+b.Namespace+"/"+b.RoleRef.Name] {
				t.Errorf("%s/%s binds a role that is not there", b.Namespace, b.Name)
			}
		case *rbacv1.ClusterRoleBinding:
			if !there["ClusterRole//"+b.RoleRef.Name] {
				t.Errorf("%s binds a role that is not there", b.Name)
			}
		}
	}
}

// TestBootstrap_Allows: what users may do without any other binding, and what edit allows within a
// namespace.
func TestBootstrap_Allows(t *testing.T) {
	t.Parallel()
	x := indexOf(t, append(rbac.Bootstrap(), binding("ns", "edit", "ClusterRole/edit", "User/edd"), binding("ns", "admin", "ClusterRole/admin", "User/ada"))...)
	users := map[string]*auth.User{
		"anonymous": auth.Anonymous, "somebody": {Name: "s", Groups: []string{auth.Authenticated}}, "viewer": {Name: "v", Groups: []string{auth.Viewers, auth.Authenticated}},
		"edd": {Name: "edd", Groups: []string{auth.Authenticated}}, "ada": {Name: "ada", Groups: []string{auth.Authenticated}}, "scheduler": {Name: "system:kube-scheduler"},
		"collector": {Name: "system:serviceaccount:kube-system:generic-garbage-collector"},
	}
	tests := []struct {
		request string
		may     []string
	}{
		{"get /version", []string{"ada", "anonymous", "edd", "somebody", "viewer"}}, {"get /apis", []string{"ada", "edd", "somebody", "viewer"}}, {"get /metrics", []string{"viewer"}},
		{"get /rowlock/v1/changes/7", []string{"viewer"}}, {"post /rowlock/v1/clock", nil}, {"get /rowlock/v1/snapshots/a/file", nil}, {"get /forks/a/api", nil},
		{"create selfsubjectrulesreviews.authorization.k8s.io", []string{"ada", "edd", "somebody", "viewer"}}, {"create subjectaccessreviews.authorization.k8s.io", []string{"scheduler"}},
		{"list pods ns", []string{"ada", "collector", "edd", "scheduler", "viewer"}}, {"list pods other", []string{"collector", "scheduler", "viewer"}}, {"create pods ns", []string{"ada", "edd"}},
		{"get secrets ns/a", []string{"ada", "collector", "edd"}}, {"list secrets", []string{"collector"}}, {"create rolebindings.rbac.authorization.k8s.io ns", []string{"ada"}},
		{"bind clusterroles.rbac.authorization.k8s.io ns/edit", nil}, {"escalate roles.rbac.authorization.k8s.io ns/a", nil}, {"impersonate users x", nil},
		{"impersonate serviceaccounts ns/a", []string{"ada", "edd"}}, {"delete jobs.batch any/a", []string{"collector"}}, {"create pods/exec ns/a", []string{"ada", "edd"}},
	}
	for _, tt := range tests {
		var may []string
		for name, u := range users {
			if x.Allows(u, request(tt.request)) {
				may = append(may, name)
			}
		}
		slices.Sort(may)
		if diff := cmp.Diff(tt.may, may); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.request, diff)
		}
	}
	for _, name := range []string{"anonymous", "somebody", "viewer"} {
		rules, err := x.Rules(users[name], "")
		if err != nil {
			t.Error(err)
		}
		for _, r := range rules {
			if slices.Contains(r.Resources, "secrets") || slices.Contains(r.Resources, "*") && !slices.Contains(r.APIGroups, "custom.metrics.k8s.io") || writes(r) {
				t.Errorf("%s may %v %v", name, r.Verbs, r.Resources)
			}
		}
	}
}

// writes reports whether a rule allows changes; queries change nothing.
func writes(r rbacv1.PolicyRule) bool {
	if len(r.APIGroups) == 1 && (r.APIGroups[0] == "authorization.k8s.io" || r.APIGroups[0] == "authentication.k8s.io") {
		return false
	}
	return slices.ContainsFunc(r.Verbs, func(v string) bool { return v != "get" && v != "list" && v != "watch" })
}

// TestRepaired: what was removed comes back; what was added stays; what a user manages stays
// unchanged.
//
// Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/auth/rbac/reconciliation/reconcile_role_test.go and reconcile_rolebindings_test.go
func TestRepaired(t *testing.T) {
	t.Parallel()
	named := func(name string) object.Object {
		for _, o := range rbac.Bootstrap() {
			if o.GetName() == name {
				return o
			}
		}
		t.Fatal(name)
		return nil
	}
	extra := rule("get", "x", "y", "")
	tests := []struct {
		name   string
		there  object.Object
		change func(o object.Object)
		want   func(o object.Object) // of the existing object; nil for no change
		anew   bool
	}{
		{"all is there", named("system:auth-delegator"), func(object.Object) {}, nil, false},
		{"a rule is missing", named("system:auth-delegator"), func(o object.Object) { o.(*rbacv1.ClusterRole).Rules = []rbacv1.PolicyRule{extra} }, func(o object.Object) {
			r := o.(*rbacv1.ClusterRole)
			r.Rules = append(r.Rules, rule("create", "authentication.k8s.io", "tokenreviews", ""), rule("create", "authorization.k8s.io", "subjectaccessreviews", ""))
		}, false},
		{"a rule was added", named("system:controller:token-cleaner"), func(o object.Object) { r := o.(*rbacv1.Role); r.Rules = append(r.Rules, extra) }, nil, false},
		{"a user looks after it", named("system:auth-delegator"), func(o object.Object) {
			o.(*rbacv1.ClusterRole).Rules = nil
			o.SetAnnotations(map[string]string{"rbac.authorization.kubernetes.io/autoupdate": "false"})
		}, nil, false},
		{"marks are missing", named("view"), func(o object.Object) { o.SetLabels(map[string]string{"a": "b"}); o.SetAnnotations(nil) }, func(o object.Object) {
			o.SetLabels(map[string]string{"a": "b", "kubernetes.io/bootstrapping": "rbac-defaults", "rbac.authorization.k8s.io/aggregate-to-edit": "true"})
			o.SetAnnotations(map[string]string{"rbac.authorization.kubernetes.io/autoupdate": "true"})
		}, false},
		{"rules that are gathered", named("view"), func(o object.Object) { o.(*rbacv1.ClusterRole).Rules = nil }, nil, false},
		{"it gathers something else", named("view"), func(o object.Object) {
			o.(*rbacv1.ClusterRole).AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{}}}
		}, func(o object.Object) {
			a := o.(*rbacv1.ClusterRole).AggregationRule
			a.ClusterRoleSelectors = append(a.ClusterRoleSelectors, metav1.LabelSelector{MatchLabels: map[string]string{"rbac.authorization.k8s.io/aggregate-to-view": "true"}})
		}, false},
		{"it gathers now", named("system:auth-delegator"), func(o object.Object) { o.(*rbacv1.ClusterRole).AggregationRule = &rbacv1.AggregationRule{} },
			func(o object.Object) { o.(*rbacv1.ClusterRole).AggregationRule = nil }, false},
		{"a subject is missing", named("system:discovery"), func(object.Object) {}, nil, false},
		{"subjects are missing", binding("", "rowlock:viewers", "ClusterRole/rowlock:viewer", "User/u"), func(o object.Object) {
			o.SetLabels(named("rowlock:viewers").GetLabels())
			o.SetAnnotations(named("rowlock:viewers").GetAnnotations())
		}, func(o object.Object) {
			b := o.(*rbacv1.ClusterRoleBinding)
			b.Subjects = append(b.Subjects, rbacv1.Subject{Kind: "Group", APIGroup: rbacv1.GroupName, Name: auth.Viewers})
		}, false},
		{"another role is bound", binding("", "rowlock:viewers", "ClusterRole/cluster-admin", "Group/"+auth.Viewers), func(object.Object) {}, nil, true},
	}
	for _, tt := range tests {
		tt.change(tt.there)
		before, asked := tt.there.DeepCopyObject(), named(tt.there.GetName())
		if _, is := tt.there.(*rbacv1.ClusterRoleBinding); is {
			for _, o := range rbac.Bootstrap() {
				if rbac.KindOf(o) == rbac.KindOf(tt.there) && o.GetName() == tt.there.GetName() {
					asked = o
				}
			}
		}
		next, anew := rbac.Repaired(tt.there, asked)
		if anew != tt.anew || cmp.Diff(before, tt.there) != "" {
			t.Errorf("%s: anew %v; what was there is now %+v", tt.name, anew, tt.there)
		}
		if tt.anew {
			continue
		}
		if tt.want == nil {
			if next != nil {
				t.Errorf("%s: it becomes %+v", tt.name, next)
			}
			continue
		}
		tt.want(tt.there)
		if diff := cmp.Diff(tt.there, next); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
