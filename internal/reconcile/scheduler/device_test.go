package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// rack is a Devices made of maps and lists.
type rack struct {
	Claims  map[string]*resourcev1.ResourceClaim
	Classes map[string]*resourcev1.DeviceClass
	Slices  []*resourcev1.ResourceSlice
}

func (r *rack) DeviceClaim(_, name string) *resourcev1.ResourceClaim { return r.Claims[name] }
func (r *rack) DeviceClass(name string) *resourcev1.DeviceClass      { return r.Classes[name] }
func (r *rack) DeviceSlices() []*resourcev1.ResourceSlice            { return r.Slices }

func (r *rack) AllocatedClaims() (claims []*resourcev1.ResourceClaim) {
	for _, c := range r.Claims {
		if c.Status.Allocation != nil {
			claims = append(claims, c)
		}
	}
	return claims
}

// newRack has a class "gpu" and claims.
func newRack(slices []*resourcev1.ResourceSlice, claims ...*resourcev1.ResourceClaim) *rack {
	r := &rack{Claims: map[string]*resourcev1.ResourceClaim{}, Classes: map[string]*resourcev1.DeviceClass{"gpu": {Spec: resourcev1.DeviceClassSpec{
		Selectors: []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: `device.driver == "gpu.example.com"`}}},
	}}}, Slices: slices}
	for _, c := range claims {
		r.Claims[c.Name] = c
	}
	return r
}

// gpus are devices of a node, each of the model that is given.
func gpus(node string, models ...string) *resourcev1.ResourceSlice {
	s := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: node}, Spec: resourcev1.ResourceSliceSpec{
		Driver: "gpu.example.com", NodeName: &node, Pool: resourcev1.ResourcePool{Name: node, ResourceSliceCount: 1},
	}}
	for i, model := range models {
		s.Spec.Devices = append(s.Spec.Devices, resourcev1.Device{Name: "gpu-" + strconv.Itoa(i),
			Attributes: map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"model": {StringValue: &model}}})
	}
	return s
}

type claimOption func(*resourcev1.ResourceClaim)

func deviceClaim(name string, options ...claimOption) *resourcev1.ResourceClaim {
	c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name)}}
	for _, o := range options {
		o(c)
	}
	return c
}

// asks adds a request for so many devices, zero for all, whose selector is empty for any.
func asks(count int64, selector string) claimOption {
	return func(c *resourcev1.ResourceClaim) {
		exactly := &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: count}
		if count == 0 {
			exactly.AllocationMode = resourcev1.DeviceAllocationModeAll
		}
		if selector != "" {
			exactly.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: selector}}}
		}
		c.Spec.Devices.Requests = append(c.Spec.Devices.Requests, resourcev1.DeviceRequest{Name: "r" + strconv.Itoa(len(c.Spec.Devices.Requests)), Exactly: exactly})
	}
}

func ofOneModel(c *resourcev1.ResourceClaim) {
	c.Spec.Devices.Constraints = []resourcev1.DeviceConstraint{{MatchAttribute: new(resourcev1.FullyQualifiedName("gpu.example.com/model"))}}
}

// has makes a claim allocated: a device of a node, where alone it can be used.
func has(node, name string) claimOption {
	return func(c *resourcev1.ResourceClaim) {
		c.Status.Allocation = &resourcev1.AllocationResult{
			Devices: resourcev1.DeviceAllocationResult{Results: []resourcev1.DeviceRequestAllocationResult{{Request: "r0", Driver: "gpu.example.com", Pool: node, Device: name}}},
			NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}},
		}
	}
}

