package registry

import (
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// DeleteRequest is what a client or a reconciler asks for when it deletes an object. The zero value
// requests nothing special: the object's own grace period and the kind's own policy apply.
type DeleteRequest struct {
	// GracePeriodSeconds is the requested grace period; nil leaves it to the object, a negative
	// value means one second.
	GracePeriodSeconds *int64
	// Propagation is the policy for the dependents. Empty leaves it to the finalizers that the
	// object already has, then to the kind's default (see kind.Kind.OrphanByDefault).
	Propagation metav1.DeletionPropagation
	// Without names a finalizer that the object loses with the same change; empty for none.
	Without string
}

// NewDeleteRequest converts valid options. The deprecated orphanDependents counts as a policy,
// Orphan or Background. nil options mean without grace.
func NewDeleteRequest(opts *metav1.DeleteOptions) DeleteRequest {
	if opts == nil {
		return DeleteRequest{GracePeriodSeconds: new(int64)}
	}
	req := DeleteRequest{GracePeriodSeconds: opts.GracePeriodSeconds}
	switch orphan := opts.OrphanDependents; {
	case orphan != nil && *orphan:
		req.Propagation = metav1.DeletePropagationOrphan
	case orphan != nil:
		req.Propagation = metav1.DeletePropagationBackground
	case opts.PropagationPolicy != nil:
		req.Propagation = *opts.PropagationPolicy
	}
	return req
}

// Requested converts a plan's deletion.
func Requested(d plan.Delete) DeleteRequest {
	return DeleteRequest{GracePeriodSeconds: d.GracePeriodSeconds, Propagation: d.Propagation, Without: d.Without}
}

// ValidateDeleteOptions validates the options of a DELETE: the policy's name, dryRun, and options
// that exclude each other. Options are never nil.
func ValidateDeleteOptions(opts *metav1.DeleteOptions) field.ErrorList {
	return metav1validation.ValidateDeleteOptions(opts)
}

// Outcome is the result of a deletion.
type Outcome int

const (
	// DeletionPending means that the request changes nothing: the object is already being deleted.
	DeletionPending Outcome = iota
	// DeletionStored means that the object stays, changed: it waits for its grace period or its
	// finalizers.
	DeletionStored
	// DeletionDone means that the object is removed at once.
	DeletionDone
)

// String is "pending", "stored" or "done".
func (o Outcome) String() string { return [...]string{"pending", "stored", "done"}[o] }

// Deletion is the answer to a DeleteRequest.
type Deletion struct {
	Outcome Outcome
	// Object is the object after the request, always a copy that belongs to the caller: what to
	// store if the outcome is DeletionStored, the last state if it is DeletionDone.
	Object object.Object
	// Implied says that the outcome is DeletionDone and that Object follows from the stored
	// version: see object.Version.Succeed.
	Implied bool
}

// Verb returns how the outcome is stored; 0 for DeletionPending, which changes nothing.
func (d Deletion) Verb() object.Verb {
	switch d.Outcome {
	case DeletionStored:
		return object.Updated
	case DeletionDone:
		return object.Deleted
	case DeletionPending:
	}
	return 0
}

// Delete decides the outcome of a DELETE of o at cluster time now. It does not change o.
//
// An object with grace or finalizers is stored with a deletionTimestamp, which is when its grace
// ends. Another request can only shorten the grace, and never moves that moment into the past. The
// finalizers "orphan" and "foregroundDeletion" leave the dependents to the garbage collector; a
// policy replaces the finalizer of an earlier one unless a grace period is already running.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go, BeforeDelete, and
// .../registry/generic/registry/store.go, Delete and updateForGracefulDeletionAndFinalizers
//
// Differs: a deletion with a grace of zero is one change, the removal. Upstream stores the object
// once more before it removes it, but no client can act between the two.
func Delete(k *kind.Kind, o object.Object, req DeleteRequest, now time.Time) Deletion {
	next := o.DeepCopyObject().(object.Object)
	implied := len(next.GetFinalizers()) == 0
	if finalizers := next.GetFinalizers(); req.Without != "" && slices.Contains(finalizers, req.Without) {
		next.SetFinalizers(slices.DeleteFunc(finalizers, func(f string) bool { return f == req.Without }))
	}
	if ns, ok := next.(*corev1.Namespace); ok && (ns.DeletionTimestamp == nil || len(ns.Spec.Finalizers) > 0) {
		return terminateNamespace(k, ns, req, now)
	}

	if k.PrepareDelete != nil && next.GetDeletionTimestamp() == nil {
		k.PrepareDelete(next, now)
		implied = false
	}
	shortened := next.GetDeletionTimestamp() != nil
	grace, running := beginGrace(k, next, req.GracePeriodSeconds, now)
	if running {
		return Deletion{Outcome: DeletionPending, Object: next}
	}
	next.SetFinalizers(deletionFinalizers(k, next.GetFinalizers(), req.Propagation))
	switch held := len(next.GetFinalizers()) > 0; {
	case grace == nil && held:
		markDeleting(next, now)
	case grace == nil || *grace == 0 && !held:
		return Deletion{Outcome: DeletionDone, Object: next, Implied: implied && (grace == nil || !shortened)}
	}
	if equality.Semantic.DeepEqual(next, o) {
		return Deletion{Outcome: DeletionPending, Object: next}
	}
	return Deletion{Outcome: DeletionStored, Object: next}
}

// terminateNamespace answers a DELETE of a namespace that is not being deleted yet, or still has
// contents. It changes ns, which is the caller's copy.
//
// Source: kubernetes v1.36 pkg/registry/core/namespace/storage/storage.go, Delete
func terminateNamespace(k *kind.Kind, ns *corev1.Namespace, req DeleteRequest, now time.Time) Deletion {
	if ns.DeletionTimestamp != nil {
		return Deletion{Outcome: DeletionPending, Object: ns}
	}
	ns.DeletionTimestamp = deletionTime(now)
	ns.Status.Phase = corev1.NamespaceTerminating
	ns.Finalizers = deletionFinalizers(k, ns.Finalizers, req.Propagation)
	return Deletion{Outcome: DeletionStored, Object: ns}
}

// beginGrace starts or shortens the object's grace period, in place. It returns the requested
// grace, or nil if the kind has none or the object's has expired. running says that a grace period
// runs which the request does not shorten.
//
// A worked example: an object is deleted at 12:00:00 with 30 s, so its timestamp is 12:00:30. A
// request for 5 s at 12:00:01 moves it to 12:00:05. A request for 5 s at 12:00:20 instead would
// move it into the past: it becomes 12:00:20, with a grace of 1 s, so that the kubelet still
// decides last.
func beginGrace(k *kind.Kind, o object.Object, asked *int64, now time.Time) (grace *int64, running bool) {
	if asked != nil && *asked < 0 {
		asked = new(int64(1))
	}
	if k.Graceful == nil {
		return nil, false
	}
	deleted, given := o.GetDeletionTimestamp(), o.GetDeletionGracePeriodSeconds()
	if given != nil && *given < 0 {
		given = new(int64(1))
	}
	switch {
	case deleted == nil:
		grace = new(k.Graceful(o, asked))
		o.SetDeletionTimestamp(deletionTime(now.Add(time.Duration(*grace) * time.Second)))
		o.SetDeletionGracePeriodSeconds(grace)
		bumpGeneration(o)
		return grace, false
	case given == nil || *given == 0:
		return nil, false
	case asked == nil || *asked >= *given:
		return nil, true
	}

	period := *asked
	at := deleted.Add(time.Duration(period-*given) * time.Second)
	if at.Before(now) {
		at = now
		if period != 0 {
			period = 1
		}
	}
	o.SetDeletionTimestamp(deletionTime(at))
	o.SetDeletionGracePeriodSeconds(&period)
	return asked, false
}

// deletionFinalizers returns the list of finalizers with those for the garbage collector as the
// policy requires. The list keeps its order if nothing is added or removed.
//
// Source: kubernetes v1.36 .../registry/generic/registry/store.go, deletionFinalizersForGarbageCollection,
// shouldOrphanDependents, shouldDeleteDependents
func deletionFinalizers(k *kind.Kind, old []string, policy metav1.DeletionPropagation) []string {
	if policy == "" {
		policy = inheritedPolicy(k, old)
	}
	want := ""
	switch {
	case k.NeverOwner:
	case policy == metav1.DeletePropagationOrphan:
		want = metav1.FinalizerOrphanDependents
	case policy == metav1.DeletePropagationForeground:
		want = metav1.FinalizerDeleteDependents
	}
	next := slices.DeleteFunc(slices.Clone(old), func(f string) bool {
		return f != want && (f == metav1.FinalizerOrphanDependents || f == metav1.FinalizerDeleteDependents)
	})
	if want != "" && !slices.Contains(next, want) {
		next = append(next, want)
	}
	return next
}

// Propagation returns the policy of a deletion of the object that names none.
func Propagation(k *kind.Kind, o object.Object) metav1.DeletionPropagation {
	return inheritedPolicy(k, o.GetFinalizers())
}

// inheritedPolicy returns the policy of a deletion that names none: that of the first finalizer
// which stands for one, otherwise the kind's.
func inheritedPolicy(k *kind.Kind, finalizers []string) metav1.DeletionPropagation {
	for _, f := range finalizers {
		switch f {
		case metav1.FinalizerOrphanDependents:
			return metav1.DeletePropagationOrphan
		case metav1.FinalizerDeleteDependents:
			return metav1.DeletePropagationForeground
		}
	}
	if k.OrphanByDefault {
		return metav1.DeletePropagationOrphan
	}
	return metav1.DeletePropagationBackground
}

// markDeleting records in the object's metadata, in place, that only finalizers still hold it.
func markDeleting(o object.Object, now time.Time) {
	deleted := o.GetDeletionTimestamp()
	if deleted == nil {
		bumpGeneration(o)
	}
	if deleted == nil || deleted.After(now) {
		o.SetDeletionTimestamp(deletionTime(now))
	}
	o.SetDeletionGracePeriodSeconds(new(int64))
}

// ReadyToRemove reports whether nothing holds an object that is being deleted: no finalizer and no
// grace period. An update that leaves an object in this state removes it.
//
// Source: kubernetes v1.36 .../registry/generic/registry/store.go, ShouldDeleteDuringUpdate, and
// pkg/registry/core/namespace/storage/storage.go, ShouldDeleteNamespaceDuringUpdate
func ReadyToRemove(o object.Object) bool {
	if ns, ok := o.(*corev1.Namespace); ok && len(ns.Spec.Finalizers) > 0 {
		return false
	}
	grace := o.GetDeletionGracePeriodSeconds()
	return o.GetDeletionTimestamp() != nil && len(o.GetFinalizers()) == 0 && (grace == nil || *grace == 0)
}

// bumpGeneration increments the generation of a kind that has one: deletion changes what its
// controller should do.
func bumpGeneration(o object.Object) {
	if g := o.GetGeneration(); g > 0 {
		o.SetGeneration(g + 1)
	}
}

// deletionTime returns t as metadata holds it, in whole seconds.
func deletionTime(t time.Time) *metav1.Time {
	at := metav1.NewTime(t.Truncate(time.Second))
	return &at
}

// AdmitDelete refuses to delete the namespaces that a cluster needs. Errors: *Forbidden.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go, Admit
func AdmitDelete(k *kind.Kind, name string) error {
	if k.Resource() != "namespaces" {
		return nil
	}
	switch name {
	case metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic:
		return &Forbidden{Resource: k.GroupResource(), Name: name, Err: errors.New("this namespace may not be deleted")}
	}
	return nil
}

// CheckPreconditions compares the preconditions of a deletion with the version that it would
// delete; nil has none. Errors: *Conflict.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go, BeforeDelete
func CheckPreconditions(k *kind.Kind, want *metav1.Preconditions, v *object.Version) error {
	if want == nil {
		return nil
	}
	about := schema.GroupResource{Group: k.Group, Resource: k.Kind}
	if want.UID != nil && *want.UID != v.UID {
		return &Conflict{Resource: about, Name: v.Name, Err: fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s). "+
			"The object might have been deleted and then recreated", *want.UID, v.UID)}
	}
	if rev := v.Revision.ResourceVersion(); want.ResourceVersion != nil && *want.ResourceVersion != rev {
		return &Conflict{Resource: about, Name: v.Name, Err: fmt.Errorf("the ResourceVersion in the precondition (%s) does not match the "+
			"ResourceVersion in record (%s). The object might have been modified", *want.ResourceVersion, rev)}
	}
	return nil
}

// DeletionWarning returns the warning for a client that deletes without a policy; empty for none.
//
// Source: kubernetes v1.36 pkg/registry/batch/job/storage/storage.go, Delete and DeleteCollection
func DeletionWarning(k *kind.Kind, opts *metav1.DeleteOptions) string {
	if opts.PropagationPolicy != nil || opts.OrphanDependents != nil {
		return ""
	}
	return storedKind(k).DeletionWarning
}
