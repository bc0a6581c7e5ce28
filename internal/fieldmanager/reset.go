package fieldmanager

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/rowlock/rowlock/internal/object"
)

// resets returns the fields that a write through the subresource cannot change, and therefore does
// not own.
//
// Source: kubernetes v1.36 pkg/registry, GetResetFields and GetResetFieldsFilter of the strategies
func resets(t *object.Type, subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	if only := ownedAlone(t, subresource); only != nil {
		return map[fieldpath.APIVersion]fieldpath.Filter{fieldpath.APIVersion(t.GroupVersion().String()): only}
	}
	set := fieldpath.NewSet()
	for _, path := range resetPaths(t, subresource) {
		parts := make([]any, len(path))
		for i, name := range path {
			parts[i] = name
		}
		set.Insert(fieldpath.MakePathOrDie(parts...))
	}
	if set.Empty() {
		return nil
	}
	sets := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, version := range resetVersions(t, subresource) {
		sets[fieldpath.APIVersion(version)] = set
	}
	return fieldpath.NewExcludeFilterSetMap(sets)
}

// resetVersions returns the versions in which a write through the subresource cannot change those
// fields: the one that it is made in. A write of a custom resource's status also spares the fields
// that others own in other versions.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, getStatusResetFields
func resetVersions(t *object.Type, subresource string) []string {
	if t.Custom != nil && subresource == "status" {
		return t.Custom.StatusVersions
	}
	return []string{t.GroupVersion().String()}
}

// certificateRequests are only written through their subresources.
const certificateRequests = "certificatesigningrequests.certificates.k8s.io"

func resetPaths(t *object.Type, subresource string) [][]string {
	if t.Custom != nil {
		return customResetPaths(t, subresource)
	}
	switch subresource {
	case "approval":
		return [][]string{{"spec"}, {"status", "certificate"}}
	case "":
		if t.Resource() == certificateRequests {
			return [][]string{{"spec"}, {"status"}}
		}
		return [][]string{{"status"}}
	case "status":
	case statusAlone:
		return [][]string{{"spec"}, {"metadata"}}
	case "finalize":
		return [][]string{{"status"}}
	default:
		return nil
	}
	paths := [][]string{{"spec"}}
	switch t.Resource() {
	case "pods":
		paths = append(paths, []string{"metadata", "deletionTimestamp"}, []string{"metadata", "ownerReferences"})
	case "deployments.apps":
		paths = append(paths, []string{"metadata", "labels"})
	case certificateRequests:
		paths = append(paths, []string{"status", "conditions"})
	case "volumeattachments.storage.k8s.io", "servicecidrs.networking.k8s.io", "resourceclaims.resource.k8s.io",
		"flowschemas.flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io":
		paths = append(paths, []string{"metadata"})
	}
	return paths
}

// customResetPaths returns those of a custom resource.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go and status_strategy.go,
// GetResetFields
func customResetPaths(t *object.Type, subresource string) [][]string {
	switch {
	case subresource == "status":
		return [][]string{{"metadata"}, {"spec"}}
	case subresource == "" && t.Custom.Status:
		return [][]string{{"status"}}
	}
	return nil
}

// ownedAlone returns the only fields that a write through the subresource owns; nil if resetPaths
// says what it does not own. Such writes are rare, and upstream's code records them.
func ownedAlone(t *object.Type, subresource string) fieldpath.Filter {
	if t.Resource() != "pods" {
		return nil
	}
	switch subresource {
	case "ephemeralcontainers":
		return fieldpath.NewIncludeMatcherFilter(fieldpath.MakePrefixMatcherOrDie("spec", "ephemeralContainers"))
	case "resize":
		var paths []*fieldpath.SetMatcher
		for _, list := range []string{"containers", "initContainers"} {
			for _, name := range []string{"resources", "resizePolicy"} {
				paths = append(paths, fieldpath.MakePrefixMatcherOrDie("spec", list, fieldpath.MatchAnyPathElement(), name))
			}
		}
		return fieldpath.NewIncludeMatcherFilter(paths...)
	}
	return nil
}
