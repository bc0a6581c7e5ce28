package kube_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
)

// A typed client takes a ConfigMap through its whole life.
func TestLifeOfAConfigMap(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	ctx, maps := context.Background(), c.Client(t).CoreV1().ConfigMaps("default")

	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "1"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	written := metav1.NewTime(apitest.Now.Local())
	want := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", Namespace: "default", UID: "00000000-0000-0000-0000-000000000001", ResourceVersion: "2",
			CreationTimestamp: metav1.NewTime(apitest.Now.Local()),
			ManagedFields: []metav1.ManagedFieldsEntry{{
				Manager: "kube.test", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &written,
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

// Events written through events.k8s.io are validated more strictly than those of the core group,
// and only their series may change. Errors name the stored kind.
func TestEventView(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	const view, core = "/apis/events.k8s.io/v1/namespaces/default/events", "/api/v1/namespaces/default/events"
	const event = `{"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"k.io/c","reportingInstance":"i","action":"A",` +
		`"reason":"R","type":"Normal","note":"n","regarding":{"kind":"Pod","name":"p","namespace":"default"}}`
	for _, step := range []struct {
		name, request, body string
		code                int
		want                string
	}{
		{"of another type", "POST " + view, strings.Replace(event, "Normal", "Foo", 1), 422, `Event \"e\" is invalid: type: Invalid value: \"\": has invalid value: Foo`},
		{"of no time", "POST " + view, strings.Replace(event, "eventTime", "x", 1), 422, `Event \"e\" is invalid: eventTime: Required value`},
		{"well", "POST " + view, event, 201, `"note":"n"`},
		{"a series", "PATCH " + view + "/e", `{"series":{"count":2,"lastObservedTime":"2026-01-01T00:01:00.000000Z"}}`, 200, `"count":2`},
		{"other text", "PATCH " + view + "/e", `{"note":"other"}`, 422, `Event \"e\" is invalid: message: Invalid value: \"other\": field is immutable`},
		{"other text of the core group", "PATCH " + core + "/e", `{"message":"other"}`, 200, `"message":"other"`},
	} {
		res := c.Do(t, step.request, step.body, "Content-Type: "+map[bool]string{true: "application/merge-patch+json", false: "application/json"}[strings.HasPrefix(step.request, "PATCH")])
		if res.Code != step.code || !strings.Contains(res.Body, step.want) {
			t.Errorf("%s: %d %s", step.name, res.Code, res.Body)
		}
	}
}
