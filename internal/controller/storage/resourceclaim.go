package storage

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/resource"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/resourceclaim"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// claimUsers is how many Pods on nodes that use a claim a sync reads: twice as many as it can be
// reserved for.
const claimUsers = 2 * resourcev1.ResourceClaimReservedForMaxSize

// NewResourceClaim makes the controller that creates the ResourceClaims of Pods and frees their
// devices.
//
// Cost: the Pod, its claims, their templates and what it controls; or the claim, the Pods that it
// is reserved for and claimUsers of those that use it.
func NewResourceClaim(world.World) engine.Controller {
	return engine.Controller{
		Name: names.ResourceClaim, UserAgent: "resource-claim-controller", Primary: resource.ResourceClaim.Resource(),
		Others: []string{"pods"}, Batch: 64, Gather: gather.Apart(syncResourceClaim),
		Sources: []wakeup.Source{
			wakeup.For(&podkind.Kind.Type, lacksDeviceClaims),
			wakeup.For(&resource.ResourceClaim.Type, wakeup.NotBy(names.ResourceClaim)),
			wakeup.Watches(&resource.ResourceClaim.Type, podOfDeviceClaim),
			wakeup.Watches(&podkind.Kind.Type, deviceClaimsOfPod),
		},
	}
}

// lacksDeviceClaims holds for new Pods whose claims must be created.
func lacksDeviceClaims(d wakeup.Diff) bool {
	pod, _ := d.New.(*corev1.Pod)
	return d.Old == nil && !device.Made(pod)
}

// podOfDeviceClaim asks for the Pod of a generated claim that is new or gone.
func podOfDeviceClaim(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Old == nil {
		d.Old, d.New = d.New, nil
	}
	return podOfGoneClaim(wakes, d)
}

// deviceClaimsOfPod asks for the claims of a Pod that has ended, is gone or will not reach a node,
// because their devices may be free then, and of one that another writer than the scheduler has
// bound to a node.
func deviceClaimsOfPod(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	switch over := func(p *corev1.Pod) bool {
		return podstate.Terminal(p) || p.DeletionTimestamp != nil && p.Spec.NodeName == ""
	}; {
	case pod == nil:
		pod = old
	case over(pod) && (old == nil || !over(old)):
	case podstate.Bound(pod) && !podstate.Bound(old) && d.Controller != names.Scheduler:
	default:
		return wakes
	}
	var seen []string
	for _, use := range device.Uses(pod) {
		if use.Claim != "" && !slices.Contains(seen, use.Claim) {
			seen = append(seen, use.Claim)
			wakes = append(wakes, wakeup.Wake{Resource: resource.ResourceClaim.Resource(), Namespace: pod.Namespace, Name: use.Claim})
		}
	}
	return wakes
}

func syncResourceClaim(v mirror.View, o *object.Version, _ engine.Request, _ time.Time) func(*plan.Refusal) plan.Plan {
	switch of := o.Object().(type) {
	case *corev1.Pod:
		return podClaims(v, of)
	case *resourcev1.ResourceClaim:
		s := resourceclaim.ClaimSnapshot{
			Claim: of, Pods: gather.Named[*corev1.Pod](v, "pods", of.Namespace, resourceclaim.PodsOf(of)),
			Users: gather.Decoded[*corev1.Pod](v.First(mirror.PodsByResourceClaim, of.Namespace+"/"+of.Name, claimUsers)),
		}
		return func(*plan.Refusal) plan.Plan { return resourceclaim.ReconcileClaim(s) }
	}
	return gather.Planned(plan.Plan{})
}

// podClaims gathers what the claims of a Pod are made from.
func podClaims(v mirror.View, pod *corev1.Pod) func(*plan.Refusal) plan.Plan {
	s := resourceclaim.PodSnapshot{Pod: pod, Made: gather.Typed[*resourcev1.ResourceClaim](v, mirror.ByOwner, string(pod.UID))}
	var claims, templates []string
	for _, use := range device.Uses(pod) {
		claims, templates = append(claims, use.Claim), append(templates, use.Template)
	}
	s.Claims = gather.Named[*resourcev1.ResourceClaim](v, resource.ResourceClaim.Resource(), pod.Namespace, claims)
	s.Templates = gather.Named[*resourcev1.ResourceClaimTemplate](v, resource.ResourceClaimTemplate.Resource(), pod.Namespace, templates)
	return func(refused *plan.Refusal) plan.Plan {
		s.Refused = refused
		return resourceclaim.ReconcilePod(s)
	}
}
