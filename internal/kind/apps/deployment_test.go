package apps_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// deployment returns the minimal Deployment "web", with a change applied, then defaulted.
func deployment(change func(*appsv1.Deployment)) *appsv1.Deployment {
	app := map[string]string{"app": "nginx"}
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
		Spec:       appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: app}, Template: kindtest.Template(app)},
	}
	if change != nil {
		change(d)
	}
	apps.Deployment.Default(d)
	return d
}

func TestDeployment_Default(t *testing.T) {
	t.Parallel()
	quarter := intstr.FromString("25%")
	given := deployment(nil)
	want := given.Spec.DeepCopy()
	want.Replicas = new(int32(1)) // DEP-008
	want.Strategy = appsv1.DeploymentStrategy{
		Type: appsv1.RollingUpdateDeploymentStrategyType, // DEP-010
		RollingUpdate: &appsv1.RollingUpdateDeployment{ // DEP-011
			MaxUnavailable: &quarter, MaxSurge: &quarter,
		},
	}
	want.MinReadySeconds = 0                                      // DEP-014
	want.ProgressDeadlineSeconds = new(int32(600))                // DEP-015
	want.RevisionHistoryLimit = new(int32(10))                    // DEP-016
	want.Paused = false                                           // DEP-017
	want.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways // DEP-009
	kindtest.Diff(t, *want, given.Spec)
	kindtest.Diff(t, map[string]string(nil), given.Labels) // DEP-003

	t.Run("DEP-003 selector is not defaulted", func(t *testing.T) {
		t.Parallel()
		d := deployment(func(d *appsv1.Deployment) { d.Spec.Selector = nil })
		kindtest.Diff(t, (*metav1.LabelSelector)(nil), d.Spec.Selector)
	})
	t.Run("what is set stays", func(t *testing.T) {
		t.Parallel()
		spec := appsv1.DeploymentSpec{
			Replicas: new(int32(0)), RevisionHistoryLimit: new(int32(0)), ProgressDeadlineSeconds: new(int32(5)),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		}
		d := deployment(func(d *appsv1.Deployment) {
			spec.Selector, spec.Template = d.Spec.Selector, d.Spec.Template
			d.Spec = spec
		})
		spec.Template = d.Spec.Template
		kindtest.Diff(t, spec, d.Spec)
	})
}

