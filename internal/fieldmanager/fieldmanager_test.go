package fieldmanager_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/object"
)

var (
	configMaps  = &object.Type{Version: "v1", Kind: "ConfigMap", Plural: "configmaps", New: func() object.Object { return &corev1.ConfigMap{} }}
	deployments = &object.Type{Group: "apps", Version: "v1", Kind: "Deployment", Plural: "deployments", New: func() object.Object { return &appsv1.Deployment{} }}

	noon = time.Date(2026, 5, 1, 12, 0, 0, 7, time.UTC)
)

// owners returns an object's managedFields as lines: manager, operation, subresource, time of day,
// fields.
func owners(t *testing.T, o object.Object) string {
	t.Helper()
	var lines []string
	for _, e := range o.GetManagedFields() {
		at := "-"
		if e.Time != nil {
			at = e.Time.Format(time.TimeOnly)
		}
		lines = append(lines, strings.Join([]string{e.Manager, string(e.Operation), e.APIVersion, e.Subresource, at, string(e.FieldsV1.Raw)}, " "))
	}
	return strings.Join(lines, "\n")
}

func TestFieldManager_CreateUpdateApply(t *testing.T) {
	t.Parallel()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default", Labels: map[string]string{"l": "1"}}, Data: map[string]string{"x": "1", "y": "1"}}
	check := func(err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := owners(t, cm), strings.Join(want, "\n"); got != want {
			t.Errorf("owners:\n%s\nwant:\n%s", got, want)
		}
	}
	check(fieldmanager.Created(configMaps, cm, fieldmanager.Writer{Manager: "curl", At: noon}),
		`curl Update v1  12:00:00 {"f:data":{".":{},"f:x":{},"f:y":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}`)
	old := cm.DeepCopy()
	old.UID = "1"
	cm = old.DeepCopy()
	cm.ManagedFields = nil
	cm.Data["y"] = "2"
	check(fieldmanager.Updated(configMaps, cm, old, fieldmanager.Writer{Manager: "web", At: noon.Add(time.Minute)}),
		`curl Update v1  12:00:00 {"f:data":{".":{},"f:x":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}`,
		`web Update v1  12:01:00 {"f:data":{"f:y":{}}}`)

	var applied map[string]any
	if err := json.Unmarshal([]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"y":"3"}}`), &applied); err != nil {
		t.Fatal(err)
	}
	_, err := fieldmanager.Apply(configMaps, cm, applied, fieldmanager.Writer{Manager: "kubectl", At: noon.Add(time.Hour)}, false)
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "web"`) {
		t.Errorf("applying what another owns: %v", err)
	}
	out, err := fieldmanager.Apply(configMaps, cm, applied, fieldmanager.Writer{Manager: "kubectl", At: noon.Add(time.Hour)}, true)
	if err != nil {
		t.Fatal(err)
	}
	cm = out.(*corev1.ConfigMap)
	check(nil,
		`kubectl Apply v1  13:00:00 {"f:data":{"f:y":{}}}`,
		`curl Update v1  12:00:00 {"f:data":{".":{},"f:x":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}`)
	if cm.Data["y"] != "3" || cm.Data["x"] != "1" {
		t.Errorf("applied: %v", cm.Data)
	}
}

func TestFieldManager_Scale(t *testing.T) {
	t.Parallel()
	one := int32(1)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}, Spec: appsv1.DeploymentSpec{Replicas: &one}}
	if err := fieldmanager.Created(deployments, d, fieldmanager.Writer{Manager: "curl", At: noon}); err != nil {
		t.Fatal(err)
	}
	scale, err := fieldmanager.ScaleFields(deployments, d.ManagedFields)
	if err != nil {
		t.Fatal(err)
	}
	if len(scale) != 1 || scale[0].APIVersion != "autoscaling/v1" || string(scale[0].FieldsV1.Raw) != `{"f:spec":{"f:replicas":{}}}` {
		t.Errorf("the Scale's owners: %+v", scale)
	}
	if d.ManagedFields, err = fieldmanager.ScaledFields(deployments, d.ManagedFields, nil); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(owners(t, d), "replicas") {
		t.Errorf("replicas still have an owner: %s", owners(t, d))
	}
}
