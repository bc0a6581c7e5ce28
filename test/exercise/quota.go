package exercise

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// fillQuota creates more Secrets than a quota allows and deletes some, so that clients always
// compete for the last one; and it requests more Pods than the quota allows.
func fillQuota(a *actor) {
	do(a, "resourcequotas", exists, func(ctx context.Context, client kubernetes.Interface) (*corev1.ResourceQuota, error) {
		return client.CoreV1().ResourceQuotas(edge).Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: "few"},
			Spec: corev1.ResourceQuotaSpec{
				Hard: corev1.ResourceList{
					"secrets": resource.MustParse("12"), "pods": resource.MustParse("6"), "requests.cpu": resource.MustParse("2"),
				},
			},
		}, metav1.CreateOptions{})
	})
	a.applyDeployment(edge, "many", 9)
	for i := 0; a.ctx.Err() == nil; i++ {
		a.rest(300 * time.Millisecond)
		if a.IntN(3) > 0 {
			do(a, "secrets", overQuota, func(ctx context.Context, client kubernetes.Interface) (*corev1.Secret, error) {
				return client.CoreV1().Secrets(edge).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}}, metav1.CreateOptions{})
			})
			continue
		}
		client := a.somebody()
		if client == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(a.ctx, ClientTimeout)
		list, err := client.CoreV1().Secrets(edge).List(ctx, metav1.ListOptions{})
		cancel()
		if err != nil || len(list.Items) == 0 {
			continue
		}
		name := list.Items[a.IntN(len(list.Items))].Name
		do(a, "secrets", gone, func(ctx context.Context, client kubernetes.Interface) (*metav1.ObjectMeta, error) {
			return &metav1.ObjectMeta{}, client.CoreV1().Secrets(edge).Delete(ctx, name, metav1.DeleteOptions{})
		})
	}
}

// overQuota reports whether the quota refused a creation. An earlier load may have deleted the
// namespace.
func overQuota(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota: few")
}
