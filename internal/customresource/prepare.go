package customresource

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
)

// PrepareCreate resets, in place, the fields that a client may not set at creation: the generation,
// and the status if it is a subresource.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, PrepareForCreate
func (v *Version) PrepareCreate(u *unstructured.Unstructured) {
	if v.Status {
		delete(u.Object, "status")
	}
	u.SetGeneration(1)
}

// PrepareUpdate copies the status of old into next, in place, if it is a subresource, and
// increments the generation if anything but metadata differs. It does not change old, but next
// shares its status.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, PrepareForUpdate
func (v *Version) PrepareUpdate(next, old *unstructured.Unstructured) {
	if v.Status {
		setStatus(next, old.Object)
	}
	if !sameButMetadata(next.Object, old.Object) {
		next.SetGeneration(old.GetGeneration() + 1)
	}
}

// PrepareStatusUpdate copies everything of old except the status and the managedFields into next,
// in place.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/status_strategy.go, PrepareForUpdate
func (v *Version) PrepareStatusUpdate(next, old *unstructured.Unstructured) {
	sent, managers := next.Object, next.GetManagedFields()
	next.Object = old.DeepCopy().Object
	next.SetManagedFields(managers)
	setStatus(next, sent)
}

// setStatus copies the status of another object into u, or removes it if the other has none.
func setStatus(u *unstructured.Unstructured, from map[string]any) {
	if status, ok := from["status"]; ok {
		u.Object["status"] = status
	} else {
		delete(u.Object, "status")
	}
}

func sameButMetadata(a, b map[string]any) bool {
	return apiequality.Semantic.DeepEqual(butMetadata(a), butMetadata(b))
}

func butMetadata(o map[string]any) map[string]any {
	rest := make(map[string]any, len(o))
	for key, value := range o {
		if key != "metadata" {
			rest[key] = value
		}
	}
	return rest
}

// Warnings returns warnings about finalizers that next adds; old is nil at creation. Updates of the
// status cause none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, generateWarningsFromObj
func Warnings(next, old *unstructured.Unstructured) (warnings []string) {
	added := slices.Clone(next.GetFinalizers())
	if old != nil {
		known := old.GetFinalizers()
		added = slices.DeleteFunc(added, func(name string) bool { return slices.Contains(known, name) })
	}
	slices.Sort(added)
	for _, name := range slices.Compact(added) {
		warnings = append(warnings, warnFinalizer(name)...)
	}
	return warnings
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go, validateKubeFinalizerName
func warnFinalizer(name string) (warnings []string) {
	prefix := `metadata.finalizers: "` + name + `": `
	for _, text := range utilvalidation.IsQualifiedName(name) {
		warnings = append(warnings, prefix+text)
	}
	switch name {
	case metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents, string(corev1.FinalizerKubernetes):
		return warnings
	}
	const conflicts = " to avoid accidental conflicts with other finalizer writers"
	switch {
	case strings.Contains(name, "/"):
	case strings.Contains(name, "."):
		warnings = append(warnings, prefix+"prefer a domain-qualified finalizer name including a path (/)"+conflicts)
	default:
		warnings = append(warnings, prefix+"prefer a domain-qualified finalizer name"+conflicts)
	}
	return warnings
}
