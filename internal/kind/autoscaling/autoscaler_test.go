package autoscaling_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// HPA-004: a target may lack the apiVersion, as in Kubernetes' documentation. HPA-001, HPA-009:
// other fields that may be missing.
func TestHorizontalPodAutoscaler_TargetWithoutAPIVersion(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ kind, version, resolved, err, warning string }{
		{kind: "ReplicaSet", resolved: "apps/v1", warning: "spec.scaleTargetRef.apiVersion: not set, apps/v1 is used for kind ReplicaSet; Kubernetes 1.36 requires it"},
		{kind: "Deployment", resolved: "apps/v1", warning: "spec.scaleTargetRef.apiVersion: not set, apps/v1 is used for kind Deployment; Kubernetes 1.36 requires it"},
		{kind: "StatefulSet", resolved: "apps/v1", warning: "spec.scaleTargetRef.apiVersion: not set, apps/v1 is used for kind StatefulSet; Kubernetes 1.36 requires it"},
		{kind: "ReplicationController"},
		{kind: "Deployment", version: "apps/v1", resolved: "apps/v1"},
		{kind: "Deployment", version: "v1", resolved: "v1", err: `spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group`},
		{kind: "Widget", err: `spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group`},
	} {
		v1 := &autoscalingv1.HorizontalPodAutoscaler{}
		v1.Namespace, v1.Name = "default", "a"
		v1.Spec = autoscalingv1.HorizontalPodAutoscalerSpec{MaxReplicas: 10, ScaleTargetRef: autoscalingv1.CrossVersionObjectReference{Kind: row.kind, Name: "frontend", APIVersion: row.version}}
		autoscaling.HorizontalPodAutoscalerV1.Default(v1)
		v2 := autoscaling.HorizontalPodAutoscalerV1.Stored.To(v1).(*autoscalingv2.HorizontalPodAutoscaler)
		autoscaling.HorizontalPodAutoscaler.Default(v2)
		if *v2.Spec.MinReplicas != 1 || len(v2.Spec.Metrics) != 1 || *v2.Spec.Metrics[0].Resource.Target.AverageUtilization != 80 {
			t.Errorf("%+v becomes %+v", row, v2.Spec)
		}
		var errs, warnings, want []string
		errs = kindtest.Texts(autoscaling.HorizontalPodAutoscalerV1.Validate(v1))
		warnings = autoscaling.HorizontalPodAutoscaler.Warnings(v2, nil)
		if row.err != "" {
			want = []string{row.err}
		}
		if d := cmp.Diff(want, errs); d != "" {
			t.Errorf("%+v (-want +got):\n%s", row, d)
		}
		want = nil
		if row.warning != "" {
			want = []string{row.warning}
		}
		if d := cmp.Diff(want, warnings); d != "" {
			t.Errorf("%+v (-want +got):\n%s", row, d)
		}
		if ref := autoscaling.ResolvedTarget(v2.Spec.ScaleTargetRef); ref.APIVersion != row.resolved {
			t.Errorf("%+v resolves to %+v", row, ref)
		}
	}
}
