package controller_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// synced has the objects that TestCost_OfASync syncs, by controller: the uids of objects of
// costWorld.own. The test fails if a controller is missing here.
var synced = map[string][]types.UID{
	names.Deployment:            {"deployments/web"},
	names.ReplicaSet:            {"replicasets/web"},
	names.StatefulSet:           {"statefulsets/db"},
	names.ReplicationController: {"replicationcontrollers/old"},
	names.DaemonSet:             {"daemonsets/daemon"},
	names.DaemonSetNode:         {"nodes/node-1"},
	names.DaemonSetGone:         {wakeup.HousekeepingLock},
	names.Job:                   {"jobs/job"},
	names.JobPod:                {"pods/job-0"},
	names.CronJob:               {"cronjobs/cron"},
	names.TTLAfterFinished:      {"jobs/job"},
	names.GarbageCollector:      {"configmaps/doomed", "replicasets/web", "pods/web-0"},
	names.Namespace:             {"namespaces/ending", "namespaces/default"},
	names.ServiceAccount:        {"namespaces/default"},
	names.ServiceAccountToken:   {"namespaces/default"},
	names.ResourceQuota:         {"resourcequotas/quota"},
	names.KubernetesService:     {"namespaces/default"},
	names.Endpoints:             {"services/web"},
	names.Disruption:            {"poddisruptionbudgets/web"},
	names.StaleDisruption:       {"pods/web-0"},
	names.Configuration:         {"configmaps/config"},
	names.NodeLifecycle:         {"nodes/node-1"},
	names.NodeDisruption:        {wakeup.HousekeepingLock},
	names.NodePods:              {"nodes/node-1"},
	names.TaintEviction:         {"nodes/node-2"},
	names.Fault:                 {"faults/fault"},
	names.PersistentVolumeClaim: {"persistentvolumeclaims/claim"},
	names.PersistentVolume:      {"persistentvolumes/volume"},
	names.VolumeClass:           {"storageclasses/slow", "volumeattributesclasses/gold"},
	names.EphemeralVolume:       {"pods/web-0"},
	names.ResourceClaim:         {"pods/device", "resourceclaims/device"},
	names.PodGC:                 {wakeup.HousekeepingLock},
	names.EventExpiry:           {wakeup.HousekeepingLock},
	names.Scheduler:             {"pods/waiting"},
	names.Kubelet:               {"pods/web-0"},
	names.KubeletBacklog:        {"pods/web-0"},
	names.KubeletTermination:    {"pods/web-0"},

	names.CertificateSigningRequest: {"certificatesigningrequests/node"},
	names.FlowControl:               {"namespaces/default"},
	names.ClusterRoleAggregation:    {"namespaces/default"},
	names.CustomResourceDefinition:  {"customresourcedefinitions/ending"},
	names.CustomResourceCleanup:     {"customresourcedefinitions/ending"},

	names.HorizontalPodAutoscaler: {"horizontalpodautoscalers/web"},
	names.EndpointSliceMirroring:  {"endpoints/manual"},
	names.IPAddress:               {"services/web", "ipaddresses/10.1.2.3"},
	names.ServiceCIDR:             {"servicecidrs/more"},
}

// TestCost_OfASync: the cost is the same in a small cluster and in a large one (S16). It is counted
// rather than timed, because times vary too much.
//
//nolint:paralleltest // it counts the bodies that the whole process decodes
func TestCost_OfASync(t *testing.T) {
	small, large := newCostWorld(t, 1000), newCostWorld(t, 20_000)
	smallControllers := controller.Controllers(small.world)
	for i, controller := range controller.Controllers(large.world) {
		uids := synced[controller.Name]
		if len(uids) == 0 {
			t.Errorf("the table of synced objects lacks the controller %s", controller.Name)
		}
		for _, uid := range uids {
			request := engine.Request{UID: uid}
			if controller.Quotas {
				request.Quota = &store.QuotaState{Counting: true}
			}
			if uid == "horizontalpodautoscalers/web" {
				request.Memory = []byte(`{"due":"2026-01-01T00:00:00Z"}`) // long ago
			}
			small.sync(smallControllers[i], request) // decodes what belongs to the object
			large.sync(controller, request)
			want, got := small.sync(smallControllers[i], request), large.sync(controller, request)
			if diff := cmp.Diff(want, got); diff != "" || got.Visits == 0 && controller.Lock == "" {
				t.Errorf("%s of %s (-small +large):\n%s", controller.Name, uid, diff)
			}
			t.Logf("%-22s %-32s %+v", controller.Name, uid, got)
		}
	}
}

