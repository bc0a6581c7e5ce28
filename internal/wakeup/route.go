package wakeup

import (
	"bytes"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
)

// The reconcilers, by the names under which their work is queued.
const (
	Configuration     = "configuration"
	CronJob           = "cronjob"
	Deployment        = "deployment"
	Endpoints         = "endpoints"
	EphemeralVolume   = "ephemeralvolume"
	EventExpiry       = "eventexpiry"
	Fault             = "fault"
	GarbageCollector  = "garbagecollector"
	Job               = "job"
	JobPod            = "jobpod"
	Kubelet           = "kubelet"
	KubeletBacklog    = "kubeletbacklog" // the kubelet's, of Pods whose machines have used their share
	KubernetesService = "kubernetesservice"
	Namespace         = "namespace"
	NodeDisruption    = "nodedisruption"
	NodeLifecycle     = "nodelifecycle"
	NodePods          = "nodepods"
	PersistentVolume  = "persistentvolume"
	PodGC             = "podgc"
	ReplicaSet        = "replicaset"
	ResourceQuota     = "resourcequota"
	Scheduler         = "scheduler"
	ServiceAccount    = "serviceaccount"
	TaintEviction     = "tainteviction"
	TTLAfterFinished  = "ttlafterfinished"
	VolumeClass       = "volumeclass"

	KubeletTermination    = "kubelettermination" // of those of them that are being deleted
	PersistentVolumeClaim = "persistentvolumeclaim"
)

// Rows of objects, made by the first migration, that are locked by reconcilers which decide across objects. Compaction takes
// turns under HousekeepingLock as well.
const (
	SchedulerLock    types.UID = "00000000-0000-0000-0000-000000000001"
	HousekeepingLock types.UID = "00000000-0000-0000-0000-000000000003"
)

// Resync is the cause of wakeups that no change asked for: the safety net did.
const Resync = object.NoRequest

// podGCQuarantine is how long the Pods of a node that is gone are kept, in case the node comes back.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, quarantineTime.
const podGCQuarantine = 40 * time.Second

// Wake asks a controller to look at an object: the one with UID or, where UID is empty, the one named; Namespace is empty for a
// cluster-scoped one. One in a namespace is looked at without delay, and whether it is being deleted or not.
type Wake struct {
	Controller     string
	UID            types.UID
	Resource, Name string
	Namespace      string
	After          time.Duration // from the change, in cluster time; zero is at once
	// OnlyTerminating asks for the look only if the object is being deleted when the change commits.
	OnlyTerminating bool
}

// Change is what Route needs to know of a write: the object before and after it. Old is nil for a creation, New for a
// removal. Controller is the reconciler that made the change, empty for a client.
type Change struct {
	Old, New   object.Object
	Controller string
	// Unread says that no Pod which has been started for some time refers to the object, so that its content is no news to any.
	Unread bool
}

// Route says whom a change wakes, as far as the change itself can tell. It may wake too many, never too few. A
// reconciler's own change of the object it looked at wakes it again only where a second look may find more to do.
func Route(c Change) []Wake {
	var w []Wake
	w = append(w, routeOwnership(c)...)
	w = append(w, routeEndpoints(c)...)
	w = append(w, routeVolume(c)...)
	switch o := c.last().(type) {
	case *corev1.Pod:
		w = append(w, routePod(c, o)...)
	case *appsv1.ReplicaSet:
		w = append(w, c.self(ReplicaSet)...)
		w = append(w, c.controllers()...)
	case *appsv1.Deployment:
		w = append(w, c.self(Deployment)...)
	case *batchv1.Job:
		w = append(w, routeJob(c)...)
	case *batchv1.CronJob:
		if c.Controller != CronJob {
			w = append(w, c.self(CronJob)...)
		}
	case *corev1.ResourceQuota:
		if c.Controller != ResourceQuota { // a status that somebody else has written is put right
			w = append(w, c.self(ResourceQuota)...) // what is charged to it wakes it as well, see the SQL function charge_quotas
		}
	case *corev1.Namespace:
		if c.Controller != Namespace { // what it deletes wakes it when it is gone
			w = append(w, c.self(Namespace)...)
		}
		w = append(w, c.self(ServiceAccount)...)
		if c.Old != nil && !maps.Equal(c.Old.GetLabels(), o.Labels) {
			w = append(w, Wake{Controller: Scheduler, UID: SchedulerLock}) // affinity may select namespaces by them
		}
		if c.Old == nil && o.Name == metav1.NamespaceDefault {
			w = append(w, c.self(KubernetesService)...)
		}
	case *corev1.Node:
		w = append(w, c.self(NodeLifecycle)...)
		if c.movesPods(o) {
			w = append(w, Wake{Controller: Scheduler, UID: SchedulerLock})
		}
		w = append(w, routeNode(c)...)
		if c.New == nil {
			w = append(w, Wake{Controller: PodGC, UID: HousekeepingLock, After: podGCQuarantine})
		}
	case *fault.Fault:
		if c.Controller != Fault {
			w = append(w, c.self(Fault)...)
		}
	case *corev1.Service:
		if c.New == nil && o.Namespace == metav1.NamespaceDefault && o.Name == "kubernetes" {
			w = append(w, Wake{Controller: KubernetesService, Resource: "namespaces", Name: o.Namespace})
		}
	case *corev1.ServiceAccount, *corev1.ConfigMap:
		if n := o.GetName(); (n == "default" || n == "kube-root-ca.crt") && c.Controller != ServiceAccount {
			w = append(w, Wake{Controller: ServiceAccount, Resource: "namespaces", Name: o.GetNamespace()})
		}
	}
	if !c.Unread && c.configures() {
		w = append(w, c.self(Configuration)...)
	}
	return w
}

