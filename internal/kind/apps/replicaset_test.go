package apps_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// replicaSet returns the minimal ReplicaSet "frontend", with a change applied, then defaulted.
func replicaSet(change func(*appsv1.ReplicaSet)) *appsv1.ReplicaSet {
	tier := map[string]string{"tier": "frontend"}
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "frontend", Namespace: "default"},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: tier}, Template: kindtest.Template(tier)},
	}
	if change != nil {
		change(rs)
	}
	apps.ReplicaSet.Default(rs)
	return rs
}

func TestReplicaSet_Default(t *testing.T) {
	t.Parallel()
	rs := replicaSet(nil)
	kindtest.Diff(t, new(int32(1)), rs.Spec.Replicas)                                 // RS-004
	kindtest.Diff(t, corev1.RestartPolicyAlways, rs.Spec.Template.Spec.RestartPolicy) // RS-006
	none := replicaSet(func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = new(int32(0)) })
	kindtest.Diff(t, new(int32(0)), none.Spec.Replicas)
}

func TestReplicaSet_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*appsv1.ReplicaSet)
		want   []string
	}{
		{"RS-002 selector and template are enough", nil, nil},
		{"RS-002 without a selector", func(rs *appsv1.ReplicaSet) { rs.Spec.Selector = nil }, []string{
			"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: {\"tier\":\"frontend\"}: `selector` does not match template `labels`",
		}},
		{"RS-003 name", func(rs *appsv1.ReplicaSet) { rs.Name = "Bad_Name" }, []string{
			`metadata.name: Invalid value: "Bad_Name": ` + kindtest.NotSubdomain,
		}},
		{"RS-005 labels are mandatory", func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Labels = nil }, []string{
			"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
		}},
		{"RS-005 labels must match", func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Labels = map[string]string{"tier": "b"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"tier\":\"b\"}: `selector` does not match template `labels`",
		}},
		{"RS-006 restartPolicy", func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever }, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
		}},
		{"RS-029 set-based selectors", func(rs *appsv1.ReplicaSet) {
			rs.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: "tier", Operator: metav1.LabelSelectorOpIn, Values: []string{"frontend", "backend"}},
			}}
		}, nil},
		{"negative numbers", func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas, rs.Spec.MinReadySeconds = new(int32(-1)), -2 }, []string{
			"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
			"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.ReplicaSet.Validate(replicaSet(tt.change))))
		})
	}
}

func TestReplicaSet_ValidateUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*appsv1.ReplicaSet)
		want   []string
	}{
		{"RS-016 replicas", func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = new(int32(5)) }, nil},
		{"RS-023 image", func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Spec.Containers[0].Image = "nginx:1.16.1" }, nil},
		{"selector", func(rs *appsv1.ReplicaSet) {
			rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "x"}}
			rs.Spec.Template.Labels = map[string]string{"tier": "x"}
		}, []string{
			`spec.selector: Invalid value: {"matchLabels":{"tier":"x"}}: field is immutable`,
		}},
		{"resourceVersion is needed", func(rs *appsv1.ReplicaSet) { rs.ResourceVersion = "" }, []string{
			"metadata.resourceVersion: Invalid value: \"\": must be specified for an update",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := replicaSet(func(rs *appsv1.ReplicaSet) { rs.ResourceVersion = "1" })
			old := next.DeepCopy()
			tt.change(next)
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.ReplicaSet.ValidateUpdate(next, old)))
		})
	}
}