func reservedFor(pods int) claimOption {
	return func(c *resourcev1.ResourceClaim) {
		for i := range pods {
			c.Status.ReservedFor = append(c.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", UID: types.UID(strconv.Itoa(i))})
		}
	}
}

func claiming(claims ...string) podOption {
	return func(p *corev1.Pod) {
		for _, c := range claims {
			p.Spec.ResourceClaims = append(p.Spec.ResourceClaims, corev1.PodResourceClaim{Name: c, ResourceClaimName: &c})
		}
	}
}

// devicesOfPlan returns what a plan does: the devices of claims, the Pods they are for, the Pods'
// nodes, and the messages of their conditions.
func devicesOfPlan(p plan.Plan) (string, []string) {
	var got, messages []string
	for _, u := range p.Updates {
		needs := ""
		if u.NeedsUpdate != "" {
			needs = "<" + strings.TrimPrefix(string(u.NeedsUpdate), "uid-")
		}
		switch o := u.Object.(type) {
		case *resourcev1.ResourceClaim:
			var devices, pods []string
			for _, r := range o.Status.Allocation.Devices.Results {
				devices = append(devices, r.Pool+"/"+r.Device)
			}
			for _, r := range o.Status.ReservedFor {
				pods = append(pods, r.Name)
			}
			got = append(got, o.Name+"="+strings.Join(devices, ",")+"@"+strings.Join(pods, ",")+needs)
		case *corev1.Pod:
			got = append(got, o.Name+"="+o.Spec.NodeName+needs)
			if o.Spec.NodeName == "" {
				messages = append(messages, o.Status.Conditions[0].Message)
			}
		}
	}
	return strings.Join(got, " "), messages
}

// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/dynamicresources/dynamicresources_test.go, TestPlugin; the messages are upstream's
func TestReconcile_Devices(t *testing.T) {
	t.Parallel()
	all := func(problem string) []string {
		return []string{"0/2 nodes are available: " + problem + ". preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."}
	}
	two := []*resourcev1.ResourceSlice{gpus("node-1", "a"), gpus("node-2", "a", "b", "b")}
	one := asks(1, "")
	for _, tt := range []struct {
		name     string
		pods     []*corev1.Pod
		slices   []*resourcev1.ResourceSlice
		claims   []*resourcev1.ResourceClaim
		want     string
		messages []string
	}{
		{"one device", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one)}, "c=node-1/gpu-0@p p=node-1<c", nil},
		{"two", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", asks(2, ""))}, "c=node-2/gpu-0,node-2/gpu-1@p p=node-2<c", nil},
		{"two of one model", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", asks(2, ""), ofOneModel)},
			"c=node-2/gpu-1,node-2/gpu-2@p p=node-2<c", nil},
		{"two requests", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{
			deviceClaim("c", asks(1, `device.attributes["gpu.example.com"].model == "b"`), one)}, "c=node-2/gpu-1,node-2/gpu-0@p p=node-2<c", nil},
		{"all that there are", []*corev1.Pod{pod("p", claiming("c"), selecting(corev1.LabelHostname, "node-2"))}, two,
			[]*resourcev1.ResourceClaim{deviceClaim("c", asks(0, ""))}, "c=node-2/gpu-0,node-2/gpu-1,node-2/gpu-2@p p=node-2<c", nil},
		{"two claims", []*corev1.Pod{pod("p", claiming("c", "d"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one), deviceClaim("d", one)},
			"c=node-2/gpu-0@p d=node-2/gpu-1@p<c p=node-2<d", nil},
		{"more than there are", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", asks(4, ""))}, "p=",
			all("2 cannot allocate all claims")},
		{"two Pods want the last one", []*corev1.Pod{pod("p", claiming("c")), pod("q", claiming("d"))}, two[:1],
			[]*resourcev1.ResourceClaim{deviceClaim("c", one), deviceClaim("d", one)}, "c=node-1/gpu-0@p p=node-1<c q=", all("2 cannot allocate all claims")},
		{"another claim has it", []*corev1.Pod{pod("p", claiming("c"))}, two[:1], []*resourcev1.ResourceClaim{deviceClaim("c", one), deviceClaim("d", one, has("node-1", "gpu-0"))},
			"p=", all("2 cannot allocate all claims")},
		{"two Pods share a claim", []*corev1.Pod{pod("p", claiming("c")), pod("q", claiming("c"))}, two[1:], []*resourcev1.ResourceClaim{deviceClaim("c", one)},
			"c=node-2/gpu-0@p,q p=node-2<c q=node-2<c", nil},
		{"one of two claims is shared", []*corev1.Pod{pod("p", claiming("c")), pod("q", claiming("d", "c"))}, two[1:],
			[]*resourcev1.ResourceClaim{deviceClaim("c", one), deviceClaim("d", one)}, "c=node-2/gpu-0@p,q p=node-2<c d=node-2/gpu-1@q<c q=node-2<d", nil},
		{"claims of two Pods are for a later batch", []*corev1.Pod{pod("p", claiming("c")), pod("q", claiming("d")), pod("r", claiming("d", "c"))}, two[1:],
			[]*resourcev1.ResourceClaim{deviceClaim("c", one), deviceClaim("d", one)}, "c=node-2/gpu-0@p p=node-2<c d=node-2/gpu-1@q q=node-2<d", nil},
		{"a claim with a device", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one, has("node-2", "gpu-0"))},
			"c=node-2/gpu-0@p p=node-2<c", nil},
		{"a device elsewhere", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one, has("node-3", "gpu-0"))},
			"p=", all("2 resourceclaim not available on the node")},
		{"as many Pods as may be", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one, has("node-2", "gpu-0"), reservedFor(256))},
			"p=", all("resourceclaim in use")},
		{"no such claim", []*corev1.Pod{pod("p", claiming("c"))}, two, nil, "p=", all(`resourceclaim.resource.k8s.io "c" not found`)},
		{"it is being deleted", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one, func(c *resourcev1.ResourceClaim) {
			c.DeletionTimestamp = &metav1.Time{Time: noon}
		})}, "p=", all(`resourceclaim "c" is being deleted`)},
		{"no such class", []*corev1.Pod{pod("p", claiming("c"))}, two, []*resourcev1.ResourceClaim{deviceClaim("c", one, func(c *resourcev1.ResourceClaim) {
			c.Spec.Devices.Requests[0].Exactly.DeviceClassName = "tpu"
		})}, "p=", all("request r0: device class tpu does not exist")},
		{"it has yet to be made", []*corev1.Pod{pod("p", func(p *corev1.Pod) {
			p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c", ResourceClaimTemplateName: new("t")}}
		})}, two, nil, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, Reconcile, Snapshot{Pods: tt.pods, Cluster: cluster(node("node-1"), node("node-2")), Devices: newRack(tt.slices, tt.claims...), Now: noon})
			got, messages := devicesOfPlan(p)
			if diff := cmp.Diff(fmt.Sprint(tt.want, tt.messages), fmt.Sprint(got, messages)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, u := range p.Updates {
				if c, ok := u.Object.(*resourcev1.ResourceClaim); ok && !slices.Contains(c.Finalizers, resourcev1.Finalizer) && tt.claims[0].Status.Allocation == nil {
					t.Errorf("%s has devices without the finalizer", c.Name)
				}
			}
		})
	}
}

