package apps_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// statefulSet returns the StatefulSet "web" of Kubernetes' documentation with a claim template,
// with a change applied, then defaulted.
func statefulSet(change func(*appsv1.StatefulSet)) *appsv1.StatefulSet {
	app := map[string]string{"app": "nginx"}
	s := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
		Spec: appsv1.StatefulSetSpec{
			ServiceName: "nginx", Selector: &metav1.LabelSelector{MatchLabels: app}, Template: kindtest.Template(app),
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				ObjectMeta: metav1.ObjectMeta{Name: "www"},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
				},
			}},
		},
	}
	if change != nil {
		change(s)
	}
	apps.StatefulSet.Default(s)
	return s
}

func TestStatefulSet_Default(t *testing.T) {
	t.Parallel()
	s := statefulSet(nil)
	kindtest.Diff(t, new(int32(1)), s.Spec.Replicas) // STS-005
	kindtest.Diff(t, new(int32(10)), s.Spec.RevisionHistoryLimit)
	kindtest.Diff(t, appsv1.OrderedReadyPodManagement, s.Spec.PodManagementPolicy) // STS-015
	kindtest.Diff(t, appsv1.StatefulSetUpdateStrategy{                             // STS-025
		Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(0))},
	}, s.Spec.UpdateStrategy)
	kindtest.Diff(t, &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: "Retain", WhenScaled: "Retain"}, s.Spec.PersistentVolumeClaimRetentionPolicy) // STS-035
	kindtest.Diff(t, corev1.RestartPolicyAlways, s.Spec.Template.Spec.RestartPolicy)
	claim := s.Spec.VolumeClaimTemplates[0]
	kindtest.Diff(t, metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}, claim.TypeMeta)
	kindtest.Diff(t, new(corev1.PersistentVolumeFilesystem), claim.Spec.VolumeMode)
	kindtest.Diff(t, corev1.ClaimPending, claim.Status.Phase)

	onDelete := statefulSet(func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType })
	kindtest.Diff(t, appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}, onDelete.Spec.UpdateStrategy)
	typed := statefulSet(func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.Type = appsv1.RollingUpdateStatefulSetStrategyType })
	kindtest.Diff(t, (*appsv1.RollingUpdateStatefulSetStrategy)(nil), typed.Spec.UpdateStrategy.RollingUpdate)
	half := statefulSet(func(s *appsv1.StatefulSet) {
		s.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenScaled: "Delete"}
	})
	kindtest.Diff(t, &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: "Retain", WhenScaled: "Delete"}, half.Spec.PersistentVolumeClaimRetentionPolicy)
}

func TestStatefulSet_Validate(t *testing.T) {
	t.Parallel()
	rolling := func(r appsv1.RollingUpdateStatefulSetStrategy) func(*appsv1.StatefulSet) {
		return func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.RollingUpdate = &r }
	}
	tests := []struct {
		name   string
		change func(*appsv1.StatefulSet)
		want   []string
	}{
		{"the documents'", nil, nil},
		{"STS-003 a name is a DNS label", func(s *appsv1.StatefulSet) { s.Name = "a.b" }, []string{
			`metadata.name: Invalid value: "a.b": must not contain dots`,
		}},
		{"STS-004 without a selector", func(s *appsv1.StatefulSet) { s.Spec.Selector = nil }, []string{
			"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
		}},
		{"STS-004 a selector that matches something else", func(s *appsv1.StatefulSet) { s.Spec.Selector.MatchLabels = map[string]string{"app": "x"} }, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"nginx\"}: `selector` does not match template `labels`",
		}},
		{"an empty selector", func(s *appsv1.StatefulSet) { s.Spec.Selector = &metav1.LabelSelector{} }, []string{
			"spec.selector: Invalid value: {}: empty selector is invalid for statefulset",
		}},
		{"STS-023 no grace is let in", func(s *appsv1.StatefulSet) { s.Spec.Template.Spec.TerminationGracePeriodSeconds = new(int64(0)) }, nil},
		{"STS-034 ordinals", func(s *appsv1.StatefulSet) { s.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 5} }, nil},
		{"no Service's name", func(s *appsv1.StatefulSet) { s.Spec.ServiceName = "" }, nil},
		{"a bad Service's name", func(s *appsv1.StatefulSet) { s.Spec.ServiceName = "a.b" }, []string{
			`spec.serviceName: Invalid value: "a.b": must not contain dots`,
		}},
		{"negative numbers", func(s *appsv1.StatefulSet) {
			s.Spec.Replicas, s.Spec.MinReadySeconds, s.Spec.Ordinals = new(int32(-1)), -2, &appsv1.StatefulSetOrdinals{Start: -3}
		}, []string{
			"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
			"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
			"spec.ordinals.start: Invalid value: -3: must be greater than or equal to 0",
		}},
		{"STS-025 an unknown strategy", func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.Type = "Recreate" }, []string{
			`spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
		}},
		{"OnDelete with a partition", func(s *appsv1.StatefulSet) {
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: "OnDelete", RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(1))}}
		}, []string{
			`spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
		}},
		{"a negative partition", rolling(appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(-1))}), []string{
			"spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"half may be unavailable", rolling(appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: new(intstr.FromString("50%"))}), nil},
		{"none may be unavailable", rolling(appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: new(intstr.FromInt32(0))}), []string{
			"spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0",
		}},
		{"more than all may be unavailable", rolling(appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: new(intstr.FromString("101%"))}), []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		}},
		{"an unknown order", func(s *appsv1.StatefulSet) { s.Spec.PodManagementPolicy = "Random" }, []string{
			`spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`,
		}},
		{"an unknown retention", func(s *appsv1.StatefulSet) {
			s.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: "Never"}
		}, []string{
			`spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Never": supported values: "Retain", "Delete"`,
		}},
		{"a claim of no size", func(s *appsv1.StatefulSet) { s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests = nil }, []string{
			"spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
		}},
		{"a mount of a claim's volume", func(s *appsv1.StatefulSet) {
			s.Spec.Template.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "www", MountPath: "/usr/share/nginx/html"}}
		}, nil},
		{"a mount of no volume", func(s *appsv1.StatefulSet) {
			s.Spec.Template.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}
		}, []string{`spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"`}},
		{"a claim's volume takes the place of the template's", func(s *appsv1.StatefulSet) {
			s.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "www"}, {Name: "tmp"}}
		}, nil},
		{"the Pods' hostnames are not the template's", func(s *appsv1.StatefulSet) { s.Spec.Template.Spec.Hostname, s.Spec.Template.Spec.Subdomain = "_", "_" }, nil},
		{"Pods that end", func(s *appsv1.StatefulSet) {
			s.Spec.Template.Spec.RestartPolicy, s.Spec.Template.Spec.ActiveDeadlineSeconds = corev1.RestartPolicyNever, new(int64(1))
		}, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.StatefulSet.Validate(statefulSet(tt.change))))
		})
	}
}