// TestCost_IsBoundedByABurst: the cost of a sync is bounded even if an object has thousands of
// dependents, however many of them are already terminating.
//
//nolint:paralleltest // as above
func TestCost_IsBoundedByABurst(t *testing.T) {
	c := newCostWorld(t, 0)
	const many = 3000
	now := metav1.Time{Time: start}
	c.commit(func() {
		for _, owner := range []string{"half-gone", "orphaning"} {
			cm := &corev1.ConfigMap{ObjectMeta: meta("default", owner)}
			cm.DeletionTimestamp, cm.Finalizers = &now, []string{metav1.FinalizerDeleteDependents}
			if owner == "orphaning" {
				cm.Finalizers = []string{metav1.FinalizerOrphanDependents}
			}
			c.add(cm)
			for i := range 2 * many {
				ref := metav1.OwnerReference{
					APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: types.UID("configmaps/" + owner), BlockOwnerDeletion: new(true),
				}
				d := &corev1.ConfigMap{ObjectMeta: meta("default", fmt.Sprintf("%s-%05d", owner, i), ref)}
				if d.Finalizers = []string{"example.com/held"}; i < many {
					d.DeletionTimestamp = &now
				}
				c.add(d)
			}
		}
		for i := range many {
			pod := &corev1.Pod{ObjectMeta: meta("default", fmt.Sprintf("ended-%05d", i))}
			pod.Status.Phase = corev1.PodFailed
			c.add(pod)
		}
	})
	for _, ctl := range controller.Controllers(c.world) {
		var uids []types.UID
		switch ctl.Name {
		case names.GarbageCollector:
			uids = []types.UID{"configmaps/half-gone", "configmaps/orphaning"}
		case names.PodGC:
			uids = []types.UID{wakeup.HousekeepingLock}
		}
		for _, uid := range uids {
			got := c.sync(ctl, engine.Request{UID: uid})
			if got.Writes < 400 || got.Writes > 1001 || got.Visits > 6*garbagecollector.Burst+20 {
				t.Errorf("%s of %s touches %+v", ctl.Name, uid, got)
			}
			t.Logf("%s of %s: %+v", ctl.Name, uid, got)
		}
	}
}

// TestCost_OfCountingPods: a sync of a rollout costs the same for 3,000 Pods as for 10.
//
//nolint:paralleltest // as above
func TestCost_OfCountingPods(t *testing.T) {
	few, many := countingCosts(t, 10), countingCosts(t, 3000)
	if d := cmp.Diff(few, many); d != "" || len(many) != 2 {
		t.Errorf("the costs by the number of Pods (-10 +3000):\n%s", d)
	}
}

// countingCosts returns the costs of a sync of a Deployment in a rollout, and of its ReplicaSet, which
// has all Pods but has not counted them yet.
func countingCosts(t *testing.T, pods int32) map[string]cost {
	t.Helper()
	c := newCostWorld(t, 0)
	c.commit(func() {
		c.add(deploymentOf("big", pods))
		c.add(replicaSetOf("default", "big", "big", pods))
		for i := range pods {
			c.pod(meta("default", fmt.Sprint("big-", i), controlledBy("ReplicaSet", "big")), "node-1", "big")
		}
	})
	costs := map[string]cost{}
	for _, ctl := range controller.Controllers(c.world) {
		switch ctl.Name {
		case names.Deployment, names.ReplicaSet:
			request := engine.Request{UID: types.UID(ctl.Name + "s/big")}
			c.sync(ctl, request) // decodes what belongs to the object
			costs[ctl.Name] = c.sync(ctl, request)
			t.Logf("%s of %d Pods: %+v", ctl.Name, pods, costs[ctl.Name])
		}
	}
	return costs
}
