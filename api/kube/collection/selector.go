package collection

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/internal/object"
)

// Fields that every kind can be selected by.
const (
	NameField      = "metadata.name"
	namespaceField = "metadata.namespace"
)

// Selection selects the objects of a list or watch. The zero selection selects all.
type Selection struct {
	r      *render.Resource
	labels labelMatcher    // nil for all
	fields fields.Selector // nil for all
	// custom is true if fields needs the whole object, not only names.
	custom bool
}

// Select returns the selection of parsed selectors, either of which may be nil. It rejects fields
// that the kind cannot be selected by.
func Select(r *render.Resource, l labels.Selector, f fields.Selector) (Selection, error) {
	s := Selection{r: r}
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
	if r.Kind.SelectableFields != nil {
		known = r.Kind.SelectableFields(r.Kind.New())
	}
	for _, want := range f.Requirements() {
		if want.Field == NameField || want.Field == namespaceField && (known == nil || r.Kind.Namespaced) {
			continue
		}
		s.custom = true
		if _, ok := known[want.Field]; ok {
			continue
		}
		if known == nil {
			return s, apierrors.NewBadRequest(fmt.Sprintf("%q is not a known field selector: only %q, %q", want.Field, NameField, namespaceField))
		}
		if r.Kind.UnknownField != "" {
			return s, apierrors.NewBadRequest(fmt.Sprintf(r.Kind.UnknownField, want.Field))
		}
		return s, apierrors.NewBadRequest("field label not supported: " + want.Field)
	}
	return s, nil
}

// everything reports whether all objects are selected.
func (s *Selection) everything() bool { return s.labels == nil && s.fields == nil }

// Name returns the only name that can match, if there is only one.
func (s *Selection) Name() (string, bool) {
	if s.fields == nil {
		return "", false
	}
	return s.fields.RequiresExactMatch(NameField)
}

// Namespace returns the only namespace that can match, if there is only one.
func (s *Selection) Namespace() (string, bool) {
	if s.fields == nil {
		return "", false
	}
	return s.fields.RequiresExactMatch(namespaceField)
}

// Matches reports whether a version is selected; for a tombstone, its last state.
func (s *Selection) Matches(v *object.Version) bool {
	if s.fields != nil && !s.fields.Matches(s.fieldsOf(v)) {
		return false
	}
	return s.labels == nil || s.labels.matches(v.Object().GetLabels())
}

// fieldsOf returns a version's selectable fields.
func (s *Selection) fieldsOf(v *object.Version) fields.Fields {
	if !s.custom {
		return nameFields{v}
	}
	set := s.r.Kind.SelectableFields(s.r.Served(v))
	set[NameField], set[namespaceField] = v.Name, v.Namespace
	return set
}

// nameFields holds the fields that need no decoding.
type nameFields struct{ v *object.Version }

func (n nameFields) Has(field string) bool { return field == NameField || field == namespaceField }

func (n nameFields) Get(field string) string {
	switch field {
	case NameField:
		return n.v.Name
	case namespaceField:
		return n.v.Namespace
	}
	return ""
}

// NameSelector selects one name.
func NameSelector(name string) fields.Selector { return fields.OneTermEqualSelector(NameField, name) }

// Choose returns the objects that match both selectors, either of which may be nil.
func Choose(all []object.Object, l labels.Selector, f fields.Selector) []object.Object {
	out := []object.Object{}
	for _, o := range all {
		set := fields.Set{NameField: o.GetName(), namespaceField: o.GetNamespace()}
		if (l == nil || l.Matches(labels.Set(o.GetLabels()))) && (f == nil || f.Matches(set)) {
			out = append(out, o)
		}
	}
	return out
}
