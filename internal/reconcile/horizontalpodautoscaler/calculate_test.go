package horizontalpodautoscaler

import (
	"fmt"
	"math"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// podsOf makes Pods of two containers from letters: r is ready, u has never been ready, h is ready
// and began a moment ago, p is pending, f has failed, d is being deleted. Each container requests
// the given thousandths of a core for the Pod, or 1000 without.
func podsOf(letters string, requests ...int64) (pods []*corev1.Pod) {
	for i, letter := range letters {
		request := int64(1000)
		if i < len(requests) {
			request = requests[i]
		}
		container := corev1.Container{Name: "c1"}
		if request >= 0 {
			container.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(request, resource.DecimalSI)}
		}
		other := container
		other.Name = "c2"
		began := metav1.NewTime(now.Add(-time.Hour))
		ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-time.Hour))}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("p", i)}, Spec: corev1.PodSpec{Containers: []corev1.Container{container, other}}}
		p.Status.Phase = corev1.PodRunning
		switch letter {
		case 'u':
			ready.Status = corev1.ConditionFalse
		case 'h':
			began = metav1.NewTime(now.Add(-10 * time.Second))
			ready.LastTransitionTime = metav1.NewTime(now.Add(-5 * time.Second))
		case 'p':
			p.Status.Phase, ready.Status = corev1.PodPending, corev1.ConditionFalse
		case 'f':
			p.Status.Phase, ready.Status = corev1.PodFailed, corev1.ConditionFalse
		case 'd':
			p.DeletionTimestamp = &began
		}
		p.Status.StartTime, p.Status.Conditions = &began, []corev1.PodCondition{ready}
		pods = append(pods, p)
	}
	return pods
}

// samplesOf are values of Pods, in order; a negative one is missing.
func samplesOf(values ...int64) map[string]Sample {
	all := map[string]Sample{}
	for i, v := range values {
		if v >= 0 {
			all[fmt.Sprint("p", i)] = Sample{Value: v, At: now, Window: time.Minute}
		}
	}
	return all
}

func tolerance(up, down string) *autoscalingv2.HorizontalPodAutoscalerBehavior {
	u, d := resource.MustParse(up), resource.MustParse(down)
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleUp: &autoscalingv2.HPAScalingRules{Tolerance: &u}, ScaleDown: &autoscalingv2.HPAScalingRules{Tolerance: &d},
	}
}

