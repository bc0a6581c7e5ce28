package apps

import (
	"cmp"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// Deployment is apps/v1 Deployment.
//
// Source: kubernetes v1.36 pkg/registry/apps/deployment/strategy.go and storage/storage.go
var Deployment = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "apps", Version: "v1", Kind: "Deployment", Plural: "deployments", Namespaced: true,
		New: func() object.Object { return &appsv1.Deployment{} },
	},
	Singular:   "deployment",
	ShortNames: []string{"deploy"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &appsv1.DeploymentList{} },

	Admission: security.Templates(func(o *appsv1.Deployment) *corev1.PodTemplateSpec { return &o.Spec.Template }),

	Status: kind.Through(kind.Write[*appsv1.Deployment]{
		Prepare:  prepareDeploymentStatus,
		Validate: validateDeploymentStatus,
	}),
	Scale: &kind.Scale{
		Get: func(o object.Object) *autoscalingv1.Scale {
			d := o.(*appsv1.Deployment)
			return kind.ScaleOf(d, d.Spec.Selector, kind.ReplicasOf(d.Spec.Replicas), d.Status.Replicas)
		},
		Set: func(o object.Object, replicas int32) { o.(*appsv1.Deployment).Spec.Replicas = &replicas },
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Ready", Type: "string", Description: "Number of the pod with ready state"},
		{Name: "Up-to-date", Type: "string", Description: appsv1.DeploymentStatus{}.SwaggerDoc()["updatedReplicas"]},
		{Name: "Available", Type: "string", Description: appsv1.DeploymentStatus{}.SwaggerDoc()["availableReplicas"]},
		kind.AgeColumn,
		kind.ContainersColumn,
		kind.ImagesColumn,
		{Name: "Selector", Type: "string", Priority: 1, Description: appsv1.DeploymentSpec{}.SwaggerDoc()["selector"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*appsv1.Deployment]{
	Default:        defaultDeployment,
	PrepareCreate:  prepareDeploymentCreate,
	PrepareUpdate:  prepareDeploymentUpdate,
	Validate:       validateDeployment,
	ValidateUpdate: validateDeploymentUpdate,
	Warnings: func(next, old *appsv1.Deployment) []string {
		return podspec.WarnOfWorkload(next, old, &next.Spec.Template)
	},
	Row:      deploymentRow,
	Selector: func(o *appsv1.Deployment) *metav1.LabelSelector { return o.Spec.Selector },
})

// defaultDeployment sets one replica, a rolling update with a surge and an unavailability of 25 %,
// a history of ten revisions and a progress deadline of 600 s.
//
// Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_Deployment
func defaultDeployment(o *appsv1.Deployment) {
	spec := &o.Spec
	podspec.DefaultTemplate(&spec.Template)
	kind.SetDefault(&spec.Replicas, 1)
	spec.Strategy.Type = cmp.Or(spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		kind.SetDefault(&spec.Strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
		kind.SetDefault(&spec.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		kind.SetDefault(&spec.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	kind.SetDefault(&spec.RevisionHistoryLimit, 10)
	kind.SetDefault(&spec.ProgressDeadlineSeconds, 600)
}

func prepareDeploymentCreate(d *appsv1.Deployment) {
	d.Status = appsv1.DeploymentStatus{}
	d.Generation = 1
}

// prepareDeploymentUpdate keeps the status. Changed annotations increment the generation too,
// because the controller copies them to ReplicaSets.
func prepareDeploymentUpdate(d, was *appsv1.Deployment) {
	d.Status = *was.Status.DeepCopy()
	d.Generation = was.Generation
	if !equality.Semantic.DeepEqual(d.Spec, was.Spec) ||
		!equality.Semantic.DeepEqual(d.Annotations, was.Annotations) {
		d.Generation++
	}
}

// prepareDeploymentStatus keeps the spec and, unlike other workloads, the labels.
func prepareDeploymentStatus(next, old *appsv1.Deployment) {
	d, was := next, old.DeepCopy()
	d.Spec, d.Labels = was.Spec, was.Labels
}

func deploymentRow(d *appsv1.Deployment, now time.Time) []any {
	names, images := kind.ContainerCells(d.Spec.Template.Spec.Containers)
	selector := "<invalid>"
	if s, err := metav1.LabelSelectorAsSelector(d.Spec.Selector); err == nil {
		selector = s.String()
	}
	return []any{
		d.Name, fmt.Sprintf("%d/%d", d.Status.ReadyReplicas, kind.ReplicasOf(d.Spec.Replicas)),
		int64(d.Status.UpdatedReplicas), int64(d.Status.AvailableReplicas),
		kind.Age(d.CreationTimestamp, now), names, images, selector,
	}
}
