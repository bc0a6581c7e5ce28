package apps_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// daemonSet returns the minimal DaemonSet "fluentd", with a change applied, then defaulted.
func daemonSet(change func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	app := map[string]string{"name": "fluentd"}
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: "fluentd", Namespace: "default"},
		Spec:       appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: app}, Template: kindtest.Template(app)},
	}
	if change != nil {
		change(ds)
	}
	apps.DaemonSet.Default(ds)
	return ds
}

// updating sets the bounds of a rolling update.
func updating(unavailable, surge *intstr.IntOrString) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) {
		ds.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: unavailable, MaxSurge: surge}
	}
}

func TestDaemonSet_Default(t *testing.T) {
	t.Parallel()
	ds := daemonSet(nil)
	one, none := intstr.FromInt32(1), intstr.FromInt32(0)
	kindtest.Diff(t, appsv1.DaemonSetUpdateStrategy{ // DS-024
		Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one, MaxSurge: &none},
	}, ds.Spec.UpdateStrategy)
	kindtest.Diff(t, new(int32(10)), ds.Spec.RevisionHistoryLimit)
	kindtest.Diff(t, corev1.RestartPolicyAlways, ds.Spec.Template.Spec.RestartPolicy) // DS-004
	onDelete := daemonSet(func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType })
	kindtest.Diff(t, appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}, onDelete.Spec.UpdateStrategy)
}

