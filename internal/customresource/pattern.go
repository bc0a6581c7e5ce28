package customresource

import (
	"regexp"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// What kube-openapi compiles of patterns it keeps for as long as the process runs, and with each
// pattern it copies all it has. So a client that changes the patterns of a definition again and
// again would use ever more memory. What is kept is dropped when it has become too large, and
// compiled again when somebody needs it.
const (
	// maxCompiled is how large the patterns of schemas that were compiled since may be, as
	// patternsSize counts them. An instruction takes about 50 bytes. The patterns of 43 real
	// definitions have 200,000 together.
	maxCompiled = 2_000_000
	// PatternCost is what a pattern costs besides its instructions.
	PatternCost = 100
)

// compiledPatterns are kube-openapi's: a map[string]*regexp.Regexp.
//
//go:linkname compiledPatterns k8s.io/kube-openapi/pkg/validation/validate.reDict
var compiledPatterns atomic.Value

// patterns bounds compiledPatterns.
var patterns patternMeter

type patternMeter struct {
	mu   sync.Mutex
	size int // of the schemas that were compiled since compiledPatterns was empty
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

// patternsSize is how large all patterns of a schema are.
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
