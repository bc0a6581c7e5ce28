package customresource

import (
	"regexp"
	"regexp/syntax"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// kube-openapi keeps compiled patterns for the life of the process, and copies all of them for each
// new pattern. A client that keeps changing the patterns of a definition would therefore use ever
// more memory. When the kept patterns become too large, Rowlock drops them; kube-openapi compiles a
// pattern again when it is needed.
const (
	// maxCompiled limits the patterns of schemas compiled since the last drop, as patternsSize
	// counts them. An instruction takes about 50 bytes. The patterns of 43 real definitions add up
	// to 200,000.
	maxCompiled = 2_000_000
	// PatternCost is the cost of a pattern besides its instructions.
	PatternCost = 100
)

// compiledPatterns is kube-openapi's cache: a map[string]*regexp.Regexp.
//
//go:linkname compiledPatterns k8s.io/kube-openapi/pkg/validation/validate.reDict
var compiledPatterns atomic.Value

// patterns bounds compiledPatterns.
var patterns patternMeter

type patternMeter struct {
	mu   sync.Mutex
	size int // of the schemas compiled since compiledPatterns was empty
}

// add counts the patterns of a schema before they are used.
func (m *patternMeter) add(size, limit int) {
	if size == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += size; m.size > limit {
		m.size = size
		compiledPatterns.Store(map[string]*regexp.Regexp{})
	}
}

// patternsSize returns the size of all patterns of a schema.
func patternsSize(s *structuralschema.Structural) (size int) {
	if s == nil {
		return 0
	}
	if v := s.ValueValidation; v != nil {
		size += validationPatterns(v)
	}
	for name := range s.Properties {
		property := s.Properties[name]
		size += patternsSize(&property)
	}
	if s.AdditionalProperties != nil {
		size += patternsSize(s.AdditionalProperties.Structural)
	}
	return size + patternsSize(s.Items)
}

func validationPatterns(v *structuralschema.ValueValidation) (size int) {
	if v.Pattern != "" {
		size += PatternCost + PatternSize(v.Pattern)
	}
	for _, all := range [][]structuralschema.NestedValueValidation{v.AllOf, v.AnyOf, v.OneOf} {
		for i := range all {
			size += nestedPatterns(&all[i])
		}
	}
	return size + nestedPatterns(v.Not)
}

func nestedPatterns(n *structuralschema.NestedValueValidation) (size int) {
	if n == nil {
		return 0
	}
	size = validationPatterns(&n.ValueValidation) + nestedPatterns(n.Items) + nestedPatterns(n.AdditionalProperties)
	for name := range n.Properties {
		property := n.Properties[name]
		size += nestedPatterns(&property)
	}
	return size
}

// PatternSize estimates the number of instructions in the compiled regular expression. It returns 0
// for an empty expression and for one that does not parse. Its running time depends on the length
// of the expression, not on the size of the compiled program.
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
	switch re.Op { //nolint:exhaustive // other operators add one instruction to those of their operands
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, 1<<30)
}
