package wire

import (
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Only types with quantities are searched for huge ones.
func TestMeasures(t *testing.T) {
	t.Parallel()
	for into, want := range map[any]bool{
		&corev1.Pod{}: true, &corev1.ResourceQuota{}: true, &appsv1.DaemonSet{}: true, &autoscalingv2.HorizontalPodAutoscaler{}: true,
		&corev1.ConfigMap{}: false, &apiextensionsv1.CustomResourceDefinition{}: false, &unstructured.Unstructured{}: false,
	} {
		if got := measures(reflect.TypeOf(into)); got != want {
			t.Errorf("%T can have quantities: %t, want %t", into, got, want)
		}
	}
	vast := []byte(`{"data":{"number":"1e99999999"},"spec":{"hard":{"pods":"1e99999999"}}}`)
	if err := CheckJSON(vast, &corev1.ConfigMap{}); err != nil {
		t.Errorf("a text in a ConfigMap is refused: %v", err)
	}
	if CheckJSON(vast, &corev1.ResourceQuota{}) == nil {
		t.Error("a vast quantity is not refused")
	}
}

// TestCheckQuantities_RepeatedKeys: decoding into a struct may take parts of each value of a key
// that a body has more than once, so none of them may have a huge quantity.
func TestCheckQuantities_RepeatedKeys(t *testing.T) {
	t.Parallel()
	const vast = `{"containers":[{"resources":{"limits":{"cpu":1e2147483647}}}]}`
	for _, body := range []string{
		`{"spec":` + vast + `}`,
		`{"spec":` + vast + `,"spec":{}}`,
		`{"spec":{},"spec":` + vast + `,"spec":{}}`,
		`{"spec":{"containers":[{"resources":{"limits":{"cpu":1e2147483647,"cpu":"1"}}}]}}`,
	} {
		if err := CheckQuantities([]byte(body), MediaJSON, &corev1.Pod{}); err == nil {
			t.Errorf("%s is not refused", body)
		}
	}
	deep := `{"x":` + strings.Repeat("[", maxDecodedDepth) + strings.Repeat("]", maxDecodedDepth) + `,"spec":` + vast + `}`
	if err := CheckQuantities([]byte(deep), MediaJSON, &corev1.Pod{}); err == nil {
		t.Error("a body that no decoder takes hides a quantity")
	}
	often := `{"spec":` + vast + strings.Repeat(`,"spec":{}`, 100_000) + `}`
	if err := CheckQuantities([]byte(often), MediaJSON, &corev1.Pod{}); err == nil {
		t.Error("a key that is repeated 100,000 times hides a quantity")
	}
	if err := CheckQuantities([]byte(`{"metadata":{"name":"1e0000"},"spec":{},"spec":{"containers":[{"resources":{"limits":{"cpu":"1e3"}}}]}}`), MediaJSON, &corev1.Pod{}); err != nil {
		t.Errorf("an ordinary body: %v", err)
	}
}
