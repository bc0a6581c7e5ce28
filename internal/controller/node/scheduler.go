package node

import (
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/policy"
	"github.com/rowlock/rowlock/internal/kind/resource"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/scheduler"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// scheduleLimit is how many Pods one transaction binds at most.
const scheduleLimit = 500

// NewScheduler makes the controller that binds Pods to nodes.
//
// Cost: the Pods that it was woken for. If room may have become free, also those that it has not
// tried, and one Pod of each cohort of those that fit nowhere (see scheduler.Cluster), at most 500
// of each: the rest is left for later turns. It binds at most 500, and reports for as many why they
// fit nowhere, if the reason has changed. If a Pod preempts others, the budgets of their namespaces
// too. With Pods that request devices, all ResourceSlices and all ResourceClaims that have devices.
func NewScheduler(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.Scheduler, UserAgent: "default-scheduler", Others: []string{"pods"}, Batch: scheduleLimit,
		Lock: wakeup.SchedulerLock, Reconcile: controllers(w).schedule,
		WokenBy: []string{names.PersistentVolumeClaim},
		Sources: []wakeup.Source{
			wakeup.Watches(&podkind.Kind.Type, toBind),
			wakeup.Watches(&podkind.Kind.Type, wakeup.OfLock(wakeup.SchedulerLock, helpsOthers)),
			wakeup.Watches(&core.Node.Type, wakeup.OfLock(wakeup.SchedulerLock, movesPods)),
			// Affinity may select namespaces by their labels, and Pods may wait for room for
			// volumes.
			wakeup.Watches(&core.Namespace.Type, wakeup.OfLock(wakeup.SchedulerLock, relabelled)),
			wakeup.Watches(&storage.CSIStorageCapacity.Type, wakeup.OfLock(wakeup.SchedulerLock, always)),
			wakeup.Watches(&storage.CSIDriver.Type, wakeup.OfLock(wakeup.SchedulerLock, always)),
			wakeup.Watches(&resource.ResourceClaim.Type, wakeup.OfLock(wakeup.SchedulerLock, movesClaims)),
			wakeup.Watches(&resource.DeviceClass.Type, wakeup.OfLock(wakeup.SchedulerLock, always)),
			wakeup.Watches(&resource.ResourceSlice.Type, wakeup.OfLock(wakeup.SchedulerLock, always)),
		},
	}
}

// toBind asks for a Pod that has no node. If the scheduler itself has changed it, the scheduler has
// already reported why.
func toBind(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	pod, _ := d.New.(*corev1.Pod)
	if pod != nil && pod.Spec.NodeName == "" && !podstate.Terminal(pod) && d.Controller != names.Scheduler {
		wakes = append(wakes, wakeup.Wake{UID: pod.UID})
	}
	return wakes
}

// helpsOthers reports whether Pods that fit nowhere may fit after the change of a Pod: it frees
// room that it used or had reserved, or others whose affinity looks for such Pods find it. A Pod
// that had ended has done so already. The scheduler takes its own changes into account at once.
func helpsOthers(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	if pod == nil {
		return !podstate.Terminal(old) && (old.Spec.NodeName != "" || old.Status.NominatedNodeName != "")
	}
	if pod.Spec.NodeName == "" || d.Controller == names.Scheduler {
		return false
	}
	if podstate.Terminal(pod) {
		return old == nil || !podstate.Terminal(old)
	}
	return d.Controller == "" && (!podstate.Bound(old) || !maps.Equal(old.Labels, pod.Labels))
}

// movesPods returns scheduler.Moves of a change.
func movesPods(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Node)
	node, _ := d.New.(*corev1.Node)
	return scheduler.Moves(old, node)
}

// movesClaims returns scheduler.MovesClaim of a change that the scheduler has not made itself.
func movesClaims(d wakeup.Diff) bool {
	old, _ := d.Old.(*resourcev1.ResourceClaim)
	claim, _ := d.New.(*resourcev1.ResourceClaim)
	return d.Controller != names.Scheduler && scheduler.MovesClaim(old, claim)
}

// relabelled holds for objects whose labels have changed.
func relabelled(d wakeup.Diff) bool {
	return d.Old != nil && !maps.Equal(d.Old.GetLabels(), d.Last().GetLabels())
}

func always(wakeup.Diff) bool { return true }

// schedule schedules the claimed Pods and those that wait for others or, if room may have become
// free, all that are pending.
func (w controllers) schedule(v mirror.View, requests []engine.Request, now time.Time) []engine.Planned {
	var p plan.Plan
	s := scheduler.Snapshot{Related: related{v}, Storage: related{v}, Devices: related{v}, Limit: scheduleLimit, Now: now}
	for _, request := range requests {
		if request.UID == wakeup.SchedulerLock {
			s.Freed = true
		} else if pod := (related{v}).Pod(request.UID); pod != nil {
			s.Pods = append(s.Pods, pod)
		}
	}
	w.Nodes.Use(func(c *scheduler.Cluster) {
		s.Cluster = c
		c.Recall()
		var tried scheduler.Tried
		p, tried = scheduler.Schedule(s)
		c.Note(tried)
	})
	if p.Empty() && p.WakeAt.IsZero() {
		return nil
	}
	return []engine.Planned{{UID: wakeup.SchedulerLock, Plan: p}}
}

// related is what the scheduler queries from the mirror.
type related struct{ view mirror.View }

var (
	_ scheduler.Related = related{}
	_ scheduler.Storage = related{}
	_ scheduler.Devices = related{}
)

