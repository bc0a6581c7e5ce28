package horizontalpodautoscaler

import (
	"fmt"
	"maps"
	"math"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// calculation is the input for computing replicas from the values that a metric has for Pods.
type calculation struct {
	samples  map[string]Sample
	resource corev1.ResourceName // "" if the metric is not of a resource
	// target is the wanted average: in thousandths or, if relative, in per cent of the requests of
	// the Pods, or of their container of that name.
	target    int64
	relative  bool
	container string
}

// outcome is the result of a calculation.
type outcome struct {
	replicas    int32
	average     int64 // in thousandths
	utilization int32 // in per cent of the requests; zero if the calculation is not relative
}

// calculate finds how many replicas would have the wanted average. Pods that are being deleted or
// have failed do not count. Pods that are not ready, or have no measurement, only dampen the
// result.
//
// Example: two Pods use 200% each with a target of 100%, and one is not ready: 400% over three Pods
// is 133%, which four Pods reduce to 100%.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go, GetResourceReplicas and calcPlainMetricReplicas
func (y *sync) calculate(c calculation) (out outcome, err string) {
	if len(y.Pods) == 0 {
		return out, "no pods returned by selector while calculating replica count"
	}
	g := y.group(c)
	if len(g.values) == 0 {
		return out, "did not receive metrics for targeted pods (pods might be unready)"
	}
	requests := map[string]int64{}
	if c.relative {
		if requests, err = requested(y.Pods, c); err != "" {
			return out, err
		}
	}
	ratio, out, err := c.ratio(g.values, requests)
	if err != "" {
		return out, err
	}
	out.replicas = y.Target.Replicas
	upDespite := len(g.unready) > 0 && ratio > 1
	if !upDespite && len(g.missing) == 0 {
		if !y.tolerates(ratio) {
			out.replicas = clamped(ratio * float64(g.ready))
		}
		return out, ""
	}
	values := maps.Clone(g.values)
	for _, name := range g.missing {
		switch {
		case ratio < 1 && c.relative:
			values[name] = requests[name] * max(100, c.target) / 100
		case ratio < 1:
			values[name] = c.target
		case ratio > 1:
			values[name] = 0
		}
	}
	if upDespite {
		for _, name := range g.unready {
			values[name] = 0
		}
	}
	again, _, err := c.ratio(values, requests)
	if err != "" {
		return out, err
	}
	if y.tolerates(again) || ratio < 1 && again > 1 || ratio > 1 && again < 1 {
		return out, ""
	}
	replicas := clamped(again * float64(len(values)))
	if again < 1 && replicas > y.Target.Replicas || again > 1 && replicas < y.Target.Replicas {
		return out, ""
	}
	out.replicas = replicas
	return out, ""
}

// ratio is the average divided by the target, together with the average and the utilization.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/utilization.go
func (c *calculation) ratio(values, requests map[string]int64) (ratio float64, out outcome, err string) {
	var total, asked, n int64
	for name, value := range values {
		request, known := requests[name]
		if c.relative && !known {
			continue
		}
		total, asked, n = total+value, asked+request, n+1
	}
	switch {
	case !c.relative:
		out.average = total / n
		return float64(out.average) / float64(c.target), out, ""
	case asked == 0:
		return 0, out, "no metrics returned matched known pods"
	}
	out.average, out.utilization = total/n, int32(min(total*100/asked, math.MaxInt32))
	return float64(out.utilization) / float64(c.target), out, ""
}

// grouped is the Pods grouped by how they count.
type grouped struct {
	ready            int
	values           map[string]int64 // of the ready Pods, and of Pods that the selector does not select
	unready, missing []string
}

// group groups the Pods.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go, groupPods
func (y *sync) group(c calculation) grouped {
	g := grouped{values: make(map[string]int64, len(c.samples))}
	for name, s := range c.samples {
		g.values[name] = s.Value
	}
	for _, pod := range y.Pods {
		sample, measured := c.samples[pod.Name]
		switch {
		case pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed:
			delete(g.values, pod.Name)
		case pod.Status.Phase == corev1.PodPending:
			g.unready = append(g.unready, pod.Name)
			delete(g.values, pod.Name)
		case !measured:
			g.missing = append(g.missing, pod.Name)
		case c.resource == corev1.ResourceCPU && y.unready(pod, sample):
			g.unready = append(g.unready, pod.Name)
			delete(g.values, pod.Name)
		default:
			g.ready++
		}
	}
	return g
}

// unready reports whether the CPU usage of a Pod is not meaningful yet. In its first minutes it is
// not until the Pod has been ready for one measurement window; later, if it has never been ready.
func (y *sync) unready(pod *corev1.Pod, s Sample) bool {
	ready, started := readyCondition(pod), pod.Status.StartTime
	if ready == nil || started == nil {
		return true
	}
	if started.Add(cpuInitialization).After(y.Now) {
		return ready.Status == corev1.ConditionFalse || s.At.Before(ready.LastTransitionTime.Add(s.Window))
	}
	return ready.Status == corev1.ConditionFalse && started.Add(initialReadinessDelay).After(ready.LastTransitionTime.Time)
}

// readyCondition is the Pod's Ready condition; nil if it has none.
func readyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c
		}
	}
	return nil
}

