package coordination_test

import (
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/coordination"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func lease(spec coordinationv1.LeaseSpec) *coordinationv1.Lease {
	return &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "leader", Namespace: "default", ResourceVersion: "1"}, Spec: spec}
}

func TestLease_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		spec coordinationv1.LeaseSpec
		want []string
	}{
		{"empty", coordinationv1.LeaseSpec{}, nil},
		{"held", coordinationv1.LeaseSpec{HolderIdentity: new("a"), LeaseDurationSeconds: new(int32(15)), LeaseTransitions: new(int32(0))}, nil},
		{"impossible numbers", coordinationv1.LeaseSpec{LeaseDurationSeconds: new(int32(0)), LeaseTransitions: new(int32(-1))}, []string{
			"spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
			"spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(coordination.Lease.Validate(lease(tt.spec))))
			kindtest.Diff(t, tt.want, kindtest.Texts(coordination.Lease.ValidateUpdate(lease(tt.spec), lease(coordinationv1.LeaseSpec{}))))
		})
	}
}

func TestLease_CoordinationIsOff(t *testing.T) {
	t.Parallel()
	want := lease(coordinationv1.LeaseSpec{HolderIdentity: new("a")})
	asked := lease(coordinationv1.LeaseSpec{HolderIdentity: new("a"), PreferredHolder: new("b"), Strategy: new(coordinationv1.OldestEmulationVersion)})
	created, updated := asked.DeepCopy(), asked.DeepCopy()
	coordination.Lease.PrepareCreate(created)
	kindtest.Diff(t, want, created)
	coordination.Lease.PrepareUpdate(updated, want)
	kindtest.Diff(t, want, updated)
}

func TestLease_Row(t *testing.T) {
	t.Parallel()
	l := lease(coordinationv1.LeaseSpec{HolderIdentity: new("a")})
	l.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"leader", "a", "90s"}, coordination.Lease.Row(l, kindtest.Now))
	kindtest.Diff(t, []any{"leader", "", "<unknown>"}, coordination.Lease.Row(lease(coordinationv1.LeaseSpec{}), kindtest.Now))
}
