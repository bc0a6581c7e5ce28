package resourceclaim_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/resourceclaim"
)

// pod uses a claim that is made for it, as "made", and one of another owner, as "shared".
func pod(change ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u"}, Spec: corev1.PodSpec{ResourceClaims: []corev1.PodResourceClaim{
		{Name: "made", ResourceClaimTemplateName: new("gpu")}, {Name: "shared", ResourceClaimName: new("shared")}}}}
	for _, f := range change {
		f(p)
	}
	return p
}

func knows(claim string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "made", ResourceClaimName: &claim}}
	}
}

func onNode(p *corev1.Pod)   { p.Spec.NodeName = "n" }
func ended(p *corev1.Pod)    { p.Status.Phase = corev1.PodSucceeded }
func deleted(p *corev1.Pod)  { p.DeletionTimestamp = &metav1.Time{} }
func replaced(p *corev1.Pod) { p.UID = "other" }

// claim is a claim that was made for the Pod.
func claim(change ...func(*resourcev1.ResourceClaim)) *resourcev1.ResourceClaim {
	c := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-made-x", UID: "c",
		Annotations:     map[string]string{resourcev1.PodResourceClaimAnnotation: "made"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "web", UID: "u", Controller: new(true)}}}}
	for _, f := range change {
		f(c)
	}
	return c
}

func unowned(c *resourcev1.ResourceClaim) { c.OwnerReferences = nil }
func going(c *resourcev1.ResourceClaim)   { c.DeletionTimestamp = &metav1.Time{} }
func allocated(c *resourcev1.ResourceClaim) {
	c.Finalizers, c.Status.Allocation = []string{resourcev1.Finalizer}, &resourcev1.AllocationResult{}
}

func reserved(c *resourcev1.ResourceClaim) {
	c.Status.ReservedFor = append(c.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: "web", UID: "u"})
}

// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller_test.go, TestSyncHandler
func TestReconcilePod(t *testing.T) {
	t.Parallel()
	const create = "create ResourceClaim default/web-made-*\n"
	const note = "update Pod default/web status\n"
	template := map[string]*resourcev1.ResourceClaimTemplate{"gpu": {Spec: resourcev1.ResourceClaimTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}}}}}
	tests := []struct {
		name string
		s    resourceclaim.PodSnapshot
		want string // how the plan begins
	}{
		{"new", resourceclaim.PodSnapshot{Pod: pod(), Templates: template}, create},
		{"no template", resourceclaim.PodSnapshot{Pod: pod()},
			`event Pod default/web Warning FailedResourceClaimCreation "PodResourceClaim made: resource claim template \"gpu\": resourceclaimtemplate.resource.k8s.io \"gpu\" not found"`},
		{"refused", resourceclaim.PodSnapshot{Pod: pod(), Templates: template, Refused: &plan.Refusal{Message: "exceeded quota"}},
			`event Pod default/web Warning FailedResourceClaimCreation "PodResourceClaim made: create ResourceClaim : exceeded quota"`},
		{"made, and not yet noted", resourceclaim.PodSnapshot{Pod: pod(), Templates: template, Made: []*resourcev1.ResourceClaim{claim()}}, note},
		{"another entry's", resourceclaim.PodSnapshot{Pod: pod(), Templates: template, Made: []*resourcev1.ResourceClaim{claim(func(c *resourcev1.ResourceClaim) { c.Annotations = nil })}}, create},
		{"noted", resourceclaim.PodSnapshot{Pod: pod(knows("web-made-x")), Claims: map[string]*resourcev1.ResourceClaim{"web-made-x": claim()}}, ""},
		{"gone", resourceclaim.PodSnapshot{Pod: pod(knows("web-made-x")), Templates: template}, create},
		{"somebody else's of that name", resourceclaim.PodSnapshot{Pod: pod(knows("web-made-x")), Templates: template, Claims: map[string]*resourcev1.ResourceClaim{"web-made-x": claim(unowned)}}, create},
		{"none needed", resourceclaim.PodSnapshot{Pod: pod(func(p *corev1.Pod) { p.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: "made"}} }), Templates: template}, ""},
		{"deleted", resourceclaim.PodSnapshot{Pod: pod(deleted), Templates: template}, ""},
		{"ended", resourceclaim.PodSnapshot{Pod: pod(ended), Templates: template}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := laws.Check(t, resourceclaim.ReconcilePod, tt.s)
			if got := p.String(); tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			for _, c := range p.Creates {
				made := c.Object.(*resourcev1.ResourceClaim)
				if !metav1.IsControlledBy(made, tt.s.Pod) || made.Annotations[resourcev1.PodResourceClaimAnnotation] != "made" || made.Labels["a"] != "b" {
					t.Errorf("made %v", made)
				}
			}
		})
	}
	long := pod(func(p *corev1.Pod) { p.Name = strings.Repeat("p", 60) })
	name := laws.Check(t, resourceclaim.ReconcilePod, resourceclaim.PodSnapshot{Pod: long, Templates: template}).Creates[0].Object.GetGenerateName()
	if len(name) > 57 || !strings.HasPrefix(name, "ppp") || !strings.HasSuffix(name, "-mad") {
		t.Errorf("a long name becomes %s", name)
	}
}

// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller_test.go, TestSyncHandler
func TestReconcileClaim(t *testing.T) {
	t.Parallel()
	type changes []func(*resourcev1.ResourceClaim)
	users := []*corev1.Pod{pod(onNode, knows("web-made-x"))}
	tests := []struct {
		name  string
		claim changes
		pod   *corev1.Pod // nil for one that is gone
		users []*corev1.Pod
		want  string
		is    string // the claim's state: allocated, reserved, held
	}{
		{"new", nil, pod(), nil, "", ""},
		{"in use", changes{allocated, reserved}, pod(onNode), nil, "", ""},
		{"of a Pod that is gone", changes{allocated, reserved}, nil, nil, "update ResourceClaim default/web-made-x\n", ""},
		{"of a Pod that has ended", changes{allocated, reserved}, pod(onNode, ended), nil, "delete ResourceClaim default/web-made-x changed\n", ""},
		{"of a Pod that another has replaced", changes{allocated, reserved}, pod(replaced), nil, "delete ResourceClaim default/web-made-x changed\n", ""},
		{"of a Pod that stops", changes{allocated, reserved}, pod(onNode, deleted), nil, "", ""},
		{"of a Pod that will come to no node", changes{allocated, reserved, unowned}, pod(deleted), nil, "update ResourceClaim default/web-made-x\n", ""},
		{"shared, and one has ended", changes{unowned, allocated, reserved, func(c *resourcev1.ResourceClaim) {
			c.Status.ReservedFor = append(c.Status.ReservedFor, resourcev1.ResourceClaimConsumerReference{APIGroup: "example.com", Resource: "things", Name: "web", UID: "t"})
		}}, pod(ended), nil, "update ResourceClaim default/web-made-x\n", "allocated reserved held"},
		{"allocated by hand, and used by nobody", changes{allocated, unowned}, nil, nil, "", ""},
		{"deleted, and used by nobody", changes{going, allocated, unowned}, nil, nil, "update ResourceClaim default/web-made-x\n", ""},
		{"deleted, and in use", changes{going, allocated, reserved}, pod(onNode), nil, "", ""},
		{"used without the scheduler", changes{allocated}, pod(onNode), users, "update ResourceClaim default/web-made-x\n", "allocated reserved held"},
		{"not allocated yet", nil, pod(onNode), users, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := resourceclaim.ClaimSnapshot{Claim: claim(tt.claim...), Pods: map[string]*corev1.Pod{}, Users: tt.users}
			if tt.pod != nil {
				s.Pods["web"] = tt.pod
			}
			p := laws.Check(t, resourceclaim.ReconcileClaim, s)
			if got := p.String(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			for _, u := range p.Updates {
				next := u.Object.(*resourcev1.ResourceClaim)
				var is []string
				if next.Status.Allocation != nil {
					is = append(is, "allocated")
				}
				if len(next.Status.ReservedFor) > 0 {
					is = append(is, "reserved")
				}
				if slices.Contains(next.Finalizers, resourcev1.Finalizer) {
					is = append(is, "held")
				}
				if got := strings.Join(is, " "); got != tt.is {
					t.Errorf("%q, want %q", got, tt.is)
				}
			}
		})
	}
}
