package limitrange_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core/limitrange"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// limit returns a limit of a type. lists are max, min, default, defaultRequest and
// maxLimitRequestRatio, in that order.
func limit(limitType corev1.LimitType, lists ...string) corev1.LimitRangeItem {
	l := corev1.LimitRangeItem{Type: limitType}
	for i, list := range lists {
		*[]*corev1.ResourceList{&l.Max, &l.Min, &l.Default, &l.DefaultRequest, &l.MaxLimitRequestRatio}[i] = kindtest.Quantities(list)
	}
	return l
}

func limitRange(limits ...corev1.LimitRangeItem) *corev1.LimitRange {
	r := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "bounds", Namespace: "default"}, Spec: corev1.LimitRangeSpec{Limits: limits}}
	limitrange.Kind.Default(r)
	return r
}

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults_test.go, TestSetMinimumScalePod and the documentation's page
// "Configure Default CPU Requests and Limits for a Namespace"
func TestLimitRange_Default(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		given     corev1.LimitRangeItem
		want      corev1.LimitRangeItem
		otherwise bool
	}{
		{name: "a limit is the maximum, and is requested", given: limit("Container", "cpu=2"), want: limit("Container", "cpu=2", "", "cpu=2", "cpu=2")},
		{name: "a default is requested", given: limit("Container", "", "", "cpu=1"), want: limit("Container", "", "", "cpu=1", "cpu=1")},
		{name: "the minimum is requested", given: limit("Container", "", "cpu=100m"), want: limit("Container", "", "cpu=100m", "", "cpu=100m")},
		{name: "what is said stays", given: limit("Container", "cpu=2", "cpu=1", "cpu=1500m", "cpu=1200m"), want: limit("Container", "cpu=2", "cpu=1", "cpu=1500m", "cpu=1200m")},
		{name: "Pods get nothing", given: limit("Pod", "cpu=2", "cpu=1"), want: limit("Pod", "cpu=2", "cpu=1")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, limitRange(tt.given).Spec.Limits[0])
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation_test.go, TestValidateLimitRange
func TestLimitRange_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		limits []corev1.LimitRangeItem
		want   []string
	}{
		{"all types", []corev1.LimitRangeItem{
			limit("Pod", "cpu=100m memory=10000Mi", "cpu=5m memory=100Mi", "", "", "cpu=10"),
			limit("Container", "cpu=100m", "cpu=5m", "cpu=50m", "cpu=10m", "cpu=2"),
			limit("PersistentVolumeClaim", "storage=10Gi", "storage=5Gi"),
		}, nil},
		{"only a minimum of storage", []corev1.LimitRangeItem{limit("PersistentVolumeClaim", "", "storage=5Gi")}, nil},
		{"a type of somebody's", []corev1.LimitRangeItem{limit("thirdparty.com/foo", "cpu=100m", "cpu=50m")}, nil},
		{"twice", []corev1.LimitRangeItem{limit("Pod", "cpu=1"), limit("Pod", "cpu=1")}, []string{`spec.limits[1].type: Duplicate value: "Pod"`}},
		{"no type", []corev1.LimitRangeItem{limit("foo", "cpu=1")}, []string{`spec.limits[0].type: Invalid value: "foo": must be a standard limit type or fully qualified`}},
		{"defaults of Pods", []corev1.LimitRangeItem{limit("Pod", "cpu=100m", "cpu=0m", "cpu=10m", "cpu=10m")}, []string{
			"spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
			"spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
		}},
		{"more than the maximum at least", []corev1.LimitRangeItem{limit("Pod", "cpu=10m", "cpu=100m")}, []string{
			`spec.limits[0].min[cpu]: Invalid value: "100m": min value 100m is greater than max value 10m`,
		}},
		{"defaults out of bounds", []corev1.LimitRangeItem{limit("Container", "cpu=1", "cpu=100m", "cpu=2", "cpu=10m")}, []string{
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "10m": min value 100m is greater than default request value 10m`,
			`spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
		}},
		{"requests out of bounds", []corev1.LimitRangeItem{limit("Container", "cpu=2", "cpu=1", "cpu=500m", "cpu=3")}, []string{
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than max value 2`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than default limit value 500m`,
			`spec.limits[0].default[cpu]: Invalid value: "1": min value 1 is greater than default value 500m`,
		}},
		{"a ratio below 1", []corev1.LimitRangeItem{limit("Pod", "", "", "", "", "cpu=800m")}, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "800m": ratio 800m is less than 1`,
		}},
		{"a ratio that is not possible", []corev1.LimitRangeItem{limit("Pod", "cpu=2", "cpu=1", "", "", "cpu=3")}, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
		}},
		{"no storage", []corev1.LimitRangeItem{limit("PersistentVolumeClaim")}, []string{
			"spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
		}},
		{"what containers have none of", []corev1.LimitRangeItem{limit("Container", "storage=1")}, []string{
			`spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`spec.limits[0].default[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`spec.limits[0].defaultRequest[storage]: Invalid value: "storage": must be a standard resource for containers`,
		}},
		{"huge pages are not overcommitted", []corev1.LimitRangeItem{limit("Container", "", "", "hugepages-2Mi=4Mi", "hugepages-2Mi=2Mi")}, []string{
			`spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: "2Mi": default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(limitrange.Kind.Validate(limitRange(tt.limits...))))
			kindtest.Diff(t, tt.want, kindtest.Texts(limitrange.Kind.ValidateUpdate(limitRange(tt.limits...), limitRange())))
		})
	}
}

