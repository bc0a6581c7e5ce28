package api_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Usage of Pods is computed on demand. It can be read and listed only.
func TestMetrics(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	p := pod("p")
	p.Labels = map[string]string{"app": "web"}
	p.Annotations = map[string]string{"emulation.rowlock.io/cpu-usage": "250m", "emulation.rowlock.io/memory-usage": "64Mi"}
	p.Status.Phase = corev1.PodRunning
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: p.Spec.Containers[0].Name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(clusterTime.AddDate(0, 0, -1))}},
	}}
	c.store(t, p)
	c.store(t, pod("waits"))
	const all, one = "GET /apis/metrics.k8s.io/v1beta1/pods", "GET /apis/metrics.k8s.io/v1beta1/namespaces/default/pods"
	for _, tt := range []struct {
		request string
		names   []string
	}{
		{all, []string{"p"}}, {one, []string{"p"}}, {one + "?labelSelector=app%3Dweb", []string{"p"}}, {one + "?labelSelector=app%3Dx", nil},
		{one + "?fieldSelector=metadata.name%3Dp", []string{"p"}}, {one + "?fieldSelector=metadata.name%3Dq", nil}, {"GET /apis/metrics.k8s.io/v1beta1/namespaces/x/pods", nil},
	} {
		var list metav1.PartialObjectMetadataList
		if err := json.Unmarshal([]byte(c.do(t, tt.request, "").body), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		if diff := cmp.Diff(tt.names, names); diff != "" || list.Kind != "PodMetricsList" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.request, list.Kind, diff)
		}
	}
	for request, want := range map[string]int{
		one + "/p": 200, one + "/waits": 404, one + "/nope": 404, one + "?watch=true": 405, one + "?fieldSelector=spec.nodeName%3Dx": 400,
		"DELETE" + one[3:] + "/p": 405, "POST" + one[3:]: 405, "GET /apis/metrics.k8s.io/v1beta1/nodes": 200, "GET /apis/metrics.k8s.io/v1beta1/nodes/x": 404,
	} {
		if res := c.do(t, request, ""); res.code != want {
			t.Errorf("%s: %d %s, want %d", request, res.code, res.body, want)
		}
	}
}