// NamespaceLabels implements scheduler.Related.
func (r related) NamespaceLabels(namespace string) map[string]string {
	if o := r.view.Get(object.Key{Resource: "namespaces", Name: namespace}); o != nil {
		return o.Object().GetLabels()
	}
	return nil
}

// ServiceSelectors implements scheduler.Related.
func (r related) ServiceSelectors(namespace string) (selectors []map[string]string) {
	r.view.Each("services", namespace, func(o *object.Version) bool {
		if s := o.Object().(*corev1.Service).Spec.Selector; s != nil {
			selectors = append(selectors, s)
		}
		return true
	})
	return selectors
}

// OwnerSelector implements scheduler.Related.
func (r related) OwnerSelector(pod *corev1.Pod) *metav1.LabelSelector {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return nil
	}
	o := r.view.UID(owner.UID)
	if o == nil || o.Namespace != pod.Namespace {
		return nil
	}
	switch owner := o.Object().(type) {
	case *appsv1.ReplicaSet:
		return owner.Spec.Selector
	case *appsv1.StatefulSet:
		return owner.Spec.Selector
	case *corev1.ReplicationController:
		return &metav1.LabelSelector{MatchLabels: owner.Spec.Selector}
	}
	return nil
}

// Budgets implements scheduler.Related.
func (r related) Budgets(namespace string) (budgets []*policyv1.PodDisruptionBudget) {
	r.view.Each(policy.PodDisruptionBudget.Resource(), namespace, func(o *object.Version) bool {
		budgets = append(budgets, o.Object().(*policyv1.PodDisruptionBudget))
		return true
	})
	return budgets
}

// Pod implements scheduler.Related.
func (r related) Pod(uid types.UID) *corev1.Pod {
	if o := r.view.UID(uid); o != nil {
		pod, _ := o.Object().(*corev1.Pod)
		return pod
	}
	return nil
}

// Claim implements scheduler.Storage.
func (r related) Claim(namespace, name string) (*corev1.PersistentVolumeClaim, []*corev1.Pod) {
	o := r.view.Get(object.Key{Resource: "persistentvolumeclaims", Namespace: namespace, Name: name})
	if o == nil {
		return nil, nil
	}
	return o.Object().(*corev1.PersistentVolumeClaim), gather.Typed[*corev1.Pod](r.view, mirror.PodsByClaim, namespace+"/"+name)
}

// Volume implements scheduler.Storage.
func (r related) Volume(name string) *corev1.PersistentVolume {
	return gather.ByName[*corev1.PersistentVolume](r.view, core.PersistentVolume, name)
}

// Class implements scheduler.Storage.
func (r related) Class(name string) *storagev1.StorageClass {
	return gather.ByName[*storagev1.StorageClass](r.view, storage.StorageClass, name)
}

// Volumes implements scheduler.Storage.
func (r related) Volumes(claim *corev1.PersistentVolumeClaim) []*corev1.PersistentVolume {
	return append(gather.Typed[*corev1.PersistentVolume](r.view, mirror.VolumesByClaim, claim.Namespace+"/"+claim.Name),
		gather.Typed[*corev1.PersistentVolume](r.view, mirror.FreeVolumes, core.ClassOfClaim(claim))...)
}

// HasRoom implements scheduler.Storage: for a class whose driver reports its capacity, there must
// be enough near the node.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/binder.go, hasEnoughCapacity
func (r related) HasRoom(class *storagev1.StorageClass, claim *corev1.PersistentVolumeClaim, node *corev1.Node) bool {
	driver := gather.ByName[*storagev1.CSIDriver](r.view, storage.CSIDriver, class.Provisioner)
	if driver == nil || driver.Spec.StorageCapacity == nil || !*driver.Spec.StorageCapacity {
		return true
	}
	size, enough := volumestate.Size(claim), false
	r.view.EachIn(mirror.CapacitiesByClass, class.Name, func(o *object.Version) {
		c := o.Object().(*storagev1.CSIStorageCapacity)
		limit := c.Capacity
		if c.MaximumVolumeSize != nil {
			limit = c.MaximumVolumeSize
		}
		if enough || limit == nil || limit.Cmp(size) < 0 || c.NodeTopology == nil {
			return
		}
		near, err := metav1.LabelSelectorAsSelector(c.NodeTopology)
		enough = err == nil && near.Matches(labels.Set(node.Labels))
	})
	return enough
}

// DeviceClaim implements scheduler.Devices.
func (r related) DeviceClaim(namespace, name string) *resourcev1.ResourceClaim {
	return gather.One[*resourcev1.ResourceClaim](r.view, object.Key{Resource: resource.ResourceClaim.Resource(), Namespace: namespace, Name: name})
}

// DeviceClass implements scheduler.Devices.
func (r related) DeviceClass(name string) *resourcev1.DeviceClass {
	return gather.ByName[*resourcev1.DeviceClass](r.view, resource.DeviceClass, name)
}

// AllocatedClaims implements scheduler.Devices.
func (r related) AllocatedClaims() []*resourcev1.ResourceClaim {
	return gather.Typed[*resourcev1.ResourceClaim](r.view, mirror.AllocatedClaims, "")
}

// DeviceSlices implements scheduler.Devices.
func (r related) DeviceSlices() (all []*resourcev1.ResourceSlice) {
	r.view.Each(resource.ResourceSlice.Resource(), "", func(o *object.Version) bool {
		all = append(all, o.Object().(*resourcev1.ResourceSlice))
		return true
	})
	return all
}
