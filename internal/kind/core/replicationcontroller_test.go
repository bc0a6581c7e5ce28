package core_test

import (
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// replicationController returns the minimal ReplicationController "nginx", with a change applied,
// then defaulted.
func replicationController(change func(*corev1.ReplicationController)) *corev1.ReplicationController {
	t := kindtest.Template(map[string]string{"app": "nginx"})
	rc := &corev1.ReplicationController{
		ObjectMeta: metav1.ObjectMeta{Name: "nginx", Namespace: "default"},
		Spec:       corev1.ReplicationControllerSpec{Template: &t},
	}
	if change != nil {
		change(rc)
	}
	core.ReplicationController.Default(rc)
	return rc
}

func TestReplicationController_Default(t *testing.T) {
	t.Parallel()
	app := map[string]string{"app": "nginx"}
	rc := replicationController(nil)
	kindtest.Diff(t, new(int32(1)), rc.Spec.Replicas) // RC-005
	kindtest.Diff(t, app, rc.Spec.Selector)           // RC-006
	kindtest.Diff(t, app, rc.Labels)                  // RC-007
	kindtest.Diff(t, corev1.RestartPolicyAlways, rc.Spec.Template.Spec.RestartPolicy)
	rc.Labels["app"] = "other"
	kindtest.Diff(t, app, rc.Spec.Template.Labels) // the maps are not shared

	set := replicationController(func(rc *corev1.ReplicationController) {
		rc.Labels, rc.Spec.Replicas = map[string]string{"team": "a"}, new(int32(0))
		rc.Spec.Selector, rc.Spec.Template.Labels = app, map[string]string{"app": "nginx", "tier": "front"}
	})
	kindtest.Diff(t, map[string]string{"team": "a"}, set.Labels)
	kindtest.Diff(t, app, set.Spec.Selector)
	kindtest.Diff(t, new(int32(0)), set.Spec.Replicas)
}

func TestReplicationController_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*corev1.ReplicationController)
		want   []string
	}{
		{"RC-003 a template is enough", nil, nil},
		{"RC-003 without a template", func(rc *corev1.ReplicationController) { rc.Spec.Template = nil }, []string{
			"spec.selector: Required value", "spec.template: Required value",
		}},
		{"RC-004 name", func(rc *corev1.ReplicationController) { rc.Name = "Bad_Name" }, []string{
			`metadata.name: Invalid value: "Bad_Name": ` + kindtest.NotSubdomain,
		}},
		{"RC-004 a long name", func(rc *corev1.ReplicationController) { rc.Name = strings.Repeat("a", 254) }, []string{
			`metadata.name: Invalid value: "` + strings.Repeat("a", 254) + `": must be no more than 253 bytes`,
		}},
		{"RC-004 what the name was made of is not judged", func(rc *corev1.ReplicationController) { rc.GenerateName = "Bad_" }, nil},
		{"RC-008 more labels than the selector", func(rc *corev1.ReplicationController) {
			rc.Spec.Selector, rc.Spec.Template.Labels = map[string]string{"app": "nginx"}, map[string]string{"app": "nginx", "tier": "front"}
		}, nil},
		{"RC-008 other labels", func(rc *corev1.ReplicationController) { rc.Spec.Selector = map[string]string{"app": "x"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
		}},
		{"without labels", func(rc *corev1.ReplicationController) { rc.Spec.Template.Labels = nil }, []string{"spec.selector: Required value"}},
		{"RC-009 restartPolicy", func(rc *corev1.ReplicationController) {
			rc.Spec.Template.Spec.RestartPolicy, rc.Spec.Template.Spec.ActiveDeadlineSeconds = corev1.RestartPolicyNever, new(int64(5))
		}, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported",
		}},
		{"negative numbers", func(rc *corev1.ReplicationController) {
			rc.Spec.Replicas, rc.Spec.MinReadySeconds = new(int32(-1)), -2
		}, []string{
			"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
			"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.ReplicationController.Validate(replicationController(tt.change))))
		})
	}
}

// Unlike a ReplicaSet's, the selector may change.
func TestReplicationController_Update(t *testing.T) {
	t.Parallel()
	old := replicationController(func(rc *corev1.ReplicationController) {
		rc.ResourceVersion, rc.Generation, rc.Status.Replicas = "1", 4, 3
	})
	next := old.DeepCopy()
	next.Spec.Selector, next.Spec.Template.Labels = map[string]string{"app": "x"}, map[string]string{"app": "x"}
	next.Status.Replicas = 9
	core.ReplicationController.PrepareUpdate(next, old)
	kindtest.Diff(t, int64(5), next.Generation)
	kindtest.Diff(t, old.Status, next.Status)
	kindtest.Diff(t, []string(nil), kindtest.Texts(core.ReplicationController.ValidateUpdate(next, old)))
	next.Spec.Selector = nil
	kindtest.Diff(t, []string{"spec.selector: Required value"}, kindtest.Texts(core.ReplicationController.ValidateUpdate(next, old)))
	kindtest.Diff(t, (*metav1.LabelSelector)(nil), core.ReplicationController.Selector(next))

	created := old.DeepCopy()
	core.ReplicationController.PrepareCreate(created)
	kindtest.Diff(t, corev1.ReplicationControllerStatus{}, created.Status)
	kindtest.Diff(t, int64(1), created.Generation)
}

func TestReplicationController_Status(t *testing.T) {
	t.Parallel()
	old := replicationController(func(rc *corev1.ReplicationController) { rc.ResourceVersion = "1" })
	next := old.DeepCopy()
	next.Spec.Replicas = new(int32(99))
	next.Status = corev1.ReplicationControllerStatus{Replicas: 1, FullyLabeledReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 4, ObservedGeneration: -5}
	core.ReplicationController.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
	kindtest.Diff(t, []string{
		"status.observedGeneration: Invalid value: -5: must be greater than or equal to 0",
		"status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
		"status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas",
		"status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas",
		"status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas",
	}, kindtest.Texts(core.ReplicationController.Status.Validate(next, old)))
}

func TestReplicationController_Shown(t *testing.T) {
	t.Parallel()
	rc := replicationController(func(rc *corev1.ReplicationController) {
		rc.CreationTimestamp, rc.UID, rc.ResourceVersion = metav1.NewTime(kindtest.Now.Add(-6*time.Second)), "u1", "7"
		rc.Status = corev1.ReplicationControllerStatus{Replicas: 2, ReadyReplicas: 1}
	})
	core.ReplicationController.Scale.Set(rc, 3) // RC-013
	kindtest.Diff(t, []any{"nginx", int64(3), int64(2), int64(1), "6s", "nginx", "nginx:1.14.2", "app=nginx"}, core.ReplicationController.Row(rc, kindtest.Now))
	kindtest.Diff(t, &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "nginx", Namespace: "default", UID: "u1", ResourceVersion: "7", CreationTimestamp: rc.CreationTimestamp},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
		Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "app=nginx"},
	}, core.ReplicationController.Scale.Get(rc))
	kindtest.Diff(t, "2", core.ReplicationController.SelectableFields(rc).Get("status.replicas"))
	kindtest.Diff(t, []string{"metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"},
		core.ReplicationController.Warnings(replicationController(func(rc *corev1.ReplicationController) { rc.Name = "a.b" }), nil))
}
