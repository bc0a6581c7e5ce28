package pod_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// enums lists values of enum types: valid ones, and an invalid one.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[corev1.RestartPolicy]():                           {"", "Always", "OnFailure", "Never", "X"},
	reflect.TypeFor[corev1.ContainerRestartPolicy]():                  {"Always", "OnFailure", "Never", "X"},
	reflect.TypeFor[corev1.ContainerRestartRuleAction]():              {"Restart", "RestartAllContainers", "X"},
	reflect.TypeFor[corev1.ContainerRestartRuleOnExitCodesOperator](): {"In", "NotIn", "X"},
	reflect.TypeFor[corev1.DNSPolicy]():                               {"", "ClusterFirst", "Default", "None", "X"},
	reflect.TypeFor[corev1.PullPolicy]():                              {"", "Always", "Never", "X"},
	reflect.TypeFor[corev1.Protocol]():                                {"", "TCP", "UDP", "X"},
	reflect.TypeFor[corev1.URIScheme]():                               {"", "HTTP", "HTTPS", "X"},
	reflect.TypeFor[corev1.TerminationMessagePolicy]():                {"", "File", "FallbackToLogsOnError", "X"},
	reflect.TypeFor[corev1.PreemptionPolicy]():                        {"Never", "PreemptLowerPriority", "X"},
	reflect.TypeFor[corev1.TolerationOperator]():                      {"", "Exists", "Equal", "Lt", "X"},
	reflect.TypeFor[corev1.TaintEffect]():                             {"", "NoSchedule", "NoExecute", "X"},
	reflect.TypeFor[corev1.NodeSelectorOperator]():                    {"In", "NotIn", "Exists", "Gt", "X"},
	reflect.TypeFor[metav1.LabelSelectorOperator]():                   {"In", "NotIn", "Exists", "X"},
	reflect.TypeFor[corev1.UnsatisfiableConstraintAction]():           {"DoNotSchedule", "ScheduleAnyway", "X"},
	reflect.TypeFor[corev1.NodeInclusionPolicy]():                     {"Honor", "Ignore", "X"},
	reflect.TypeFor[corev1.MountPropagationMode]():                    {"None", "HostToContainer", "Bidirectional", "X"},
	reflect.TypeFor[corev1.RecursiveReadOnlyMode]():                   {"Disabled", "Enabled", "IfPossible", "X"},
	reflect.TypeFor[corev1.HostPathType]():                            {"", "Directory", "X"},
	reflect.TypeFor[corev1.SeccompProfileType]():                      {"", "Localhost", "RuntimeDefault", "X"},
	reflect.TypeFor[corev1.AppArmorProfileType]():                     {"", "Localhost", "Unconfined", "X"},
	reflect.TypeFor[corev1.ProcMountType]():                           {"Default", "Unmasked", "X"},
	reflect.TypeFor[corev1.OSName]():                                  {"", "linux", "windows", "X"},
	reflect.TypeFor[corev1.PersistentVolumeAccessMode]():              {"ReadWriteOnce", "ReadWriteOncePod", "X"},
	reflect.TypeFor[corev1.PersistentVolumeMode]():                    {"Block", "X"},
	reflect.TypeFor[corev1.ResourceResizeRestartPolicy]():             {"", "NotRequired", "RestartContainer", "X"},
	reflect.TypeFor[corev1.Signal]():                                  {"SIGTERM"},
	reflect.TypeFor[corev1.ResourceName](): {
		"cpu", "memory", "ephemeral-storage", "storage", "hugepages-2Mi", "example.com/gpu", "pods", "X",
	},
}

// Values of other types. There are few strings, so that some occur twice in one Pod.
var (
	someStrings = []string{
		"", "a", "a", "b", "c", "A_", "a.b", "a b", "/x", "/x/../y", "..z", "10.0.0.1", "::1", "v1", "metadata.name",
		"metadata.labels['a']", "limits.cpu", "example.com", "localhost/a", "busybox:latest", "busybox:1", " a", "0",
	}
	someNumbers    = []int64{-1, 0, 0, 1, 1, 2, 80, 80, 255, 512, 600, 65536, 1 << 30}
	someQuantities = []string{"-1", "0", "1", "1", "500m", "1500u", "2Mi", "3Mi", "1Gi"}
)

