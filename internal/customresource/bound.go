package customresource

import (
	"encoding/json"
	"errors"
	"regexp/syntax"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What an object may cost. A schema and an object of 3 MB each can ask for terabytes and hours: a
// default in each of 100,000 values, 10,000 alternatives for each of 100,000 items, a large pattern
// for a long text. Real objects stay a hundred times below these bounds.
//
// Differs: upstream has no such bounds.
const (
	// maxWork is how many parts of schemas may be compared with parts of an object. One takes about
	// a microsecond.
	maxWork = 5_000_000
	// maxPaths is how many bytes the paths of all parts of an object may have together. Every fault
	// names the path that leads to it.
	maxPaths = 64 << 20
	// maxAdded is how many bytes defaults may add to an object.
	maxAdded = 8 << 20
	// patternSteps is how many steps of a pattern over a text count as one comparison.
	patternSteps = 64
)

// The errors of objects that cost too much.
var (
	errWork  = errors.New("validating the object takes too long: it has too many parts for the alternatives, values, and patterns of its schema")
	errPaths = errors.New("too many fields are nested too deeply, or under names that are too long")
	errAdded = errors.New("the defaults of the schema would make the object too large")
)

// shape is what of a schema makes its objects costly; nil where nothing does.
type shape struct {
	pattern int // the size of the pattern
	enum    int // how many values are compared
	// also are the alternatives that are compared with the same value.
	also       []*shape
	properties map[string]*shape
	items      *shape
	values     *shape
	// added is how many bytes the default adds where the value is missing, with the defaults inside
	// it.
	added int
}

// costly says whether anything of a shape is worth keeping.
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
			text = nil // it was decoded from JSON, so it encodes
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

// nestedShape is the shape of an alternative; never nil, as each is compared.
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

// meter adds up what an object costs. It stops soon after a bound.
type meter struct{ work, paths, added int }

func (m *meter) over() bool { return m.work > maxWork || m.paths > maxPaths || m.added > maxAdded }

// fault is why an object costs too much; nil if it does not.
func (m *meter) fault() error {
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

// visit adds what a value costs; at is how long the path to it is.
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

// bounded returns why an object costs too much; nil if it does not.
func (p *program) bounded(u *unstructured.Unstructured) error {
	m := meter{}
	m.visit(p.shape(), u.Object, 0)
	return m.fault()
}

// PatternSize is how many instructions the program of a regular expression has, about; 0 for none,
// and for one that does not parse. It takes time with the length of the expression, not with the
// size of the program.
func PatternSize(pattern string) int {
	if pattern == "" {
		return 0
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	return patternSize(parsed)
}

func patternSize(re *syntax.Regexp) int {
	size := 1
	for _, sub := range re.Sub {
		size += patternSize(sub)
	}
	switch re.Op { //nolint:exhaustive // the others have one instruction, and those of their parts
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, 1<<30)
}
