package history_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/test/history"
)

// few makes a quota of this many ConfigMaps, whose status shows this usage; nothing for -1.
func few(hard, used int64) *corev1.ResourceQuota {
	list := func(n int64) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceConfigMaps: *resource.NewQuantity(n, resource.DecimalSI)}
	}
	q := &corev1.ResourceQuota{ObjectMeta: meta("few", ""), Spec: corev1.ResourceQuotaSpec{Hard: list(hard)}}
	if used >= 0 {
		q.Status = corev1.ResourceQuotaStatus{Hard: list(hard), Used: list(used)}
	}
	return q
}

func TestQuotas(t *testing.T) {
	t.Parallel()
	a, b := created(config("a")), created(config("b"))
	stale := few(1, 0)
	stale.Status = few(2, 2).Status
	run(t, history.Quotas, []row{
		{"as many as there may be", log(created(few(2, -1)), updated(few(2, 0)), a, b), nil},
		{"one too many", log(created(few(1, -1)), updated(few(1, 0)), a, b), []string{
			"revision 4, configmaps/default/b: takes configmaps of quota few to 2, and there is 1",
		}},
		{"in place of another", log(created(few(1, -1)), updated(few(1, 0)), a, deleted(config("a")), b), nil},
		{"beside what was there before", log(a, created(few(1, -1)), updated(few(1, 1)), b), []string{
			"revision 4, configmaps/default/b: takes configmaps of quota few to 2, and there is 1",
		}},
		{"before it is counted", log(created(few(1, -1)), a, b, updated(few(1, 2))), nil},
		{"after its spec has changed, and before it is counted anew", log(created(few(2, -1)), updated(few(2, 0)), a, updated(stale), b, updated(few(1, 2))), nil},
		{"after it is gone", log(created(few(1, -1)), updated(few(1, 0)), a, deleted(few(1, 0)), b), nil},
		{"another namespace's", log(created(few(0, -1)), updated(few(0, 0)), created(elsewhere("c"))), nil},
	})
	run(t, history.QuotasTell, []row{
		{"what there is", log(created(few(2, -1)), updated(few(2, 0)), a, updated(few(2, 1))), nil},
		{"what there was", log(created(few(2, -1)), updated(few(2, 0)), a), []string{
			"revision 0, resourcequotas/default/few: shows that 0 of configmaps is used, and it is 1",
		}},
	})
}

func TestQuotas_CountCustomResources(t *testing.T) {
	t.Parallel()
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com", UID: "uid-of-widgets"}}
	d.Spec.Group, d.Spec.Scope = "example.com", apiextensionsv1.NamespaceScoped
	d.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"}
	d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}}
	d.Status.AcceptedNames = d.Spec.Names
	d.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue}}
	widget := func(name string) *unstructured.Unstructured {
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}}
		o.SetNamespace("default")
		o.SetName(name)
		o.SetUID(types.UID("uid-of-" + name))
		return o
	}
	one := func(used int64) *corev1.ResourceQuota {
		q := few(1, used)
		for _, list := range []corev1.ResourceList{q.Spec.Hard, q.Status.Hard, q.Status.Used} {
			if n, ok := list[corev1.ResourceConfigMaps]; ok {
				list["count/widgets.example.com"] = n
				delete(list, corev1.ResourceConfigMaps)
			}
		}
		return q
	}
	a, b := created(widget("a")), created(widget("b"))
	run(t, history.Quotas, []row{
		{"as many as there may be", log(created(one(-1)), updated(one(0)), created(d), a, deleted(widget("a")), b), nil},
		{"one too many", log(created(one(-1)), updated(one(0)), created(d), a, b), []string{
			"revision 5, widgets.example.com/default/b: takes count/widgets.example.com of quota few to 2, and there is 1",
		}},
	})
	run(t, history.QuotasTell, []row{
		{"what there is", log(created(d), created(one(-1)), updated(one(0)), a, updated(one(1))), nil},
		{"what there was", log(created(d), created(one(-1)), updated(one(0)), a), []string{
			"revision 0, resourcequotas/default/few: shows that 0 of count/widgets.example.com is used, and it is 1",
		}},
	})
}

func elsewhere(name string) *corev1.ConfigMap {
	o := config(name)
	o.Namespace = "elsewhere"
	return o
}
