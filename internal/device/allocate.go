package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// ErrNoDevices says that a node does not have what claims ask for.
var ErrNoDevices = errors.New("cannot allocate all claims")

// OnNode says whether an error of Inventory.Allocate is about the node, so that another one may do.
func OnNode(err error) bool {
	return errors.Is(err, ErrNoDevices) || errors.Is(err, errSteps) || errors.Is(err, structured.ErrFailedAllocationOnNode)
}

// Inventory is the devices of a cluster, and those of them that are taken. It is not safe for concurrent use.
type Inventory struct {
	class  func(name string) *resourcev1.DeviceClass
	taken  structured.AllocatedState
	local  map[string][]*pool // by node: pools all of whose slices are of nodes, one of them of this node
	shared []*pool            // the others
}

// pool is the slices of a driver's pool.
type pool struct {
	slices []*resourcev1.ResourceSlice
	nodes  []string // of its slices, without repetition; nil if some slice is of no single node
}

// NewInventory makes an inventory of the offered devices, less those that claims have been allocated. class finds a DeviceClass by name,
// and returns nil for an unknown one.
func NewInventory(offered []*resourcev1.ResourceSlice, class func(name string) *resourcev1.DeviceClass, claims []*resourcev1.ResourceClaim) *Inventory {
	i := &Inventory{class: class, local: map[string][]*pool{}, taken: structured.AllocatedState{
		AllocatedDevices: sets.New[structured.DeviceID](), AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity: structured.NewConsumedCapacityCollection(),
	}}
	for _, p := range poolsOf(offered) {
		for _, node := range p.nodes {
			i.local[node] = append(i.local[node], p)
		}
		if p.nodes == nil {
			i.shared = append(i.shared, p)
		}
	}
	for _, c := range claims {
		if c.Status.Allocation != nil {
			i.Take(c.Status.Allocation)
		}
	}
	return i
}

// poolsOf sorts slices into pools, which come in the order of their drivers and names.
func poolsOf(all []*resourcev1.ResourceSlice) []*pool {
	all = slices.SortedFunc(slices.Values(all), func(a, b *resourcev1.ResourceSlice) int {
		return cmp.Or(strings.Compare(a.Spec.Driver, b.Spec.Driver), strings.Compare(a.Spec.Pool.Name, b.Spec.Pool.Name), strings.Compare(a.Name, b.Name))
	})
	var pools []*pool
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Spec.Driver == all[0].Spec.Driver && all[n].Spec.Pool.Name == all[0].Spec.Pool.Name {
			n++
		}
		p := &pool{slices: all[:n]}
		nodes := sets.New[string]()
		for _, s := range p.slices {
			if s.Spec.NodeName != nil {
				nodes.Insert(*s.Spec.NodeName)
			} else {
				nodes.Insert("")
			}
		}
		if !nodes.Has("") {
			p.nodes = sets.List(nodes)
		}
		pools, all = append(pools, p), all[n:]
	}
	return pools
}

// Take notes that an allocation's devices are taken. Administrators' access takes nothing.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/allocateddevices.go, foreachAllocatedDevice
func (i *Inventory) Take(a *resourcev1.AllocationResult) {
	for _, r := range a.Devices.Results {
		if r.AdminAccess != nil && *r.AdminAccess {
			continue
		}
		id := structured.MakeDeviceID(r.Driver, r.Pool, r.Device)
		if r.ShareID == nil {
			i.taken.AllocatedDevices.Insert(id)
			continue
		}
		i.taken.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, r.ShareID))
		i.taken.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, r.ConsumedCapacity))
	}
}

// Allocate chooses devices for claims that have none, on a node: an allocation for each. Where OnNode holds for its error, another node may
// do; any other error is about the claims, their classes or the slices. It tries so many devices at most; steps counts those and the
// slices.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, Filter
//
// Differs: the search ends after so many steps, where upstream's ends after ten seconds. Devices that have to be made ready before a Pod is
// bound (bindingConditions) are left alone, because nobody makes them ready.
func (i *Inventory) Allocate(node *corev1.Node, claims []*resourcev1.ResourceClaim, atMost int) (allocations []resourcev1.AllocationResult, steps int, err error) {
	ctx := &budget{most: atMost}
	var near []*resourcev1.ResourceSlice
	for _, pools := range [][]*pool{i.local[node.Name], i.shared} {
		for _, p := range pools {
			near = append(near, p.slices...)
		}
	}
	allocator, err := structured.NewAllocator(ctx, supported, i.taken, lister{i.class}, near, selectors())
	if err != nil {
		return nil, len(near), fmt.Errorf("prepare the choice of devices: %w", err)
	}
	allocations, err = allocator.Allocate(ctx, node, claims)
	steps = ctx.steps + len(near)
	switch {
	case errors.Is(err, errSteps):
		return nil, steps, fmt.Errorf("node %s: %w", node.Name, errSteps)
	case err != nil:
		return nil, steps, err //nolint:wrapcheck // users read it as upstream words it
	case len(allocations) != len(claims):
		return nil, steps, ErrNoDevices
	}
	for c := range allocations {
		nameShares(claims[c].UID, &allocations[c])
	}
	return allocations, steps, nil
}

// nameShares names the shares of devices by the claim that has them, in place of names that are drawn.
func nameShares(claim types.UID, a *resourcev1.AllocationResult) {
	for i := range a.Devices.Results {
		if r := &a.Devices.Results[i]; r.ShareID != nil {
			r.ShareID = new(types.UID(uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", claim, i)).String()))
		}
	}
}

// supported are upstream's features as they are by default, but for conditions before binding.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, AllocatorFeatures
var supported = structured.Features{AdminAccess: true, ConsumableCapacity: true, DeviceTaints: true, PartitionableDevices: true, PrioritizedList: true}

// selectorsAtMost is how many compiled expressions a process keeps.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, New
const selectorsAtMost = 10

// selectors are the expressions that have been compiled, shared by all inventories.
var selectors = sync.OnceValue(func() *cel.Cache { return cel.NewCache(selectorsAtMost, features) })

// lister finds classes.
type lister struct {
	class func(name string) *resourcev1.DeviceClass
}

// List implements structured.DeviceClassLister. The allocator does not call it.
func (l lister) List() ([]*resourcev1.DeviceClass, error) { return nil, nil }

// Get implements structured.DeviceClassLister.
func (l lister) Get(name string) (*resourcev1.DeviceClass, error) {
	if c := l.class(name); c != nil {
		return c, nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Group: resourcev1.GroupName, Resource: "deviceclasses"}, name)
}

var errSteps = errors.New("timed out trying to allocate devices")

// budget is a context that ends after so many questions whether it has ended, so that a search ends at the same step everywhere.
type budget struct{ steps, most int }

// Deadline, Done, Value and Err implement context.Context.
func (*budget) Deadline() (deadline time.Time, ok bool) { return deadline, false }
func (*budget) Done() <-chan struct{}                   { return nil }
func (*budget) Value(any) any                           { return nil }

func (b *budget) Err() error {
	if b.steps++; b.steps > b.most {
		return errSteps
	}
	return nil
}

var _ context.Context = (*budget)(nil)
