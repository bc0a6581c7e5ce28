package registry

import (
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// WipeSystemFields clears the metadata that a client may not choose on creation.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/meta.go, WipeObjectMetaSystemFields
func WipeSystemFields(o metav1.Object) {
	o.SetCreationTimestamp(metav1.Time{})
	o.SetUID("")
	o.SetDeletionTimestamp(nil)
	o.SetDeletionGracePeriodSeconds(nil)
	o.SetSelfLink("")
}

// MatchNamespace puts an object into the request's namespace, "" for cluster-scoped kinds, unless
// it names another.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/meta.go,
// EnsureObjectNamespaceMatchesRequestNamespace
func MatchNamespace(o metav1.Object, namespace string) error {
	switch o.GetNamespace() {
	case namespace:
		return nil
	case "":
		o.SetNamespace(namespace)
		return nil
	}
	if namespace == "" {
		o.SetNamespace("")
		return nil
	}
	return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
}

// MatchName refuses an object whose name differs from the URL's.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go, checkName, and
// .../handlers/namer.go, ObjectName
func MatchName(o metav1.Object, name string) error {
	switch o.GetName() {
	case name:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", name))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", o.GetName(), name))
}

// validateMeta judges the metadata that all kinds have in common.
func validateMeta(o metav1.Object, namespaced bool) field.ErrorList {
	return validation.ValidateObjectMetaAccessor(o, namespaced, pathSegment, field.NewPath("metadata"))
}

// pathSegment accepts names that fit into a URL, the minimum for a name.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// DedupeOwners drops duplicate owner references, in place. It returns a warning that says when they
// were found, empty if there are none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go,
// dedupOwnerReferencesAndAddWarning
func DedupeOwners(o metav1.Object, when string) (warning string) {
	var kept []metav1.OwnerReference
	var twice []string
	seen := make(map[owner]bool)
	for _, ref := range o.GetOwnerReferences() {
		key := owner{ref.APIVersion, ref.Kind, ref.Name, string(ref.UID), flag(ref.Controller), flag(ref.BlockOwnerDeletion)}
		if seen[key] {
			twice = append(twice, string(ref.UID))
			continue
		}
		seen[key] = true
		kept = append(kept, ref)
	}
	if len(twice) == 0 {
		return ""
	}
	o.SetOwnerReferences(kept)
	return fmt.Sprintf(".metadata.ownerReferences contains duplicate entries%s; API server dedups owner references in 1.20+, "+
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v", when, strings.Join(twice, ", "))
}

// owner is a comparable owner reference.
type owner struct{ apiVersion, kind, name, uid, controller, block string }

// flag renders an optional boolean.
func flag(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}
