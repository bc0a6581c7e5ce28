package horizontalpodautoscaler

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// resizer is that of Deployments.
type resizer struct{}

func (resizer) Resize(o object.Object, replicas int32) object.Object {
	d := o.(*appsv1.Deployment).DeepCopy()
	d.Spec.Replicas = &replicas
	d.Generation++
	return d
}

// autoscaler scales the Deployment web, from 1 to 10 replicas by default, so that it uses half of
// the CPU that it requests.
func autoscaler(change ...func(*autoscalingv2.HorizontalPodAutoscaler)) *autoscalingv2.HorizontalPodAutoscaler {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "hpa"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    new(int32(1)), MaxReplicas: 10, Metrics: []autoscalingv2.MetricSpec{utilization(50)},
		},
	}
	for _, f := range change {
		f(hpa)
	}
	return hpa
}

func utilization(percent int32) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
		Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent},
	}}
}

func metrics(list ...autoscalingv2.MetricSpec) func(*autoscalingv2.HorizontalPodAutoscaler) {
	return func(hpa *autoscalingv2.HorizontalPodAutoscaler) { hpa.Spec.Metrics = list }
}

func bounds(least, most int32) func(*autoscalingv2.HorizontalPodAutoscaler) {
	return func(hpa *autoscalingv2.HorizontalPodAutoscaler) {
		hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas = &least, most
	}
}

func byRules(b autoscalingv2.HorizontalPodAutoscalerBehavior) func(*autoscalingv2.HorizontalPodAutoscaler) {
	return func(hpa *autoscalingv2.HorizontalPodAutoscaler) { hpa.Spec.Behavior = &b }
}

// snapshot is one in which the target has so many Pods, which are ready and use so much each of the
// two thousand that they request.
func snapshot(hpa *autoscalingv2.HorizontalPodAutoscaler, replicas int32, values ...int64) Snapshot {
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web"}, Spec: appsv1.DeploymentSpec{Replicas: &replicas}}
	return Snapshot{
		Autoscaler: hpa, Now: now, Memory: memory{Due: now}.encode(), Selecting: []string{hpa.Name},
		Target:   Target{Object: web, Replicas: replicas, Current: replicas, Selector: "app=web", Resizer: resizer{}},
		Pods:     podsOf(strings.Repeat("r", int(replicas))),
		Readings: []Reading{{Samples: samplesOf(values...)}},
	}
}

// summary is a plan, and what it makes of the autoscaler.
func summary(p plan.Plan) string {
	out := p.String()
	for _, u := range p.Updates {
		switch o := u.Object.(type) {
		case *appsv1.Deployment:
			out += fmt.Sprintf("replicas %d\n", *o.Spec.Replicas)
		case *autoscalingv2.HorizontalPodAutoscaler:
			out += fmt.Sprintf("needs %q, %d of %d\n", u.NeedsUpdate, o.Status.CurrentReplicas, o.Status.DesiredReplicas)
			for _, c := range o.Status.Conditions {
				out += fmt.Sprintf("%s %s %s %q\n", c.Type, c.Status, c.Reason, c.Message)
			}
			if doc, err := json.Marshal(o.Status.CurrentMetrics); err == nil && len(o.Status.CurrentMetrics) > 0 {
				out += string(doc) + "\n"
			}
		}
	}
	return out
}

const (
	got        = `AbleToScale True SucceededGetScale "the HPA controller was able to get the target's current scale"` + "\n"
	ready      = `AbleToScale True ReadyForNewScale "recommended size matches current size"` + "\n"
	rescaled   = `AbleToScale True SucceededRescale "the HPA controller was able to update the target scale to %d"` + "\n"
	active     = `ScalingActive True ValidMetricFound "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)"` + "\n"
	inRange    = `ScalingLimited False DesiredWithinRange "the desired count is within the acceptable range"` + "\n"
	remembered = "remember\nwake at 2026-01-02T03:04:20Z\n"
	status     = "update HorizontalPodAutoscaler default/web status\n"
	scaled     = "update Deployment default/web scale\n"
)

