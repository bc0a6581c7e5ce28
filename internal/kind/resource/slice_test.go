package resource_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind/kindtest"
	resourcekind "github.com/rowlock/rowlock/internal/kind/resource"
)

// slice returns a slice with one device on a node, with changes applied.
func slice(change ...func(*resourcev1.ResourceSliceSpec)) *resourcev1.ResourceSlice {
	s := &resourcev1.ResourceSlice{
		ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: "1"},
		Spec: resourcev1.ResourceSliceSpec{Driver: "gpu.example.com", Pool: resourcev1.ResourcePool{Name: "a", ResourceSliceCount: 1}, NodeName: new("n1"),
			Devices: []resourcev1.Device{{Name: "gpu-0"}}},
	}
	for _, f := range change {
		f(&s.Spec)
	}
	return s
}

func ofDevice(f func(d *resourcev1.Device)) func(*resourcev1.ResourceSliceSpec) {
	return func(s *resourcev1.ResourceSliceSpec) { f(&s.Devices[0]) }
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation_resourceslice_test.go, TestValidateResourceSlice
func TestResourceSlice_Validate(t *testing.T) {
	t.Parallel()
	devices := func(n int) []resourcev1.Device {
		d := make([]resourcev1.Device, n)
		for i := range d {
			d[i].Name = fmt.Sprintf("gpu-%d", i)
		}
		return d
	}
	capacity := func(shared bool, p resourcev1.CapacityRequestPolicy) func(*resourcev1.ResourceSliceSpec) {
		return ofDevice(func(d *resourcev1.Device) {
			d.AllowMultipleAllocations = &shared
			d.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{"memory": {Value: resource.MustParse("10"), RequestPolicy: &p}}
		})
	}
	quantity := func(s string) *resource.Quantity { return new(resource.MustParse(s)) }
	const sole = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
	tests := []struct {
		name   string
		change func(*resourcev1.ResourceSliceSpec)
		want   string
	}{
		{"as it should be", func(*resourcev1.ResourceSliceSpec) {}, ""},
		{"no node", func(s *resourcev1.ResourceSliceSpec) { s.NodeName = nil }, "spec: Required value: " + sole},
		{"some nodes and all", func(s *resourcev1.ResourceSliceSpec) { s.AllNodes = new(true) }, "spec: Invalid value: \"{`nodeName`, `allNodes`}\": " + sole + ", but multiple fields are set"},
		{"not all nodes", func(s *resourcev1.ResourceSliceSpec) { s.AllNodes = new(false) }, "spec.allNodes: Invalid value: false: must be either unset or set to true"},
		{"two terms", func(s *resourcev1.ResourceSliceSpec) {
			term := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "gpu", Operator: "Exists"}}}
			s.NodeName, s.NodeSelector = nil, &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term, term}}
		}, `spec.nodeSelector.nodeSelectorTerms: Invalid value: ` +
			`[{"MatchExpressions":[{"Key":"gpu","Operator":"Exists","Values":null}],"MatchFields":null},` +
			`{"MatchExpressions":[{"Key":"gpu","Operator":"Exists","Values":null}],"MatchFields":null}]: ` +
			`must have exactly one node selector term`},
		{"a bad pool", func(s *resourcev1.ResourceSliceSpec) { s.Pool = resourcev1.ResourcePool{Generation: -1} },
			"spec.pool.name: Required value\nspec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero\nspec.pool.generation: Invalid value: -1: must be greater than or equal to zero"},
		{"a pool of a rack", func(s *resourcev1.ResourceSliceSpec) { s.Pool.Name = "rack-1/node.example.com" }, ""},
		{"as many as may be", func(s *resourcev1.ResourceSliceSpec) { s.Devices = devices(128) }, ""},
		{"one more", func(s *resourcev1.ResourceSliceSpec) { s.Devices = devices(129) }, "spec.devices: Too many: 129: must have at most 128 items"},
		{"fewer if tainted", func(s *resourcev1.ResourceSliceSpec) {
			s.Devices = devices(65)
			s.Devices[0].Taints = []resourcev1.DeviceTaint{{Key: "hot", Effect: "NoSchedule"}}
		}, "spec.devices: Too many: 65: must have at most 64 items"},
		{"one device twice", func(s *resourcev1.ResourceSliceSpec) { s.Devices = append(s.Devices, s.Devices...) }, `spec.devices[1]: Duplicate value: "gpu-0"`},
		{"devices and counters", func(s *resourcev1.ResourceSliceSpec) {
			s.SharedCounters = []resourcev1.CounterSet{{Name: "memory", Counters: map[string]resourcev1.Counter{"A": {}}}, {}}
		}, "spec: Invalid value: \"\": only one of `sharedCounters` or `devices` is allowed\n" +
			`spec.sharedCounters[0].counters: Invalid value: "A": ` + kindtest.NotLabel + `
spec.sharedCounters[1].name: Required value
spec.sharedCounters[1].counters: Required value`},
		{"attributes", ofDevice(func(d *resourcev1.Device) {
			d.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{
				"a": {IntValue: new(int64(1))}, "example.com/b": {VersionValue: new("1.2.3-rc.1+x")}, "c": {}, "d": {BoolValue: new(true), StringValue: new("")},
				"e": {VersionValue: new("1.2")}, "/f": {IntValue: new(int64(1))}, "1": {IntValue: new(int64(1))},
			}
		}), `spec.devices[0].attributes: Invalid value: "": the domain must not be empty
spec.devices[0].attributes: Invalid value: "1": ` +
			`a valid C identifier must start with alphabetic character or '_', ` +
			`followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', ` +
			`regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')
spec.devices[0].attributes[c]: Invalid value: "": exactly one value must be specified
spec.devices[0].attributes[d]: Invalid value: ` +
			`{"IntValue":null,"BoolValue":true,"StringValue":"","VersionValue":null,"IntValues":null,` +
			`"BoolValues":null,"StringValues":null,"VersionValues":null}: ` +
			`exactly one value must be specified
spec.devices[0].attributes[e].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0`},
		{"taints", ofDevice(func(d *resourcev1.Device) {
			d.Taints = []resourcev1.DeviceTaint{{Key: "a"}, {Key: "a", Effect: "Later", Value: "!"}}
		}),
			`spec.devices[0].taints[0].effect: Required value
spec.devices[0].taints[1].value: Invalid value: "!": ` + kindtest.NotLabelValue + `
spec.devices[0].taints[1].effect: Unsupported value: "Later": supported values: "NoExecute", "NoSchedule", "None"`},
		{"a node for a device", ofDevice(func(d *resourcev1.Device) { d.AllNodes = new(true) }),
			"spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec"},
		{"no node for a device", func(s *resourcev1.ResourceSliceSpec) { s.NodeName, s.PerDeviceNodeSelection = nil, new(true) },
			"spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"},
		{"conditions", ofDevice(func(d *resourcev1.Device) {
			d.BindingConditions, d.BindingFailureConditions = []string{"a", "a"}, []string{"a"}
		}),
			"spec.devices[0].bindingConditions[1]: Duplicate value: \"a\"\nspec.devices[0].bindingFailureConditions[0]: Invalid value: \"a\": bindingFailureConditions must not overlap with bindingConditions"},
		{"shares of a device that is not shared", capacity(false, resourcev1.CapacityRequestPolicy{}), "spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true"},
		{"values", capacity(true, resourcev1.CapacityRequestPolicy{Default: quantity("3"), ValidValues: []resource.Quantity{*quantity("2"), *quantity("1"), *quantity("11")}}),
			`spec.devices[0].capacity[memory].requestPolicy.validValues[1]: Invalid value: "1": values must be sorted in ascending order
spec.devices[0].capacity[memory].requestPolicy.validValues[2]: Invalid value: "11": option is larger than capacity value: 10
spec.devices[0].capacity[memory].requestPolicy.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`},
		{"a range", capacity(true, resourcev1.CapacityRequestPolicy{
			Default:    quantity("3"),
			ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: quantity("1"), Max: quantity("12"), Step: quantity("3")},
		}),
			`spec.devices[0].capacity[memory].requestPolicy.validRange.max: Invalid value: "12": max is larger than capacity value: 10
spec.devices[0].capacity[memory].requestPolicy.validRange.step: Invalid value: "3": value is not a multiple of a given step (3) from (1)
spec.devices[0].capacity[memory].requestPolicy.validRange.step: Invalid value: "12": value is not a multiple of a given step (3) from (1)`},
		{"no step", capacity(true, resourcev1.CapacityRequestPolicy{Default: quantity("3"), ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: quantity("1"), Step: quantity("0")}}),
			`spec.devices[0].capacity[memory].requestPolicy.validRange.step: Invalid value: "0": must be greater than zero`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, strings.Join(kindtest.Texts(resourcekind.ResourceSlice.Validate(slice(tt.change))), "\n"))
		})
	}
}