func TestReplicaSet_Prepare(t *testing.T) {
	t.Parallel()
	created := replicaSet(func(rs *appsv1.ReplicaSet) { rs.Generation, rs.Status.Replicas = 7, 3 })
	apps.ReplicaSet.PrepareCreate(created)
	kindtest.Diff(t, appsv1.ReplicaSetStatus{}, created.Status)
	kindtest.Diff(t, int64(1), created.Generation)

	old := replicaSet(func(rs *appsv1.ReplicaSet) {
		rs.Generation, rs.Status, rs.Labels = 4, appsv1.ReplicaSetStatus{Replicas: 3}, map[string]string{"a": "b"}
	})
	for name, tt := range map[string]struct {
		change     func(*appsv1.ReplicaSet)
		generation int64
	}{
		"the same":                 {func(*appsv1.ReplicaSet) {}, 4},
		"generation is ours":       {func(rs *appsv1.ReplicaSet) { rs.Generation = 99 }, 4},
		"annotations do not count": {func(rs *appsv1.ReplicaSet) { rs.Annotations = map[string]string{"a": "b"} }, 4},
		"the spec counts":          {func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = new(int32(9)) }, 5},
	} {
		t.Run("update: "+name, func(t *testing.T) {
			t.Parallel()
			next := old.DeepCopy()
			next.Status.Replicas = 99
			tt.change(next)
			want := next.DeepCopy()
			want.Generation, want.Status = tt.generation, old.Status
			apps.ReplicaSet.PrepareUpdate(next, old)
			kindtest.Diff(t, want, next)
		})
	}

	t.Run("status: the spec stays, labels may change", func(t *testing.T) {
		t.Parallel()
		next := old.DeepCopy()
		next.Spec.Replicas, next.Labels, next.Status.Replicas = new(int32(99)), nil, 5
		want := old.DeepCopy()
		want.Labels, want.Status.Replicas = nil, 5
		apps.ReplicaSet.Status.Prepare(next, old)
		kindtest.Diff(t, want, next)
	})
}

func TestReplicaSet_ValidateStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status appsv1.ReplicaSetStatus
		want   []string
	}{
		{"complete", appsv1.ReplicaSetStatus{Replicas: 3, FullyLabeledReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3}, nil},
		{"more than all", appsv1.ReplicaSetStatus{Replicas: 1, FullyLabeledReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 4}, []string{
			"status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
			"status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas",
			"status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas",
			"status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas",
		}},
		{"negative", appsv1.ReplicaSetStatus{
			Replicas: -1, FullyLabeledReplicas: -2, ReadyReplicas: -3, AvailableReplicas: -4, ObservedGeneration: -5, TerminatingReplicas: new(int32(-6)),
		}, []string{
			"status.replicas: Invalid value: -1: must be greater than or equal to 0",
			"status.fullyLabeledReplicas: Invalid value: -2: must be greater than or equal to 0",
			"status.readyReplicas: Invalid value: -3: must be greater than or equal to 0",
			"status.availableReplicas: Invalid value: -4: must be greater than or equal to 0",
			"status.observedGeneration: Invalid value: -5: must be greater than or equal to 0",
			"status.terminatingReplicas: Invalid value: -6: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := replicaSet(func(rs *appsv1.ReplicaSet) { rs.ResourceVersion = "1" })
			next := old.DeepCopy()
			next.Status = tt.status
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.ReplicaSet.Status.Validate(next, old)))
		})
	}
}

func TestReplicaSet_Row(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range apps.ReplicaSet.Columns {
		names = append(names, c.Name)
	}
	kindtest.Diff(t, []string{"Name", "Desired", "Current", "Ready", "Age", "Containers", "Images", "Selector"}, names)

	rs := replicaSet(func(rs *appsv1.ReplicaSet) {
		rs.CreationTimestamp = metav1.NewTime(kindtest.Now.Add(-6 * time.Second))
		rs.Spec.Replicas = new(int32(3))
		rs.Status = appsv1.ReplicaSetStatus{Replicas: 2, ReadyReplicas: 1}
	})
	kindtest.Diff(t, []any{"frontend", int64(3), int64(2), int64(1), "6s", "nginx", "nginx:1.14.2", "tier=frontend"}, apps.ReplicaSet.Row(rs, kindtest.Now)) // RS-024
}

func TestRS028_Scale(t *testing.T) {
	t.Parallel()
	rs := replicaSet(func(rs *appsv1.ReplicaSet) { rs.UID, rs.ResourceVersion, rs.Status.Replicas = "u1", "7", 1 })
	apps.ReplicaSet.Scale.Set(rs, 4)
	kindtest.Diff(t, &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "frontend", Namespace: "default", UID: "u1", ResourceVersion: "7"},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 4},
		Status:     autoscalingv1.ScaleStatus{Replicas: 1, Selector: "tier=frontend"},
	}, apps.ReplicaSet.Scale.Get(rs))
	kindtest.Diff(t, rs.Spec.Selector, apps.ReplicaSet.Selector(rs))
}
