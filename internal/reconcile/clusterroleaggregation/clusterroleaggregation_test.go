package clusterroleaggregation_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/clusterroleaggregation"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// role is "NAME [LABEL,…] [< LABEL,…] [: VERB,…]": its labels, those of the roles that it
// aggregates, and the verbs of its rules, one each.
func role(text string) *rbacv1.ClusterRole {
	text, verbs, _ := strings.Cut(text, ":")
	text, from, gathers := strings.Cut(text, "<")
	words := strings.Fields(text)
	r := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: words[0], UID: "uid", Labels: map[string]string{}}}
	if len(words) > 1 {
		for _, l := range strings.Split(words[1], ",") {
			r.Labels[l] = "true"
		}
	}
	if gathers {
		r.AggregationRule = &rbacv1.AggregationRule{}
		for _, l := range strings.Split(strings.TrimSpace(from), ",") {
			s := metav1.LabelSelector{MatchLabels: map[string]string{l: "true"}}
			if l == "!" {
				s = metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Tea"}}}
			}
			r.AggregationRule.ClusterRoleSelectors = append(r.AggregationRule.ClusterRoleSelectors, s)
		}
	}
	for _, v := range strings.FieldsFunc(strings.TrimSpace(verbs), func(c rune) bool { return c == ',' }) {
		r.Rules = append(r.Rules, rbacv1.PolicyRule{Verbs: []string{v}})
	}
	return r
}

func snapshot(texts ...string) clusterroleaggregation.Snapshot {
	s := clusterroleaggregation.Snapshot{Now: now}
	for _, text := range texts {
		s.Roles = append(s.Roles, role(text))
	}
	return s
}

// Source: kubernetes v1.36 pkg/controller/clusterroleaggregation/clusterroleaggregation_controller_test.go, TestSyncClusterRole
func TestReconcile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		roles []string
		want  []string
	}{
		{"nothing to gather", []string{"a x : get", "b : list"}, nil},
		{"nobody to gather from", []string{"a < x", "b y : get"}, nil},
		{"and it has nothing", []string{"a < x : get"}, []string{"a:"}},
		{"all is gathered", []string{"a < x : get,list", "b x : get", "c x : list"}, nil},
		{"by name", []string{"a < x", "b x : get", "c x : list", "d : watch"}, []string{"a:get,list"}},
		{"by selector first", []string{"a < y,x", "b x : get", "c y : list"}, []string{"a:list,get"}},
		{"each rule once", []string{"a < y,x : old", "b x,y : get", "c x : get,list"}, []string{"a:get,list"}},
		{"not from itself", []string{"a x < x : old", "b x : get"}, []string{"a:get"}},
		{"from those that gather", []string{"a < x", "b x < y", "c y < z", "d z : get"}, []string{"a:get", "b:get", "c:get"}},
		{"from each other", []string{"a x < y : get", "b y < x : list"}, []string{"a:list"}},
		{"selectors that nobody understands", []string{"a < !,x : old", "b x : get"}, nil},
	} {
		p, got := laws.Check(t, clusterroleaggregation.Reconcile, snapshot(tt.roles...)), []string(nil)
		for _, u := range p.Updates {
			r := u.Object.(*rbacv1.ClusterRole)
			var verbs []string
			for _, rule := range r.Rules {
				verbs = append(verbs, rule.Verbs...)
			}
			got = append(got, r.Name+":"+strings.Join(verbs, ","))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(p.Creates)+len(p.Deletes) > 0 {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Whatever exceeds one object stays unchanged; whatever exceeds one transaction is left to the next
// sync.
func TestReconcile_Bounds(t *testing.T) {
	t.Parallel()
	s := snapshot("a < x", "b x : get")
	s.Roles[1].Rules[0].Resources = slices.Repeat([]string{"y"}, 60_000)
	if p := clusterroleaggregation.Reconcile(s); len(p.Updates) > 0 {
		t.Errorf("a role is given %d rules", len(p.Updates))
	}
	s = snapshot("z x : get")
	for i := range 150 {
		s.Roles = append(s.Roles, role(fmt.Sprintf("a%d < x", i)))
	}
	if p := clusterroleaggregation.Reconcile(s); len(p.Updates) != 100 || !p.WakeAt.Equal(now) {
		t.Errorf("%d roles are changed at once, and the next at %s", len(p.Updates), p.WakeAt)
	}
}

// If no roles aggregate each other, a sync leaves nothing to do, and a role has the rules of those
// that it selects.
func TestReconcile_Settles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := clusterroleaggregation.Snapshot{Now: now}
		for i := range rapid.IntRange(0, 6).Draw(t, "roles") {
			text := fmt.Sprintf("r%d l%d : v%d", i, rapid.IntRange(0, 5).Draw(t, "label"), rapid.IntRange(0, 3).Draw(t, "verb"))
			r := role(text)
			if rapid.Bool().Draw(t, "gathers") {
				own := slices.Collect(maps.Keys(r.Labels))[0]
				r.AggregationRule = role("x < l" + fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "from"))).AggregationRule
				if from := slices.Collect(maps.Keys(r.AggregationRule.ClusterRoleSelectors[0].MatchLabels))[0]; from >= own {
					r.AggregationRule = nil
				}
			}
			s.Roles = append(s.Roles, r)
		}
		for _, u := range clusterroleaggregation.Reconcile(s).Updates {
			for i, r := range s.Roles {
				if r.Name == u.Object.GetName() {
					s.Roles[i] = u.Object.(*rbacv1.ClusterRole)
				}
			}
		}
		if p := clusterroleaggregation.Reconcile(s); !p.Empty() {
			t.Fatalf("there is more to do: %+v", p.Updates)
		}
	})
}

// TestReconcile_BoundsComparisons: of many aggregated roles, the first get their rules.
func TestReconcile_BoundsComparisons(t *testing.T) {
	t.Parallel()
	const n = 1500
	s := snapshot("a-source x: get")
	for i := range n {
		s.Roles = append(s.Roles, role(fmt.Sprintf("role-%04d < none", i)))
	}
	s.Roles = append(s.Roles, role("z-last < x"))
	if p := clusterroleaggregation.Reconcile(s); len(p.Updates) > 0 && p.Updates[len(p.Updates)-1].Object.GetName() == "z-last" {
		t.Error("more roles gather than a sync compares")
	}
	s.Roles = append(s.Roles[:1:1], s.Roles[len(s.Roles)-1])
	if p := clusterroleaggregation.Reconcile(s); len(p.Updates) != 1 || p.Updates[0].Object.GetName() != "z-last" {
		t.Errorf("a role among few does not gather: %v", p)
	}
}
