package node_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/node"
)

// runtimeClass returns a valid, stored RuntimeClass, with a change applied.
func runtimeClass(change func(*nodev1.RuntimeClass)) *nodev1.RuntimeClass {
	rc := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor", ResourceVersion: "1"}, Handler: "runsc"}
	if change != nil {
		change(rc)
	}
	return rc
}

func overhead(text string) func(*nodev1.RuntimeClass) {
	return func(rc *nodev1.RuntimeClass) { rc.Overhead = &nodev1.Overhead{PodFixed: kindtest.Quantities(text)} }
}

func scheduled(selector map[string]string, tolerations ...corev1.Toleration) func(*nodev1.RuntimeClass) {
	return func(rc *nodev1.RuntimeClass) {
		rc.Scheduling = &nodev1.Scheduling{NodeSelector: selector, Tolerations: tolerations}
	}
}

// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, ValidateRuntimeClass
func TestRuntimeClass_Validate(t *testing.T) {
	t.Parallel()
	during := func(seconds int64) corev1.Toleration {
		return corev1.Toleration{Key: "a", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: &seconds}
	}
	tests := []struct {
		name  string
		class *nodev1.RuntimeClass
		want  []string
	}{
		{"only a handler", runtimeClass(nil), nil},
		{"an overhead and nodes", runtimeClass(func(rc *nodev1.RuntimeClass) {
			overhead("cpu=100m memory=64Mi")(rc)
			scheduled(map[string]string{"disk": "ssd"}, corev1.Toleration{Operator: "Exists"})(rc)
		}), nil},
		{"a finalizer of any form", runtimeClass(func(rc *nodev1.RuntimeClass) { rc.Finalizers = []string{"a"} }), nil},
		{"a handler with a dot, in a namespace", runtimeClass(func(rc *nodev1.RuntimeClass) {
			rc.Handler, rc.Namespace = "a.b", "default"
		}), []string{
			"metadata.namespace: Forbidden: not allowed on this type", `handler: Invalid value: "a.b": must not contain dots`,
		}},
		{"an overhead of something that containers do not use", runtimeClass(overhead("pods=1")), []string{
			`overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers`,
		}},
		{"an overhead of part of a device", runtimeClass(overhead("example.com/gpu=500m")), []string{
			`overhead.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
		}},
		{"huge pages alone", runtimeClass(overhead("hugepages-2Mi=2Mi")), []string{"overhead: Forbidden: HugePages require cpu or memory"}},
		{"tolerations that differ only in their time", runtimeClass(scheduled(nil, during(5), during(10))), []string{
			`scheduling.tolerations[1]: Duplicate value: ` +
				`{"Key":"a","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":10}`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(node.RuntimeClass.Validate(tt.class)))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, ValidateRuntimeClassUpdate
func TestRuntimeClass_ValidateUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*nodev1.RuntimeClass)
		want   []string
	}{
		{"everything but the handler may change", func(rc *nodev1.RuntimeClass) {
			overhead("cpu=1")(rc)
			scheduled(map[string]string{"disk": "ssd"})(rc)
		}, nil},
		{"another handler", func(rc *nodev1.RuntimeClass) { rc.Handler = "kata" }, []string{
			`handler: Invalid value: "kata": field is immutable`,
		}},
		{"no handler", func(rc *nodev1.RuntimeClass) { rc.Handler = "" }, []string{
			"handler: Required value", `handler: Invalid value: "": field is immutable`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(node.RuntimeClass.ValidateUpdate(runtimeClass(tt.change), runtimeClass(nil))))
		})
	}
}

// Source: kubernetes v1.36 pkg/api/node/util.go, GetWarningsForRuntimeClass
func TestRuntimeClass_Warnings(t *testing.T) {
	t.Parallel()
	old := runtimeClass(scheduled(map[string]string{"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm", "disk": "ssd"}))
	want := []string{
		`scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead`,
		`scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead`,
	}
	kindtest.Diff(t, want, node.RuntimeClass.Warnings(old, nil))
	kindtest.Diff(t, want, node.RuntimeClass.Warnings(old, old)) // in every update, too
	kindtest.Diff(t, []string(nil), node.RuntimeClass.Warnings(runtimeClass(nil), nil))
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printRuntimeClass
func TestRuntimeClass_Row(t *testing.T) {
	t.Parallel()
	rc := runtimeClass(func(rc *nodev1.RuntimeClass) {
		rc.CreationTimestamp = metav1.NewTime(kindtest.Now.Add(-90 * time.Second))
	})
	kindtest.Diff(t, []any{"gvisor", "runsc", "90s"}, node.RuntimeClass.Row(rc, kindtest.Now))
	var names []string
	for _, c := range node.RuntimeClass.Columns {
		names = append(names, c.Name)
	}
	kindtest.Diff(t, []string{"Name", "Handler", "Age"}, names)
}
