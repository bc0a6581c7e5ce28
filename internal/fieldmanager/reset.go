package fieldmanager

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/rowlock/rowlock/internal/object"
)

// resets are the fields that a write through the subresource cannot change, and which it therefore does not own.
//
// Source: kubernetes v1.36 pkg/registry, GetResetFields of the strategies
func resets(t *object.Type, subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	set := fieldpath.NewSet()
	for _, path := range resetPaths(t, subresource) {
		set.Insert(fieldpath.MakePathOrDie(path...))
	}
	if set.Empty() {
		return nil
	}
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(t.GroupVersion().String()): set})
}

func resetPaths(t *object.Type, subresource string) [][]any {
	switch subresource {
	case "":
		return [][]any{{"status"}}
	case "status":
	case "finalize":
		return [][]any{{"status"}}
	default:
		return nil
	}
	paths := [][]any{{"spec"}}
	switch t.Resource() {
	case "pods":
		paths = append(paths, []any{"metadata", "deletionTimestamp"}, []any{"metadata", "ownerReferences"})
	case "deployments.apps":
		paths = append(paths, []any{"metadata", "labels"})
	case "volumeattachments.storage.k8s.io", "servicecidrs.networking.k8s.io",
		"flowschemas.flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io":
		paths = append(paths, []any{"metadata"})
	}
	return paths
}
