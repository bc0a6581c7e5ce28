package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// scheduleLimit is how many Pods are bound at most in one transaction.
	scheduleLimit = 500
	// nodeWait is the pause after which a kubelet looks again for its Pod's node, addressWait that after which it looks
	// again for an address.
	nodeWait    = 10 * time.Second
	addressWait = time.Second
	// backlogCore is how much of a core the Pods get whose machines have used their share, and as much again those of them that
	// are being deleted.
	backlogCore = 0.25
)

// World is what snapshots are made of besides the mirror.
type World struct {
	Kinds     *kind.Catalogue
	Images    *emulator.Catalogue
	Nodes     *Nodes
	Expiry    *Expiry
	Faults    *injector.Injector // nil for none
	Addresses *Addresses
	CABundle  string // of the server, in PEM; empty for plain HTTP
	// JobBackoffCap is the longest pause before a Job makes new Pods after failures; zero means job.DefaultBackoffCap.
	JobBackoffCap time.Duration
	// EndedPods is how many Pods that have ended are kept; zero means nodelifecycle.DefaultEndedPods.
	EndedPods int
	// StartLateCronJobs has CronJobs start a run although they have missed more than 100.
	StartLateCronJobs bool
}

// Controllers are all reconcilers, each with how its snapshot is made. This is the list to add a reconciler to.
func Controllers(w World) []engine.Controller {
	return []engine.Controller{
		{Name: wakeup.Deployment, UserAgent: "deployment-controller", Primary: "deployments.apps", Batch: 64, Reconcile: each(lookAtDeployment)},
		{Name: wakeup.ReplicaSet, UserAgent: "replicaset-controller", Primary: "replicasets.apps", Batch: 16, Reconcile: each(lookAtReplicaSet)},
		{Name: wakeup.Job, UserAgent: "job-controller", Primary: "jobs.batch", Batch: 64, Gather: apart(w.lookAtJob), Remembers: true},
		{Name: wakeup.JobPod, UserAgent: "job-controller", Primary: "pods", Batch: 250, Reconcile: each(lookAtJobPod)},
		{Name: wakeup.CronJob, UserAgent: "cronjob-controller", Primary: "cronjobs.batch", Batch: 64, Gather: apart(w.lookAtCronJob), Remembers: true},
		{Name: wakeup.TTLAfterFinished, UserAgent: "ttl-after-finished-controller", Primary: "jobs.batch", Batch: 64, Reconcile: each(lookForExpiry)},
		{Name: wakeup.GarbageCollector, UserAgent: "generic-garbage-collector", Primary: "*", Batch: 500, Reconcile: each(w.lookForGarbage)},
		{Name: wakeup.Namespace, UserAgent: "namespace-controller", Primary: "namespaces", Batch: 16, Reconcile: each(w.lookAtNamespace)},
		{Name: wakeup.ServiceAccount, UserAgent: "service-account-controller", Primary: "namespaces", Batch: 64, Reconcile: each(w.lookForServiceAccount)},
		{Name: wakeup.ResourceQuota, UserAgent: "resourcequota-controller", Primary: "resourcequotas", Batch: 16, Gather: apart(w.lookAtQuota), Quotas: true},
		{Name: wakeup.KubernetesService, UserAgent: "kubernetes-service-controller", Others: []string{"namespaces"}, Batch: 16, Reconcile: each(lookForKubernetesService)},
		{Name: wakeup.Endpoints, UserAgent: "endpointslice-controller", Primary: "services", Others: []string{"endpoints"}, Batch: 16, Reconcile: each(lookAtEndpoints)},
		{Name: wakeup.Configuration, UserAgent: "kubelet", Others: []string{"configmaps", "secrets"}, Batch: 64, Reconcile: each(lookForReaders)},
		{Name: wakeup.NodeLifecycle, UserAgent: "node-controller", Primary: "nodes", Batch: 64, Reconcile: each(lookAtNode)},
		{Name: wakeup.NodeDisruption, UserAgent: "node-controller", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.lookAtNodes},
		{Name: wakeup.NodePods, UserAgent: "node-controller", Others: []string{"nodes"}, Batch: 4, Reconcile: each(lookAtPodsOfNode)},
		{Name: wakeup.TaintEviction, UserAgent: "taint-eviction-controller", Primary: "nodes", Batch: 4, Gather: apart(lookForEvictions), Remembers: true},
		{Name: wakeup.Fault, UserAgent: "fault-injector", Primary: fault.Resource, Batch: 16, Reconcile: each(lookAtFault)},
		{Name: wakeup.PersistentVolumeClaim, UserAgent: "persistent-volume-binder", Primary: "persistentvolumeclaims", Batch: 64, Gather: apart(w.lookAtClaim), Remembers: true},
		{Name: wakeup.PersistentVolume, UserAgent: "persistent-volume-binder", Primary: "persistentvolumes", Batch: 64, Reconcile: reclaims(w.lookAtVolume), Places: placesOfVolume},
		{Name: wakeup.VolumeClass, UserAgent: "persistent-volume-binder", Primary: "volumeattributesclasses.storage.k8s.io", Others: []string{"storageclasses.storage.k8s.io"}, Batch: 16, Reconcile: each(lookAtVolumeClass)},
		{Name: wakeup.EphemeralVolume, UserAgent: "ephemeral-volume-controller", Others: []string{"pods"}, Batch: 64, Gather: apart(lookForEphemeralVolumes), Remembers: true},
		{Name: wakeup.PodGC, UserAgent: "pod-garbage-collector", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.lookForOrphans},
		{Name: wakeup.EventExpiry, UserAgent: "event-expiry", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.Expiry.look},
		{Name: wakeup.Scheduler, UserAgent: "default-scheduler", Others: []string{"pods"}, Batch: scheduleLimit, Lock: wakeup.SchedulerLock, Reconcile: w.schedule},
		{Name: wakeup.Kubelet, UserAgent: "kubelet", Primary: "pods", Batch: 250, Gather: apart(w.syncPod), Remembers: true, Places: placesOfPod, Peers: w.peersOfPod, Host: nodeOfPod},
		{Name: wakeup.KubeletBacklog, As: wakeup.Kubelet, UserAgent: "kubelet", Others: []string{"pods"}, Batch: 8, Core: backlogCore, Gather: apart(w.syncBusyPod), Remembers: true, Places: placesOfPod, Peers: w.peersOfPod, Host: nodeOfPod},
		{Name: wakeup.KubeletTermination, As: wakeup.Kubelet, UserAgent: "kubelet", Others: []string{"pods"}, Batch: 8, Core: backlogCore, Gather: apart(w.syncBusyPod), Remembers: true, Places: placesOfPod, Peers: w.peersOfPod, Host: nodeOfPod},
	}
}

