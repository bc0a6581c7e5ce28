package rowlocktest_test

import (
	"context"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/rowlocktest"
)

// Pods of a Deployment become ready, as on any cluster.
func ExampleStart() {
	var t *testing.T // your test's
	client := kubernetes.NewForConfigOrDie(rowlocktest.Start(t, rowlocktest.WithNodes(5)))
	deployments := client.AppsV1().Deployments("default")

	labels := map[string]string{"app": "web"}
	replicas := int32(3)
	_, err := deployments.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:1.29"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	awaitAvailable(t.Context(), t, client, "web", replicas)
}

// awaitAvailable waits until this many Pods of the Deployment are available.
func awaitAvailable(ctx context.Context, t testing.TB, client kubernetes.Interface, name string, want int32) {
	t.Helper()
	changes, err := client.AppsV1().Deployments("default").Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	for e := range changes.ResultChan() {
		if d, ok := e.Object.(*appsv1.Deployment); ok && e.Type != watch.Deleted && d.Status.AvailableReplicas == want {
			return
		}
	}
	t.Fatalf("the watch ended before %d Pods of %s were available", want, name)
}