// HPA-002: the target is scaled between its bounds by the CPU that its Pods use.
func TestReconcile(t *testing.T) {
	t.Parallel()
	ambiguous := snapshot(autoscaler(), 1, 1000)
	ambiguous.Selecting = []string{"other", "web"}
	unselecting := snapshot(autoscaler(), 1, 1000)
	unselecting.Target.Selector = ""
	missing := snapshot(autoscaler(), 1, 1000)
	missing.Target = Target{Err: `deployments/scale.apps "web" not found`}
	unmeasured := snapshot(autoscaler(), 1)
	unmeasured.Readings = []Reading{{Err: "no metrics returned from resource metrics API"}}
	lately := snapshot(autoscaler(), 4, 400, 400, 400, 400)
	lately.Memory = memory{Due: now, Recommendations: []mark{{3, now.Add(-time.Minute)}}}.encode()
	first := snapshot(autoscaler(), 1, 1000)
	first.Memory = nil
	early := snapshot(autoscaler(), 1, 1000)
	early.Memory = memory{Due: now.Add(time.Second)}.encode()
	one := func(value string) string {
		return `[{"type":"Resource","resource":{"name":"cpu","current":` + value + "}}]\n"
	}
	for _, row := range []struct {
		name string
		s    Snapshot
		want string
	}{
		{"new: it waits", first, remembered},
		{"early: it waits", early, "wake at 2026-01-02T03:04:06Z\n"},
		{"at the target", snapshot(autoscaler(), 1, 1000), status + remembered + "needs \"\", 1 of 1\n" + ready + active + inRange + one(`{"averageValue":"1","averageUtilization":50}`)},
		{"above it", snapshot(autoscaler(), 2, 1500, 2000), scaled + status +
			"event HorizontalPodAutoscaler default/web Normal SuccessfulRescale \"New size: 4; reason: cpu resource utilization (percentage of request) above target\"\n" +
			remembered + "replicas 4\nneeds \"web\", 2 of 4\n" + fmt.Sprintf(rescaled, 4) + active + inRange + one(`{"averageValue":"1750m","averageUtilization":87}`)},
		{"below it, but not for long", snapshot(autoscaler(), 4, 400, 400, 400, 400), status + remembered + "needs \"\", 4 of 4\n" +
			`AbleToScale True ScaleDownStabilized "recent recommendations were higher than current one, applying the highest recent recommendation"` + "\n" +
			active + inRange + one(`{"averageValue":"400m","averageUtilization":20}`)},
		{"below it", lately, scaled + status + "event HorizontalPodAutoscaler default/web Normal SuccessfulRescale \"New size: 3; reason: All metrics below target\"\n" +
			remembered + "replicas 3\nneeds \"web\", 4 of 3\n" + fmt.Sprintf(rescaled, 3) + active + inRange + one(`{"averageValue":"400m","averageUtilization":20}`)},
		{"too much", snapshot(autoscaler(bounds(1, 3)), 1, 9000), scaled + status +
			"event HorizontalPodAutoscaler default/web Normal SuccessfulRescale \"New size: 3; reason: cpu resource utilization (percentage of request) above target\"\n" +
			remembered + "replicas 3\nneeds \"web\", 1 of 3\n" + fmt.Sprintf(rescaled, 3) + active +
			`ScalingLimited True TooManyReplicas "the desired replica count is more than the maximum replica count"` + "\n" + one(`{"averageValue":"9","averageUtilization":450}`)},
		{"above the bounds", snapshot(autoscaler(bounds(1, 3)), 5, 1), scaled + status +
			"event HorizontalPodAutoscaler default/web Normal SuccessfulRescale \"New size: 3; reason: Current number of replicas above Spec.MaxReplicas\"\n" +
			remembered + "replicas 3\nneeds \"web\", 5 of 3\n" + fmt.Sprintf(rescaled, 3)},
		{"below the bounds", snapshot(autoscaler(bounds(2, 3)), 1, 1), scaled + status +
			"event HorizontalPodAutoscaler default/web Normal SuccessfulRescale \"New size: 2; reason: Current number of replicas below Spec.MinReplicas\"\n" +
			remembered + "replicas 2\nneeds \"web\", 1 of 2\n" + fmt.Sprintf(rescaled, 2)},
		{"switched off", snapshot(autoscaler(), 0), status + remembered + "needs \"\", 0 of 0\n" + got +
			`ScalingActive False ScalingDisabled "scaling is disabled since the replica count of the target is zero"` + "\n"},
		{"no target", missing, status + `event HorizontalPodAutoscaler default/web Warning FailedGetScale "deployments/scale.apps \"web\" not found"` + "\n" + remembered +
			"needs \"\", 0 of 0\n" + `AbleToScale False FailedGetScale "the HPA controller was unable to get the target's current scale: deployments/scale.apps \"web\" not found"` + "\n"},
		{"no selector", unselecting, status + `event HorizontalPodAutoscaler default/web Warning SelectorRequired "selector is required"` + "\n" +
			`event HorizontalPodAutoscaler default/web Warning FailedComputeMetricsReplicas "selector is required"` + "\n" + remembered +
			"needs \"\", 1 of 0\n" + got + `ScalingActive False InvalidSelector "the HPA target's scale is missing a selector"` + "\n"},
		{"two autoscalers", ambiguous, status +
			`event HorizontalPodAutoscaler default/web Warning AmbiguousSelector "pods by selector app=web are controlled by multiple HPAs: [{other default} {web default}]"` + "\n" +
			`event HorizontalPodAutoscaler default/web Warning FailedComputeMetricsReplicas "pods by selector app=web are controlled by multiple HPAs: [{other default} {web default}]"` + "\n" +
			remembered + "needs \"\", 1 of 0\n" + got +
			`ScalingActive False AmbiguousSelector "pods by selector app=web are controlled by multiple HPAs: [{other default} {web default}]"` + "\n"},
		{"nothing is measured", unmeasured, status +
			`event HorizontalPodAutoscaler default/web Warning FailedGetResourceMetric "failed to get cpu utilization: ` +
			`unable to get metrics for resource cpu: no metrics returned from resource metrics API"` + "\n" +
			`event HorizontalPodAutoscaler default/web Warning FailedComputeMetricsReplicas "invalid metrics ` +
			`(1 invalid out of 1), first error is: failed to get cpu resource metric value: failed to get cpu utilization: ` +
			`unable to get metrics for resource cpu: no metrics returned from resource metrics API"` + "\n" +
			remembered + "needs \"\", 1 of 0\n" + got +
			`ScalingActive False FailedGetResourceMetric "the HPA was unable to compute the replica count: ` +
			`failed to get cpu utilization: unable to get metrics for resource cpu: ` +
			`no metrics returned from resource metrics API"` + "\n" +
			"[{\"type\":\"\"}]\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, summary(Reconcile(row.s))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestMetrics asks every type of metric, and several at once: the one that wants the most counts,
// and one that says nothing keeps the others from scaling down alone.
func TestMetrics(t *testing.T) {
	t.Parallel()
	q := func(text string) *resource.Quantity { r := resource.MustParse(text); return &r }
	average := func(text string) autoscalingv2.MetricTarget {
		return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: q(text)}
	}
	value := func(text string) autoscalingv2.MetricTarget {
		return autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: q(text)}
	}
	memory := autoscalingv2.MetricSpec{Type: "Resource", Resource: &autoscalingv2.ResourceMetricSource{Name: "memory", Target: average("64Mi")}}
	container := autoscalingv2.MetricSpec{
		Type: "ContainerResource",
		ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
			Name: "cpu", Container: "c2", Target: utilization(50).Resource.Target,
		},
	}
	pods := autoscalingv2.MetricSpec{Type: "Pods", Pods: &autoscalingv2.PodsMetricSource{Metric: autoscalingv2.MetricIdentifier{Name: "qps"}, Target: average("10")}}
	objects := func(target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
		return autoscalingv2.MetricSpec{Type: "Object", Object: &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: "web"}, Metric: autoscalingv2.MetricIdentifier{Name: "hits"}, Target: target,
		}}
	}
	external := func(target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
		return autoscalingv2.MetricSpec{Type: "External", External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: "queue", Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}}, Target: target,
		}}
	}
	const mi = 1000 << 20
	bad := Reading{Err: "the server could not find it"}
	for _, row := range []struct {
		name     string
		specs    []autoscalingv2.MetricSpec
		readings []Reading
		replicas int32
		from     string // the message of ScalingActive
		status   string
	}{
		{"memory", []autoscalingv2.MetricSpec{memory}, []Reading{{Samples: samplesOf(128*mi, 128*mi)}}, 4, "memory resource",
			`[{"type":"Resource","resource":{"name":"memory","current":{"averageValue":"128Mi"}}}]`},
		{"a container", []autoscalingv2.MetricSpec{container}, []Reading{{Samples: samplesOf(1000, 1000)}}, 4, "cpu container resource utilization (percentage of request)",
			`[{"type":"ContainerResource","containerResource":{"name":"cpu","current":{"averageValue":"1","averageUtilization":100},"container":"c2"}}]`},
		{"Pods", []autoscalingv2.MetricSpec{pods}, []Reading{{Samples: samplesOf(15000, 15000)}}, 3, "pods metric qps",
			`[{"type":"Pods","pods":{"metric":{"name":"qps"},"current":{"averageValue":"15"}}}]`},
		{"an object", []autoscalingv2.MetricSpec{objects(value("10"))}, []Reading{{Values: []int64{20000}}}, 4, "Service metric hits",
			`[{"type":"Object","object":{"metric":{"name":"hits"},"current":{"value":"20"},"describedObject":{"kind":"Service","name":"web","apiVersion":"v1"}}}]`},
		{"an object, for each Pod", []autoscalingv2.MetricSpec{objects(average("10"))}, []Reading{{Values: []int64{50000}}}, 4, "external metric hits(nil)",
			`[{"type":"Object","object":{"metric":{"name":"hits"},"current":{"averageValue":"25"},"describedObject":{"kind":"Service","name":"web","apiVersion":"v1"}}}]`},
		{"external", []autoscalingv2.MetricSpec{external(value("10"))}, []Reading{{Values: []int64{7000, 8000}}}, 3,
			"external metric queue(&LabelSelector{MatchLabels:map[string]string{a: b,}," +
				"MatchExpressions:[]LabelSelectorRequirement{},})",
			`[{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"a":"b"}}},"current":{"value":"15"}}}]`},
		{"external, for each Pod", []autoscalingv2.MetricSpec{external(average("10"))},
			[]Reading{{Values: []int64{7000, 28000}}}, 4,
			"external metric queue(&LabelSelector{MatchLabels:map[string]string{a: b,}," +
				"MatchExpressions:[]LabelSelectorRequirement{},})",
			`[{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"a":"b"}}},"current":{"averageValue":"17500m"}}}]`},
		{"the one that wants the most", []autoscalingv2.MetricSpec{pods, utilization(50), pods},
			[]Reading{{Samples: samplesOf(11000, 11000)}, {Samples: samplesOf(1500, 1500)}, {Samples: samplesOf(1, 1)}}, 3,
			"cpu resource utilization (percentage of request)",
			`[{"type":"Pods","pods":{"metric":{"name":"qps"},"current":{"averageValue":"11"}}},` +
				`{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"1500m","averageUtilization":75}}},` +
				`{"type":"Pods","pods":{"metric":{"name":"qps"},"current":{"averageValue":"1m"}}}]`},
		{"one says nothing, and the other wants more", []autoscalingv2.MetricSpec{pods, utilization(50)}, []Reading{bad, {Samples: samplesOf(1500, 1500)}}, 3,
			"cpu resource utilization (percentage of request)", `[{"type":""},{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"1500m","averageUtilization":75}}}]`},
		{"one says nothing, and the other wants fewer", []autoscalingv2.MetricSpec{pods, utilization(50)}, []Reading{bad, {Samples: samplesOf(15, 15)}}, 0,
			"unable to get metric qps: the server could not find it", `[{"type":""},{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"15m","averageUtilization":0}}}]`},
		{"no object", []autoscalingv2.MetricSpec{objects(value("10"))}, []Reading{bad}, 0,
			"unable to get metric hits: unable to fetch metrics from custom metrics API: the server could not find it on Service default/web", `[{"type":""}]`},
		{"nothing external", []autoscalingv2.MetricSpec{external(value("10"))}, []Reading{bad}, 0,
			"failed to get external metric queue: unable to get external metric " +
				"default/queue/&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{}," +
				"}: the server could not find it", `[{"type":""}]`},
		{"no such type", []autoscalingv2.MetricSpec{{Type: "X"}}, []Reading{{}}, 0, `unknown metric source type "X"`, `[{"type":""}]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot(autoscaler(metrics(row.specs...)), 2)
			s.Readings = row.readings
			p := Reconcile(s)
			replicas, from := int32(0), ""
			for _, u := range p.Updates {
				switch o := u.Object.(type) {
				case *appsv1.Deployment:
					replicas = *o.Spec.Replicas
				case *autoscalingv2.HorizontalPodAutoscaler:
					for _, c := range o.Status.Conditions {
						if c.Type == autoscalingv2.ScalingActive {
							from = c.Message
						}
					}
					doc, err := json.Marshal(o.Status.CurrentMetrics)
					if err != nil {
						t.Fatal(err)
					}
					if d := cmp.Diff(row.status, string(doc)); d != "" {
						t.Errorf("(-want +got):\n%s", d)
					}
				}
			}
			row.from = map[bool]string{true: "the HPA was able to successfully calculate a replica count from ", false: "the HPA was unable to compute the replica count: "}[row.replicas > 0] + row.from
			if replicas != row.replicas || from != row.from {
				t.Errorf("%d replicas, %s\nwant %s", replicas, from, row.from)
			}
		})
	}
}
