package history_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/history"
)

// few is a quota of so many ConfigMaps, whose status shows that so many are used; nothing for -1.
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

func elsewhere(name string) *corev1.ConfigMap {
	o := config(name)
	o.Namespace = "elsewhere"
	return o
}
