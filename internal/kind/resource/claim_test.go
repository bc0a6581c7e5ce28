package resource_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/resource"
)

// deviceClaim returns a claim for a device, with changes applied.
func deviceClaim(change ...func(*resourcev1.ResourceClaim)) *resourcev1.ResourceClaim {
	c := &resourcev1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "gpu", Namespace: "web", ResourceVersion: "1"},
		Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{
			{Name: "one", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu.example.com"}},
			{
				Name: "any",
				FirstAvailable: []resourcev1.DeviceSubRequest{
					{Name: "big", DeviceClassName: "gpu.example.com"},
					{Name: "small", DeviceClassName: "cpu.example.com", AllocationMode: resourcev1.DeviceAllocationModeAll},
				},
			},
		}}},
	}
	resource.ResourceClaim.Default(c)
	for _, f := range change {
		f(c)
	}
	return c
}

func selects(expression string) func(*resourcev1.ResourceClaim) {
	return func(c *resourcev1.ResourceClaim) {
		c.Spec.Devices.Requests[0].Exactly.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}}
	}
}

// Source: kubernetes v1.36 pkg/apis/resource/v1/defaults_test.go
func TestResourceClaim_Default(t *testing.T) {
	t.Parallel()
	c := deviceClaim()
	if e := c.Spec.Devices.Requests[0].Exactly; e.AllocationMode != resourcev1.DeviceAllocationModeExactCount || e.Count != 1 {
		t.Errorf("a request asks for %s %d", e.AllocationMode, e.Count)
	}
	subs := c.Spec.Devices.Requests[1].FirstAvailable
	if subs[0].Count != 1 || subs[1].Count != 0 {
		t.Errorf("alternatives ask for %d and %d", subs[0].Count, subs[1].Count)
	}
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation_resourceclaim_test.go, TestValidateClaim
func TestResourceClaim_Validate(t *testing.T) {
	t.Parallel()
	requests := func(f func(r []resourcev1.DeviceRequest)) func(*resourcev1.ResourceClaim) {
		return func(c *resourcev1.ResourceClaim) { f(c.Spec.Devices.Requests) }
	}
	attribute := func(name string) *resourcev1.FullyQualifiedName { return new(resourcev1.FullyQualifiedName(name)) }
	tests := []struct {
		name   string
		change func(*resourcev1.ResourceClaim)
		want   string
	}{
		{"as it should be", func(*resourcev1.ResourceClaim) {}, ""},
		{"neither one nor the other", requests(func(r []resourcev1.DeviceRequest) { r[0].Exactly = nil }),
			"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"},
		{"both", requests(func(r []resourcev1.DeviceRequest) { r[0].FirstAvailable = r[1].FirstAvailable }),
			"spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"},
		{"one name twice", requests(func(r []resourcev1.DeviceRequest) { r[1].Name = "one" }), `spec.devices.requests[1]: Duplicate value: "one"`},
		{"no class", requests(func(r []resourcev1.DeviceRequest) { r[0].Exactly.DeviceClassName = "" }), "spec.devices.requests[0].exactly.deviceClassName: Required value"},
		{"all and a number", requests(func(r []resourcev1.DeviceRequest) { r[1].FirstAvailable[1].Count = 2 }),
			"spec.devices.requests[1].firstAvailable[1].count: Invalid value: 2: must not be specified when allocationMode is 'All'"},
		{"fewer than one", requests(func(r []resourcev1.DeviceRequest) { r[0].Exactly.Count = -1 }), "spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero"},
		{"another mode", requests(func(r []resourcev1.DeviceRequest) { r[0].Exactly.AllocationMode = "Some" }),
			`spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"`},
		{"a selector", selects(`device.driver == "gpu.example.com" && device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0`), ""},
		{"no boolean", selects(`device.driver`),
			`spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string`},
		{"no expression at all", selects(`noSuchVar`),
			`spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "noSuchVar": ` +
				`compilation failed: ERROR: <input>:1:1: undeclared reference to 'noSuchVar' (in container '')
 | noSuchVar
 | ^`},
		{"too long", selects(strings.Repeat("x", resourcev1.CELSelectorExpressionMaxLength+1)), "spec.devices.requests[0].exactly.selectors[0].cel.expression: Too long: may not be more than 10240 bytes"},
		{
			"too costly",
			selects(`[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(x, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(y, ` +
				`[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(z, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(z2, ` +
				`[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(z3, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(z4, ` +
				`[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(z5, int('1'.find('[0-9]*')) < 100)))))))`),
			"spec.devices.requests[0].exactly.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit",
		},
		{"a constraint about an alternative", func(c *resourcev1.ResourceClaim) {
			c.Spec.Devices.Constraints = []resourcev1.DeviceConstraint{{Requests: []string{"one", "any/small"}, MatchAttribute: attribute("example.com/model")}}
		}, ""},
		{"bad constraints", func(c *resourcev1.ResourceClaim) {
			c.Spec.Devices.Constraints = []resourcev1.DeviceConstraint{{Requests: []string{"two"}, MatchAttribute: attribute("model")}, {Requests: []string{"any/one/two"}}}
		}, `spec.devices.constraints[0].requests[0]: Invalid value: "two": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash
spec.devices.constraints[1].requests[0]: Invalid value: "any/one/two": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
spec.devices.constraints[1]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`},
		{"bad parameters", func(c *resourcev1.ResourceClaim) {
			opaque := func(raw string) resourcev1.DeviceClaimConfiguration {
				return resourcev1.DeviceClaimConfiguration{DeviceConfiguration: resourcev1.DeviceConfiguration{Opaque: &resourcev1.OpaqueDeviceConfiguration{
					Driver: "gpu.example.com", Parameters: runtime.RawExtension{Raw: []byte(raw)}}}}
			}
			c.Spec.Devices.Config = []resourcev1.DeviceClaimConfiguration{opaque(`{"a":1}`), opaque(`[]`), opaque(`null`), {}}
		}, `spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object
spec.devices.config[2].opaque.parameters: Required value
spec.devices.config[3].opaque: Required value`},
		{"bad tolerations", requests(func(r []resourcev1.DeviceRequest) {
			r[0].Exactly.Tolerations = []resourcev1.DeviceToleration{{}, {Operator: "Exists", Value: "x"}, {Operator: "Some", Effect: "Later"}, {Operator: "Equal", Key: "a/b/c"}}
		}), `spec.devices.requests[0].exactly.tolerations[0].operator: Required value
spec.devices.requests[0].exactly.tolerations[1].value: Invalid value: "x": must be empty for operator ` + "`Exists`" + `
spec.devices.requests[0].exactly.tolerations[2].operator: Unsupported value: "Some": supported values: "Equal", "Exists"
spec.devices.requests[0].exactly.tolerations[2].effect: Unsupported value: "Later": supported values: "NoExecute", "NoSchedule", "None"
spec.devices.requests[0].exactly.tolerations[3].key: Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', ` +
			`and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ` +
			`regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(resource.ResourceClaim.Validate(deviceClaim(tt.change))), "\n"))
		})
	}
	if errs := kindtest.Texts(resource.ResourceClaim.ValidateUpdate(deviceClaim(selects("true")), deviceClaim())); len(errs) != 1 || !strings.HasSuffix(errs[0], "field is immutable") {
		t.Errorf("another spec: %q", errs)
	}
}

func allocated(c *resourcev1.ResourceClaim) {
	c.Status.Allocation = &resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{Results: []resourcev1.DeviceRequestAllocationResult{
		{Request: "one", Driver: "gpu.example.com", Pool: "a", Device: "gpu-0"}}}}
}

func reserved(uids ...types.UID) func(*resourcev1.ResourceClaim) {
	return func(c *resourcev1.ResourceClaim) {
		for _, uid := range uids {
			c.Status.ReservedFor = append(c.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: "web", UID: uid})
		}
	}
}

func deleted(c *resourcev1.ResourceClaim) { c.DeletionTimestamp = &metav1.Time{Time: kindtest.Now} }

func said(device string) func(*resourcev1.ResourceClaim) {
	return func(c *resourcev1.ResourceClaim) {
		c.Status.Devices = []resourcev1.AllocatedDeviceStatus{{Driver: "gpu.example.com", Pool: "a", Device: device,
			NetworkData: &resourcev1.NetworkDeviceData{InterfaceName: "eth1", IPs: []string{"192.0.2.1/24"}}}}
	}
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation_resourceclaim_test.go, TestValidateClaimStatusUpdate
func TestResourceClaim_ValidateStatus(t *testing.T) {
	t.Parallel()
	type changes []func(*resourcev1.ResourceClaim)
	elsewhere := func(c *resourcev1.ResourceClaim) { c.Status.Allocation.Devices.Results[0].Device = "gpu-1" }
	tests := []struct {
		name      string
		old, next changes
		want      string // prefix of the first error
	}{
		{"allocated and reserved", nil, changes{allocated, reserved("u1")}, ""},
		{"freed", changes{allocated, reserved("u1")}, nil, ""},
		{"reserved alone", nil, changes{reserved("u1")}, "status.reservedFor: Forbidden: may not be specified when `allocated` is not set"},
		{"for one Pod twice", nil, changes{allocated, reserved("u1", "u1")}, `status.reservedFor[1]: Duplicate value: "u1"`},
		{"for nobody", nil, changes{allocated, func(c *resourcev1.ResourceClaim) {
			c.Status.ReservedFor = make([]resourcev1.ResourceClaimConsumerReference, 1)
		}},
			"status.reservedFor[0].resource: Required value"},
		{"another device", changes{allocated}, changes{allocated, elsewhere}, "status.allocation: Invalid value: "},
		{"no such request", nil, changes{allocated, func(c *resourcev1.ResourceClaim) { c.Status.Allocation.Devices.Results[0].Request = "two" }},
			`status.allocation.devices.results[0].request: Invalid value: "two": must be the name of a request`},
		{"bad names", nil, changes{allocated, func(c *resourcev1.ResourceClaim) { c.Status.Allocation.Devices.Results[0].Pool = "" }},
			"status.allocation.devices.results[0].pool: Required value"},
		{"still used while it goes", changes{deleted, allocated, reserved("u1", "u2")}, changes{deleted, allocated, reserved("u2")}, ""},
		{"used anew while it goes", changes{deleted, allocated, reserved("u1")}, changes{deleted, allocated, reserved("u1", "u2")},
			"status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"},
		{"the driver's word", changes{allocated}, changes{allocated, said("gpu-0")}, ""},
		{"of a device that the claim does not have", changes{allocated}, changes{allocated, said("gpu-1")},
			`status.devices[0]: Invalid value: "gpu.example.com/a/gpu-1": must be an allocated device in the claim`},
		{"bad addresses", changes{allocated}, changes{allocated, said("gpu-0"), func(c *resourcev1.ResourceClaim) { c.Status.Devices[0].NetworkData.IPs = []string{"1.2.3.4"} }},
			`status.devices[0].networkData.ips[0]: Invalid value: "1.2.3.4": must be a valid address in CIDR form`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			errs := kindtest.Texts(resource.ResourceClaim.Status.Validate(deviceClaim(tt.next...), deviceClaim(tt.old...)))
			if got := strings.Join(errs, "\n"); tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestResourceClaim_Writes(t *testing.T) {
	t.Parallel()
	created := deviceClaim(allocated, reserved("u1"))
	resource.ResourceClaim.PrepareCreate(created)
	kindtest.Diff(t, "pending", resource.ResourceClaim.Row(created, kindtest.Now)[1])

	old := deviceClaim(allocated, reserved("u1"), said("gpu-0"))
	next := deviceClaim()
	resource.ResourceClaim.PrepareUpdate(next, old)
	kindtest.Diff(t, old, next)
	kindtest.Diff(t, []any{"gpu", "allocated,reserved", "5s"}, resource.ResourceClaim.Row(deviceClaim(allocated, reserved("u1"),
		func(c *resourcev1.ResourceClaim) { c.CreationTimestamp.Time = kindtest.Now.Add(-5 * time.Second) }), kindtest.Now))
	kindtest.Diff(t, "deleted,allocated", resource.ResourceClaim.Row(deviceClaim(deleted, allocated), kindtest.Now)[1])

	next = deviceClaim(selects("true"), said("gpu-0"))
	next.Labels = map[string]string{"a": "b"}
	resource.ResourceClaim.Status.Prepare(next, old)
	kindtest.Diff(t, deviceClaim(), next)
}

func TestResourceClaim_AdminAccess(t *testing.T) {
	t.Parallel()
	admin := deviceClaim(func(c *resourcev1.ResourceClaim) { c.Spec.Devices.Requests[0].Exactly.AdminAccess = new(true) })
	template := &resourcev1.ResourceClaimTemplate{ObjectMeta: admin.ObjectMeta, Spec: resourcev1.ResourceClaimTemplateSpec{Spec: admin.Spec}}
	given := deviceClaim(allocated, func(c *resourcev1.ResourceClaim) { c.Status.Allocation.Devices.Results[0].AdminAccess = new(true) })
	labelled := kindtest.Cluster(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{resourcev1.DRAAdminNamespaceLabelKey: "true"}}})
	plain := kindtest.Cluster(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "web"}})
	for name, judge := range map[string]func(c kind.Cluster) error{
		"claim":    func(c kind.Cluster) error { return resource.ResourceClaim.Admission[0].Validate(admin, c) },
		"template": func(c kind.Cluster) error { return resource.ResourceClaimTemplate.Admission[0].Validate(template, c) },
		"status": func(c kind.Cluster) error {
			return resource.ResourceClaim.Status.Admission[0].ValidateUpdate(given, deviceClaim(), c)
		},
	} {
		if err := judge(labelled); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := judge(plain); err == nil || !strings.HasSuffix(err.Error(), "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace") {
			t.Errorf("%s without the label: %v", name, err)
		}
	}
	if err := resource.ResourceClaim.Status.Admission[0].ValidateUpdate(given, given, plain); err != nil {
		t.Errorf("what was given before: %v", err)
	}
	if err := resource.ResourceClaim.Admission[0].Validate(deviceClaim(), plain); err != nil {
		t.Errorf("no access asked for: %v", err)
	}
}

// Source: kubernetes v1.36 pkg/quota/v1/evaluator/core/resource_claims_test.go
func TestResourceClaim_Quota(t *testing.T) {
	t.Parallel()
	usage := resource.ResourceClaim.Quota.Usage(deviceClaim(func(c *resourcev1.ResourceClaim) { c.Spec.Devices.Requests[0].Exactly.Count = 2 }))
	got := map[string]int64{}
	for name, q := range usage {
		if !resource.ResourceClaim.Quota.Measures(name) {
			t.Errorf("%s is not measured", name)
		}
		got[string(name)] = q.Value()
	}
	kindtest.Diff(t, map[string]int64{"gpu.example.com.deviceclass.resource.k8s.io/devices": 3, "cpu.example.com.deviceclass.resource.k8s.io/devices": 32}, got)
}
