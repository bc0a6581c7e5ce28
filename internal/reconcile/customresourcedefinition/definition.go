// Package customresourcedefinition accepts the names of CustomResourceDefinitions, establishes
// them, and removes the objects of those that are deleted.
//
// A definition gets the names that no other in its group has. Its objects are served from then on,
// and the next sync establishes it. A finalizer keeps a definition that is being deleted until all
// its objects are gone. They are deleted in batches, and their own finalizers are honoured.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/controller/status/naming_controller.go,
// .../establish/establishing_controller.go,
// .../apiapproval/apiapproval_controller.go and .../finalizer/crd_finalizer.go
//
// Differs: a definition is established at once, because every replica serves it from the revision
// at which its names are accepted. The condition NonStructuralSchema does not exist, because
// validation rejects such schemas.
package customresourcedefinition

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is the input for accepting the names of a definition. Reconcile does not modify it.
type Snapshot struct {
	Definition *v1.CustomResourceDefinition
	// Resources and Kinds have those of its requested names that another definition in the group
	// has.
	Resources, Kinds map[string]bool
	Now              time.Time
}

// Reconcile accepts names, establishes the definition, and sets the condition that says whether its
// group is approved.
func Reconcile(s Snapshot) (p plan.Plan) {
	next := s.Definition.DeepCopy()
	established := apihelpers.IsCRDConditionTrue(next, v1.Established)
	if apihelpers.IsCRDConditionTrue(next, v1.NamesAccepted) && !established && next.DeletionTimestamp == nil {
		set(next, s.Now, v1.Established, v1.ConditionTrue, "InitialNamesAccepted", "the initial names have been accepted")
	}
	s.accept(next)
	approve(next, s.Now)
	if !equality.Semantic.DeepEqual(next.Status, s.Definition.Status) {
		p.Updates = append(p.Updates, plan.Update{Object: next, Subresource: "status"})
	}
	return p
}

func set(d *v1.CustomResourceDefinition, now time.Time, t v1.CustomResourceDefinitionConditionType, status v1.ConditionStatus, reason, message string) {
	apiextensions.SetDefinitionCondition(d, v1.CustomResourceDefinitionCondition{Type: t, Status: status, Reason: reason, Message: message}, now)
}

// accept accepts the requested names that no other definition has.
func (s Snapshot) accept(next *v1.CustomResourceDefinition) {
	want, have := s.Definition.Spec.Names, s.Definition.Status.AcceptedNames
	if equality.Semantic.DeepEqual(want, have) && apihelpers.FindCRDCondition(next, v1.NamesAccepted) != nil {
		return
	}
	accepted, reason, message := &next.Status.AcceptedNames, "", ""
	conflict := func(r, text string) { reason, message = r, text }
	one := func(name string, old *string, taken map[string]bool, r string) {
		if name != *old && taken[name] {
			conflict(r, inUse(name))
			return
		}
		*old = name
	}
	one(want.Plural, &accepted.Plural, s.Resources, "PluralConflict")
	one(want.Singular, &accepted.Singular, s.Resources, "SingularConflict")
	var taken []string
	for _, name := range want.ShortNames {
		if !slices.Contains(have.ShortNames, name) && s.Resources[name] {
			taken = append(taken, inUse(name))
		}
	}
	switch {
	case len(taken) > 0:
		conflict("ShortNamesConflict", aggregate(taken))
	default:
		accepted.ShortNames = slices.Clone(want.ShortNames)
	}
	one(want.Kind, &accepted.Kind, s.Kinds, "KindConflict")
	one(want.ListKind, &accepted.ListKind, s.Kinds, "ListKindConflict")
	accepted.Categories = slices.Clone(want.Categories)

	established := apihelpers.IsCRDConditionTrue(next, v1.Established)
	if reason != "" {
		set(next, s.Now, v1.NamesAccepted, v1.ConditionFalse, reason, message)
		if apihelpers.FindCRDCondition(next, v1.Established) == nil {
			set(next, s.Now, v1.Established, v1.ConditionFalse, "NotAccepted", "not all names are accepted")
		}
		return
	}
	set(next, s.Now, v1.NamesAccepted, v1.ConditionTrue, "NoConflicts", "no conflicts found")
	if !established {
		set(next, s.Now, v1.Established, v1.ConditionFalse, "Installing", "the initial names have been accepted")
	}
}

func inUse(name string) string { return fmt.Sprintf("%q is already in use", name) }

// aggregate combines several errors into one text.
func aggregate(texts []string) string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// approvals are the condition's status and reason for each state of the annotation that approves
// the use of a protected group.
var approvals = map[apihelpers.APIApprovalState]struct {
	status v1.ConditionStatus
	reason string
}{
	apihelpers.APIApprovalInvalid:  {v1.ConditionFalse, "InvalidAnnotation"},
	apihelpers.APIApprovalMissing:  {v1.ConditionFalse, "MissingAnnotation"},
	apihelpers.APIApproved:         {v1.ConditionTrue, "ApprovedAnnotation"},
	apihelpers.APIApprovalBypassed: {v1.ConditionFalse, "UnapprovedAnnotation"},
}

// approve sets the condition that says whether a definition in a protected Kubernetes group is
// approved.
func approve(d *v1.CustomResourceDefinition, now time.Time) {
	if !apihelpers.IsProtectedCommunityGroup(d.Spec.Group) {
		return
	}
	state, message := apihelpers.GetAPIApprovalState(d.Annotations)
	said := approvals[state]
	set(d, now, v1.KubernetesAPIApprovalPolicyConformant, said.status, said.reason, message)
}