// typed are the decoded objects of one type that an index has under a value; an owner may own others too.
func typed[T object.Object](v mirror.View, index mirror.Index, value string) []T {
	out := make([]T, 0, v.EachIn(index, value, nil))
	v.EachIn(index, value, func(version *object.Version) {
		if o, ok := version.Object().(T); ok {
			out = append(out, o)
		}
	})
	return out
}

func (w World) lookForServiceAccount(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	ns := o.Object().(*corev1.Namespace)
	s := serviceaccount.Snapshot{Namespace: ns, CABundle: w.CABundle}
	s.HasDefault = v.Get(object.Key{Resource: "serviceaccounts", Namespace: ns.Name, Name: serviceaccount.Default}) != nil
	if cm := v.Get(object.Key{Resource: "configmaps", Namespace: ns.Name, Name: serviceaccount.RootCA}); cm != nil {
		s.RootCA = cm.Object().(*corev1.ConfigMap)
	}
	return serviceaccount.Reconcile(s)
}

func lookForKubernetesService(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	ns := o.Object().(*corev1.Namespace)
	service := v.Get(object.Key{Resource: "services", Namespace: ns.Name, Name: kubernetesservice.Name})
	return kubernetesservice.Reconcile(kubernetesservice.Snapshot{Namespace: ns, Exists: service != nil})
}

// lookForReaders has the kubelets of the Pods that refer to a ConfigMap or Secret look whether they need what is new in it:
// files to refresh, or a container that waits for it. A Pod that the view does not hold yet is looked at by its kubelet
// later than this, with a view that holds what is new.
func lookForReaders(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) (p plan.Plan) {
	v.EachIn(mirror.PodsByReference, mirror.Reference(o.Key()), func(pod *object.Version) {
		p.Wakes = append(p.Wakes, plan.Wake{Controller: wakeup.Kubelet, Object: pod.Object()})
	})
	return p
}

// nodeOfPod is the name of a Pod's node, empty for none.
func nodeOfPod(o object.Object) string {
	if pod, ok := o.(*corev1.Pod); ok {
		return pod.Spec.NodeName
	}
	return ""
}

// planned is what is decided already.
func planned(p plan.Plan) func(*plan.Refusal) plan.Plan {
	return func(*plan.Refusal) plan.Plan { return p }
}
