package check_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

var at = field.NewPath("f")

// Each row is a check of one value and its errors.
func TestChecks(t *testing.T) {
	t.Parallel()
	const finalizer = "name is neither a standard finalizer name nor is it fully qualified"
	percent := func(s string) intstr.IntOrString { return intstr.FromString(s) }
	notPercent := "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', " +
		"regex used for validation is '[0-9]+%')"
	policies := []corev1.RestartPolicy{"Never", "Always"}
	long := strings.Repeat("d", 64)
	tests := []struct {
		name string
		got  field.ErrorList
		want []string
	}{
		{"an address of another machine", check.EndpointIP("10.0.0.1", at), nil},
		{"an address with leading zeros has been reported before", check.EndpointIP("010.000.000.001", at), nil},
		{"no address", check.EndpointIP("10.0.0", at), []string{`f: Invalid value: "10.0.0": must be a valid IP address`}},
		{"every address", check.EndpointIP("::", at), []string{`f: Invalid value: "::": may not be unspecified (::)`}},
		{"the machine itself", check.EndpointIP("127.9.9.9", at), []string{
			`f: Invalid value: "127.9.9.9": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
		}},
		{"a link", check.EndpointIP("fe80::1", at), []string{
			`f: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)`,
		}},
		{"a group on a link", check.EndpointIP("224.0.0.1", at), []string{
			`f: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)`,
		}},

		{"supported values in the caller's order", check.Enum("Sometimes", policies, at), []string{
			`f: Unsupported value: "Sometimes": supported values: "Never", "Always"`,
		}},
		{"an empty value that may be one", check.Enum("", policies, at), []string{
			`f: Unsupported value: "": supported values: "Never", "Always"`,
		}},
		{"an empty value that may not", check.RequiredEnum("", policies, at), []string{"f: Required value"}},
		{"a supported value", check.RequiredEnum("Always", policies, at), nil},
		{"empty fields", check.Required(at, check.Need("a", ""), check.Need("b", "x"), check.Need("c", "")), []string{
			"f.a: Required value", "f.c: Required value",
		}},

		{"numbers", check.Counts(at, check.Count("a", 0), check.Count("b", -1)), []string{
			"f.b: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"a number that is not set", check.Counts(at, check.Optional("a", nil)...), nil},
		{"parts of a whole", check.Portions(at, 3, check.Portion("ready", 3), check.Portion("available", 3)), nil},
		{"parts that are more", check.Portions(at, 3, check.Portion("ready", 2), check.Portion("available", 4)), []string{
			"f.available: Invalid value: 4: cannot be greater than status.replicas",
			"f.available: Invalid value: 4: cannot be greater than readyReplicas",
		}},
		{"all of them", check.AtMostAll(percent("100%"), at), nil},
		{"more than all", check.AtMostAll(percent("101%"), at), []string{`f: Invalid value: "101%": must not be greater than 100%`}},
		{"a number is not a share", check.AtMostAll(intstr.FromInt32(101), at), nil},
		{"a share of any size", check.IntOrPercent(percent("250%"), at), nil},
		{"a negative number", check.IntOrPercent(intstr.FromInt32(-1), at), []string{
			"f: Invalid value: -1: must be greater than or equal to 0",
		}},
		{"a text", check.IntOrPercent(percent("3"), at), []string{`f: Invalid value: "3": ` + notPercent}},

		{"a port by number", check.PortNumOrName(intstr.FromInt32(65536), at), []string{
			"f: Invalid value: 65536: must be between 1 and 65535, inclusive",
		}},
		{"a port by name", check.PortNumOrName(percent("80"), at), []string{`f: Invalid value: "80": must contain at least one letter (a-z)`}},

		{"a path up and down", check.DescendingPath("/a/../b", at), []string{
			`f: Invalid value: "/a/../b": must be a relative path`, `f: Invalid value: "/a/../b": must not contain '..'`,
		}},
		{"two dots in a name", check.DescendingPath("a..b/..c", at), nil},
		{"a segment", check.PathSegment("A b", at), nil},
		{"an empty segment", check.PathSegment("", at), []string{"f: Required value"}},
		{"two segments", check.PathSegment("a/b", at), []string{`f: Invalid value: "a/b": may not contain '/'`}},
		{"the parent", check.PathSegment("..", at), []string{`f: Invalid value: "..": may not be '..'`}},

		{"a driver with capitals", check.DriverName("CSI.Example.com", at), nil},
		{"no driver", check.DriverName("", at), []string{"f: Required value"}},
		{"a long driver", check.DriverName(long, at), []string{"f: Too long: may not be more than 63 bytes"}},
		{"a finalizer of Kubernetes", check.Finalizer("foregroundDeletion", at), nil},
		{"a finalizer with a domain", check.Finalizer("example.com/a", at), nil},
		{"another finalizer", check.Finalizer("a", at), []string{`f: Invalid value: "a": ` + finalizer}},
		{"labels in the order of their keys", check.Labels(map[string]string{"b": "-", "a": "_"}, at), []string{
			`f: Invalid value: "_": ` + kindtest.NotLabelValue, `f: Invalid value: "-": ` + kindtest.NotLabelValue,
		}},
		{"no selector", check.LabelSelector(nil, at), nil},
		{"a selector without values", check.LabelSelector(&metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In"}, {Key: "a", Operator: "Exists", Values: []string{"b"}}},
		}, at), []string{
			"f.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
			"f.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
		}},
		{"only a strict term has valid values", check.NodeSelectorTerm(&corev1.NodeSelectorTerm{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "a", Operator: "In", Values: []string{"_"}}},
		}, false, at), nil},

		{"the same value", check.Same([]string{}, []string(nil), at), nil},
		{"another value is shown with Go's names", check.Same(&corev1.EnvFromSource{}, &corev1.EnvFromSource{Prefix: "a"}, at), []string{
			`f: Invalid value: {"Prefix":"","ConfigMapRef":null,"SecretRef":null}: field is immutable`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(tt.got))
		})
	}
}

func TestMeta(t *testing.T) {
	t.Parallel()
	m := &metav1.ObjectMeta{Name: "_", Finalizers: []string{"a"}, UID: "1", ResourceVersion: "1"}
	finalizer := `metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified`
	kindtest.Diff(t, []string{
		`metadata.name: Invalid value: "_": ` + kindtest.NotSubdomain, "metadata.namespace: Required value", finalizer,
	}, kindtest.Texts(check.NamespacedMeta(m)))
	kindtest.Diff(t, []string{finalizer}, kindtest.Texts(check.Meta(m, false, validation.ValidateNameFunc(check.AnyPathSegment))))
	next := m.DeepCopy()
	next.UID = "2"
	kindtest.Diff(t, []string{`metadata.uid: Invalid value: "2": field is immutable`, finalizer}, kindtest.Texts(check.MetaUpdate(next, m)))
}

// Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go, and validateContainerResourceName in
// pkg/apis/core/validation/validation.go
func TestResources(t *testing.T) {
	t.Parallel()
	const (
		unknown     = "must be a standard resource type or fully qualified"
		notInside   = "must be a standard resource for containers"
		notExtended = "doesn't follow extended resource name standard"
	)
	tests := []struct {
		name            string
		extended, quota bool
		wrong           []string // in the resources of a container
	}{
		{"cpu", false, true, nil},
		{"hugepages-2Mi", false, true, nil},
		{"requests.hugepages-2Mi", false, true, []string{notInside}},
		{"pods", false, true, []string{notInside}},
		{"storage", false, false, []string{notInside}},
		{"requests.storage", false, true, []string{notInside}},
		{"cpus", false, false, []string{unknown, notInside}},
		{"example.com/gpu", true, false, nil},
		{"kubernetes.io/gpu", false, false, nil},
		{"requests.example.com/gpu", false, false, []string{notExtended}},
		{strings.Repeat("d", 245) + "/gpu", false, false, []string{notExtended}}, // too long with "requests."
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, why := range tt.wrong {
				want = append(want, fmt.Sprintf("f: Invalid value: %q: %s", tt.name, why))
			}
			name := corev1.ResourceName(tt.name)
			kindtest.Diff(t, want, kindtest.Texts(check.ContainerResourceName(name, at)))
			kindtest.Diff(t, []bool{tt.extended, tt.quota}, []bool{check.IsExtendedResource(name), check.IsQuotaResource(name)})
		})
	}
	half, less := resource.MustParse("500m"), resource.MustParse("-1500m")
	kindtest.Diff(t, []string(nil), kindtest.Texts(check.Quantity("cpu", half, at)))
	kindtest.Diff(t, []string{`f: Invalid value: "500m": must be an integer`}, kindtest.Texts(check.Quantity("services.nodeports", half, at)))
	kindtest.Diff(t, []string{
		`f: Invalid value: "-1500m": must be greater than or equal to 0`, `f: Invalid value: "-1500m": must be an integer`,
	}, kindtest.Texts(check.Quantity("example.com/gpu", less, at)))
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, getIntOrPercentValue
func TestNumberOf(t *testing.T) {
	t.Parallel()
	got := map[string]int{}
	for _, s := range []string{"7%", "7", "x", ""} {
		got[s] = check.NumberOf(intstr.FromString(s))
	}
	kindtest.Diff(t, map[string]int{"7%": 7, "7": 7, "x": 0, "": 0}, got)
	kindtest.Diff(t, -7, check.NumberOf(intstr.FromInt32(-7)))
	huge, ok := check.PercentOf(intstr.FromString("99999999999999999999%"))
	kindtest.Diff(t, []any{int(^uint(0) >> 1), true}, []any{huge, ok})
}

// Source: kubernetes v1.36 pkg/api/node/util.go
func TestWarnings(t *testing.T) {
	t.Parallel()
	const arch = `deprecated since v1.14; use "kubernetes.io/arch" instead`
	key := "beta.kubernetes.io/arch"
	kindtest.Diff(t, []string{"f.matchExpressions[1].key: " + key + " is " + arch}, check.WarnOfNodeTerm(&corev1.NodeSelectorTerm{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "arch"}, {Key: key}},
	}, at))
	kindtest.Diff(t, []string{"f.matchExpressions[0].key: " + key + " is " + arch, "f.matchLabels." + key + ": " + arch},
		check.WarnOfNodeSelector(&metav1.LabelSelector{
			MatchLabels: map[string]string{key: "a"}, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key}},
		}, at))
	kindtest.Diff(t, []string(nil), check.WarnOfNodeSelector(nil, at))
	kindtest.Diff(t, []string{
		`f[1]: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"`,
		`f[2]: IPv6 address "1:0::" should be in RFC 5952 canonical format ("1::")`,
	}, check.WarnOfIPs(at, []string{"1.2.3.4", "::ffff:1.2.3.4", "1:0::"}))
	kindtest.Diff(t, []bool{true, false}, []bool{check.IsIPv6("::1"), check.IsIPv6("1.2.3.4")})
}

