package exercise

import (
	"context"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// runStateful does to two StatefulSets what users do: one in order, whose PersistentVolumeClaims
// stay, and one in parallel, whose PersistentVolumeClaims are deleted with their Pods. They are
// scaled and updated, lose Pods, and are deleted with or without their dependents.
func runStateful(a *actor) {
	i := a.IntN(2)
	name := "db-" + strconv.Itoa(i)
	patch := func(patch string) {
		do(a, statefulOf, gone, func(ctx context.Context, client kubernetes.Interface) (*appsv1.StatefulSet, error) {
			return client.AppsV1().StatefulSets(storm).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		})
	}
	do(a, statefulOf, exists, func(ctx context.Context, client kubernetes.Interface) (*appsv1.StatefulSet, error) {
		return client.AppsV1().StatefulSets(storm).Create(ctx, statefulSetOf(name, i == 1), metav1.CreateOptions{})
	})
	switch a.IntN(8) {
	case 0, 1, 2:
		patch(scaleTo(a.IntN(6)))
	case 3, 4:
		patch(rollTo("nginx:1." + strconv.Itoa(20+a.IntN(10))))
	case 5:
		if p := a.somePod(storm, "app="+name); p != nil {
			a.deletePod(storm, p.Name)
		}
	case 6: // a canary, and all
		patch(fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, a.IntN(4)))
		patch(rollTo("nginx:1." + strconv.Itoa(20+a.IntN(10))))
		a.rest(3 * time.Second)
		patch(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`)
	case 7:
		policy := []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan}[a.IntN(3)]
		do(a, statefulOf, gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
			return &metav1.ObjectMeta{}, client.AppsV1().StatefulSets(storm).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy})
		})
	}
	a.rest(4 * time.Second)
}

// statefulSetOf makes a StatefulSet with a PersistentVolumeClaim for each Pod.
func statefulSetOf(name string, parallel bool) *appsv1.StatefulSet {
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.StatefulSetSpec{
			Replicas: new(int32(3)), ServiceName: name, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
			RevisionHistoryLimit: new(int32(2)), Template: template(storm, name, "nginx:1.29"),
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
			}}},
		},
	}
	if parallel {
		set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenScaled: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
		}
	}
	return set
}
