package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
)

func TestPlan_ClaimFirst(t *testing.T) {
	t.Parallel()
	pod := func(uid types.UID) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: uid}} }
	for _, tc := range []struct {
		name                      string
		claims                    int
		updates, creates, deletes []types.UID // what each needs
	}{
		{"no claims", 0, []types.UID{"", "", "", "b", ""}, []types.UID{"", ""}, []types.UID{""}},
		{"one", 1, []types.UID{"", "a", "a", "b", ""}, []types.UID{"a", ""}, []types.UID{"a"}},
		{"two", 2, []types.UID{"", "a", "b", "b", ""}, []types.UID{"b", ""}, []types.UID{"b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := plan.Plan{
				Updates: []plan.Update{
					{Object: pod("a")}, {Object: pod("b")}, {Object: pod("owner"), Subresource: "status"},
					{Object: pod("d"), NeedsUpdate: "b"}, {Object: pod("e"), NeedsCreate: 1},
				},
				Creates: []plan.Create{{}, {NeedsDelete: 1}},
				Deletes: []plan.Delete{{Object: pod("c")}},
			}
			p.ClaimFirst(tc.claims)
			var updates, creates, deletes []types.UID
			for _, u := range p.Updates {
				updates = append(updates, u.NeedsUpdate)
			}
			for _, c := range p.Creates {
				creates = append(creates, c.NeedsUpdate)
			}
			for _, d := range p.Deletes {
				deletes = append(deletes, d.NeedsUpdate)
			}
			if diff := cmp.Diff([][]types.UID{tc.updates, tc.creates, tc.deletes}, [][]types.UID{updates, creates, deletes}); diff != "" {
				t.Errorf("updates, creations and deletions need others than expected:\n%s", diff)
			}
		})
	}
}
