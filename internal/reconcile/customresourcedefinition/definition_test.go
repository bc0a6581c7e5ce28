package customresourcedefinition_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/customresourcedefinition"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// widgets defines widgets, with a short name.
func widgets(change ...func(*v1.CustomResourceDefinition)) *v1.CustomResourceDefinition {
	d := &v1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"}}
	d.Spec.Group = "example.com"
	d.Spec.Names = v1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList", ShortNames: []string{"wd"}}
	for _, f := range change {
		f(d)
	}
	return d
}

// accepted has the names of the spec accepted, with conditions that are True.
func accepted(conditions ...v1.CustomResourceDefinitionConditionType) func(*v1.CustomResourceDefinition) {
	return func(d *v1.CustomResourceDefinition) {
		d.Status.AcceptedNames = d.Spec.Names
		for _, c := range conditions {
			d.Status.Conditions = append(d.Status.Conditions, v1.CustomResourceDefinitionCondition{Type: c, Status: v1.ConditionTrue})
		}
	}
}

func names(taken ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range taken {
		all[name] = true
	}
	return all
}

// conditions are those of a definition, as lines.
func conditions(d *v1.CustomResourceDefinition) (lines []string) {
	for _, c := range d.Status.Conditions {
		lines = append(lines, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
	}
	return lines
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	installing := []string{
		"NamesAccepted=True NoConflicts: no conflicts found", "Established=False Installing: the initial names have been accepted",
	}
	refused := func(reason, message string) []string {
		return []string{"NamesAccepted=False " + reason + ": " + message, "Established=False NotAccepted: not all names are accepted"}
	}
	for _, tt := range []struct {
		name             string
		definition       *v1.CustomResourceDefinition
		resources, kinds map[string]bool
		want             []string // nil for no change
		accepted         string
	}{
		{"a new one", widgets(), nil, nil, installing, "widgets widget [wd] Widget WidgetList"},
		{"one whose names are accepted", widgets(accepted(v1.NamesAccepted)), nil, nil,
			[]string{"NamesAccepted=True : ", "Established=True InitialNamesAccepted: the initial names have been accepted"}, "widgets widget [wd] Widget WidgetList"},
		{"one that is established", widgets(accepted(v1.NamesAccepted, v1.Established)), nil, nil, nil, ""},
		{"a plural that another has", widgets(), names("widgets"), nil, refused("PluralConflict", `"widgets" is already in use`), " widget [wd] Widget WidgetList"},
		{"a short name that another has", widgets(), names("wd"), nil, refused("ShortNamesConflict", `"wd" is already in use`), "widgets widget [] Widget WidgetList"},
		{"a kind that another has", widgets(), nil, names("Widget"), refused("KindConflict", `"Widget" is already in use`), "widgets widget [wd]  WidgetList"},
		{"several names that others have", widgets(), names("widget"), names("WidgetList"), refused("ListKindConflict", `"WidgetList" is already in use`), "widgets  [wd] Widget "},
		{"another short name, once established", widgets(accepted(v1.NamesAccepted, v1.Established), func(d *v1.CustomResourceDefinition) {
			d.Spec.Names.ShortNames = []string{"wg"}
		}), nil, nil, []string{"NamesAccepted=True NoConflicts: no conflicts found", "Established=True : "}, "widgets widget [wg] Widget WidgetList"},
		{"another short name that is taken, once established", widgets(accepted(v1.NamesAccepted, v1.Established), func(d *v1.CustomResourceDefinition) {
			d.Spec.Names.ShortNames = []string{"wg"}
		}), names("wg"), nil, []string{`NamesAccepted=False ShortNamesConflict: "wg" is already in use`, "Established=True : "}, "widgets widget [wd] Widget WidgetList"},
		{"one that is being deleted is not established", widgets(accepted(v1.NamesAccepted), func(d *v1.CustomResourceDefinition) {
			d.DeletionTimestamp = &metav1.Time{Time: at}
		}), nil, nil, nil, ""},
		{"a protected group without approval", widgets(accepted(v1.NamesAccepted, v1.Established), func(d *v1.CustomResourceDefinition) {
			d.Spec.Group = "widgets.k8s.io"
		}), nil, nil, []string{
			"NamesAccepted=True : ", "Established=True : ",
			`KubernetesAPIApprovalPolicyConformant=False MissingAnnotation: ` +
				`protected groups must have approval annotation "api-approved.kubernetes.io", ` +
				`see https://github.com/kubernetes/enhancements/pull/1111`,
		}, "widgets widget [wd] Widget WidgetList"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, customresourcedefinition.Reconcile, customresourcedefinition.Snapshot{Definition: tt.definition, Resources: tt.resources, Kinds: tt.kinds, Now: at})
			if tt.want == nil {
				if !p.Empty() {
					t.Errorf("it plans %s", p)
				}
				return
			}
			if len(p.Updates) != 1 || p.Updates[0].Subresource != "status" || len(p.Creates)+len(p.Deletes) != 0 {
				t.Fatalf("it plans %s", p)
			}
			next := p.Updates[0].Object.(*v1.CustomResourceDefinition)
			if diff := cmp.Diff(tt.want, conditions(next)); diff != "" {
				t.Error(diff)
			}
			n := next.Status.AcceptedNames
			if got := fmt.Sprintf("%s %s %v %s %s", n.Plural, n.Singular, n.ShortNames, n.Kind, n.ListKind); got != tt.accepted {
				t.Errorf("accepted %q, want %q", got, tt.accepted)
			}
		})
	}
}

// TestReconcile_Settles: whatever names other definitions have, two syncs make all decisions.
func TestReconcile_Settles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some := func(what string, of ...string) map[string]bool {
			all := map[string]bool{}
			for _, name := range of {
				all[name] = rapid.Bool().Draw(t, what+" "+name)
			}
			return all
		}
		s := customresourcedefinition.Snapshot{
			Definition: widgets(), Resources: some("resource", "widgets", "widget", "wd"), Kinds: some("kind", "Widget", "WidgetList"), Now: at,
		}
		for range 2 {
			for _, u := range laws.Check(t, customresourcedefinition.Reconcile, s).Updates {
				s.Definition = u.Object.(*v1.CustomResourceDefinition)
			}
		}
		if p := laws.Check(t, customresourcedefinition.Reconcile, s); !p.Empty() {
			t.Fatalf("after two syncs there is still %s", p)
		}
	})
}
