package customresource

import (
	"encoding/json"
	"errors"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// Bounds on the cost of one object. Without them, a schema and an object of 3 MB each could need
// terabytes and hours: a default in each of 100,000 values, 10,000 alternatives for each of 100,000
// items, or a large pattern matched against a long text. Real objects stay a hundred times below
// these bounds.
//
// Differs: upstream has no such bounds.
const (
	// maxWork limits the comparisons of a part of a schema with a part of an object. One takes
	// about a microsecond.
	maxWork = 5_000_000
	// maxPaths limits the total length, in bytes, of the paths of all parts of an object. Each
	// validation error contains the path of its field.
	maxPaths = 64 << 20
	// maxAdded limits the bytes that defaults add to an object.
	maxAdded = 8 << 20
	// patternSteps is the number of regular expression steps that count as one comparison.
	patternSteps = 64
)

// Errors for objects that exceed a bound.
var (
	errWork  = errors.New("validating the object takes too long: it has too many parts for the alternatives, values, and patterns of its schema")
	errPaths = errors.New("too many fields are nested too deeply, or under names that are too long")
	errAdded = errors.New("the defaults of the schema would make the object too large")
)

// shape is the part of a schema that makes its objects costly; nil if nothing does.
type shape struct {
	pattern int // PatternSize of the pattern
	enum    int // number of values to compare with
	// also holds the alternatives (allOf, anyOf, oneOf, not) that are compared with the same value.
	also       []*shape
	properties map[string]*shape
	items      *shape
	values     *shape
	// added is the number of bytes that the default adds where the value is missing, including
	// nested defaults.
	added int
}

// orNil returns s, or nil if nothing in it makes objects costly.
func (s *shape) orNil() *shape {
	if s.pattern+s.enum+s.added+len(s.also)+len(s.properties) == 0 && s.items == nil && s.values == nil {
		return nil
	}
	return s
}

func newShape(s *structuralschema.Structural) *shape {
	if s == nil {
		return nil
	}
	out := &shape{items: newShape(s.Items)}
	out.addValidation(s.ValueValidation)
	for name := range s.Properties {
		property := s.Properties[name]
		out.setProperty(name, newShape(&property))
	}
	if s.AdditionalProperties != nil {
		out.values = newShape(s.AdditionalProperties.Structural)
	}
	if s.Default.Object != nil {
		text, err := json.Marshal(s.Default.Object)
		if err != nil {
			text = nil // cannot happen: the value was decoded from JSON
		}
		inside := meter{}
		inside.visit(out, s.Default.Object, 0)
		out.added = len(text) + inside.added
	}
	return out.orNil()
}

func (s *shape) setProperty(name string, property *shape) {
	if property == nil {
		return
	}
	if s.properties == nil {
		s.properties = map[string]*shape{}
	}
	s.properties[name] = property
}

func (s *shape) addValidation(v *structuralschema.ValueValidation) {
	if v == nil {
		return
	}
	s.enum = len(v.Enum)
	s.pattern = PatternSize(v.Pattern)
	for _, all := range [][]structuralschema.NestedValueValidation{v.AllOf, v.AnyOf, v.OneOf} {
		for i := range all {
			s.also = append(s.also, nestedShape(&all[i]))
		}
	}
	if v.Not != nil {
		s.also = append(s.also, nestedShape(v.Not))
	}
}

// nestedShape returns the shape of an alternative. It is never nil, because comparing an
// alternative always has a cost.
func nestedShape(n *structuralschema.NestedValueValidation) *shape {
	out := &shape{}
	out.addValidation(&n.ValueValidation)
	for name := range n.Properties {
		property := n.Properties[name]
		out.setProperty(name, nestedShape(&property))
	}
	if n.Items != nil {
		out.items = nestedShape(n.Items)
	}
	if n.AdditionalProperties != nil {
		out.values = nestedShape(n.AdditionalProperties)
	}
	return out
}

// meter adds up the cost of an object. It stops soon after it exceeds a bound.
type meter struct{ work, paths, added int }

func (m *meter) over() bool { return m.work > maxWork || m.paths > maxPaths || m.added > maxAdded }

// err returns the bound that the object exceeds, as an error; nil if it exceeds none.
func (m *meter) err() error {
	switch {
	case m.added > maxAdded:
		return errAdded
	case m.paths > maxPaths:
		return errPaths
	case m.work > maxWork:
		return errWork
	}
	return nil
}

// visit adds the cost of a value; at is the length of its path in bytes.
func (m *meter) visit(s *shape, value any, at int) {
	m.work++
	m.paths += at
	if m.over() {
		return
	}
	if s == nil {
		s = &noShape
	}
	m.work += s.enum
	switch value := value.(type) {
	case string:
		m.work += len(value) * s.pattern / patternSteps
	case map[string]any:
		m.visitFields(s, value, at)
	case []any:
		for _, item := range value {
			m.visit(s.items, item, at+len("[0]"))
		}
	}
	for _, alternative := range s.also {
		m.visit(alternative, value, at)
	}
}

func (m *meter) visitFields(s *shape, fields map[string]any, at int) {
	for name, value := range fields {
		property, ok := s.properties[name]
		if !ok {
			property = s.values
		}
		m.visit(property, value, at+len(name)+1)
	}
	for name, property := range s.properties {
		if property.added > 0 && fields[name] == nil {
			m.added += property.added + len(name)
		}
	}
}

// noShape is the shape of a schema that costs nothing.
var noShape shape