// requested is how much of a resource each Pod requests, in thousandths.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go, calculateRequests
func requested(pods []*corev1.Pod, c calculation) (map[string]int64, string) {
	all := make(map[string]int64, len(pods))
	for _, pod := range pods {
		if c.container == "" && resourcehelper.IsPodLevelRequestsSet(pod) {
			request, ok := resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{})[c.resource]
			if !ok {
				return nil, fmt.Sprintf("missing pod-level request for %s in Pod %s", c.resource, pod.Name)
			}
			all[pod.Name] = request.MilliValue()
			continue
		}
		found := c.container == ""
		for _, of := range running(pod) {
			if c.container != "" && c.container != of.Name {
				continue
			}
			request, ok := of.Resources.Requests[c.resource]
			if !ok {
				return nil, fmt.Sprintf("missing request for %s in container %s of Pod %s", c.resource, of.Name, pod.Name)
			}
			all[pod.Name] += request.MilliValue()
			found = true
		}
		if !found {
			return nil, fmt.Sprintf("container %s not found in Pod %s", c.container, pod.Name)
		}
	}
	return all, ""
}

// running are the containers of a Pod that run as long as the Pod does.
func running(pod *corev1.Pod) []corev1.Container {
	list := append([]corev1.Container{}, pod.Spec.Containers...)
	for i := range pod.Spec.InitContainers {
		if p := pod.Spec.InitContainers[i].RestartPolicy; p != nil && *p == corev1.ContainerRestartPolicyAlways {
			list = append(list, pod.Spec.InitContainers[i])
		}
	}
	return list
}

// tolerates reports whether a ratio is too close to one to act on.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, tolerancesForHpa
func (y *sync) tolerates(ratio float64) bool {
	up, down := defaultTolerance, defaultTolerance
	if b := y.spec.Behavior; b != nil {
		if b.ScaleUp != nil && b.ScaleUp.Tolerance != nil {
			up = b.ScaleUp.Tolerance.AsApproximateFloat64()
		}
		if b.ScaleDown != nil && b.ScaleDown.Tolerance != nil {
			down = b.ScaleDown.Tolerance.AsApproximateFloat64()
		}
	}
	return 1-down <= ratio && ratio <= 1+up
}

// byRatio is the ratio times the number of ready Pods.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go, getUsageRatioReplicaCount
func (y *sync) byRatio(ratio float64) (replicas int32, err string) {
	if y.tolerates(ratio) {
		return y.Target.Replicas, ""
	}
	if len(y.Pods) == 0 {
		return 0, "unable to calculate ready pods: no pods returned by selector while calculating replica count"
	}
	ready := 0
	for _, pod := range y.Pods {
		if pod.Status.Phase == corev1.PodRunning && podstate.Ready(pod) {
			ready++
		}
	}
	return clamped(ratio * float64(ready)), ""
}

// perPod is how many replicas a value needs if each takes the target share, and the value per
// current replica.
//
// Differs: if there are no Pods yet, the average is the whole value; upstream divides by zero.
func (y *sync) perPod(value, target int64) (replicas int32, average int64) {
	replicas = y.Target.Current
	if ratio := float64(value) / (float64(target) * float64(replicas)); !y.tolerates(ratio) {
		replicas = clamped(float64(value) / float64(target))
	}
	if y.Target.Current == 0 || value == math.MaxInt64 {
		return replicas, value
	}
	return replicas, int64(math.Ceil(float64(value) / float64(y.Target.Current)))
}