// TestCalculate has the numbers of Kubernetes' own tests. Two containers use as much each as the
// values say, and request 1000 each.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator_test.go
func TestCalculate(t *testing.T) {
	t.Parallel()
	cpu := func(target int64) calculation {
		return calculation{resource: corev1.ResourceCPU, relative: true, target: target}
	}
	container := func(target int64) calculation {
		return calculation{resource: corev1.ResourceCPU, relative: true, target: target, container: "c2"}
	}
	plain := func(target int64) calculation { return calculation{target: target} }
	for _, row := range []struct {
		name     string
		current  int32
		pods     string
		ask      calculation
		values   []int64
		requests []int64
		rules    *autoscalingv2.HorizontalPodAutoscalerBehavior
		replicas int32
		average  int64
		percent  int32
		err      string
	}{
		{name: "no Pods", current: 3, ask: cpu(30), values: []int64{1}, err: "no pods returned by selector while calculating replica count"},
		{name: "up", current: 3, pods: "rrr", ask: cpu(30), values: []int64{600, 1000, 1400}, replicas: 5, average: 1000, percent: 50},
		{name: "up by a container", current: 3, pods: "rrr", ask: container(30), values: []int64{300, 500, 700}, replicas: 5, average: 500, percent: 50},
		{name: "up less for one that is not ready", current: 3, pods: "urr", ask: cpu(30), values: []int64{600, 1000, 1400}, replicas: 4, average: 1200, percent: 60},
		{name: "up less for a hot one", current: 3, pods: "hrr", ask: cpu(30), values: []int64{600, 1000, 1400}, replicas: 4, average: 1200, percent: 60},
		{name: "not up for two that are not ready", current: 3, pods: "ruu", ask: cpu(30), values: []int64{800, 1000, 1400}, replicas: 3, average: 800, percent: 40},
		{name: "not up for two hot ones", current: 3, pods: "rhh", ask: cpu(30), values: []int64{800, 1000, 1400}, replicas: 3, average: 800, percent: 40},
		{name: "up without the failed", current: 2, pods: "rrff", ask: cpu(30), values: []int64{1000, 1400}, replicas: 4, average: 1200, percent: 60},
		{name: "up without those that go", current: 2, pods: "rrdd", ask: cpu(30), values: []int64{1000, 1400}, replicas: 4, average: 1200, percent: 60},
		{name: "up by a metric of Pods", current: 3, pods: "rrr", ask: plain(15000), values: []int64{20000, 10000, 30000}, replicas: 4, average: 20000},
		{name: "readiness is nothing to it", current: 3, pods: "rru", ask: plain(15000), values: []int64{50000, 10000, 30000}, replicas: 6, average: 30000},
		{name: "up by all", current: 3, pods: "uru", ask: plain(15000), values: []int64{50000, 15000, 30000}, replicas: 7, average: 31666},
		{name: "down", current: 5, pods: "rrrrr", ask: cpu(50), values: []int64{200, 600, 1000, 500, 500}, replicas: 3, average: 560, percent: 28},
		{name: "down by a container", current: 5, pods: "rrrrr", ask: container(50), values: []int64{100, 300, 500, 250, 250}, replicas: 3, average: 280, percent: 28},
		{name: "down by a metric of Pods", current: 5, pods: "rrrrr", ask: plain(20000), values: []int64{12000, 12000, 12000, 12000, 12000}, replicas: 3, average: 12000},
		{name: "down without those that are not ready", current: 5, pods: "rrruu", ask: cpu(50), values: []int64{200, 600, 1000, 500, 500}, replicas: 2, average: 600, percent: 30},
		{name: "down without the pending", current: 5, pods: "rpppp", ask: cpu(50), values: []int64{200}, replicas: 1, average: 200, percent: 10},
		{name: "tolerated", current: 3, pods: "rrr", ask: cpu(100), values: []int64{2180, 2180, 2180}, replicas: 3, average: 2180, percent: 109},
		{name: "no tolerance", current: 3, pods: "rrr", ask: cpu(100), values: []int64{2020, 2020, 2020}, rules: tolerance("0", "0"), replicas: 4, average: 2020, percent: 101},
		{name: "much tolerance up", current: 3, pods: "rrr", ask: cpu(100), values: []int64{3800, 3800, 3800}, rules: tolerance("0.9", "0.1"), replicas: 3, average: 3800, percent: 190},
		{name: "much tolerance down", current: 3, pods: "rrr", ask: cpu(100), values: []int64{1300, 1300, 1300}, rules: tolerance("0", "0.4"), replicas: 3, average: 1300, percent: 65},
		{name: "values of Pods that are not selected", current: 4, pods: "rrrr", ask: cpu(100), values: []int64{8000, 19000, 6000, 14000, 6400, 4000}, replicas: 24, average: 11750, percent: 587},
		{name: "two are missing", current: 4, pods: "rrrr", ask: cpu(100), values: []int64{800, 190}, replicas: 3, average: 495, percent: 24},
		{name: "none is left", current: 2, pods: "uu", ask: cpu(100), values: []int64{200, 200}, err: "did not receive metrics for targeted pods (pods might be unready)"},
		{name: "no request", current: 1, pods: "r", ask: cpu(100), values: []int64{200}, requests: []int64{-1}, err: "missing request for cpu in container c1 of Pod p0"},
		{name: "no request in a container", current: 1, pods: "r", ask: container(100), values: []int64{200}, requests: []int64{-1}, err: "missing request for cpu in container c2 of Pod p0"},
		{name: "no container", current: 1, pods: "r", ask: calculation{resource: "cpu", relative: true, target: 1, container: "no"}, values: []int64{1}, err: "container no not found in Pod p0"},
		{name: "nothing is requested", current: 1, pods: "r", ask: cpu(100), values: []int64{200}, requests: []int64{0}, err: "no metrics returned matched known pods"},
		{name: "missing, at the target", current: 2, pods: "rr", ask: cpu(100), values: []int64{2000}, replicas: 2, average: 2000, percent: 100},
		{name: "missing, above it", current: 2, pods: "rr", ask: cpu(100), values: []int64{3800}, replicas: 2, average: 3800, percent: 190},
		{name: "missing, below it", current: 2, pods: "rr", ask: cpu(100), values: []int64{1200}, replicas: 2, average: 1200, percent: 60},
		{name: "missing of a metric of Pods", current: 5, pods: "rrrrr", ask: plain(20000), values: []int64{20000, 19000, 21000}, replicas: 5, average: 20000},
		{name: "missing and not ready", current: 3, pods: "urr", ask: cpu(50), values: []int64{200, 900}, replicas: 3, average: 900, percent: 45},
		{name: "missing and not ready, up", current: 3, pods: "urr", ask: cpu(50), values: []int64{200, 4000}, replicas: 4, average: 4000, percent: 200},
		{name: "missing and hot, up", current: 3, pods: "hrr", ask: cpu(50), values: []int64{200, 4000}, replicas: 4, average: 4000, percent: 200},
		{name: "missing and not ready, down", current: 4, pods: "urrr", ask: cpu(50), values: []int64{200, 200, 200}, replicas: 3, average: 200, percent: 10},
		{
			name: "missing, with a target above 100%", current: 4, pods: "urrr", requests: []int64{1000, 1000, 2000, 2000},
			ask: cpu(300), values: []int64{400, 200, 200}, replicas: 2, average: 200, percent: 6,
		},
		{name: "one too many in a rolling update", current: 2, pods: "rrr", ask: cpu(50), values: []int64{200, 200}, replicas: 2, average: 200, percent: 10},
		{name: "the same with a metric of Pods", current: 2, pods: "rrr", ask: plain(17000), values: []int64{10000, 10000}, replicas: 2, average: 10000},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			y := sync{Snapshot: Snapshot{Pods: podsOf(row.pods, row.requests...), Target: Target{Replicas: row.current}, Now: now},
				spec: &autoscalingv2.HorizontalPodAutoscalerSpec{Behavior: row.rules}}
			row.ask.samples = samplesOf(row.values...)
			got, err := y.calculate(row.ask)
			if err != row.err || err == "" && got != (outcome{row.replicas, row.average, row.percent}) {
				t.Errorf("it comes to %+v, %q", got, err)
			}
		})
	}
}