// configures says whether the change may be news to Pods that refer to the object. What they have been given of one that is
// removed they keep.
func (c Change) configures() bool {
	switch o := c.New.(type) {
	case *corev1.ConfigMap:
		old, ok := c.Old.(*corev1.ConfigMap)
		return !ok || !maps.Equal(old.Data, o.Data) || !maps.EqualFunc(old.BinaryData, o.BinaryData, bytes.Equal)
	case *corev1.Secret:
		old, ok := c.Old.(*corev1.Secret)
		return !ok || !maps.EqualFunc(old.Data, o.Data, bytes.Equal)
	}
	return false
}

// routeOwnership wakes the garbage collector and, when an object is gone, the namespace that may be waiting for it.
func routeOwnership(c Change) []Wake {
	var w []Wake
	if c.New != nil {
		collecting := c.New.GetDeletionTimestamp() != nil &&
			(slices.Contains(c.New.GetFinalizers(), metav1.FinalizerDeleteDependents) || slices.Contains(c.New.GetFinalizers(), metav1.FinalizerOrphanDependents))
		// A reconciler creates and adopts under the lock of the owner, which therefore exists.
		unsure := c.Controller == "" && len(c.New.GetOwnerReferences()) > 0 && c.ownersChanged()
		if collecting || unsure {
			w = append(w, Wake{Controller: GarbageCollector, UID: c.New.GetUID()})
		}
	}
	if c.Old != nil && c.ownersChanged() {
		for _, ref := range c.Old.GetOwnerReferences() {
			w = append(w, Wake{Controller: GarbageCollector, UID: ref.UID, OnlyTerminating: true})
		}
	}
	if c.New == nil && c.Old.GetNamespace() != "" {
		w = append(w, Wake{Controller: Namespace, Resource: "namespaces", Name: c.Old.GetNamespace(), OnlyTerminating: true})
	}
	return w
}

// routePod wakes the Pod's workload, the scheduler while it has no node, and its kubelet once it has one. Where a client has
// named the node, the collector of Pods looks whether there is such a node.
func routePod(c Change, pod *corev1.Pod) []Wake {
	w := append(routeJobPod(c, pod), routePodVolumes(c, pod)...)
	if c.Controller == "" && c.toleratesOtherwise() {
		w = append(w, Wake{Controller: TaintEviction, Resource: "nodes", Name: pod.Spec.NodeName})
	}
	if c.helpsOthers(pod) {
		w = append(w, Wake{Controller: Scheduler, UID: SchedulerLock})
	}
	if c.New == nil {
		return w
	}
	switch {
	case pod.Spec.NodeName == "":
		if !finished(pod) && c.Controller != Scheduler {
			w = append(w, Wake{Controller: Scheduler, UID: pod.UID})
		}
	case c.Controller != Kubelet:
		if !finished(pod) || pod.DeletionTimestamp != nil {
			w = append(w, Wake{Controller: Kubelet, UID: pod.UID})
		}
		if c.Controller == "" && !bound(c.Old) {
			w = append(w, Wake{Controller: PodGC, UID: HousekeepingLock})
		}
	}
	return w
}

