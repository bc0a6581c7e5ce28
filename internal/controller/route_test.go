package controller_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/faults"
	"github.com/rowlock/rowlock/internal/wakeup"
)

var now = metav1.Time{Time: time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)}

// with makes an object and changes it.
func with[T object.Object](o T, changes ...func(T)) T {
	for _, change := range changes {
		change(o)
	}
	return o
}

func pod(changes ...func(*corev1.Pod)) *corev1.Pod {
	return with(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1", UID: "pod", Labels: map[string]string{"app": "web"}}}, changes...)
}

func replicaSet(changes ...func(*appsv1.ReplicaSet)) *appsv1.ReplicaSet {
	return with(&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-7c9", UID: "rs", Labels: map[string]string{"app": "web"}}}, changes...)
}

func aConfigMap(name string, changes ...func(*corev1.ConfigMap)) *corev1.ConfigMap {
	return with(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: "cm"}}, changes...)
}

func onNode(p *corev1.Pod)      { p.Spec.NodeName = "node-1" }
func succeeded(p *corev1.Pod)   { p.Status.Phase = corev1.PodSucceeded }
func failed(p *corev1.Pod)      { p.Status.Phase = corev1.PodFailed }
func nominated(p *corev1.Pod)   { p.Status.NominatedNodeName = "node-1" }
func terminating(p *corev1.Pod) { p.DeletionTimestamp = &now }
func relabelled(p *corev1.Pod)  { p.Labels = map[string]string{"app": "other"} }

// ref makes an owner reference, to a controller or to another owner.
func ref(kind string, uid types.UID, controller bool) metav1.OwnerReference {
	return metav1.OwnerReference{Kind: kind, Name: string(uid), UID: uid, Controller: &controller}
}

func owned(refs ...metav1.OwnerReference) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.OwnerReferences = refs }
}

func look(controller string, uid types.UID) wakeup.Wake {
	return wakeup.Wake{Controller: controller, UID: uid}
}

func collect(uid types.UID) wakeup.Wake {
	return wakeup.Wake{Controller: names.GarbageCollector, UID: uid, OnlyTerminating: true}
}

func endingNamespace(name string) wakeup.Wake {
	return wakeup.Wake{Controller: names.Namespace, Resource: "namespaces", Name: name, OnlyTerminating: true}
}

var (
	routes    = controller.NewRouter()
	resources = func() map[reflect.Type]string {
		all := map[reflect.Type]string{}
		for _, k := range builtin.Catalogue().Stored() {
			all[reflect.TypeOf(k.New())] = k.Resource()
		}
		return all
	}()
)

// routeOf returns the route of the changed object's resource.
func routeOf(d wakeup.Diff) *wakeup.Route { return routes.Of(resources[reflect.TypeOf(d.Last())]) }

// woken returns what a change wakes, ordered by controller and object.
func woken(d wakeup.Diff) []wakeup.Wake { return inOrder(routeOf(d).Wakes(nil, d)) }

func inOrder(wakes []wakeup.Wake) []wakeup.Wake {
	return slices.SortedFunc(slices.Values(wakes), func(a, b wakeup.Wake) int {
		return strings.Compare(fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b))
	})
}

// web is the Pods' usual controller.
var web = ref("ReplicaSet", "rs", true)

