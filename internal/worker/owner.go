package worker

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// binding is the subresource through which nobody comes to own anything.
const binding = "binding"

// managerOf is the field manager as whom upstream's component makes the same write, by how the writer is named here.
func managerOf(userAgent string) string {
	switch userAgent {
	case "kubelet":
		return "kubelet"
	case "default-scheduler":
		return "kube-scheduler"
	case "kubernetes-service-controller":
		return "kube-apiserver"
	case "fault-injector", "rowlock":
		return "rowlock"
	}
	return "kube-controller-manager"
}

// by is the controller as the writer of a subresource.
func (pl *planning) by(subresource string) fieldmanager.Writer {
	return fieldmanager.Writer{Manager: managerOf(pl.controller.UserAgent), Subresource: subresource, At: pl.now}
}

// own records whose the fields are that a planned update changes.
func (pl *planning) own(k *kind.Kind, u plan.Update, old object.Object) {
	by := pl.by(u.Subresource)
	switch {
	case u.Subresource == binding:
	case u.Subresource == "" && k.Status != nil:
		status := by
		status.Manager = cmp.Or(u.StatusManager, by.Manager)
		pl.report(fieldmanager.UpdatedBoth(&k.Type, u.Object, old, by, status))
	default:
		pl.report(fieldmanager.Updated(&k.Type, u.Object, old, by))
	}
}

// report tells of an object whose owners could not be recorded: it is stored without.
func (a *applier) report(err error) {
	if err != nil {
		a.log.Error("record managed fields", "error", err)
	}
}

// ownNode records that a Node which the cluster begins with is its kubelet's.
func ownNode(n *corev1.Node, now time.Time) error {
	bare := *n
	bare.Status = corev1.NodeStatus{}
	by := fieldmanager.Writer{Manager: "kubelet", At: now}
	if err := fieldmanager.Created(&kind.Node.Type, &bare, by); err != nil {
		return err
	}
	by.Subresource = "status"
	return fieldmanager.Updated(&kind.Node.Type, n, &bare, by)
}

// ownFirst records whose an object is that the cluster begins with: the kubelet's, or the API's.
func ownFirst(t *object.Type, o object.Object, now time.Time) error {
	sent, ok := o.DeepCopyObject().(object.Object)
	if !ok {
		return nil // storing it fails, and says why
	}
	switch s := sent.(type) { // without what upstream adds to what has been sent
	case *corev1.Node:
		return ownNode(o.(*corev1.Node), now)
	case *corev1.Namespace:
		s.Spec.Finalizers = nil
	case *corev1.Service:
		s.Spec.ClusterIPs, s.Spec.IPFamilies = nil, nil
	}
	err := fieldmanager.Created(t, sent, fieldmanager.Writer{Manager: "kube-apiserver", At: now})
	o.SetManagedFields(sent.GetManagedFields())
	return err
}
