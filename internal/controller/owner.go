package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/auth"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/object"
)

// ManagerOf returns the field manager that upstream's component uses for the same write, by the
// writer's name here.
func ManagerOf(userAgent string) string {
	switch userAgent {
	case "kubelet":
		return "kubelet"
	case "default-scheduler":
		return "kube-scheduler"
	case "kubernetes-service-controller", "naming-controller", "crd-finalizer":
		return "kube-apiserver"
	case "fault-injector", "rowlock":
		return "rowlock"
	}
	return "kube-controller-manager"
}

// ownNode records that a Node which the cluster begins with belongs to its kubelet.
func ownNode(n *corev1.Node, now time.Time) error {
	bare := *n
	bare.Status = corev1.NodeStatus{}
	by := fieldmanager.Writer{Manager: "kubelet", At: now}
	if err := fieldmanager.Created(&core.Node.Type, &bare, by); err != nil {
		return err
	}
	by.Subresource = "status"
	return fieldmanager.Updated(&core.Node.Type, n, &bare, by)
}

// ownGathered records that the rules of a ClusterRole belong to the controller that aggregates
// them, as if it had applied them.
func ownGathered(r *rbacv1.ClusterRole, now time.Time) error {
	bare := *r
	bare.Rules = nil
	if err := fieldmanager.Created(&rbac.ClusterRole.Type, &bare, fieldmanager.Writer{Manager: "kube-apiserver", At: now}); err != nil {
		return err
	}
	err := fieldmanager.Updated(&rbac.ClusterRole.Type, r, &bare, fieldmanager.Writer{Manager: auth.Aggregator, At: now})
	for i := range r.ManagedFields {
		if r.ManagedFields[i].Manager == auth.Aggregator {
			r.ManagedFields[i].Operation = metav1.ManagedFieldsOperationApply
		}
	}
	return err
}

// ownFirst records who owns an object that the cluster begins with: the kubelet, or the API.
func ownFirst(t *object.Type, o object.Object, now time.Time) error {
	sent, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return nil // storing it fails, and reports why
	}
	switch s := sent.(type) { // without what upstream adds to a sent object
	case *corev1.Node:
		return ownNode(o.(*corev1.Node), now)
	case *corev1.Namespace:
		s.Spec.Finalizers = nil
	case *corev1.Service:
		s.Spec.ClusterIPs, s.Spec.IPFamilies = nil, nil
	case *rbacv1.ClusterRole:
		if s.AggregationRule != nil {
			return ownGathered(o.(*rbacv1.ClusterRole), now)
		}
	}
	err := fieldmanager.Created(t, sent, fieldmanager.Writer{Manager: "kube-apiserver", At: now})
	o.SetManagedFields(sent.GetManagedFields())
	return err
}