// fill fills a value, in place. It sets about one in five optional fields.
func fill(t *rapid.T, v reflect.Value, name string) {
	switch v.Interface().(type) {
	case metav1.Time, metav1.ObjectMeta, metav1.TypeMeta:
		return
	case resource.Quantity:
		v.Set(reflect.ValueOf(resource.MustParse(rapid.SampledFrom(someQuantities).Draw(t, name))))
		return
	case intstr.IntOrString:
		v.Set(reflect.ValueOf(intstr.Parse(rapid.SampledFrom([]string{"0", "80", "http", "Bad_Name"}).Draw(t, name))))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		if rapid.IntRange(0, 4).Draw(t, name) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), name)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		n := max(0, rapid.IntRange(-4, 3).Draw(t, name))
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			fill(t, v.Index(i), name)
		}
	case reflect.Map:
		for range max(0, rapid.IntRange(-3, 2).Draw(t, name)) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, name)
			fill(t, value, name)
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		values := enums[v.Type()]
		if values == nil {
			values = someStrings
		}
		v.SetString(rapid.SampledFrom(values).Draw(t, name))
	case reflect.Int32, reflect.Int64:
		v.SetInt(rapid.SampledFrom(someNumbers).Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.IntRange(0, 4).Draw(t, name) == 0)
	}
}

// randomPod returns a Pod that is mostly invalid.
func randomPod(t *rapid.T) *corev1.Pod {
	p := kindtest.BarePod()
	fill(t, reflect.ValueOf(&p.Spec).Elem(), "spec")
	return p
}

// mostlySoundPod returns a plain Pod with one random part, so that errors elsewhere do not hide
// those of that part.
func mostlySoundPod(t *rapid.T) *corev1.Pod {
	p := kindtest.BarePod()
	part := reflect.ValueOf(&p.Spec).Elem()
	if rapid.Bool().Draw(t, "in the container") {
		part = reflect.ValueOf(&p.Spec.Containers[0]).Elem()
	}
	i := rapid.IntRange(0, part.NumField()-1).Draw(t, "field")
	for range 5 { // until the part is not empty
		if fill(t, part.Field(i), part.Type().Field(i).Name); !part.Field(i).IsZero() {
			break
		}
	}
	return p
}

func anyPod(t *rapid.T) *corev1.Pod {
	if rapid.Bool().Draw(t, "mostly sound") {
		return mostlySoundPod(t)
	}
	return randomPod(t)
}

func same(t *rapid.T, want, got any) {
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("-want +got:\n%s", d)
	}
}

// Defaulting and admission are idempotent.
func TestPod_DefaultIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := anyPod(t)
		pod.Kind.Default(p)
		once := p.DeepCopy()
		pod.Kind.Default(p)
		same(t, once, p)

		template := &corev1.PodTemplateSpec{Spec: anyPod(t).Spec}
		podspec.DefaultTemplate(template)
		onceT := template.DeepCopy()
		podspec.DefaultTemplate(template)
		same(t, onceT, template)
	})
}

// Validation modifies nothing and always has the same result.
func TestPod_ValidateIsAFunction(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := created(anyPod(t))
		before := p.DeepCopy()
		first := kindtest.Texts(pod.Kind.Validate(p))
		same(t, before, p)
		same(t, first, kindtest.Texts(pod.Kind.Validate(p)))
		pod.Kind.Row(p, kindtest.Now)
		same(t, before, p)
	})
}

// A valid object can be sent again unchanged, and an update without a change does not increment the
// generation.
func TestPod_ValidStaysValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := mostlySoundPod(t)
		pod.Kind.Default(old)
		if kindtest.Admit(pod.Kind, old, kindtest.Cluster()) != nil {
			return
		}
		pod.Kind.PrepareCreate(old)
		if len(pod.Kind.Validate(old)) > 0 {
			return
		}
		next := old.DeepCopy()
		pod.Kind.Default(next)
		pod.Kind.PrepareUpdate(next, old)
		same(t, old, next)
		same(t, []string(nil), kindtest.Texts(pod.Kind.ValidateUpdate(next, old)))
	})
}
