package api_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A typed client takes a ConfigMap through its whole life.
func TestLifeOfAConfigMap(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	ctx, maps := context.Background(), c.client(t).CoreV1().ConfigMaps("default")

	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "1"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	written := metav1.NewTime(clusterTime.Local())
	want := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", Namespace: "default", UID: "00000000-0000-0000-0000-000000000001", ResourceVersion: "2",
			CreationTimestamp: metav1.NewTime(clusterTime.Local()),
			ManagedFields: []metav1.ManagedFieldsEntry{{
				Manager: "api.test", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &written,
				FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:data":{".":{},"f:k":{}}}`)},
			}},
		},
		Data: map[string]string{"k": "1"},
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}

	made.Data["k"] = "2"
	updated, err := maps.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want.Data["k"], want.ResourceVersion = "2", "3"
	if diff := cmp.Diff(want, updated); diff != "" {
		t.Errorf("updated (-want +got):\n%s", diff)
	}
	got, err := maps.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("got (-want +got):\n%s", diff)
	}
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "3"}, Items: []corev1.ConfigMap{*want}}, list); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	if err := maps.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := maps.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after its deletion: %v", err)
	}
}
