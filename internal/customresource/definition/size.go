package definition

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/customresource"
)

// Bounds on the total size of a schema. The largest real schemas stay ten times below them.
//
// Differs: upstream has no such bounds: a body of 100 kB can make it use gigabytes.
const (
	// maxPaths limits the total length, in bytes, of the paths of all parts. Each validation error
	// contains the path of its field.
	maxPaths = 64 << 20
	// maxPatterns limits the total number of instructions of all compiled patterns, with
	// customresource.PatternCost added for each pattern. An instruction takes about 50 bytes.
	maxPatterns = 500_000
	// maxRules limits the number of rules. Compiling one takes half a millisecond and 70 kB.
	maxRules = 2_000
	// maxRuleText limits the total length, in bytes, of the expressions of all rules.
	maxRuleText = 256 << 10
)

// size adds up the size of a schema.
type size struct{ paths, patterns, rules, ruleText int }

// checkSize checks the size of a schema. A schema that is too large is not validated further.
func checkSize(s *apiextensions.JSONSchemaProps, path *field.Path) *field.Error {
	n := size{}
	n.add(s, len(path.String()))
	if excess := n.excess(); excess != "" {
		return field.Forbidden(path, excess)
	}
	return nil
}

// excess names the bound that the schema exceeds; "" if it exceeds none.
func (n *size) excess() string {
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

// step is the length in bytes of about the longest field name of a schema,
// "x-kubernetes-validations".
const step = 24

// add adds a schema and its descendants, and stops when a bound is exceeded; at is the length of
// the schema's path.
func (n *size) add(s *apiextensions.JSONSchemaProps, at int) {
	if s == nil || n.excess() != "" {
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
