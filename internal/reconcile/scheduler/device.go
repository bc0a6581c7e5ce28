package scheduler

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/plan"
)

// How many devices are tried for a Pod, on one node and on all nodes. Nodes that are not reached do
// not fit.
const (
	stepsOnNode = 10_000
	stepsForPod = 100_000
)

// devices is what a Pod's ResourceClaims require of nodes.
type devices struct {
	batch   *batch
	problem string                       // why no node fits; empty if there is no such reason
	later   bool                         // the Pod must wait for the next batch
	claims  []*resourcev1.ResourceClaim  // as the batch has left them; those that it has changed are first
	open    []*resourcev1.ResourceClaim  // those without devices
	reaches []*nodeaffinity.NodeSelector // where the devices of the others can be used
	steps   int                          // devices tried
	offers  map[string]offer             // by node
}

// offer is the devices for the open claims on a node, or why the node does not fit.
type offer struct {
	allocations []resourcev1.AllocationResult
	refusal     refusal
}

var refusedUnreachable = refusal{reasons: []string{"resourceclaim not available on the node"}, final: true}

// devicesOf finds the requirements of a Pod's ResourceClaims; nil if it has no ResourceClaims.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, PreFilter and foreachPodResourceClaim
//
// Differs: upstream retries some problems with claims, classes and selectors after a while; here
// they are reported like all others.
func (b *batch) devicesOf(pod *corev1.Pod) *devices {
	if b.devices == nil || len(pod.Spec.ResourceClaims) == 0 {
		return nil
	}
	d := &devices{batch: b, offers: map[string]offer{}}
	changed := 0
	for _, use := range device.Uses(pod) {
		if use.Claim == "" || slices.ContainsFunc(d.claims, func(c *resourcev1.ResourceClaim) bool { return c.Name == use.Claim }) {
			continue
		}
		claim := b.devices.DeviceClaim(pod.Namespace, use.Claim)
		if claim != nil {
			if at, known := b.claimed[claim.UID]; known {
				claim = b.plan.Updates[at].Object.(*resourcev1.ResourceClaim)
				d.claims = slices.Insert(d.claims, 0, claim)
				changed++
			} else {
				d.claims = append(d.claims, claim)
			}
		}
		if d.problem = d.demand(pod, use, claim); d.problem != "" {
			return d
		}
	}
	// An update can depend on only one other.
	d.later = changed > 1
	return d
}

// demand records what a claim requires of nodes, or says why it rules out all of them.
func (d *devices) demand(pod *corev1.Pod, use device.Use, claim *resourcev1.ResourceClaim) (problem string) {
	switch {
	case claim == nil:
		return fmt.Sprintf("resourceclaim.resource.k8s.io %q not found", use.Claim)
	case claim.DeletionTimestamp != nil:
		return fmt.Sprintf("resourceclaim %q is being deleted", claim.Name)
	case !use.Belongs(claim, pod):
		return fmt.Sprintf("ResourceClaim %s/%s was not created for Pod %s/%s (Pod is not owner)", claim.Namespace, claim.Name, pod.Namespace, pod.Name)
	case claim.Status.Allocation == nil:
		d.open = append(d.open, claim)
		return d.missingClass(claim)
	case device.Full(claim) && !device.ReservedFor(claim, pod):
		return "resourceclaim in use"
	}
	if nodes := claim.Status.Allocation.NodeSelector; nodes != nil {
		reach, err := nodeaffinity.NewNodeSelector(nodes)
		if err != nil {
			return err.Error()
		}
		d.reaches = append(d.reaches, reach)
	}
	return ""
}

// missingClass says which class of a claim's requests does not exist; empty if all exist.
func (d *devices) missingClass(claim *resourcev1.ResourceClaim) string {
	missing := func(request, class string) string {
		if d.batch.devices.DeviceClass(class) != nil {
			return ""
		}
		return fmt.Sprintf("request %s: device class %s does not exist", request, class)
	}
	for _, r := range claim.Spec.Devices.Requests {
		if r.Exactly != nil {
			if why := missing(r.Name, r.Exactly.DeviceClassName); why != "" {
				return why
			}
		}
		for _, sub := range r.FirstAvailable {
			if why := missing(r.Name+"/"+sub.Name, sub.DeviceClassName); why != "" {
				return why
			}
		}
	}
	return ""
}

// on is what the claims get on a node. It is computed once per node.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, Filter
func (d *devices) on(node *corev1.Node) offer {
	o, known := d.offers[node.Name]
	if !known {
		o = d.look(node)
		d.offers[node.Name] = o
	}
	return o
}

func (d *devices) look(node *corev1.Node) offer {
	if d.problem != "" {
		return offer{refusal: refusal{reasons: []string{d.problem}, final: true}}
	}
	if slices.ContainsFunc(d.reaches, func(r *nodeaffinity.NodeSelector) bool { return !r.Match(node) }) {
		return offer{refusal: refusedUnreachable}
	}
	if len(d.open) == 0 {
		return offer{}
	}
	allocations, steps, err := d.batch.stock().Allocate(node, d.open, min(stepsOnNode, stepsForPod-d.steps))
	d.steps += steps
	d.batch.examined += steps
	if err == nil {
		return offer{allocations: allocations}
	}
	if !device.OnNode(err) {
		d.problem = err.Error()
	}
	return offer{refusal: refusal{reasons: []string{err.Error()}, final: true}}
}

// stock is the inventory of devices, in which those that are taken are marked, also by this batch.
func (b *batch) stock() *device.Inventory {
	if b.inventory == nil {
		b.inventory = device.NewInventory(b.devices.DeviceSlices(), b.devices.DeviceClass, b.devices.AllocatedClaims())
	}
	return b.inventory
}

// take allocates the claims' devices on a node and reserves them for the Pod. It returns the uid of
// the claim whose update the Pod's binding depends on; empty if none exists. Each update depends on
// the one before, so that the last stands for all.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, Reserve and bindClaim
func (d *devices) take(pod *corev1.Pod, node *corev1.Node) (last types.UID) {
	b := d.batch
	allocations := d.on(node).allocations
	for _, claim := range d.claims {
		next := claim
		_, changed := b.claimed[claim.UID]
		if !changed {
			next = claim.DeepCopy()
		}
		reserved := device.ReservedFor(claim, pod)
		if i := slices.Index(d.open, claim); i >= 0 {
			next.Status.Allocation = &allocations[i]
			if next.Status.Allocation.AllocationTimestamp == nil {
				next.Status.Allocation.AllocationTimestamp = new(b.now)
			}
			if !slices.Contains(next.Finalizers, resourcev1.Finalizer) {
				next.Finalizers = append(next.Finalizers, resourcev1.Finalizer)
			}
			b.stock().Take(next.Status.Allocation)
		} else if reserved && !changed {
			continue
		}
		if !reserved {
			device.Reserve(next, pod)
		}
		if !changed {
			if b.claimed == nil {
				b.claimed = map[types.UID]int{}
			}
			b.claimed[claim.UID] = len(b.plan.Updates)
			b.plan.Updates = append(b.plan.Updates, plan.Update{Object: next, NeedsUpdate: last})
		}
		last = claim.UID
	}
	if last != "" {
		b.version++
	}
	return last
}
