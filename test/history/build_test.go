package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// log makes a history of entries, whose revision and time may be left out.
func log(entries ...history.Entry) history.History {
	for i := range entries {
		if e := &entries[i]; e.Revision == 0 {
			e.Revision, e.At = object.Revision(i+1), start.Add(time.Duration(i)*time.Second)
		}
	}
	return entries
}

func created(o object.Object) history.Entry { return entry(object.Created, o) }
func updated(o object.Object) history.Entry { return entry(object.Updated, o) }

// deleted makes a tombstone without a body.
func deleted(o object.Object) history.Entry {
	e := entry(object.Deleted, o)
	e.Object = nil
	return e
}

func entry(verb object.Verb, o object.Object) history.Entry {
	resource := "configmaps"
	switch o.(type) {
	case *corev1.Pod:
		resource = "pods"
	case *corev1.ResourceQuota:
		resource = "resourcequotas"
	case *corev1.Event:
		resource = "events"
	case *appsv1.ReplicaSet:
		resource = "replicasets.apps"
	case *appsv1.StatefulSet:
		resource = "statefulsets.apps"
	case *corev1.PersistentVolumeClaim:
		resource = "persistentvolumeclaims"
	case *appsv1.Deployment:
		resource = "deployments.apps"
	case *appsv1.DaemonSet:
		resource = "daemonsets.apps"
	case *policyv1.PodDisruptionBudget:
		resource = "poddisruptionbudgets.policy"
	case *batchv1.Job:
		resource = "jobs.batch"
	case *apiextensionsv1.CustomResourceDefinition:
		resource = "customresourcedefinitions.apiextensions.k8s.io"
	case *unstructured.Unstructured:
		resource = "widgets.example.com"
	}
	key := object.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()}
	return history.Entry{Key: key, UID: o.GetUID(), Verb: verb, Object: o}
}

func meta(name, owner string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-of-" + name)}
	if owner != "" {
		m.OwnerReferences = []metav1.OwnerReference{{UID: types.UID("uid-of-" + owner), Controller: new(true)}}
	}
	return m
}

// config makes an object without further rules.
func config(name string) *corev1.ConfigMap { return &corev1.ConfigMap{ObjectMeta: meta(name, "")} }

func withUID(o *corev1.ConfigMap, uid types.UID) *corev1.ConfigMap {
	o.UID = uid
	return o
}

// pod makes a Pod in one of its states: pending, bound, ready, terminating, failed, or an invalid
// mixture.
func pod(name, owner, state string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: meta(name, owner), Status: corev1.PodStatus{Phase: corev1.PodPending}}
	switch state {
	case "bound":
		p.Spec.NodeName = "node-1"
	case "ready", "terminating":
		p.Spec.NodeName, p.Status.Phase = "node-1", corev1.PodRunning
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		if state == "terminating" {
			p.DeletionTimestamp = &metav1.Time{Time: start}
		}
	case "failed":
		p.Spec.NodeName, p.Status.Phase = "node-1", corev1.PodFailed
	case "ready but pending":
		p.Spec.NodeName = "node-1"
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	return p
}

func event(about *corev1.Pod, reason string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: meta(about.Name+"."+reason, ""), Reason: reason,
		InvolvedObject: corev1.ObjectReference{UID: about.UID},
	}
}

func set(name, owner string, n int32) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{ObjectMeta: meta(name, owner), Spec: appsv1.ReplicaSetSpec{Replicas: &n}}
}

// selecting makes a ReplicaSet of Pods with the label app=web.
func selecting(name string, n int32) *appsv1.ReplicaSet {
	s := set(name, "", n)
	s.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	return s
}

func labelled(name, owner, app string) *corev1.Pod {
	p := pod(name, owner, "")
	p.Labels = map[string]string{"app": app}
	return p
}

// deployment makes a Deployment that allows one extra Pod and none missing; its controller has seen
// it.
func deployment(name string, n int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: meta(name, ""),
		Spec: appsv1.DeploymentSpec{Replicas: &n, Strategy: appsv1.DeploymentStrategy{
			Type: appsv1.RollingUpdateDeploymentStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDeployment{
				MaxSurge: new(intstr.FromInt32(1)), MaxUnavailable: new(intstr.FromInt32(0)),
			},
		}},
	}
}

// unseen changes a Deployment so that its controller has not seen the change yet.
func unseen(d *appsv1.Deployment) *appsv1.Deployment {
	d.Generation = d.Status.ObservedGeneration + 1
	return d
}

// row is one case of a check: either nothing is wrong, or this is.
type row struct {
	name string
	log  history.History
	want []string
}

func run(t *testing.T, check func(history.History) []history.Violation, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range check(r.log) {
				got = append(got, v.String())
			}
			if diff := cmp.Diff(r.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func terminating() *appsv1.Deployment {
	d := deployment("d", 1)
	d.DeletionTimestamp = &metav1.Time{Time: start}
	return d
}
