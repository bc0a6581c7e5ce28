package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: name}
}

func TestPlan_String(t *testing.T) {
	t.Parallel()
	web := &appsv1.Deployment{ObjectMeta: meta("web")}
	generated := metav1.ObjectMeta{Namespace: "default", GenerateName: "web-5d7-"}
	tests := []struct {
		name  string
		plan  plan.Plan
		want  string
		empty bool
	}{
		{"nothing", plan.Plan{}, "", true},
		{"a wake-up alone changes nothing, and is printed in UTC",
			plan.Plan{WakeAt: time.Date(2026, time.January, 2, 3, 4, 5, 600_000_000, time.FixedZone("", 3600))}, "wake at 2026-01-02T02:04:05.6Z\n", true},
		{"an update of the main resource", plan.Plan{Updates: []plan.Update{{Object: web}}}, "update Deployment default/web\n", false},
		{"an update of a subresource", plan.Plan{Updates: []plan.Update{{Object: web, Subresource: "status"}}},
			"update Deployment default/web status\n", false},
		{"a creation with a name", plan.Plan{Creates: []plan.Create{{Object: &corev1.ConfigMap{ObjectMeta: meta("c")}}}}, "create ConfigMap default/c\n", false},
		{"a creation whose name is to be drawn", plan.Plan{Creates: []plan.Create{{Object: &corev1.Pod{ObjectMeta: generated}}}},
			"create Pod default/web-5d7-*\n", false},
		{"an object without a namespace", plan.Plan{Deletes: []plan.Delete{{Object: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}}}},
			"delete Node node-1\n", false},
		{"how a deletion goes on", plan.Plan{Deletes: []plan.Delete{
			{Object: web, Propagation: metav1.DeletePropagationForeground},
			{Object: web, GracePeriodSeconds: new(int64(0))},
			{Object: web, Propagation: metav1.DeletePropagationOrphan, GracePeriodSeconds: new(int64(30))},
		}}, "delete Deployment default/web Foreground\ndelete Deployment default/web grace=0s\ndelete Deployment default/web Orphan grace=30s\n", false},
		{"a sync of another", plan.Plan{Wakes: []plan.Wake{{Controller: "kubelet", Object: web}}}, "wake kubelet of Deployment default/web\n", true},
		{"files of a node", plan.Plan{Files: []plan.File{{Node: "n", Path: "/a"}, {Node: "n", Path: "/b", Removed: true}}}, "write /a on node n\nremove /b on node n\n", true},
		{"a memory", plan.Plan{Memory: []byte("x"), WakeAt: time.Unix(0, 0)}, "remember\nwake at 1970-01-01T00:00:00Z\n", true},
		{"a memory that goes", plan.Plan{Memory: []byte{}}, "forget\n", true},
		{"an event, its message quoted", plan.Plan{Events: []plan.Event{
			{Regarding: web, Type: corev1.EventTypeWarning, Reason: "FailedCreate", Message: "no \"room\"\nhere"},
		}}, "event Deployment default/web Warning FailedCreate \"no \\\"room\\\"\\nhere\"\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, test.plan.String()); diff != "" {
				t.Errorf("printed (-want +got):\n%s", diff)
			}
			if got := test.plan.Empty(); got != test.empty {
				t.Errorf("empty is %v, want %v", got, test.empty)
			}
		})
	}
}

// A plan prints in the order in which it is applied.
func ExamplePlan_String() {
	web := &appsv1.Deployment{ObjectMeta: meta("web")}
	fmt.Print(plan.Plan{
		WakeAt:  time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC),
		Events:  []plan.Event{{Regarding: web, Type: "Normal", Reason: "ScalingReplicaSet", Message: "Scaled up replica set web-7c9 from 0 to 1"}},
		Deletes: []plan.Delete{{Object: &corev1.Pod{ObjectMeta: meta("web-5d7-x7k2p")}}},
		Creates: []plan.Create{{Object: &appsv1.ReplicaSet{ObjectMeta: meta("web-7c9")}}},
		Updates: []plan.Update{{Object: web, Subresource: "status"}},
	})
	// Output:
	// update Deployment default/web status
	// create ReplicaSet default/web-7c9
	// delete Pod default/web-5d7-x7k2p
	// event Deployment default/web Normal ScalingReplicaSet "Scaled up replica set web-7c9 from 0 to 1"
	// wake at 2026-01-02T03:04:05Z
}
