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

// ErrNoDevices means that a node does not have the devices that the claims ask for.
var ErrNoDevices = errors.New("cannot allocate all claims")

// OnNode reports whether an error of Inventory.Allocate concerns the node, so that another node may
// do.
func OnNode(err error) bool {
	return errors.Is(err, ErrNoDevices) || errors.Is(err, errSteps) || errors.Is(err, structured.ErrFailedAllocationOnNode)
}

// Inventory holds the devices of a cluster and which of them are taken. It is not safe for
// concurrent use.
type Inventory struct {
	class  func(name string) *resourcev1.DeviceClass
	taken  structured.AllocatedState
	local  map[string][]*pool // by node: pools whose slices all name a node; at least one names this one
	shared []*pool            // all other pools
}

// pool holds the slices of one of a driver's pools.
type pool struct {
	slices []*resourcev1.ResourceSlice
	nodes  []string // of its slices, without duplicates; nil if a slice is not of a single node
}

// NewInventory returns an inventory of the offered devices, less those that are allocated to
// claims. class finds a DeviceClass by name, and returns nil for an unknown one.
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

// poolsOf groups slices into pools, ordered by driver and name.
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

// Take marks the devices of an allocation as taken. Administrative access takes no device.
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

// Allocate chooses devices on a node for claims without an allocation, and returns an allocation
// for each. If OnNode holds for its error, another node may do; any other error concerns the
// claims, their classes or the slices. It tries at most atMost devices; steps counts the devices
// tried and the slices read.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, Filter
//
// Differs: the search ends after a number of steps, where upstream's ends after ten seconds.
// Devices that must be prepared before a Pod is bound (bindingConditions) are not allocated,
// because nothing prepares them.
func (i *Inventory) Allocate(
	node *corev1.Node, claims []*resourcev1.ResourceClaim, atMost int,
) (allocations []resourcev1.AllocationResult, steps int, err error) {
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

// nameShares names shares of devices after the claim that holds them, instead of by a random name.
func nameShares(claim types.UID, a *resourcev1.AllocationResult) {
	for i := range a.Devices.Results {
		if r := &a.Devices.Results[i]; r.ShareID != nil {
			r.ShareID = new(types.UID(uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", claim, i)).String()))
		}
	}
}

// supported lists upstream's features with their defaults, except for binding conditions.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, AllocatorFeatures
var supported = structured.Features{AdminAccess: true, ConsumableCapacity: true, DeviceTaints: true, PartitionableDevices: true, PrioritizedList: true}

// selectorsAtMost is the number of compiled expressions that a process keeps.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, New
const selectorsAtMost = 10

// selectors caches compiled expressions. All inventories share it.
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

// budget is a context that ends after a number of checks for its end, so that a search ends at the
// same step everywhere.
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
