package exercise

import (
	"context"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// runDaemons does to a DaemonSet what users do: it is updated within one bound or the other, loses
// Pods, is kept from some nodes, and is deleted with or without its Pods.
func runDaemons(a *actor) {
	const name = "agent"
	patch := func(patch string) {
		do(a, daemonsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*appsv1.DaemonSet, error) {
			return client.AppsV1().DaemonSets(storm).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		})
	}
	do(a, daemonsOf, exists, func(ctx context.Context, client kubernetes.Interface) (*appsv1.DaemonSet, error) {
		return client.AppsV1().DaemonSets(storm).Create(ctx, daemonSetOf(name), metav1.CreateOptions{})
	})
	switch a.IntN(8) {
	case 0, 1, 2:
		patch(rollTo("nginx:1." + strconv.Itoa(20+a.IntN(10))))
	case 3:
		patch(`{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":0,"maxSurge":2}}}}`)
	case 4:
		patch(`{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"30%","maxSurge":0}}}}`)
	case 5:
		if p := a.somePod(storm, "app="+name); p != nil {
			a.deletePod(storm, p.Name)
		}
	case 6: // a single node, and all again
		patch(`{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-1"}}}}}`)
		a.rest(3 * time.Second)
		patch(`{"spec":{"template":{"spec":{"nodeSelector":null}}}}`)
	case 7:
		policy := []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}[a.IntN(3)]
		do(a, daemonsOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
			return &metav1.ObjectMeta{}, client.AppsV1().DaemonSets(storm).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy})
		})
	}
	a.rest(4 * time.Second)
}
