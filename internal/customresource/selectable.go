package customresource

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/util/jsonpath"
)

// selectable is one field that field selectors may name.
type selectable struct {
	name string
	path *jsonpath.JSONPath
	err  error // why the path does not parse
}

func selectableName(f apiextensionsv1.SelectableField) string {
	return strings.TrimPrefix(f.JSONPath, ".")
}

func parseSelectable(all []apiextensionsv1.SelectableField) []selectable {
	parsed := make([]selectable, len(all))
	for i, f := range all {
		path := jsonpath.New("selectableField").AllowMissingKeys(true)
		parsed[i] = selectable{name: selectableName(f), path: path, err: path.Parse("{" + f.JSONPath + "}")}
	}
	return parsed
}

// Fields returns the values of the version's SelectableFields, "" for a missing field; nil if the
// version has no such fields. Errors: a path that finds more than one value, which the validation
// of definitions rejects.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, selectableFields
func (v *Version) Fields(u *unstructured.Unstructured) (fields.Set, error) {
	all := v.selectable()
	if len(all) == 0 {
		return nil, nil
	}
	set := make(fields.Set, len(all))
	for _, s := range all {
		if s.err != nil {
			return nil, fmt.Errorf("unexpected error parsing jsonPath: %w", s.err)
		}
		results, err := s.path.FindResults(u.Object)
		if err != nil {
			return nil, fmt.Errorf("unexpected error finding value with jsonPath: %w", err)
		}
		set[s.name] = ""
		switch {
		case len(results) == 0 || len(results[0]) == 0:
		case len(results) > 1 || len(results[0]) > 1:
			return nil, fmt.Errorf("unexpectedly received more than one JSON path result for %q", s.name)
		default:
			if value := results[0][0].Interface(); value != nil {
				set[s.name] = fmt.Sprint(value)
			}
		}
	}
	return set, nil
}
