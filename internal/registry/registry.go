package registry

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Create decides what is stored when an object of the kind is created: it judges and completes o,
// in place unless the kind is a view. Errors: *Invalid, *Forbidden, *NamespaceError, *Exhausted,
// those of Input.State, and those of admission plugins that carry their own Status.
func Create(k *kind.Kind, o object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: o}
	return w.take(stepsOf(k).create, Lifecycle, Approval)
}

// Complete is Create without checks, except those of admission while it completes the object: for
// objects from the same template as one that Create has judged. After an error, o is left as far as
// it was completed.
func Complete(k *kind.Kind, o object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: o}
	return w.take(stepsOf(k).create, Completion, Preparation)
}

// Update decides what is stored when next, of the kind, replaces old, of the stored kind: next is
// judged and completed in place unless the kind is a view; old is not changed. A resourceVersion in
// next must be that of old. Errors: *Invalid, *Forbidden, *Conflict, *Exhausted, *Unclassified,
// those of Input.State, and those of admission plugins that carry their own Status.
func Update(k *kind.Kind, next, old object.Object, in Input) (Result, error) {
	w := write{in: in, kind: k, stored: storedKind(k), next: next, old: old}
	list := stepsOf(k).update
	if in.Subresource != nil {
		list = SubresourceSteps(k, in.Subresource)
	}
	return w.take(list, Lifecycle, Approval)
}

// CheckQuestion validates an object of a kind whose objects are queries, and which is not stored.
// Errors: *Invalid.
func CheckQuestion(k *kind.Kind, o object.Object) error {
	if errs := k.Validate(o); len(errs) > 0 {
		return &Invalid{Kind: k.GroupVersionKind().GroupKind(), Errors: errs}
	}
	return nil
}

// CheckStored completes and validates, in place, an object that claims to have been stored, such as
// one from a backup. Its errors are those of validation.
func CheckStored(k *kind.Kind, o object.Object) field.ErrorList {
	if k.Default != nil {
		k.Default(o)
	}
	if k.Validate == nil {
		return nil
	}
	return k.Validate(o)
}

// AdmitNamespace is the first step of Create alone: it refuses an object in a namespace that is
// missing or terminating. Errors: *NamespaceError, those of state.
func AdmitNamespace(k *kind.Kind, o object.Object, state State) error {
	w := write{in: Input{State: state}, kind: k, stored: storedKind(k), next: o}
	if !w.stored.Namespaced {
		return nil
	}
	return w.checkNamespace()
}