// Source: kubernetes v1.36 pkg/apis/core/types.go
func TestUntagged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		value any
		want  string
	}{
		"every field has its Go name": {
			corev1.Toleration{Key: "a", TolerationSeconds: new(int64(3))}, `{"Key":"a","Operator":"","Value":"","Effect":"","TolerationSeconds":3}`,
		},
		"nil": {(*corev1.Toleration)(nil), "null"},
		"lists and maps": {
			map[string][]corev1.LocalObjectReference{"b": {{Name: "x"}}, "a": nil}, `{"a":null,"b":[{"Name":"x"}]}`,
		},
		"bytes are not a list": {[]byte("a"), `"YQ=="`},
		"an embedded struct has no name of its own": {
			corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "s"}}, `{"Name":"s","Optional":null}`,
		},
		"metadata has the usual names": {
			&corev1.PersistentVolumeClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: "a"}},
			`{"name":"a","Spec":{"AccessModes":null,"Selector":null,"Resources":{"Limits":null,"Requests":null},"VolumeName":"",` +
				`"StorageClassName":null,"VolumeMode":null,"DataSource":null,"DataSourceRef":null,"VolumeAttributesClassName":null}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(check.Untagged(tt.value))
			kindtest.Diff(t, []any{tt.want, error(nil)}, []any{string(got), err})
		})
	}
	t.Run("the host's namespaces are in the security context", func(t *testing.T) {
		t.Parallel()
		sc := &corev1.PodSecurityContext{RunAsUser: new(int64(7))}
		got, err := json.Marshal(check.Untagged(corev1.PodSpec{HostPID: true, SecurityContext: sc}))
		if err != nil {
			t.Fatal(err)
		}
		var spec struct{ SecurityContext json.RawMessage }
		if err := json.Unmarshal(got, &spec); err != nil {
			t.Fatal(err)
		}
		const want = `{"HostNetwork":false,"HostPID":true,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,` +
			`"WindowsOptions":null,"RunAsUser":7,`
		if !strings.HasPrefix(string(spec.SecurityContext), want) {
			t.Error(string(spec.SecurityContext))
		}
	})
}
