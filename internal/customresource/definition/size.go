package definition

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/customresource"
)

// What a schema may have, in all its parts together. The largest real ones stay ten times below
// these bounds.
//
// Differs: upstream has no such bounds, and a body of 100 kB can make it use gigabytes.
const (
	// maxPaths is how many bytes the paths of all parts take. Every fault names the path that leads
	// to it.
	maxPaths = 64 << 20
	// maxPatterns is how many instructions the programs of all patterns have, and
	// customresource.PatternCost for each. One takes about 50 bytes.
	maxPatterns = 500_000
	// maxRules is how many rules there are. One takes half a millisecond to compile, and 70 kB.
	maxRules = 2_000
	// maxRuleText is how many bytes the expressions of all rules have.
	maxRuleText = 256 << 10
)

// size is what a schema has.
type size struct{ paths, patterns, rules, ruleText int }

// checkSize judges the size of a schema. A schema that is too large is judged no further.
func checkSize(s *apiextensions.JSONSchemaProps, path *field.Path) *field.Error {
	n := size{}
	n.add(s, len(path.String()))
	if fault := n.fault(); fault != "" {
		return field.Forbidden(path, fault)
	}
	return nil
}

// fault says what is too much; "" for nothing.
func (n *size) fault() string {
	switch {
	case n.paths > maxPaths:
		return "too many fields are nested too deeply, or under names that are too long"
	case n.patterns > maxPatterns:
		return "the patterns are too large"
	case n.rules > maxRules || n.ruleText > maxRuleText:
		return "there are too many x-kubernetes-validations, or they are too long"
	}
	return ""
}

// step is about the longest name of a field of a schema, "x-kubernetes-validations".
const step = 24

// add adds a schema and all below it, until it is too much; at is the length of the path to the
// schema.
func (n *size) add(s *apiextensions.JSONSchemaProps, at int) {
	if s == nil || n.fault() != "" {
		return
	}
	n.paths += at * (1 + len(s.XValidations) + len(s.Required))
	if s.Pattern != "" {
		n.patterns += customresource.PatternCost + customresource.PatternSize(s.Pattern)
	}
	n.rules += len(s.XValidations)
	for _, rule := range s.XValidations {
		n.ruleText += len(rule.Rule) + len(rule.MessageExpression)
	}
	n.add(s.Not, at+step)
	for _, all := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		n.addAll(all, at+step)
	}
	for _, all := range []map[string]apiextensions.JSONSchemaProps{s.Properties, s.PatternProperties, s.Definitions} {
		for name, child := range all {
			n.add(&child, at+step+len(name))
		}
	}
	for name, d := range s.Dependencies {
		n.add(d.Schema, at+step+len(name))
	}
	if s.Items != nil {
		n.add(s.Items.Schema, at+step)
		n.addAll(s.Items.JSONSchemas, at+step)
	}
	if s.AdditionalProperties != nil {
		n.add(s.AdditionalProperties.Schema, at+step)
	}
	if s.AdditionalItems != nil {
		n.add(s.AdditionalItems.Schema, at+step)
	}
}

func (n *size) addAll(all []apiextensions.JSONSchemaProps, at int) {
	for i := range all {
		n.add(&all[i], at)
	}
}
