// Package resourceclaim creates the ResourceClaims that Pods get from templates, reserves claims
// for Pods on nodes, and frees the devices of claims that are no longer used.
//
// A Pod must be synced when it is created, and when a claim that it controls is created or gone. A
// claim must be synced when it changes, and when a Pod that uses it or that it was made for is
// bound to a node, ends or is gone.
//
// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go
package resourceclaim

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/device"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Component is the source of events.
const Component = "resource_claim"

// PodSnapshot is a Pod with what its claims are made from. It is not modified.
type PodSnapshot struct {
	Pod *corev1.Pod
	// Claims are the claims that the Pod uses, Templates those that it names, both by name.
	Claims    map[string]*resourcev1.ResourceClaim
	Templates map[string]*resourcev1.ResourceClaimTemplate
	// Made are the claims that the Pod controls, oldest first.
	Made    []*resourcev1.ResourceClaim
	Refused *plan.Refusal
}

// ReconcilePod creates the missing claims, and records in the Pod's status which were created. It
// stops at the first claim that cannot be created, emits an event, and retries.
//
// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go, syncPod and handleClaim
func ReconcilePod(s PodSnapshot) (p plan.Plan) {
	if s.Pod.DeletionTimestamp != nil || podstate.Terminal(s.Pod) {
		return p
	}
	statuses := slices.Clone(s.Pod.Status.ResourceClaimStatuses)
	noted := false
	for _, use := range device.Uses(s.Pod) {
		if use.Template == "" || !use.Pending && use.Claim == "" {
			continue
		}
		if claim := s.Claims[use.Claim]; claim != nil && use.Belongs(claim, s.Pod) {
			continue
		}
		if made := s.madeFor(use.Entry); made != nil {
			statuses, noted = withStatus(statuses, use.Entry, made.Name), true
			continue
		}
		if err := s.create(use, &p); err != nil {
			p.Events = append(p.Events, plan.Event{
				Regarding: s.Pod, Type: corev1.EventTypeWarning, Reason: "FailedResourceClaimCreation", Component: Component,
				Message: fmt.Sprintf("PodResourceClaim %s: %v", use.Entry, err),
			})
			p.Retry = true
			break
		}
	}
	if noted {
		next := s.Pod.DeepCopy()
		next.Status.ResourceClaimStatuses = statuses
		p.Updates = append(p.Updates, plan.Update{Object: next, Subresource: "status"})
	}
	return p
}

// madeFor is the claim that was made for an entry of the Pod; nil if none exists.
//
// Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go, findPodResourceClaim
func (s *PodSnapshot) madeFor(entry string) *resourcev1.ResourceClaim {
	for _, c := range s.Made {
		if c.DeletionTimestamp == nil && c.Annotations[resourcev1.PodResourceClaimAnnotation] == entry && metav1.IsControlledBy(c, s.Pod) {
			return c
		}
	}
	return nil
}

func withStatus(statuses []corev1.PodResourceClaimStatus, entry, claim string) []corev1.PodResourceClaimStatus {
	for i := range statuses {
		if statuses[i].Name == entry {
			statuses[i].ResourceClaimName = &claim
			return statuses
		}
	}
	return append(statuses, corev1.PodResourceClaimStatus{Name: entry, ResourceClaimName: &claim})
}

// create makes a claim from its template.
func (s *PodSnapshot) create(use device.Use, p *plan.Plan) error {
	t := s.Templates[use.Template]
	if t == nil {
		return fmt.Errorf("resource claim template %q: resourceclaimtemplate.resource.k8s.io %q not found", use.Template, use.Template)
	}
	if s.Refused != nil {
		return fmt.Errorf("create ResourceClaim : %s", s.Refused.Message)
	}
	annotations := maps.Clone(t.Spec.Annotations)
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[resourcev1.PodResourceClaimAnnotation] = use.Entry
	p.Creates = append(p.Creates, plan.Create{Object: &resourcev1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Pod.Namespace, GenerateName: nameBase(s.Pod.Name, use.Entry), Labels: maps.Clone(t.Spec.Labels), Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: s.Pod.Name, UID: s.Pod.UID, Controller: new(true)}},
		},
		Spec: *t.Spec.Spec.DeepCopy(),
	}})
	return nil
}

// nameBase is the prefix of the names of claims. It leaves room for five random characters in a DNS
// label, and shortens both names in proportion.
func nameBase(pod, entry string) string {
	const most = 57
	base := pod + "-" + entry + "-"
	if len(base) <= most {
		return base
	}
	return pod[:len(pod)*most/len(base)] + "-" + entry[:len(entry)*most/len(base)]
}