func TestLimitRange_Row(t *testing.T) {
	t.Parallel()
	r := limitRange()
	r.CreationTimestamp = metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}
	kindtest.Diff(t, []any{"bounds", "2026-01-02T03:02:35Z"}, limitrange.Kind.Row(r, kindtest.Now))
}

// using returns a container with these requests and limits.
func using(requests, limits string) corev1.Container {
	return corev1.Container{Name: "c", Image: "busybox:1", Resources: corev1.ResourceRequirements{Requests: kindtest.Quantities(requests), Limits: kindtest.Quantities(limits)}}
}

func podOf(containers ...corev1.Container) *corev1.Pod {
	p := kindtest.BarePod()
	p.Spec.Containers = containers
	return p
}

// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission_test.go, TestMergePodResourceRequirements and
// TestPodLimitFuncApplyDefault
func TestLimitRange_CompletesPods(t *testing.T) {
	t.Parallel()
	c := kindtest.Cluster(limitRange(limit("Container", "", "", "cpu=75m memory=10Mi", "cpu=50m memory=5Mi")))
	p := podOf(using("", ""), using("cpu=20m", "memory=20Mi"), using("cpu=1m memory=1Mi", "cpu=1m memory=1Mi"))
	p.Spec.InitContainers = []corev1.Container{using("", "")}
	pod.Kind.Default(p)
	kindtest.Diff(t, "", kindtest.Refusal(kindtest.Admit(pod.Kind, p, c)))
	given := func(c corev1.Container) [2]corev1.ResourceList {
		return [2]corev1.ResourceList{c.Resources.Requests, c.Resources.Limits}
	}
	kindtest.Diff(t, [2]corev1.ResourceList{kindtest.Quantities("cpu=50m memory=5Mi"), kindtest.Quantities("cpu=75m memory=10Mi")}, given(p.Spec.Containers[0]))
	kindtest.Diff(t, [2]corev1.ResourceList{kindtest.Quantities("cpu=20m memory=20Mi"), kindtest.Quantities("cpu=75m memory=20Mi")}, given(p.Spec.Containers[1]))
	kindtest.Diff(t, [2]corev1.ResourceList{kindtest.Quantities("cpu=1m memory=1Mi"), kindtest.Quantities("cpu=1m memory=1Mi")}, given(p.Spec.Containers[2]))
	kindtest.Diff(t, [2]corev1.ResourceList{kindtest.Quantities("cpu=50m memory=5Mi"), kindtest.Quantities("cpu=75m memory=10Mi")}, given(p.Spec.InitContainers[0]))
	kindtest.Diff(t, "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; cpu limit for container c; "+
		"cpu, memory request for init container c; cpu, memory limit for init container c", p.Annotations["kubernetes.io/limit-ranger"])

	elsewhere := podOf(using("", ""))
	elsewhere.Namespace = "other"
	kindtest.Diff(t, "", kindtest.Refusal(kindtest.Admit(pod.Kind, elsewhere, c)))
	kindtest.Diff(t, corev1.ResourceRequirements{}, elsewhere.Spec.Containers[0].Resources)
}

// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission_test.go, TestPodLimitFunc
func TestLimitRange_RefusesPods(t *testing.T) {
	t.Parallel()
	always := corev1.ContainerRestartPolicyAlways
	sidecar := using("memory=60Mi", "memory=60Mi")
	sidecar.RestartPolicy = &always
	tests := []struct {
		name  string
		limit corev1.LimitRangeItem
		pod   *corev1.Pod
		init  []corev1.Container
		want  string
	}{
		{"within", limit("Container", "cpu=1 memory=1Gi", "cpu=100m memory=1Mi", "", "", "cpu=4"), podOf(using("cpu=250m memory=2Mi", "cpu=1 memory=1Gi")), nil, ""},
		{"less than the minimum", limit("Container", "", "cpu=100m"), podOf(using("cpu=50m", "")), nil, "minimum cpu usage per Container is 100m, but request is 50m"},
		{"no request", limit("Container", "", "cpu=100m"), podOf(using("", "")), nil, "minimum cpu usage per Container is 100m.  No request is specified"},
		{"a limit below the minimum", limit("Container", "", "cpu=100m"), podOf(using("cpu=100m", "cpu=50m")), nil, "minimum cpu usage per Container is 100m, but limit is 50m"},
		{"more than the maximum", limit("Container", "memory=1Gi"), podOf(using("", "memory=2Gi")), nil, "maximum memory usage per Container is 1Gi, but limit is 2Gi"},
		{"a request above the maximum", limit("Container", "cpu=1"), podOf(using("cpu=2", "cpu=1")), nil, "maximum cpu usage per Container is 1, but request is 2"},
		{"no limit", limit("Container", "cpu=1"), podOf(using("", "")), nil, "maximum cpu usage per Container is 1.  No limit is specified"},
		{"everything at once", limit("Container", "cpu=1 memory=1Gi", "cpu=100m"), podOf(using("cpu=50m", "cpu=2 memory=2Gi")), nil,
			"[minimum cpu usage per Container is 100m, but request is 50m, maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]"},
		{"an init container", limit("Container", "", "cpu=100m"), podOf(using("cpu=100m", "")), []corev1.Container{using("cpu=50m", "")}, "minimum cpu usage per Container is 100m, but request is 50m"},
		{"too great a ratio", limit("Container", "", "", "", "", "cpu=1500m"), podOf(using("cpu=1", "cpu=2")), nil, "cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000"},
		{"a ratio to nothing", limit("Container", "", "", "", "", "cpu=2"), podOf(using("", "cpu=2")), nil, "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"},
		{"a ratio of nothing", limit("Container", "", "", "", "", "cpu=2"), podOf(using("cpu=2", "")), nil, "cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"},
		{"the sum", limit("Pod", "memory=100Mi"), podOf(using("memory=60Mi", "memory=60Mi"), using("memory=60Mi", "memory=60Mi")), nil, "maximum memory usage per Pod is 100Mi, but limit is 120Mi"},
		{"what comes first", limit("Pod", "memory=100Mi"), podOf(using("", "memory=60Mi")), []corev1.Container{using("", "memory=200Mi")}, "maximum memory usage per Pod is 100Mi, but limit is 200Mi"},
		{"what goes beside", limit("Pod", "memory=100Mi"), podOf(using("memory=60Mi", "memory=60Mi")), []corev1.Container{sidecar}, "maximum memory usage per Pod is 100Mi, but limit is 120Mi"},
		{"claims are no Pods", limit("PersistentVolumeClaim", "storage=1Gi"), podOf(using("", "")), nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := limitRange(tt.limit)
			r.Spec.Limits[0].Default, r.Spec.Limits[0].DefaultRequest = nil, nil // do not apply defaults
			tt.pod.Spec.InitContainers = tt.init
			kindtest.Diff(t, tt.want, kindtest.Refusal(kindtest.Deny(pod.Kind, tt.pod, kindtest.Cluster(r))))
		})
	}
}

// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission_test.go, TestPersistentVolumeClaimLimitFunc
func TestLimitRange_RefusesClaims(t *testing.T) {
	t.Parallel()
	c := kindtest.Cluster(limitRange(limit("PersistentVolumeClaim", "storage=10Gi", "storage=2Gi")))
	for request, want := range map[string]string{
		"storage=5Gi":  "",
		"storage=1Gi":  "minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi",
		"storage=20Gi": "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi",
		"":             "[minimum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified, maximum storage usage per PersistentVolumeClaim is 10Gi.  No request is specified]",
	} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: "default"}}
		claim.Spec.Resources.Requests = kindtest.Quantities(request)
		kindtest.Diff(t, want, kindtest.Refusal(limitrange.Deny(claim, c)))
	}
}
