package kube

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/object"
)

const (
	nameField      = "metadata.name"
	namespaceField = "metadata.namespace"
)

// selection says which objects a list or watch is about. The zero selection is about all.
type selection struct {
	r      *resource
	labels labelMatcher    // nil for all
	fields fields.Selector // nil for all
	// custom says that fields needs more than names: the object itself.
	custom bool
}

// selection makes a selection of parsed selectors, either of which may be nil. A field that the
// kind does not select by is refused.
func (r *resource) selection(l labels.Selector, f fields.Selector) (selection, error) {
	s := selection{r: r}
	if l != nil && !l.Empty() {
		var err error
		if s.labels, err = compileLabels(l); err != nil {
			return s, err
		}
	}
	if f == nil || f.Empty() {
		return s, nil
	}
	if len(f.Requirements()) > maxRequirements {
		return s, manyRequirements("field")
	}
	s.fields = f
	var known fields.Set
	if r.kind.SelectableFields != nil {
		known = r.kind.SelectableFields(r.kind.New())
	}
	for _, want := range f.Requirements() {
		if want.Field == nameField || want.Field == namespaceField && (known == nil || r.kind.Namespaced) {
			continue
		}
		s.custom = true
		if _, ok := known[want.Field]; ok {
			continue
		}
		if known == nil {
			return s, apierrors.NewBadRequest(fmt.Sprintf("%q is not a known field selector: only %q, %q", want.Field, nameField, namespaceField))
		}
		if r.kind.UnknownField != "" {
			return s, apierrors.NewBadRequest(fmt.Sprintf(r.kind.UnknownField, want.Field))
		}
		return s, apierrors.NewBadRequest("field label not supported: " + want.Field)
	}
	return s, nil
}

// everything says whether nothing is left out.
func (s *selection) everything() bool { return s.labels == nil && s.fields == nil }

// name is the only name that can match, if there is only one.
func (s *selection) name() (string, bool) {
	if s.fields == nil {
		return "", false
	}
	return s.fields.RequiresExactMatch(nameField)
}

// namespace is the only namespace that can match, if there is only one.
func (s *selection) namespace() (string, bool) {
	if s.fields == nil {
		return "", false
	}
	return s.fields.RequiresExactMatch(namespaceField)
}

// matches judges one version, the last state in the case of a tombstone.
func (s *selection) matches(v *object.Version) bool {
	if s.fields != nil && !s.fields.Matches(s.fieldsOf(v)) {
		return false
	}
	return s.labels == nil || s.labels.matches(v.Object().GetLabels())
}

// fieldsOf gives a version's selectable fields.
func (s *selection) fieldsOf(v *object.Version) fields.Fields {
	if !s.custom {
		return nameFields{v}
	}
	set := s.r.kind.SelectableFields(s.r.served(v))
	set[nameField], set[namespaceField] = v.Name, v.Namespace
	return set
}

// nameFields are the fields that need no decoding.
type nameFields struct{ v *object.Version }

func (n nameFields) Has(field string) bool { return field == nameField || field == namespaceField }

func (n nameFields) Get(field string) string {
	switch field {
	case nameField:
		return n.v.Name
	case namespaceField:
		return n.v.Namespace
	}
	return ""
}

// nameSelector selects one name.
func nameSelector(name string) fields.Selector { return fields.OneTermEqualSelector(nameField, name) }