// TestByValue: metrics of one object, or of none.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator_test.go
func TestByValue(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name          string
		current       int32
		pods          string
		value, target int64
		perPod        bool
		replicas      int32
		average       int64
	}{
		{"up", 3, "rrr", 20000, 15000, false, 4, 0},
		{"up by those that are ready", 3, "uru", 50000, 10000, false, 5, 0},
		{"up by those that are ready, which is down", 3, "uru", 8600, 4400, false, 2, 0},
		{"down", 5, "rrrrr", 12000, 20000, false, 3, 0},
		{"tolerated", 3, "rrr", 20666, 20000, false, 3, 0},
		{"overflow", 3, "rrr", math.MaxInt64, 1, false, math.MaxInt32, 0},
		{"up per Pod", 3, "rrr", 20000, 5000, true, 4, 6667},
		{"down per Pod", 5, "rrrrr", 6000, 2000, true, 3, 1200},
		{"external per Pod", 3, "rrr", 8600, 2150, true, 4, 2867},
		{"tolerated per Pod", 4, "rrrr", 20166, 5000, true, 4, 5042},
		{"overflow per Pod", 1, "r", math.MaxInt64, 1, true, math.MaxInt32, math.MaxInt64},
		{"overflow of the average", 1, "r", math.MaxInt64, math.MaxInt64, true, 1, math.MaxInt64},
		{"nothing runs yet", 0, "", 6000, 2000, true, 3, 6000},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			y := sync{Snapshot: Snapshot{Pods: podsOf(row.pods), Target: Target{Replicas: row.current, Current: row.current}}, spec: &autoscalingv2.HorizontalPodAutoscalerSpec{}}
			var replicas int32
			var average int64
			var err string
			if row.perPod {
				replicas, average = y.perPod(row.value, row.target)
			} else {
				replicas, err = y.byRatio(float64(row.value) / float64(row.target))
			}
			if replicas != row.replicas || average != row.average || err != "" {
				t.Errorf("it comes to %d, %d, %q", replicas, average, err)
			}
		})
	}
	if got := sum([]int64{math.MaxInt64 - 1, 5, 7}); got != math.MaxInt64 {
		t.Errorf("the sum is %d", got)
	}
}