// TestReconcile_DevicesOnce: whatever Pods ask for, in however many batches, no device has two
// claims, and a Pod has a node only with all its claims, reserved for it there.
func TestReconcile_DevicesOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := newRack([]*resourcev1.ResourceSlice{gpus("node-1", "a", "b"), gpus("node-2", "a", "a", "b")})
		for i := range 5 {
			options := []claimOption{asks(rapid.Int64Range(0, 2).Draw(t, "count"), "")}
			if rapid.Bool().Draw(t, "one model") {
				options = append(options, ofOneModel)
			}
			c := deviceClaim("c"+strconv.Itoa(i), options...)
			r.Claims[c.Name] = c
		}
		names := []string{"c0", "c1", "c2", "c3", "c4"}
		c := cluster(node("node-1"), node("node-2"))
		for batch := range 3 {
			var pods []*corev1.Pod
			for i := range rapid.IntRange(1, 3).Draw(t, "pods") {
				used := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID[string]).Draw(t, "claims")
				pods = append(pods, pod(fmt.Sprintf("p-%d-%d", batch, i), claiming(used...)))
			}
			p := Reconcile(Snapshot{Pods: pods, Cluster: c, Devices: r, Now: noon})
			for _, u := range p.Updates {
				if changed, ok := u.Object.(*resourcev1.ResourceClaim); ok {
					r.Claims[changed.Name] = changed
				}
			}
			r.judge(t, p)
		}
	})
}

// judge fails if a device has two claims, or a Pod that a plan binds does not have all its claims
// on its node.
func (r *rack) judge(t *rapid.T, p plan.Plan) {
	owners := map[string]string{}
	for _, c := range r.AllocatedClaims() {
		for _, d := range c.Status.Allocation.Devices.Results {
			if other, twice := owners[d.Pool+"/"+d.Device]; twice {
				t.Fatalf("%s/%s was given to %s and %s", d.Pool, d.Device, other, c.Name)
			}
			owners[d.Pool+"/"+d.Device] = c.Name
		}
	}
	for _, u := range p.Updates {
		pod, ok := u.Object.(*corev1.Pod)
		if !ok || pod.Spec.NodeName == "" {
			continue
		}
		for _, use := range pod.Spec.ResourceClaims {
			c := r.Claims[*use.ResourceClaimName]
			if c.Status.Allocation == nil || !slices.ContainsFunc(c.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool { return r.UID == pod.UID }) {
				t.Fatalf("%s has a node, and %s is not its", pod.Name, c.Name)
			}
			for _, d := range c.Status.Allocation.Devices.Results {
				if d.Pool != pod.Spec.NodeName {
					t.Fatalf("%s is on %s, and %s on %s", pod.Name, pod.Spec.NodeName, c.Name, d.Pool)
				}
			}
		}
	}
}