func TestDeployment_Validate(t *testing.T) {
	t.Parallel()
	rolling := func(unavailable, surge intstr.IntOrString) func(*appsv1.Deployment) {
		return func(d *appsv1.Deployment) {
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxUnavailable: &unavailable, MaxSurge: &surge}
		}
	}
	number, text := intstr.FromInt32, intstr.FromString
	const percent = `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`
	tests := []struct {
		name   string
		change func(*appsv1.Deployment)
		want   []string
	}{
		{"DEP-002 selector and template are enough", nil, nil},
		{"DEP-002 selector is required", func(d *appsv1.Deployment) { d.Spec.Selector = nil }, []string{
			"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
		}},
		{"an empty selector", func(d *appsv1.Deployment) { d.Spec.Selector = &metav1.LabelSelector{} }, []string{
			"spec.selector: Invalid value: {}: empty selector is invalid for deployment",
		}},
		{"a selector with an unknown operator", func(d *appsv1.Deployment) {
			d.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Near"}}}
		}, []string{
			`spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
			`spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near"}]}: invalid label selector`,
		}},
		{"DEP-004 mismatch", func(d *appsv1.Deployment) { d.Spec.Template.Labels = map[string]string{"app": "apache"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"apache\"}: `selector` does not match template `labels`",
		}},
		{"DEP-006 expressions select as labels do", func(d *appsv1.Deployment) {
			d.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{"nginx"}},
			}}
		}, nil},
		{"DEP-006 requirements are ANDed", func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
		}, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
		}},
		{"DEP-007 a subdomain is a name", func(d *appsv1.Deployment) { d.Name = "web.v1" }, nil},
		{"DEP-007 not a subdomain", func(d *appsv1.Deployment) { d.Name = "Bad_Name" }, []string{
			`metadata.name: Invalid value: "Bad_Name": ` + kindtest.NotSubdomain,
		}},
		{"DEP-009 restartPolicy", func(d *appsv1.Deployment) { d.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure }, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"`,
		}},
		{"Pods of a Deployment have no deadline", func(d *appsv1.Deployment) { d.Spec.Template.Spec.ActiveDeadlineSeconds = new(int64(5)) }, []string{
			"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
		}},
		{"DEP-010 unknown strategy", func(d *appsv1.Deployment) { d.Spec.Strategy.Type = "Sideways" }, []string{
			`spec.strategy: Unsupported value: {"Type":"Sideways","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"`,
		}},
		{"DEP-010 unknown strategy with bounds", func(d *appsv1.Deployment) {
			rolling(number(1), text("5%"))(d)
			d.Spec.Strategy.Type = "Sideways"
		}, []string{
			`spec.strategy: Unsupported value: {"Type":"Sideways","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":"5%"}}: supported values: "Recreate", "RollingUpdate"`,
		}},
		{"DEP-010 Recreate takes no bounds", func(d *appsv1.Deployment) {
			rolling(number(1), number(1))(d)
			d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
		}, []string{
			"spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
		}},
		{"DEP-013 numbers", rolling(number(0), number(3)), nil},
		{"DEP-013 percentages", rolling(text("100%"), text("0%")), nil},
		{"DEP-013 both 0", rolling(number(0), number(0)), []string{
			"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
		}},
		{"DEP-013 both 0%", rolling(text("0%"), text("0%")), []string{
			"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0%\": may not be 0 when `maxSurge` is 0",
		}},
		{"DEP-013 negative", rolling(number(-1), number(-2)), []string{
			"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0",
			"spec.strategy.rollingUpdate.maxSurge: Invalid value: -2: must be greater than or equal to 0",
		}},
		{"DEP-013 neither number nor percentage", rolling(text("few"), text("10")), []string{
			`spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "few": ` + percent,
			`spec.strategy.rollingUpdate.maxSurge: Invalid value: "10": ` + percent,
		}},
		{"DEP-013 more than all unavailable", rolling(text("101%"), text("200%")), []string{
			`spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		}},
		{"negative numbers", func(d *appsv1.Deployment) {
			d.Spec.Replicas, d.Spec.MinReadySeconds = new(int32(-1)), -2
			d.Spec.RevisionHistoryLimit, d.Spec.ProgressDeadlineSeconds = new(int32(-3)), new(int32(-1))
		}, []string{
			"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
			"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
			"spec.revisionHistoryLimit: Invalid value: -3: must be greater than or equal to 0",
			"spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"DEP-015 deadline not after minReadySeconds", func(d *appsv1.Deployment) {
			d.Spec.MinReadySeconds, d.Spec.ProgressDeadlineSeconds = 10, new(int32(10))
		}, []string{
			"spec.progressDeadlineSeconds: Invalid value: 10: must be greater than minReadySeconds",
		}},
		{"DEP-016 no history", func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = new(int32(0)) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.Deployment.Validate(deployment(tt.change))))
		})
	}
}

func TestDeployment_ValidateUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*appsv1.Deployment)
		want   []string
	}{
		{"nothing", nil, nil},
		{"replicas, image and labels", func(d *appsv1.Deployment) {
			d.Spec.Replicas = new(int32(5))
			d.Spec.Template.Spec.Containers[0].Image = "nginx:1.16.1"
			d.Labels = map[string]string{"team": "a"}
		}, nil},
		{"DEP-005 selector", func(d *appsv1.Deployment) { d.Spec.Selector.MatchLabels = map[string]string{"app": "x"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
			`spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable`,
		}},
		{"name", func(d *appsv1.Deployment) { d.Name = "other" }, []string{
			`metadata.name: Invalid value: "other": field is immutable`,
		}},
		{"a finalizer without a domain", func(d *appsv1.Deployment) { d.Finalizers = []string{"mine", "orphan", "a.io/f"} }, []string{
			`metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified`,
		}},
		{"DEP-013 bounds", func(d *appsv1.Deployment) {
			zero := intstr.FromInt32(0)
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxUnavailable: &zero, MaxSurge: &zero}
		}, []string{
			"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := deployment(func(d *appsv1.Deployment) { d.ResourceVersion = "1" })
			next := deployment(func(d *appsv1.Deployment) {
				d.ResourceVersion = "1"
				if tt.change != nil {
					tt.change(d)
				}
			})
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.Deployment.ValidateUpdate(next, old)))
		})
	}
}

func TestDeployment_Prepare(t *testing.T) {
	t.Parallel()
	t.Run("DEP-039 a new one has no status", func(t *testing.T) {
		t.Parallel()
		d := deployment(func(d *appsv1.Deployment) { d.Generation, d.Status.Replicas = 7, 3 })
		apps.Deployment.PrepareCreate(d)
		kindtest.Diff(t, appsv1.DeploymentStatus{}, d.Status)
		kindtest.Diff(t, int64(1), d.Generation)
	})

	old := deployment(func(d *appsv1.Deployment) {
		d.Generation, d.Labels, d.Status = 4, map[string]string{"team": "a"}, appsv1.DeploymentStatus{Replicas: 3}
	})
	for name, tt := range map[string]struct {
		change     func(*appsv1.Deployment)
		generation int64
	}{
		"the same":            {func(*appsv1.Deployment) {}, 4},
		"generation is ours":  {func(d *appsv1.Deployment) { d.Generation = 99 }, 4},
		"labels do not count": {func(d *appsv1.Deployment) { d.Labels = nil }, 4},
		"annotations count":   {func(d *appsv1.Deployment) { d.Annotations = map[string]string{"a": "b"} }, 5},
		"the spec counts":     {func(d *appsv1.Deployment) { d.Spec.Paused = true }, 5},
		"empty is no change":  {func(d *appsv1.Deployment) { d.Annotations = map[string]string{} }, 4},
	} {
		t.Run("update: "+name, func(t *testing.T) {
			t.Parallel()
			next := old.DeepCopy()
			next.Status.Replicas = 99
			tt.change(next)
			want := next.DeepCopy()
			want.Generation, want.Status = tt.generation, old.Status
			apps.Deployment.PrepareUpdate(next, old)
			kindtest.Diff(t, want, next)
		})
	}

	t.Run("status: spec and labels stay", func(t *testing.T) {
		t.Parallel()
		next := old.DeepCopy()
		next.Spec.Replicas, next.Labels, next.Status.Replicas = new(int32(99)), nil, 5
		want := old.DeepCopy()
		want.Status.Replicas = 5
		apps.Deployment.Status.Prepare(next, old)
		kindtest.Diff(t, want, next)
	})
}

func TestDeployment_ValidateStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		next, old appsv1.DeploymentStatus
		want      []string
	}{
		{"complete", appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3}, appsv1.DeploymentStatus{}, nil},
		{"more than all", appsv1.DeploymentStatus{Replicas: 1, UpdatedReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 4}, appsv1.DeploymentStatus{}, []string{
			"status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
			"status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas",
			"status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas",
			"status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas",
		}},
		{"negative", appsv1.DeploymentStatus{
			ObservedGeneration: -1, Replicas: -2, UpdatedReplicas: -3, ReadyReplicas: -4, AvailableReplicas: -5,
			UnavailableReplicas: -6, TerminatingReplicas: new(int32(-7)), CollisionCount: new(int32(-8)),
		}, appsv1.DeploymentStatus{}, []string{
			"status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
			"status.replicas: Invalid value: -2: must be greater than or equal to 0",
			"status.updatedReplicas: Invalid value: -3: must be greater than or equal to 0",
			"status.readyReplicas: Invalid value: -4: must be greater than or equal to 0",
			"status.availableReplicas: Invalid value: -5: must be greater than or equal to 0",
			"status.unavailableReplicas: Invalid value: -6: must be greater than or equal to 0",
			"status.terminatingReplicas: Invalid value: -7: must be greater than or equal to 0",
			"status.collisionCount: Invalid value: -8: must be greater than or equal to 0",
		}},
		{"collisions go on", appsv1.DeploymentStatus{CollisionCount: new(int32(2))}, appsv1.DeploymentStatus{CollisionCount: new(int32(1))}, nil},
		{"collisions go back", appsv1.DeploymentStatus{CollisionCount: new(int32(1))}, appsv1.DeploymentStatus{CollisionCount: new(int32(2))}, []string{
			"status.collisionCount: Invalid value: 1: cannot be decremented",
		}},
		{"collisions are forgotten", appsv1.DeploymentStatus{}, appsv1.DeploymentStatus{CollisionCount: new(int32(0))}, []string{
			"status.collisionCount: Invalid value: 0: cannot be decremented",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := deployment(func(d *appsv1.Deployment) { d.ResourceVersion, d.Status = "1", tt.next })
			old := deployment(func(d *appsv1.Deployment) { d.ResourceVersion, d.Status = "1", tt.old })
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.Deployment.Status.Validate(next, old)))
		})
	}
}

func TestDeployment_Row(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range apps.Deployment.Columns {
		names = append(names, c.Name)
	}
	kindtest.Diff(t, []string{"Name", "Ready", "Up-to-date", "Available", "Age", "Containers", "Images", "Selector"}, names)

	rolledOut := deployment(func(d *appsv1.Deployment) {
		d.CreationTimestamp = metav1.NewTime(kindtest.Now.Add(-18 * time.Second))
		d.Spec.Replicas = new(int32(3))
		d.Spec.Template.Spec.Containers = append(d.Spec.Template.Spec.Containers, corev1.Container{Name: "log", Image: "busybox"})
		d.Status = appsv1.DeploymentStatus{Replicas: 4, UpdatedReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 1}
	})
	for name, tt := range map[string]struct {
		object *appsv1.Deployment
		want   []any
	}{
		"DEP-037 and DEP-038": {rolledOut, []any{"web", "3/3", int64(2), int64(1), "18s", "nginx,log", "nginx:1.14.2,busybox", "app=nginx"}},
		"DEP-039 a new one":   {deployment(nil), []any{"web", "0/1", int64(0), int64(0), "<unknown>", "nginx", "nginx:1.14.2", "app=nginx"}},
		"an invalid selector": {deployment(func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}
		}), []any{"web", "0/1", int64(0), int64(0), "<unknown>", "nginx", "nginx:1.14.2", "<invalid>"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, apps.Deployment.Row(tt.object, kindtest.Now))
		})
	}
}

func TestDeployment_Scale(t *testing.T) {
	t.Parallel()
	d := deployment(func(d *appsv1.Deployment) {
		d.UID, d.ResourceVersion, d.CreationTimestamp = "u1", "7", metav1.NewTime(kindtest.Now)
		d.Labels = map[string]string{"not": "shown"}
		d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
		d.Status.Replicas = 2
	})
	apps.Deployment.Scale.Set(d, 10) // DEP-058
	kindtest.Diff(t, &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "u1", ResourceVersion: "7", CreationTimestamp: metav1.NewTime(kindtest.Now)},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 10},
		Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "app=nginx,tier"},
	}, apps.Deployment.Scale.Get(d))
	kindtest.Diff(t, d.Spec.Selector, apps.Deployment.Selector(d))
}

func TestDeployment_Warnings(t *testing.T) {
	t.Parallel()
	dotted := deployment(func(d *appsv1.Deployment) { d.Name = "web.v1" })
	kindtest.Diff(t, []string{"metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"},
		apps.Deployment.Warnings(dotted, nil))
	kindtest.Diff(t, []string(nil), apps.Deployment.Warnings(dotted, dotted))
	kindtest.Diff(t, []string(nil), apps.Deployment.Warnings(deployment(nil), nil))
}
