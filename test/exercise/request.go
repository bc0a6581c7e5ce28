package exercise

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// never accepts no error.
func never(error) bool { return false }

// gone accepts the error of changing an object that others may have deleted.
func gone(err error) bool { return apierrors.IsNotFound(err) }

func goneOrMoved(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsConflict(err) }

func exists(err error) bool { return apierrors.IsAlreadyExists(err) }

// applyDeployment creates a Deployment if it does not exist, after waiting for one that is being
// deleted.
func (a *actor) applyDeployment(namespace, name string, n int32) {
	do(a, deploymentsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(namespace).Create(ctx, deploymentOf(namespace, name, n), metav1.CreateOptions{})
	})
}

func (a *actor) patchDeployment(namespace, name, patch string, expected func(error) bool) (*appsv1.Deployment, bool) {
	return do(a, deploymentsOf, expected, func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		return client.AppsV1().Deployments(namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

// somePod returns one of the Pods that a selector selects, or nil if it selects none or no replica
// answers.
func (a *actor) somePod(namespace, selector string) *corev1.Pod {
	client := a.somebody()
	if client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, ClientTimeout)
	defer cancel()
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil || len(pods.Items) == 0 {
		return nil
	}
	return &pods.Items[a.IntN(len(pods.Items))]
}

func (a *actor) deletePod(namespace, name string) {
	do(a, podsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
		return &metav1.ObjectMeta{}, client.CoreV1().Pods(namespace).Delete(ctx, name, metav1.DeleteOptions{})
	})
}

func (a *actor) label(pod *corev1.Pod, app string) {
	do(a, podsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*corev1.Pod, error) {
		return client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType,
			[]byte(`{"metadata":{"labels":{"app":"`+app+`"}}}`), metav1.PatchOptions{})
	})
}

func (a *actor) createNamespace(name string) {
	do(a, "namespaces", exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.Namespace, error) {
		return client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	})
}

func (a *actor) deleteNamespace(name string) {
	do(a, "namespaces", goneOrMoved, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
		return &metav1.ObjectMeta{}, client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{})
	})
}