func TestResourceSlice_Writes(t *testing.T) {
	t.Parallel()
	hot := ofDevice(func(d *resourcev1.Device) { d.Taints = []resourcev1.DeviceTaint{{Key: "hot", Effect: "NoSchedule"}} })
	gated := ofDevice(func(d *resourcev1.Device) {
		d.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"a": {IntValues: []int64{1}}}
		d.NodeAllocatableResourceMappings = map[corev1.ResourceName]resourcev1.NodeAllocatableResourceMapping{"cpu": {}}
	})
	s := slice(hot, gated)
	resourcekind.ResourceSlice.PrepareCreate(s)
	resourcekind.ResourceSlice.SetTimes(s, kindtest.Now.Add(time.Millisecond))
	d := s.Spec.Devices[0]
	if s.Generation != 1 || !d.Taints[0].TimeAdded.Time.Equal(kindtest.Now) || d.NodeAllocatableResourceMappings != nil || d.Attributes["a"].IntValues != nil {
		t.Errorf("created as %v", s)
	}
	next := slice(gated)
	next.Generation = 1
	resourcekind.ResourceSlice.PrepareUpdate(next, slice(gated))
	if next.Spec.Devices[0].NodeAllocatableResourceMappings == nil || next.Spec.Devices[0].Attributes["a"].IntValues == nil || next.Generation != 1 {
		t.Errorf("what was there is gone: %v", next)
	}
	resourcekind.ResourceSlice.PrepareUpdate(next, s)
	if next.Generation != 2 {
		t.Errorf("generation %d after a change", next.Generation)
	}
	errs := kindtest.Texts(resourcekind.ResourceSlice.ValidateUpdate(slice(func(s *resourcev1.ResourceSliceSpec) { s.Driver, s.Pool.Name, s.NodeName = "b", "b", new("b") }), slice()))
	if len(errs) != 3 || strings.Count(strings.Join(errs, " "), "field is immutable") != 3 {
		t.Errorf("another driver, pool and node: %q", errs)
	}
	kindtest.Diff(t, []string{`spec.driver: driver names should be lowercase; "GPU" contains uppercase characters`},
		resourcekind.ResourceSlice.Warnings(slice(func(s *resourcev1.ResourceSliceSpec) { s.Driver = "GPU" }), nil))
	kindtest.Diff(t, []any{"a", "n1", "gpu.example.com", "a", "<unknown>"}, resourcekind.ResourceSlice.Row(slice(), kindtest.Now))
	kindtest.Diff(t, fields.Set{"spec.nodeName": "n1", "spec.driver": "gpu.example.com"}, resourcekind.ResourceSlice.SelectableFields(slice()))
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation_deviceclass_test.go, TestValidateClass
func TestDeviceClass(t *testing.T) {
	t.Parallel()
	class := func(expression string) *resourcev1.DeviceClass {
		return &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu.example.com", ResourceVersion: "1"}, Spec: resourcev1.DeviceClassSpec{
			Selectors: []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: expression}}}}}
	}
	kindtest.Diff(t, []string(nil), kindtest.Texts(resourcekind.DeviceClass.Validate(class("device.driver == 'gpu.example.com'"))))
	bad := class("device.driver ==")
	bad.Spec.ExtendedResourceName = new("cpu")
	bad.Spec.Config = make([]resourcev1.DeviceClassConfiguration, 1)
	errs := kindtest.Texts(resourcekind.DeviceClass.Validate(bad))
	kindtest.Diff(t, 3, len(errs))
	for i, want := range []string{"spec.selectors[0].cel.expression: Invalid value: \"device.driver ==\": compilation failed: ERROR: <input>:1:17: Syntax error",
		"spec.config[0].opaque: Required value", `spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name`} {
		if !strings.HasPrefix(errs[i], want) {
			t.Errorf("%s, want %s", errs[i], want)
		}
	}
	if errs := kindtest.Texts(resourcekind.DeviceClass.ValidateUpdate(class("gone()"), class("gone()"))); errs != nil {
		t.Errorf("a selector that was there before: %q", errs)
	}
	next := class("true")
	resourcekind.DeviceClass.PrepareCreate(next)
	kindtest.Diff(t, int64(1), next.Generation)
	resourcekind.DeviceClass.PrepareUpdate(next, class("false"))
	kindtest.Diff(t, int64(1), next.Generation)
	kindtest.Diff(t, []any{"gpu.example.com", "<unknown>"}, resourcekind.DeviceClass.Row(next, kindtest.Now))
}
