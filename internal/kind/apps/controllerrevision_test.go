package apps_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func revision(number int64, data string) *appsv1.ControllerRevision {
	r := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-1", Namespace: "default", ResourceVersion: "1"}, Revision: number}
	if data != "" {
		r.Data = runtime.RawExtension{Raw: []byte(data)}
	}
	return r
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation_test.go, TestValidateControllerRevision
func TestControllerRevision_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		of   *appsv1.ControllerRevision
		want []string
	}{
		{"an object", revision(0, `{"a":1}`), nil},
		{"a negative revision", revision(-1, `{}`), []string{"revision: Invalid value: -1: must be greater than or equal to 0"}},
		{"no data", revision(1, ""), []string{"data: Required value: data is mandatory"}},
		{"null", revision(1, "null"), []string{"data: Required value: data is mandatory"}},
		{"a list", revision(1, "[]"), []string{"data: Required value: data must be a valid JSON object"}},
		{"no JSON", revision(1, "{"), []string{`data: Invalid value: "<value omitted>": error parsing data: unexpected end of JSON input`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(apps.ControllerRevision.Validate(tt.of)))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation_test.go, TestValidateControllerRevisionUpdate
func TestControllerRevision_ValidateUpdate(t *testing.T) {
	t.Parallel()
	old := revision(1, `{"a":1}`)
	kindtest.Diff(t, []string(nil), kindtest.Texts(apps.ControllerRevision.ValidateUpdate(revision(2, `{"a":1}`), old)))
	if errs := apps.ControllerRevision.ValidateUpdate(revision(1, `{"a":2}`), old); len(errs) != 1 || errs[0].Field != "data" || errs[0].Detail != "field is immutable" {
		t.Errorf("other data: %v", errs)
	}
}

func TestControllerRevision_Row(t *testing.T) {
	t.Parallel()
	r := revision(3, "{}")
	r.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"web-1", "<none>", int64(3), "90s"}, apps.ControllerRevision.Row(r, kindtest.Now))
	r.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Controller: new(true)}}
	kindtest.Diff(t, []any{"web-1", "statefulset.apps/web", int64(3), "90s"}, apps.ControllerRevision.Row(r, kindtest.Now))
}