func TestStatefulSet_ValidateUpdate(t *testing.T) {
	t.Parallel()
	const forbidden = "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
		"'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
	tests := []struct {
		name   string
		before func(*appsv1.StatefulSet)
		change func(*appsv1.StatefulSet)
		want   []string
	}{
		{"all that may change", nil, func(s *appsv1.StatefulSet) {
			s.Spec.Replicas, s.Spec.MinReadySeconds, s.Spec.RevisionHistoryLimit = new(int32(3)), 5, new(int32(-1))
			s.Spec.Ordinals, s.Spec.Template.Spec.Containers[0].Image = &appsv1.StatefulSetOrdinals{Start: 1}, "nginx:1.16.1"
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: "OnDelete"}
			s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled = "Delete"
		}, nil},
		{"the Service's name", nil, func(s *appsv1.StatefulSet) { s.Spec.ServiceName = "other" }, []string{forbidden}},
		{"the order", nil, func(s *appsv1.StatefulSet) { s.Spec.PodManagementPolicy = "Parallel" }, []string{forbidden}},
		{"a claim", nil, func(s *appsv1.StatefulSet) { s.Spec.VolumeClaimTemplates[0].Name = "data" }, []string{forbidden}},
		{"the selector", nil, func(s *appsv1.StatefulSet) {
			s.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}}
			s.Spec.Template.Labels = map[string]string{"app": "x"}
		}, []string{forbidden}},
		{"what was let in before stays", func(s *appsv1.StatefulSet) {
			s.Spec.ServiceName, s.Spec.VolumeClaimTemplates[0].Spec.AccessModes = "a.b", nil
			s.Spec.Template.Spec.Containers[0].Image = ""
		}, func(s *appsv1.StatefulSet) { s.Finalizers = nil }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := statefulSet(tt.before)
			next.ResourceVersion = "1"
			old := next.DeepCopy()
			tt.change(next)
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.StatefulSet.ValidateUpdate(next, old)))
		})
	}
}

func TestStatefulSet_Status(t *testing.T) {
	t.Parallel()
	old := statefulSet(func(s *appsv1.StatefulSet) { s.ResourceVersion, s.Status.CollisionCount = "1", new(int32(2)) })
	next := old.DeepCopy()
	next.Spec.Replicas = new(int32(9))
	next.Status = appsv1.StatefulSetStatus{
		Replicas: 1, ReadyReplicas: 2, CurrentReplicas: 3, UpdatedReplicas: 4, AvailableReplicas: 5, ObservedGeneration: -1, CollisionCount: new(int32(1)),
	}
	apps.StatefulSet.Status.Prepare(next, old)
	kindtest.Diff(t, old.Spec, next.Spec)
	kindtest.Diff(t, []string{
		"status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
		"status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
		"status.currentReplicas: Invalid value: 3: cannot be greater than status.replicas",
		"status.updatedReplicas: Invalid value: 4: cannot be greater than status.replicas",
		"status.availableReplicas: Invalid value: 5: cannot be greater than status.replicas",
		"status.availableReplicas: Invalid value: 5: cannot be greater than status.readyReplicas",
		"status.collisionCount: Invalid value: 1: cannot be decremented",
	}, kindtest.Texts(apps.StatefulSet.Status.Validate(next, old)))
}

