package pod_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// Source: kubernetes v1.36 plugin/pkg/admission/serviceaccount/admission_test.go, TestAutomountsAPIToken,
// TestDeniesInvalidServiceAccount, TestAutomountIsBackwardsCompatible and TestAddImagePullSecrets
func TestPod_ServiceAccount(t *testing.T) {
	t.Parallel()
	c := kindtest.Cluster(kindtest.Account("default"), kindtest.Account("quiet", func(sa *corev1.ServiceAccount) {
		sa.AutomountServiceAccountToken = new(false)
		sa.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "registry"}}
	}))
	type outcome struct {
		Account, Refused string
		Mounts           int
		Pulls            []corev1.LocalObjectReference
	}
	registry := []corev1.LocalObjectReference{{Name: "registry"}}
	tests := []struct {
		name, account string
		mount         *bool
		pulls         []corev1.LocalObjectReference
		want          outcome
	}{
		{"the default account mounts its token", "", nil, nil, outcome{"default", "", 1, nil}},
		{"unless the Pod does not want it", "", new(false), nil, outcome{"default", "", 0, nil}},
		{"an account may not mount its own", "quiet", nil, nil, outcome{"quiet", "", 0, registry}},
		{"but the Pod's wish counts", "quiet", new(true), nil, outcome{"quiet", "", 1, registry}},
		{"a Pod's own secrets stay", "quiet", nil, []corev1.LocalObjectReference{{Name: "own"}}, outcome{"quiet", "", 0, []corev1.LocalObjectReference{{Name: "own"}}}},
		{"an account that is not there", "robot", nil, nil, outcome{"robot", `error looking up service account default/robot: serviceaccount "robot" not found`, 0, nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := kindtest.BarePod()
			p.Spec.ServiceAccountName, p.Spec.AutomountServiceAccountToken, p.Spec.ImagePullSecrets = tt.account, tt.mount, tt.pulls
			pod.Kind.Default(p)
			refused := kindtest.Refusal(kindtest.Admit(pod.Kind, p, c))
			kindtest.Diff(t, tt.want, outcome{p.Spec.ServiceAccountName, refused, len(p.Spec.Containers[0].VolumeMounts), p.Spec.ImagePullSecrets})
		})
	}
}
