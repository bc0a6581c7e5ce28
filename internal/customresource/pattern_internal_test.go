package customresource

import (
	"fmt"
	"regexp"
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// Ever new patterns do not fill the memory: kube-openapi's cache is dropped in time, and patterns
// work afterwards.
//
//nolint:paralleltest // kube-openapi's cache is global
func TestPatterns_AreNotKeptForEver(t *testing.T) {
	kept := func() int {
		all, _ := compiledPatterns.Load().(map[string]*regexp.Regexp)
		return len(all)
	}
	if validate.Pattern("", "", "mine-x", "^mine-[a-z]$") != nil || kept() == 0 {
		t.Fatalf("kube-openapi keeps %d patterns: bound them where it keeps them now", kept())
	}
	var m patternMeter
	most, limit := 0, 50*PatternCost
	for i := range 500 {
		pattern := fmt.Sprintf("^p%d$", i)
		s := &structuralschema.Structural{Properties: map[string]structuralschema.Structural{
			"a": {ValueValidation: &structuralschema.ValueValidation{AnyOf: []structuralschema.NestedValueValidation{{ValueValidation: structuralschema.ValueValidation{Pattern: pattern}}}}},
		}}
		m.add(patternsSize(s), limit)
		if validate.Pattern("", "", fmt.Sprintf("p%d", i), pattern) != nil || validate.Pattern("", "", "q", pattern) == nil {
			t.Fatalf("%s does not match any more", pattern)
		}
		if i > 50 {
			most = max(most, kept())
		}
	}
	if most < 10 || most > 50 {
		t.Errorf("%d patterns are kept, want some and at most 50", most)
	}
}