func TestDaemonSet_Validate(t *testing.T) {
	t.Parallel()
	const percent = `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`
	number := func(n int32) *intstr.IntOrString { v := intstr.FromInt32(n); return &v }
	text := func(s string) *intstr.IntOrString { v := intstr.FromString(s); return &v }
	tests := []struct {
		name   string
		change func(*appsv1.DaemonSet)
		want   []string
	}{
		{"DS-003 selector and template are enough", nil, nil},
		{"DS-003 name", func(ds *appsv1.DaemonSet) { ds.Name = "Bad_Name" }, []string{
			`metadata.name: Invalid value: "Bad_Name": ` + kindtest.NotSubdomain,
		}},
		{"DS-003 without a selector", func(ds *appsv1.DaemonSet) { ds.Spec.Selector = nil }, []string{
			"spec.template.metadata.labels: Invalid value: {\"name\":\"fluentd\"}: `selector` does not match template `labels`",
		}},
		{"an empty selector", func(ds *appsv1.DaemonSet) { ds.Spec.Selector = &metav1.LabelSelector{} }, []string{
			"spec.selector: Invalid value: {}: empty selector is invalid for daemonset",
		}},
		{"DS-004 restartPolicy", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure }, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"`,
		}},
		{"activeDeadlineSeconds", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.ActiveDeadlineSeconds = new(int64(5)) }, []string{
			"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported",
		}},
		{"DS-005 labels must match", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Labels = map[string]string{"name": "b"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"name\":\"b\"}: `selector` does not match template `labels`",
		}},
		{"DS-007 both kinds of requirements must hold", func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
		}, []string{
			"spec.template.metadata.labels: Invalid value: {\"name\":\"fluentd\"}: `selector` does not match template `labels`",
		}},
		{"an unknown strategy", func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.Type = "Recreate" }, []string{
			`spec.updateStrategy: Unsupported value: {"Type":"Recreate","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"`,
		}},
		{"an unknown strategy with bounds", func(ds *appsv1.DaemonSet) {
			updating(number(1), text("5%"))(ds)
			ds.Spec.UpdateStrategy.Type = "Recreate"
		}, []string{
			`spec.updateStrategy: Unsupported value: {"Type":"Recreate","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":"5%"}}: supported values: "RollingUpdate", "OnDelete"`,
		}},
		{"DS-025 unavailable alone", updating(text("100%"), number(0)), nil},
		{"DS-025 surge alone", updating(number(0), text("20%")), nil},
		{"both bounds", updating(number(1), text("20%")), []string{
			`spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "20%": may not be set when maxUnavailable is non-zero`,
		}},
		{"no bound", updating(text("0%"), number(0)), []string{
			"spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
		}},
		{"more than all", updating(text("101%"), text("102%")), []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
			`spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "102%": must not be greater than 100%`,
			`spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "102%": may not be set when maxUnavailable is non-zero`,
		}},
		{"neither number nor percentage", updating(text("few"), number(-1)), []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "few": ` + percent,
			"spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"negative numbers", func(ds *appsv1.DaemonSet) { ds.Spec.MinReadySeconds, ds.Spec.RevisionHistoryLimit = -2, new(int32(-3)) }, []string{
			"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
			"spec.revisionHistoryLimit: Invalid value: -3: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.DaemonSet.Validate(daemonSet(tt.change))))
		})
	}
}

func TestDaemonSet_ValidateUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*appsv1.DaemonSet)
		want   []string
	}{
		{"DS-025 image", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.Containers[0].Image = "nginx:1.16.1" }, nil},
		{"DS-006 selector", func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"name": "x"}}
			ds.Spec.Template.Labels = map[string]string{"name": "x"}
		}, []string{
			`spec.selector: Invalid value: {"matchLabels":{"name":"x"}}: field is immutable`,
		}},
		{"resourceVersion is needed", func(ds *appsv1.DaemonSet) { ds.ResourceVersion = "" }, []string{
			"metadata.resourceVersion: Invalid value: \"\": must be specified for an update",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := daemonSet(func(ds *appsv1.DaemonSet) { ds.ResourceVersion = "1" })
			old := next.DeepCopy()
			tt.change(next)
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.DaemonSet.ValidateUpdate(next, old)))
		})
	}
}

func TestDaemonSet_Prepare(t *testing.T) {
	t.Parallel()
	generations := func(template string) map[string]string {
		return map[string]string{appsv1.DeprecatedTemplateGeneration: template}
	}
	for sent, want := range map[string]string{"": "1", "x": "1", "-3": "1", "1": "1", "7": "7"} {
		created := daemonSet(func(ds *appsv1.DaemonSet) {
			ds.Generation, ds.Status.NumberReady = 7, 3
			if sent != "" {
				ds.Annotations = generations(sent)
			}
		})
		apps.DaemonSet.PrepareCreate(created)
		kindtest.Diff(t, appsv1.DaemonSetStatus{}, created.Status)
		kindtest.Diff(t, int64(1), created.Generation)
		kindtest.Diff(t, generations(want), created.Annotations)
	}

	old := daemonSet(func(ds *appsv1.DaemonSet) {
		ds.Generation, ds.Status, ds.Annotations = 4, appsv1.DaemonSetStatus{NumberReady: 3}, generations("2")
	})
	for name, tt := range map[string]struct {
		change     func(*appsv1.DaemonSet)
		generation int64
		template   string
	}{
		"the same":                                {func(*appsv1.DaemonSet) {}, 4, "2"},
		"the generations are ours":                {func(ds *appsv1.DaemonSet) { ds.Generation, ds.Annotations = 99, generations("99") }, 4, "2"},
		"the annotation comes back":               {func(ds *appsv1.DaemonSet) { ds.Annotations = nil }, 4, "2"},
		"the spec counts":                         {func(ds *appsv1.DaemonSet) { ds.Spec.MinReadySeconds = 9 }, 5, "2"},
		"DS-025 the template counts for the Pods": {func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.Hostname = "a" }, 5, "3"},
	} {
		t.Run("update: "+name, func(t *testing.T) {
			t.Parallel()
			next := old.DeepCopy()
			next.Status.NumberReady = 99
			tt.change(next)
			want := next.DeepCopy()
			want.Generation, want.Status, want.Annotations = tt.generation, old.Status, generations(tt.template)
			apps.DaemonSet.PrepareUpdate(next, old)
			kindtest.Diff(t, want, next)
		})
	}

	t.Run("status: the spec and the template's generation stay, labels may change", func(t *testing.T) {
		t.Parallel()
		next := old.DeepCopy()
		next.Spec.MinReadySeconds, next.Labels, next.Status.NumberReady, next.Annotations = 9, map[string]string{"a": "b"}, 5, generations("9")
		want := old.DeepCopy()
		want.Labels, want.Status.NumberReady = map[string]string{"a": "b"}, 5
		apps.DaemonSet.Status.Prepare(next, old)
		kindtest.Diff(t, want, next)
	})
}

func TestDaemonSet_ValidateStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status appsv1.DaemonSetStatus
		want   []string
	}{
		{"complete", appsv1.DaemonSetStatus{NumberReady: 3, NumberAvailable: 3, CollisionCount: new(int32(2))}, nil},
		{"fewer collisions", appsv1.DaemonSetStatus{}, []string{"status.collisionCount: Invalid value: 0: cannot be decremented"}},
		{"negative", appsv1.DaemonSetStatus{
			CurrentNumberScheduled: -1, NumberMisscheduled: -2, DesiredNumberScheduled: -3, NumberReady: -4, ObservedGeneration: -5,
			UpdatedNumberScheduled: -6, NumberAvailable: -7, NumberUnavailable: -8, CollisionCount: new(int32(1)),
		}, []string{
			"status.currentNumberScheduled: Invalid value: -1: must be greater than or equal to 0",
			"status.numberMisscheduled: Invalid value: -2: must be greater than or equal to 0",
			"status.desiredNumberScheduled: Invalid value: -3: must be greater than or equal to 0",
			"status.numberReady: Invalid value: -4: must be greater than or equal to 0",
			"status.observedGeneration: Invalid value: -5: must be greater than or equal to 0",
			"status.updatedNumberScheduled: Invalid value: -6: must be greater than or equal to 0",
			"status.numberAvailable: Invalid value: -7: must be greater than or equal to 0",
			"status.numberUnavailable: Invalid value: -8: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := daemonSet(func(ds *appsv1.DaemonSet) { ds.ResourceVersion, ds.Status.CollisionCount = "1", new(int32(1)) })
			next := old.DeepCopy()
			next.Status = tt.status
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.DaemonSet.Status.Validate(next, old)))
		})
	}
}

func TestDaemonSet_Row(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range apps.DaemonSet.Columns {
		names = append(names, c.Name)
	}
	kindtest.Diff(t, []string{"Name", "Desired", "Current", "Ready", "Up-to-date", "Available", "Node Selector", "Age", "Containers", "Images", "Selector"}, names)

	ds := daemonSet(func(ds *appsv1.DaemonSet) {
		ds.CreationTimestamp = metav1.NewTime(kindtest.Now.Add(-6 * time.Second))
		ds.Status = appsv1.DaemonSetStatus{DesiredNumberScheduled: 5, CurrentNumberScheduled: 4, NumberReady: 3, UpdatedNumberScheduled: 2, NumberAvailable: 1}
	})
	want := []any{"fluentd", int64(5), int64(4), int64(3), int64(2), int64(1), "<none>", "6s", "nginx", "nginx:1.14.2", "name=fluentd"}
	kindtest.Diff(t, want, apps.DaemonSet.Row(ds, kindtest.Now))
	ds.Spec.Template.Spec.NodeSelector = map[string]string{"disk": "ssd"} // DS-008
	want[6] = "disk=ssd"
	kindtest.Diff(t, want, apps.DaemonSet.Row(ds, kindtest.Now))
}