// helpsOthers says whether Pods that fit nowhere may do so after the change: the Pod frees room that it used or had reserved, or others
// that look for such Pods find it. What the scheduler does itself it takes into account at once.
func (c Change) helpsOthers(pod *corev1.Pod) bool {
	old, _ := c.Old.(*corev1.Pod)
	if c.New == nil {
		return pod.Spec.NodeName != "" || pod.Status.NominatedNodeName != ""
	}
	if pod.Spec.NodeName == "" || c.Controller == Scheduler {
		return false
	}
	if finished(pod) {
		return old == nil || !finished(old)
	}
	return c.Controller == "" && (!bound(c.Old) || !maps.Equal(old.Labels, pod.Labels))
}

func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// movesPods says whether the change of a node may let Pods fit that fitted nowhere, or alters why they do not.
func (c Change) movesPods(node *corev1.Node) bool {
	old, ok := c.Old.(*corev1.Node)
	if !ok || c.New == nil {
		return true
	}
	return old.Spec.Unschedulable != node.Spec.Unschedulable || !maps.Equal(old.Labels, node.Labels) ||
		!equality.Semantic.DeepEqual(old.Spec.Taints, node.Spec.Taints) ||
		!equality.Semantic.DeepEqual(old.Status.Allocatable, node.Status.Allocatable)
}

// bound says whether a Pod, nil for none, has a node.
func bound(o object.Object) bool {
	pod, ok := o.(*corev1.Pod)
	return ok && pod.Spec.NodeName != ""
}

// Labels are the label sets, old and new, by which workloads may select the changed object; none where its
// controller is known and has not changed, as then only that one is concerned.
func Labels(c Change) []map[string]string {
	switch c.last().(type) {
	case *corev1.Pod, *appsv1.ReplicaSet:
	default:
		return nil
	}
	if c.New == nil {
		return nil
	}
	orphan := metav1.GetControllerOfNoCopy(c.New) == nil
	if c.Old == nil {
		if !orphan {
			return nil
		}
		return []map[string]string{c.New.GetLabels()}
	}
	if !orphan && !c.ownersChanged() && maps.Equal(c.Old.GetLabels(), c.New.GetLabels()) {
		return nil
	}
	return []map[string]string{c.Old.GetLabels(), c.New.GetLabels()}
}

// OwnersChanged says whether the change touches the object's owner references, as creation and removal do.
func OwnersChanged(c Change) bool { return c.ownersChanged() }

func (c Change) ownersChanged() bool {
	if c.Old == nil || c.New == nil {
		return len(c.last().GetOwnerReferences()) > 0
	}
	return !slices.EqualFunc(c.Old.GetOwnerReferences(), c.New.GetOwnerReferences(), func(a, b metav1.OwnerReference) bool {
		return a.UID == b.UID && flag(a.BlockOwnerDeletion) == flag(b.BlockOwnerDeletion) && flag(a.Controller) == flag(b.Controller)
	})
}

func flag(b *bool) bool { return b != nil && *b }

// last is the object after the change or, when it is gone, before.
func (c Change) last() object.Object {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// self wakes controller for the changed object, if that is still there.
func (c Change) self(controller string) []Wake {
	if c.New == nil {
		return nil
	}
	return []Wake{{Controller: controller, UID: c.New.GetUID()}}
}

// controllers wakes the workloads that control the object, before and after the change.
func (c Change) controllers() []Wake {
	var w []Wake
	for _, o := range []object.Object{c.Old, c.New} {
		if o == nil {
			continue
		}
		ref := metav1.GetControllerOfNoCopy(o)
		if ref == nil || len(w) > 0 && w[0].UID == ref.UID {
			continue
		}
		if name := controllerOf[ref.Kind]; name != "" {
			w = append(w, Wake{Controller: name, UID: ref.UID})
		}
	}
	return w
}

// controllerOf names the reconciler of each kind of workload that controls others.
var controllerOf = map[string]string{
	"CronJob":    CronJob,
	"Deployment": Deployment,
	"Job":        Job,
	"ReplicaSet": ReplicaSet,
}
