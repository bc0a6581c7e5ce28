package usage_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/usage"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func list(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

// running returns a Pod with one container that has been running since start.
func running(name string, r corev1.ResourceRequirements, annotations map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Annotations: annotations},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: r}}},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "c", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(start)}},
		}}},
	}
}

func between(t *rapid.T, what string, list corev1.ResourceList, name corev1.ResourceName, least, most string) {
	q := list[name]
	if q.Cmp(resource.MustParse(least)) < 0 || q.Cmp(resource.MustParse(most)) > 0 {
		t.Errorf("%s of %s is %v, not between %s and %s", name, what, q.String(), least, most)
	}
}

func TestContainer_IsWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "name")
		at := usage.At(start.Add(time.Duration(rapid.IntRange(30, 1e6).Draw(t, "seconds")) * time.Second))
		for what, c := range map[string]struct {
			resources                            corev1.ResourceRequirements
			annotations                          map[string]string
			leastCPU, mostCPU, leastMem, mostMem string
		}{
			"nothing":   {leastCPU: "1m", mostCPU: "10m", leastMem: "8Mi", mostMem: "40Mi"},
			"requests":  {resources: corev1.ResourceRequirements{Requests: list("500m", "100Mi")}, leastCPU: "100m", mostCPU: "300m", leastMem: "50Mi", mostMem: "80Mi"},
			"limits":    {resources: corev1.ResourceRequirements{Limits: list("1m", "1Mi")}, leastCPU: "1m", mostCPU: "1m", leastMem: "1Mi", mostMem: "1Mi"},
			"annotated": {annotations: map[string]string{"emulation.rowlock.io/cpu-usage": "2", "emulation.rowlock.io/c.memory-usage": "3Gi"}, leastCPU: "2", mostCPU: "2", leastMem: "3Gi", mostMem: "3Gi"},
		} {
			p := running(name, c.resources, c.annotations)
			got, ok := usage.Container(p, &p.Spec.Containers[0], nil, at)
			again, _ := usage.Container(p.DeepCopy(), &p.Spec.Containers[0], nil, at)
			if d := cmp.Diff(got, again); !ok || d != "" {
				t.Errorf("%s: %t, and then\n%s", what, ok, d)
			}
			between(t, what, got, corev1.ResourceCPU, c.leastCPU, c.mostCPU)
			between(t, what, got, corev1.ResourceMemory, c.leastMem, c.mostMem)
		}
	})
}

func TestContainer_UsesNothingBeforeItRuns(t *testing.T) {
	t.Parallel()
	p := running("p", corev1.ResourceRequirements{}, nil)
	if _, ok := usage.Container(p, &p.Spec.Containers[0], nil, start.Add(usage.Window-time.Second)); ok {
		t.Error("used before it started")
	}
	p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
	if _, ok := usage.Container(p, &p.Spec.Containers[0], nil, start.Add(time.Hour)); ok {
		t.Error("used while it waits")
	}
	if _, ok := usage.Container(p, &corev1.Container{Name: "other"}, nil, start.Add(time.Hour)); ok {
		t.Error("used by a container that there is not")
	}
}

// TestContainer_WithALoad uses the share of a load, and no more than the limit.
func TestContainer_WithALoad(t *testing.T) {
	t.Parallel()
	work, at := resource.MustParse("700m"), usage.At(start.Add(time.Minute))
	for limit, want := range map[string]string{"2": "700m", "300m": "300m"} {
		p := running("p", corev1.ResourceRequirements{Limits: list(limit, "1Gi")}, map[string]string{"emulation.rowlock.io/cpu-usage": "2"})
		if got, ok := usage.Container(p, &p.Spec.Containers[0], &work, at); !ok || got.Cpu().String() != want {
			t.Errorf("with a limit of %s it uses %s", limit, got.Cpu())
		}
	}
}