func TestRoute(t *testing.T) {
	t.Parallel()
	blocking := web
	blocking.BlockOwnerDeletion = new(true)
	deployed := func(rs *appsv1.ReplicaSet) {
		rs.OwnerReferences = []metav1.OwnerReference{ref("Deployment", "deploy", true)}
	}
	collecting := func(finalizer string) func(*corev1.ConfigMap) {
		return func(cm *corev1.ConfigMap) { cm.DeletionTimestamp, cm.Finalizers = &now, []string{finalizer} }
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team", UID: "ns"}}
	defaultNamespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "d"}}
	apiService := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "kubernetes", Namespace: "default", UID: "api"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "node"}}
	cordoned := node.DeepCopy()
	cordoned.Spec.Unschedulable = true
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "deploy"}}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "default", UID: "sa"}}
	repairing := wakeup.Wake{Controller: names.ServiceAccount, Resource: "namespaces", Name: "team"}
	rootCA := aConfigMap("kube-root-ca.crt", func(cm *corev1.ConfigMap) { cm.Namespace = "team" })
	data := func(cm *corev1.ConfigMap) { cm.Data = map[string]string{"a": "1"} }
	binary := func(cm *corev1.ConfigMap) { cm.BinaryData = map[string][]byte{"b": {0xff}} }
	labelled := func(cm *corev1.ConfigMap) { cm.Labels = map[string]string{"app": "web"} }
	secret := func(value []byte) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "s", UID: "s"}, Data: map[string][]byte{"key": value}}
	}

	tests := []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a Pod without a node goes to the scheduler", wakeup.Diff{New: pod()}, []wakeup.Wake{look("scheduler", "pod")}},
		{"also one that is changed", wakeup.Diff{Old: pod(), New: pod()}, []wakeup.Wake{look("scheduler", "pod")}},
		{"but not by the scheduler, which has told why it has no node", wakeup.Diff{Old: pod(), New: pod(), Controller: "scheduler"}, nil},
		{"nor one that has ended without a node", wakeup.Diff{Old: pod(), New: pod(failed)}, nil},
		{"a Pod that the scheduler has bound goes to its kubelet", wakeup.Diff{Old: pod(), New: pod(onNode), Controller: "scheduler"},
			[]wakeup.Wake{look("kubelet", "pod")}},
		{"as does one that is created with a node, which may not be there", wakeup.Diff{New: pod(onNode)},
			[]wakeup.Wake{look("scheduler", wakeup.SchedulerLock), look("kubelet", "pod"), look("podgc", wakeup.HousekeepingLock)}},
		{"or bound by a client", wakeup.Diff{Old: pod(), New: pod(onNode)},
			[]wakeup.Wake{look("scheduler", wakeup.SchedulerLock), look("kubelet", "pod"), look("podgc", wakeup.HousekeepingLock)}},
		{"a client that gives a Pod on a node other labels may help those who look for such", wakeup.Diff{Old: pod(onNode), New: pod(onNode, relabelled)},
			[]wakeup.Wake{look("scheduler", wakeup.SchedulerLock), look("kubelet", "pod")}},
		{"a Pod that is gone gives back the room that was kept for it", wakeup.Diff{Old: pod(nominated)},
			[]wakeup.Wake{endingNamespace("default"), look("scheduler", wakeup.SchedulerLock)}},
		{"whoever ends a Pod on a node makes room", wakeup.Diff{Old: pod(onNode), New: pod(onNode, failed), Controller: "podgc"},
			[]wakeup.Wake{look("scheduler", wakeup.SchedulerLock)}},
		{"a client that changes a bound Pod wakes its kubelet alone", wakeup.Diff{Old: pod(onNode), New: pod(onNode)}, []wakeup.Wake{look("kubelet", "pod")}},
		{"a kubelet's own change of a running Pod wakes nobody", wakeup.Diff{Old: pod(onNode), New: pod(onNode), Controller: "kubelet"}, nil},
		{"a kubelet that tells of a Pod's end makes room", wakeup.Diff{Old: pod(onNode), New: pod(onNode, succeeded), Controller: "kubelet"},
			[]wakeup.Wake{look("scheduler", wakeup.SchedulerLock)}},
		{"a Pod that has ended is done with, whoever changes it", wakeup.Diff{Old: pod(onNode, succeeded), New: pod(onNode, succeeded)}, nil},
		{"unless it is being deleted, which its kubelet must confirm", wakeup.Diff{Old: pod(onNode, failed), New: pod(onNode, failed, terminating)},
			[]wakeup.Wake{look("kubelet", "pod")}},
		{"a Pod that is gone makes room, and may be the last of its namespace", wakeup.Diff{Old: pod(onNode)},
			[]wakeup.Wake{endingNamespace("default"), look("scheduler", wakeup.SchedulerLock)}},
		{"but makes no room if it had no node", wakeup.Diff{Old: pod()}, []wakeup.Wake{endingNamespace("default")}},
		{"nor if it had ended, and made room then", wakeup.Diff{Old: pod(onNode, succeeded)}, []wakeup.Wake{endingNamespace("default")}},

		{"a ReplicaSet's Pod wakes it", wakeup.Diff{Old: pod(onNode, owned(web)), New: pod(onNode, owned(web)), Controller: "kubelet"},
			[]wakeup.Wake{look("replicaset", "rs")}},
		{"also when the ReplicaSet made it itself, as there may be more to do", wakeup.Diff{New: pod(owned(web)), Controller: "replicaset"},
			[]wakeup.Wake{look("replicaset", "rs"), look("scheduler", "pod")}},
		{"a Pod that is gone wakes its ReplicaSet, and the collector if that is going too", wakeup.Diff{Old: pod(onNode, owned(web)), Controller: "kubelet"},
			[]wakeup.Wake{collect("rs"), endingNamespace("default"), look("replicaset", "rs"), look("scheduler", wakeup.SchedulerLock)}},
		{"a Pod that goes from one ReplicaSet to another wakes both",
			wakeup.Diff{Old: pod(onNode, owned(web)), New: pod(onNode, owned(ref("ReplicaSet", "rs-2", true))), Controller: "kubelet"},
			[]wakeup.Wake{collect("rs"), look("replicaset", "rs"), look("replicaset", "rs-2")}},
		{"a controller of a kind that is not ours wakes nobody",
			wakeup.Diff{Old: pod(onNode, owned(ref("Widget", "w", true))), New: pod(onNode, owned(ref("Widget", "w", true))), Controller: "kubelet"}, nil},
		{"nor does an owner that is not a controller",
			wakeup.Diff{Old: pod(onNode, owned(ref("ReplicaSet", "rs", false))), New: pod(onNode, owned(ref("ReplicaSet", "rs", false))), Controller: "kubelet"}, nil},

		{"a client's object with owners may have come too late", wakeup.Diff{New: pod(onNode, owned(ref("ConfigMap", "o", false)))},
			[]wakeup.Wake{look("garbagecollector", "pod"), look("scheduler", wakeup.SchedulerLock), look("kubelet", "pod"), look("podgc", wakeup.HousekeepingLock)}},
		{"a reconciler's has not, as it holds the owner's lock", wakeup.Diff{New: pod(onNode, owned(ref("ConfigMap", "o", false))), Controller: "replicaset"},
			[]wakeup.Wake{look("kubelet", "pod")}},
		{"a client that changes owners wakes the collector for the object and for owners that are going",
			wakeup.Diff{Old: aConfigMap("c", func(cm *corev1.ConfigMap) {
				cm.OwnerReferences = []metav1.OwnerReference{ref("ConfigMap", "a", false), ref("ConfigMap", "b", false)}
			}),
				New: aConfigMap("c", func(cm *corev1.ConfigMap) { cm.OwnerReferences = []metav1.OwnerReference{ref("ConfigMap", "b", false)} })},
			[]wakeup.Wake{look("garbagecollector", "cm"), collect("a"), collect("b")}},
		{"with its last owner gone, the object itself is safe",
			wakeup.Diff{Old: aConfigMap("c", func(cm *corev1.ConfigMap) { cm.OwnerReferences = []metav1.OwnerReference{ref("ConfigMap", "a", false)} }), New: aConfigMap("c")},
			[]wakeup.Wake{collect("a")}},
		{"an owner that is not blocked any more is a change of owners",
			wakeup.Diff{Old: pod(onNode, owned(blocking)), New: pod(onNode, owned(web)), Controller: "kubelet"},
			[]wakeup.Wake{collect("rs"), look("replicaset", "rs")}},
		{"an object that waits for its dependents goes to the collector",
			wakeup.Diff{Old: aConfigMap("c"), New: aConfigMap("c", collecting(metav1.FinalizerDeleteDependents))},
			[]wakeup.Wake{look("garbagecollector", "cm"), endingNamespace("default")}},
		{"as does one that lets go of them", wakeup.Diff{Old: aConfigMap("c"), New: aConfigMap("c", collecting(metav1.FinalizerOrphanDependents)), Controller: "namespace"},
			[]wakeup.Wake{look("garbagecollector", "cm"), endingNamespace("default")}},
		{"one that waits for somebody else concerns its namespace alone", wakeup.Diff{Old: aConfigMap("c"), New: aConfigMap("c", collecting("example.com/wait"))},
			[]wakeup.Wake{endingNamespace("default")}},

		{"a ReplicaSet wakes itself and its Deployment", wakeup.Diff{Old: replicaSet(deployed), New: replicaSet(deployed), Controller: "replicaset"},
			[]wakeup.Wake{look("replicaset", "rs"), look("deployment", "deploy")}},
		{"a ReplicaSet that is gone wakes its Deployment", wakeup.Diff{Old: replicaSet(deployed)},
			[]wakeup.Wake{collect("deploy"), endingNamespace("default"), look("deployment", "deploy")}},
		{"a Deployment wakes itself", wakeup.Diff{New: deployment}, []wakeup.Wake{look("deployment", "deploy")}},
		{"unless it is gone", wakeup.Diff{Old: deployment}, []wakeup.Wake{endingNamespace("default")}},

		{"a namespace is synced for its end and for its accounts", wakeup.Diff{New: namespace},
			[]wakeup.Wake{look("namespace", "ns"), look("serviceaccount", "ns")}},
		{"one that is gone is not synced", wakeup.Diff{Old: namespace}, nil},
		{"the namespace default gets the Service of the API", wakeup.Diff{New: defaultNamespace},
			[]wakeup.Wake{look("namespace", "d"), look("serviceaccount", "d"), look("kubernetesservice", "d")}},
		{"and gets it back", wakeup.Diff{Old: apiService},
			[]wakeup.Wake{
				{Controller: "namespace", Resource: "namespaces", Name: "default", OnlyTerminating: true},
				{Controller: "endpoints", Resource: "endpoints", Namespace: "default", Name: "kubernetes"},
				{Controller: "endpointslicemirroring", Resource: "endpoints", Namespace: "default", Name: "kubernetes"},
				{Controller: "kubernetesservice", Resource: "namespaces", Name: "default"},
			}},
		{"a node is synced, and may have room", wakeup.Diff{New: node},
			[]wakeup.Wake{look("nodelifecycle", "node"), look("scheduler", wakeup.SchedulerLock), look("nodepods", "node"), look("daemonsetnode", "node")}},
		{"as when Pods may run on it again", wakeup.Diff{Old: cordoned, New: node},
			[]wakeup.Wake{look("nodelifecycle", "node"), look("scheduler", wakeup.SchedulerLock)}},
		{"but not for each change of its status", wakeup.Diff{Old: node, New: node}, []wakeup.Wake{look("nodelifecycle", "node")}},
		{"a node that is gone has its Pods collected when it has not come back for 40 s", wakeup.Diff{Old: node},
			[]wakeup.Wake{look("daemonsetgone", wakeup.HousekeepingLock), look("scheduler", wakeup.SchedulerLock), {Controller: "podgc", UID: wakeup.HousekeepingLock, After: 40 * time.Second}}},

		{"a default account is repaired", wakeup.Diff{Old: account}, []wakeup.Wake{endingNamespace("team"), repairing,
			{Controller: "serviceaccounttoken", Resource: "namespaces", Name: "team"}}},
		{"also when it is changed", wakeup.Diff{Old: account, New: account}, []wakeup.Wake{repairing}},
		{"as is the root certificate", wakeup.Diff{Old: rootCA, New: rootCA}, []wakeup.Wake{repairing}},
		{"but not when the reconciler wrote it", wakeup.Diff{Old: rootCA, New: rootCA, Controller: "serviceaccount"}, nil},
		{"a ConfigMap that comes may be waited for", wakeup.Diff{New: aConfigMap("c")}, []wakeup.Wake{look("configuration", "cm")}},
		{"one whose data change may be mounted", wakeup.Diff{Old: aConfigMap("c"), New: aConfigMap("c", data)}, []wakeup.Wake{look("configuration", "cm")}},
		{"as may one with binary data", wakeup.Diff{Old: aConfigMap("c", data), New: aConfigMap("c", data, binary)}, []wakeup.Wake{look("configuration", "cm")}},
		{"other changes wake nobody", wakeup.Diff{Old: aConfigMap("c", data, binary), New: aConfigMap("c", data, binary, labelled)}, nil},
		{"unless nobody does", wakeup.Diff{Old: aConfigMap("c"), New: aConfigMap("c", data), Unread: true}, nil},
		{"a Secret is read like a ConfigMap", wakeup.Diff{New: secret(nil)}, []wakeup.Wake{look("configuration", "s")}},
		{"also when it changes", wakeup.Diff{Old: secret(nil), New: secret([]byte("x"))}, []wakeup.Wake{look("configuration", "s")}},
		{"but not when it is written as it was", wakeup.Diff{Old: secret([]byte("x")), New: secret([]byte("x"))}, nil},
		{"or removed, as what was read of it is kept", wakeup.Diff{Old: secret([]byte("x"))}, []wakeup.Wake{endingNamespace("default")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inOrder(test.want), woken(test.change), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("woken (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	type set = map[string]string
	web2 := ref("ReplicaSet", "rs-2", true)
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []map[string]string
	}{
		{"a new orphan may be adopted by whoever selects it", wakeup.Diff{New: pod()}, []map[string]string{{"app": "web"}}},
		{"an owner that is not a controller leaves it an orphan", wakeup.Diff{New: pod(owned(ref("ReplicaSet", "rs", false)))}, []map[string]string{{"app": "web"}}},
		{"a new Pod of a controller concerns that one alone", wakeup.Diff{New: pod(owned(web))}, nil},
		{"a Pod that is gone can be nobody's", wakeup.Diff{Old: pod()}, nil},
		{"RSC-005 a change of an orphan concerns all who select it, now or before", wakeup.Diff{Old: pod(), New: pod(relabelled)}, []map[string]string{{"app": "web"}, {"app": "other"}}},
		{"an orphan's change of status too, as nobody knows whose it is", wakeup.Diff{Old: pod(onNode), New: pod(onNode, succeeded)}, []map[string]string{{"app": "web"}, {"app": "web"}}},
		{"a change of status of a controller's Pod concerns that one alone", wakeup.Diff{Old: pod(owned(web)), New: pod(owned(web), succeeded)}, nil},
		{"RSC-004 a controller's Pod with other labels is released, and may be adopted", wakeup.Diff{Old: pod(owned(web)), New: pod(owned(web), relabelled)},
			[]map[string]string{{"app": "web"}, {"app": "other"}}},
		{"a Pod that lost its controller may be adopted", wakeup.Diff{Old: pod(owned(web)), New: pod()}, []map[string]string{{"app": "web"}, {"app": "web"}}},
		{"a Pod that got another too", wakeup.Diff{Old: pod(owned(web)), New: pod(owned(web2))}, []map[string]string{{"app": "web"}, {"app": "web"}}},
		{"ReplicaSets are adopted as Pods are", wakeup.Diff{New: replicaSet()}, []map[string]string{{"app": "web"}}},
		{"an object without labels has an empty set", wakeup.Diff{New: pod(func(p *corev1.Pod) { p.Labels = nil })}, []map[string]string{nil}},
		{"nobody selects other kinds", wakeup.Diff{New: aConfigMap("c", func(cm *corev1.ConfigMap) { cm.Labels = set{"app": "web"} })}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, routeOf(test.change).Adopters(test.change)); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRouter_KnowsAllSelectors: a controller that uses the selectors of a kind declares it;
// otherwise they would wake nothing.
func TestRouter_KnowsAllSelectors(t *testing.T) {
	t.Parallel()
	want := map[string]wakeup.Selector{
		"deployments.apps": {Controller: names.Deployment}, "replicasets.apps": {Controller: names.ReplicaSet}, "jobs.batch": {Controller: names.Job},
		"replicationcontrollers":      {Controller: names.ReplicationController, Mutable: true},
		"services":                    {Controller: names.Endpoints, Mutable: true},
		"daemonsets.apps":             {Controller: names.DaemonSet},
		"statefulsets.apps":           {Controller: names.StatefulSet},
		"poddisruptionbudgets.policy": {Controller: names.Disruption, Mutable: true},
	}
	if diff := cmp.Diff(want, routes.Selectors()); diff != "" {
		t.Errorf("selectors (-want +got):\n%s", diff)
	}
	for _, k := range builtin.Catalogue().Stored() {
		if _, declared := want[k.Resource()]; declared != (k.Selector != nil) {
			t.Errorf("%s has a selector: %v, a controller that goes by it: %v", k.Resource(), k.Selector != nil, declared)
		}
	}
}

// TestControllers_DeclareWhatTheySync: a controller that is woken for its own objects declares that
// it syncs them.
func TestControllers_DeclareWhatTheySync(t *testing.T) {
	t.Parallel()
	for _, c := range controller.Controllers(world.World{}) {
		for _, k := range builtin.Catalogue().Stored() {
			for _, w := range routes.Of(k.Resource()).Wakes(nil, wakeup.Diff{New: k.New()}) {
				if w.Controller == c.Name && w.UID == k.New().GetUID() && w.Resource == "" && !c.Syncs(k.Resource()) {
					t.Errorf("%s is woken for %s, which it does not sync", c.Name, k.Resource())
				}
			}
		}
	}
}

// TestNames_AreThoseOfControllers: the one reconciler that names a controller uses its actual name.
func TestNames_AreThoseOfControllers(t *testing.T) {
	t.Parallel()
	if faults.Kubelet != names.Kubelet {
		t.Errorf("faults wake %q, the kubelet is %q", faults.Kubelet, names.Kubelet)
	}
}