func TestStatefulSet_Prepare(t *testing.T) {
	t.Parallel()
	bounded := func(s *appsv1.StatefulSet) {
		s.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: new(intstr.FromInt32(2))}
		s.Spec.UpdateStrategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
	}
	created := statefulSet(bounded)
	created.Generation, created.Status.Replicas = 7, 3
	apps.StatefulSet.PrepareCreate(created)
	kindtest.Diff(t, appsv1.StatefulSetStatus{}, created.Status)
	kindtest.Diff(t, int64(1), created.Generation)
	old := statefulSet(func(s *appsv1.StatefulSet) { s.Generation, s.Status.Replicas = 4, 3 })
	for name, tt := range map[string]struct {
		change     func(*appsv1.StatefulSet)
		generation int64
	}{
		"the same":                   {func(*appsv1.StatefulSet) {}, 4},
		"a bound counts":             {bounded, 5},
		"annotations do not count":   {func(s *appsv1.StatefulSet) { s.Annotations = map[string]string{"a": "b"} }, 4},
		"the spec counts":            {func(s *appsv1.StatefulSet) { s.Spec.Replicas = new(int32(9)) }, 5},
		"neither status nor counter": {func(s *appsv1.StatefulSet) { s.Generation, s.Status.Replicas = 99, 9 }, 4},
	} {
		next := old.DeepCopy()
		tt.change(next)
		apps.StatefulSet.Default(next)
		apps.StatefulSet.PrepareUpdate(next, old)
		if next.Generation != tt.generation || next.Status.Replicas != 3 {
			t.Errorf("%s: generation %d, want %d; status %+v", name, next.Generation, tt.generation, next.Status)
		}
	}
}

// STS-031: the bound is behind a feature gate.
func TestStatefulSet_MaxUnavailableIsGated(t *testing.T) {
	t.Parallel()
	bound := func(most *intstr.IntOrString) *appsv1.StatefulSet {
		return statefulSet(func(s *appsv1.StatefulSet) {
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{
				Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: most},
			}
		})
	}
	gated := apps.StatefulSet.Gated
	kindtest.Diff(t, kind.MaxUnavailableStatefulSet, gated.Gate)
	two := new(intstr.FromInt32(2))
	for name, tt := range map[string]struct {
		old  object.Object
		want *intstr.IntOrString
	}{
		"a new one":           {nil, nil},
		"one that had none":   {bound(nil), nil},
		"one that has it":     {bound(new(intstr.FromInt32(3))), two},
		"one of another type": {statefulSet(func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType }), nil},
	} {
		next := bound(two)
		gated.Drop(next, tt.old)
		if d := cmp.Diff(tt.want, next.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable); d != "" {
			t.Errorf("%s, the gate off (-want +got):\n%s", name, d)
		}
	}
	for _, tt := range []struct{ given, want *intstr.IntOrString }{{nil, new(intstr.FromInt32(1))}, {two, two}} {
		s := bound(tt.given)
		gated.Default(s)
		kindtest.Diff(t, tt.want, s.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable)
	}
	manual := statefulSet(func(s *appsv1.StatefulSet) {
		s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
	})
	gated.Default(manual)
	if manual.Spec.UpdateStrategy.RollingUpdate != nil {
		t.Error("OnDelete was given a rolling update")
	}
}

func TestStatefulSet_Warnings(t *testing.T) {
	t.Parallel()
	s := statefulSet(func(s *appsv1.StatefulSet) {
		s.Spec.RevisionHistoryLimit = new(int32(-1))
		s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests["storage"] = resource.MustParse("1m")
	})
	s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests["storage"] = resource.MustParse("1m")
	const forever = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"
	kindtest.Diff(t, []string{
		`spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer`, forever,
	}, apps.StatefulSet.Warnings(s, nil))
	kindtest.Diff(t, []string{
		`spec.volumeClaimTemplates[0].Spec.resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer`, forever,
	}, apps.StatefulSet.Warnings(s, s))
}

func TestStatefulSet_RowAndScale(t *testing.T) {
	t.Parallel()
	s := statefulSet(func(s *appsv1.StatefulSet) {
		s.CreationTimestamp, s.Spec.Replicas = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}, new(int32(3))
		s.Status = appsv1.StatefulSetStatus{Replicas: 2, ReadyReplicas: 1}
	})
	c := s.Spec.Template.Spec.Containers[0]
	kindtest.Diff(t, []any{"web", "1/3", "90s", c.Name, c.Image}, apps.StatefulSet.Row(s, kindtest.Now))
	scale := apps.StatefulSet.Scale.Get(s)
	if scale.Spec.Replicas != 3 || scale.Status.Replicas != 2 || scale.Status.Selector != "app=nginx" {
		t.Errorf("scale %s", cmp.Diff(nil, scale))
	}
	apps.StatefulSet.Scale.Set(s, 5)
	kindtest.Diff(t, new(int32(5)), s.Spec.Replicas)
	kindtest.Diff(t, s.Spec.Selector, apps.StatefulSet.Selector(s))
}
