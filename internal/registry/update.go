package registry

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// errModified is the text of a conflict about a resourceVersion.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, OptimisticLockErrorMsg
var errModified = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// checkRevision compares the resourceVersion that a client sent with that of the object to replace.
// An empty one matches any, if the kind allows that.
func (w *write) checkRevision() error {
	resource, name := w.kind.GroupResource(), w.old.GetName()
	sent := w.next.GetResourceVersion()
	if sent == "" || sent == "0" {
		if w.kind.UnconditionalUpdate {
			return nil
		}
		return &Invalid{Kind: schema.GroupKind{Group: resource.Group, Kind: resource.Resource}, Name: name, Errors: field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update")}}
	}
	rev, err := strconv.ParseUint(sent, 10, 63)
	if err != nil {
		return &Unclassified{Err: err}
	}
	if object.Revision(rev) != object.RevisionOf(w.old) {
		return &Conflict{Resource: resource, Name: name, Err: errModified}
	}
	return nil
}

// prepareUpdate carries over what this update may not change.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/update.go, BeforeUpdate
func (w *write) prepareUpdate() error {
	if w.view != nil && w.stored.Custom != nil {
		return w.prepareView()
	}
	next, old, sub := w.next, w.old, w.in.Subresource
	next.SetGeneration(old.GetGeneration())
	switch {
	case sub != nil:
		if sub.Prepare != nil {
			sub.Prepare(next, old)
		}
		if sub.SetTimes != nil {
			sub.SetTimes(next, old, w.in.Now)
		}
	case w.stored.PrepareUpdate != nil:
		w.dropGated(old)
		w.stored.PrepareUpdate(next, old)
		if w.stored.SetTimes != nil {
			w.stored.SetTimes(next, w.in.Now)
		}
	}
	carryMeta(next, old)
	if w.view != nil && sub == nil {
		w.view.SetGeneration(old.GetGeneration())
		if w.kind.PrepareUpdate != nil {
			w.kind.PrepareUpdate(w.view, w.kind.Stored.From(old))
			next.SetGeneration(w.view.GetGeneration()) // the client's version decides whether anything has changed
		}
		carryMeta(w.view, old)
	}
	return nil
}

// prepareView prepares a custom resource in the version in which it was sent. Fields that this
// version lacks are lost, even if the request is about another part of the object.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, where each version has a
// storage of its own, which decodes objects into the version
func (w *write) prepareView() error {
	old := w.kind.Stored.From(w.old)
	w.view.SetGeneration(old.GetGeneration())
	if sub := w.in.Subresource; sub != nil {
		sub.Prepare(w.view, old)
	} else {
		w.kind.PrepareUpdate(w.view, old)
	}
	carryMeta(w.view, old)
	w.next = w.kind.Stored.To(w.view)
	w.stored.Default(w.next)
	return nil
}

// validateUpdate validates a view as it was sent, and a subresource in the stored form unless the
// object is a custom resource.
func (w *write) validateUpdate() error {
	errs := validateMeta(w.next, w.stored.Namespaced)
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(w.next, w.old, field.NewPath("metadata"))...)
	switch sub := w.in.Subresource; {
	case w.stored.Custom != nil:
		errs = append(errs, w.validateCustom()...)
	case sub != nil:
		if sub.Validate != nil {
			errs = append(errs, sub.Validate(w.next, w.old)...)
		}
	case w.view != nil:
		errs = append(errs, w.kind.ValidateUpdate(w.view, w.kind.Stored.From(w.old))...)
	case w.stored.ValidateUpdate != nil:
		errs = append(errs, w.stored.ValidateUpdate(w.next, w.old)...)
	}
	if len(errs) > 0 {
		return &Invalid{Kind: w.named(), Name: w.old.GetName(), Errors: errs}
	}
	return nil
}

// validateCustom validates an update of a custom resource in the version in which it was sent.
func (w *write) validateCustom() field.ErrorList {
	next, old := w.next, w.old
	if w.view != nil {
		next, old = w.view, w.kind.Stored.From(w.old)
	}
	errs, warnings := w.kind.Custom.ValidateUpdate(next, old, w.in.Subresource != nil)
	w.result.Warnings = append(w.result.Warnings, warnings...)
	return errs
}

// carryMeta keeps the metadata that no update changes.
func carryMeta(next, old object.Object) {
	if next.GetUID() == "" {
		next.SetUID(old.GetUID())
	}
	if created := old.GetCreationTimestamp(); !created.IsZero() {
		next.SetCreationTimestamp(created)
	}
	if deleted := old.GetDeletionTimestamp(); deleted != nil {
		next.SetDeletionTimestamp(deleted)
	}
	if grace := old.GetDeletionGracePeriodSeconds(); grace != nil && next.GetDeletionGracePeriodSeconds() == nil {
		next.SetDeletionGracePeriodSeconds(grace)
	}
	next.SetSelfLink("")
	next.SetResourceVersion(old.GetResourceVersion())
}

// Removes reports whether an update of old to next removes the last thing that an object under
// deletion waits for: the update then removes it.
func Removes(next, old object.Object) bool {
	return old.GetDeletionTimestamp() != nil && ReadyToRemove(next)
}

// prefixes are where upstream stores the kinds whose path does not have their plural's name.
//
// Source: kubernetes v1.36 pkg/kubeapiserver/default_storage_factory_builder.go, SpecialDefaultResourcePrefixes
var prefixes = map[string]string{
	"endpoints": "services/endpoints", "ingresses.networking.k8s.io": "ingress", "nodes": "minions", "replicationcontrollers": "controllers",
	"services": "services/specs",
}

// CheckUID refuses a write that names another uid than the object has, "" if there is no object; a
// write without a uid matches any. A dry run words it differently. Errors: *Conflict.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/interfaces.go, Preconditions.Check, and
// .../storage/errors.go, StorageError.Error; for where a custom resource is, staging/src/k8s.io/apiserver/pkg/server/options/etcd.go,
// SimpleRestOptionsFactory.GetRESTOptions
func CheckUID(k *kind.Kind, key object.Key, want, found types.UID, dryRun bool) error {
	if want == "" || want == found {
		return nil
	}
	stored := storedKind(k)
	where := "/" + cmp.Or(prefixes[stored.Resource()], stored.Plural) + "/"
	if stored.Custom != nil {
		where = "/" + stored.Group + where
	}
	if !dryRun {
		where = "/registry" + where
	}
	if key.Namespace != "" {
		where += key.Namespace + "/"
	}
	return &Conflict{Resource: k.GroupResource(), Name: key.Name, Err: fmt.Errorf("StorageError: invalid object, Code: 4, Key: %s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", where+key.Name, want, found)}
}
