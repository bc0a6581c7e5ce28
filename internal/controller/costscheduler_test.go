package controller_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestCost_OfPodsThatFitNowhere: when room may have become free, a sync costs the same however many
// Pods wait, whether all request the same or each something else, and binds the one that fits.
// TestBacklog_OneOfMany has 20,000.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfPodsThatFitNowhere(t *testing.T) {
	for name, tt := range map[string]struct {
		cpu  func(i int) int64
		many int
	}{
		"alike":     {func(int) int64 { return 1000 }, 3000},
		"different": {func(i int) int64 { return int64(1000 + i) }, 2000},
	} {
		var costs []cost
		for _, many := range []int{1000, tt.many} {
			c := newCostWorld(t, 0)
			c.made = nil
			for i := range many + 1 {
				c.pod(meta("default", fmt.Sprintf("pending-%05d", i)), "", "pending", func(p *corev1.Pod) {
					p.Status = corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled,
						Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: "0/0 nodes are available."}}}
					if i < many {
						p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(tt.cpu(i), resource.DecimalSI)}
					}
				})
			}
			for i, v := range c.made {
				v.Revision = c.mirror.Revision() + object.Revision(i+1)
			}
			c.mirror.Committed(c.made)
			got := c.sync(c.named(names.Scheduler), engine.Request{UID: wakeup.SchedulerLock})
			if costs = append(costs, got); got.Visits > 2100 || got.Writes > 1000 || got.Writes < 2 {
				t.Errorf("%s, %d: touches %+v", name, many, got)
			}
			t.Logf("%-10s %6d %+v", name, many, got)
		}
		if costs[0] != costs[1] {
			t.Errorf("%s: %+v", name, costs)
		}
	}
}

// TestCost_OfDevices: a Pod that requests a device costs the slices and the claims that have
// devices, and no other claims.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfDevices(t *testing.T) {
	const taken = 20
	claim := func(name string) *resourcev1.ResourceClaim {
		return &resourcev1.ResourceClaim{ObjectMeta: meta("default", name), Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{
			Requests: []resourcev1.DeviceRequest{{Name: "r", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1}}}}}}
	}
	var costs []cost
	for _, others := range []int{10, 300} {
		c := newCostWorld(t, 0)
		c.made = nil
		slice := &resourcev1.ResourceSlice{ObjectMeta: meta("", "gpus"), Spec: resourcev1.ResourceSliceSpec{
			Driver: "gpu.example.com", AllNodes: new(true), Pool: resourcev1.ResourcePool{Name: "gpus", ResourceSliceCount: 1}}}
		for i := range taken + 1 {
			slice.Spec.Devices = append(slice.Spec.Devices, resourcev1.Device{Name: fmt.Sprintf("gpu-%02d", i)})
		}
		c.add(slice)
		c.add(&resourcev1.DeviceClass{ObjectMeta: meta("", "gpu")})
		for i := range taken {
			other := claim(fmt.Sprintf("taken-%d", i))
			other.Status.Allocation = &resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{Results: []resourcev1.DeviceRequestAllocationResult{
				{Request: "r", Driver: "gpu.example.com", Pool: "gpus", Device: fmt.Sprintf("gpu-%02d", i)}}}}
			c.add(other)
		}
		for i := range others {
			c.add(claim(fmt.Sprintf("open-%d", i)))
		}
		c.pod(meta("default", "wants"), "", "wants", func(p *corev1.Pod) {
			p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: new("open-0")}}
		})
		for i, v := range c.made {
			v.Revision = c.mirror.Revision() + object.Revision(i+1)
		}
		c.mirror.Committed(c.made)
		got := c.sync(c.named(names.Scheduler), engine.Request{UID: "pods/wants"})
		if costs = append(costs, got); got.Visits > 3*taken || got.Writes < 3 {
			t.Errorf("%d: touches %+v", others, got)
		}
		t.Logf("%6d %+v", others, got)
	}
	if costs[0] != costs[1] {
		t.Errorf("%+v", costs)
	}
}
