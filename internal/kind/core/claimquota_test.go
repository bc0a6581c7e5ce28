package core_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/persistent_volume_claims.go, MatchingResources
func TestPersistentVolumeClaim_QuotaResources(t *testing.T) {
	t.Parallel()
	for name, want := range map[corev1.ResourceName]bool{
		"persistentvolumeclaims": true, "requests.storage": true, "storage": false, "pods": false, "limits.storage": false,
		"gold.storageclass.storage.k8s.io/requests.storage":       true,
		"gold.storageclass.storage.k8s.io/persistentvolumeclaims": true,
		"gold.storageclass.storage.k8s.io/pods":                   false,
	} {
		if got := core.PersistentVolumeClaim.Quota.Measures(name); got != want {
			t.Errorf("claims use %s: %v, want %v", name, got, want)
		}
	}
}

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/persistent_volume_claims.go, Usage
func TestPersistentVolumeClaim_QuotaUsage(t *testing.T) {
	t.Parallel()
	allocated := func(size string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) {
			c.Status.AllocatedResources = kindtest.Quantities("storage=" + size)
		}
	}
	for _, tt := range []struct {
		name string
		of   *corev1.PersistentVolumeClaim
		want string
	}{
		{"without a class", storedClaim(), "persistentvolumeclaims=1 requests.storage=1Gi"},
		{
			"of a class", storedClaim(inClass(new("gold"))),
			"persistentvolumeclaims=1 gold.storageclass.storage.k8s.io/persistentvolumeclaims=1 " +
				"requests.storage=1Gi gold.storageclass.storage.k8s.io/requests.storage=1Gi",
		},
		{"a fraction of a byte", storedClaim(requesting("1500m")), "persistentvolumeclaims=1 requests.storage=2"},
		{"being expanded", storedClaim(allocated("3Gi")), "persistentvolumeclaims=1 requests.storage=3Gi"},
		{"expanded", storedClaim(requesting("2Gi"), allocated("1Gi")), "persistentvolumeclaims=1 requests.storage=2Gi"},
		{"without a request", &corev1.PersistentVolumeClaim{}, "persistentvolumeclaims=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, kindtest.Quantities(tt.want), core.PersistentVolumeClaim.Quota.Usage(tt.of))
		})
	}
}

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/persistent_volume_claims.go, pvcMatchesScopeFunc
func TestPersistentVolumeClaim_QuotaScope(t *testing.T) {
	t.Parallel()
	plain, gold := storedClaim(), storedClaim(func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = new("gold") })
	changing := storedClaim(func(c *corev1.PersistentVolumeClaim) {
		c.Status.CurrentVolumeAttributesClassName = new("silver")
		c.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{TargetVolumeAttributesClassName: "gold"}
	})
	scope := func(operator corev1.ScopeSelectorOperator, values ...string) corev1.ScopedResourceSelectorRequirement {
		return corev1.ScopedResourceSelectorRequirement{
			ScopeName: corev1.ResourceQuotaScopeVolumeAttributesClass, Operator: operator, Values: values,
		}
	}
	for _, tt := range []struct {
		name                  string
		scope                 corev1.ScopedResourceSelectorRequirement
		plain, gold, changing bool
	}{
		{"any class", scope(corev1.ScopeSelectorOpExists), false, true, true},
		{"no class", scope(corev1.ScopeSelectorOpDoesNotExist), true, false, false},
		{"gold", scope(corev1.ScopeSelectorOpIn, "gold"), false, true, true},
		{"silver", scope(corev1.ScopeSelectorOpIn, "silver"), false, false, true},
		{"not gold", scope(corev1.ScopeSelectorOpNotIn, "gold"), true, false, true}, // silver is not gold
		{"another scope", corev1.ScopedResourceSelectorRequirement{
			ScopeName: corev1.ResourceQuotaScopeBestEffort, Operator: corev1.ScopeSelectorOpExists,
		}, false, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := core.PersistentVolumeClaim.Quota.InScope
			kindtest.Diff(t, []bool{tt.plain, tt.gold, tt.changing}, []bool{in(plain, tt.scope), in(gold, tt.scope), in(changing, tt.scope)})
		})
	}
}
