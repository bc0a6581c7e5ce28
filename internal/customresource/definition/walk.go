package definition

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// walk visits a schema and its descendants.
type walk struct {
	*checker
	unchanged bool
	total     total
}

// visit validates a schema and its descendants. If p is nil, it does not validate rules.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionOpenAPISchema
func (w *walk) visit(s *apiextensions.JSONSchemaProps, path *field.Path, in inside, p *place) (f findings) {
	if s == nil {
		return findings{}
	}
	f.schema = checkSupported(s, in, path)
	if s.UniqueItems {
		f.schema = append(f.schema, field.Forbidden(path.Child("uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"))
	}
	below := in
	below.root = false
	f.add(w.visitFields(s, path, in, p))
	f.add(w.visit(s.Not, path.Child("not"), below, nil))
	for _, group := range []struct {
		name string
		all  []apiextensions.JSONSchemaProps
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}} {
		for i := range group.all {
			f.add(w.visit(&group.all[i], path.Child(group.name).Index(i), below, nil))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Definitions)) {
		definition := s.Definitions[name]
		f.add(w.visit(&definition, path.Child("definitions").Key(name), below, nil))
	}
	f.add(w.visitItems(s, path, below, p))
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		f.add(w.visit(s.Dependencies[name].Schema, path.Child("dependencies").Key(name), below, nil))
	}
	f.schema = append(f.schema, checkExtensions(s, path)...)
	f.schema = append(f.schema, checkRules(s, path.Child("x-kubernetes-validations"))...)
	if len(s.XValidations) > 0 && len(f.schema) == 0 && p != nil {
		f.rules = append(f.rules, w.checkCompiled(s, path.Child("x-kubernetes-validations"), in, p)...)
	}
	return f
}

// visitFields validates the schemas of an object's fields.
func (w *walk) visitFields(s *apiextensions.JSONSchemaProps, path *field.Path, in inside, p *place) (f findings) {
	below := in
	below.root = false
	if more := s.AdditionalProperties; more != nil {
		if len(s.Properties) > 0 && (!more.Allows || more.Schema != nil) {
			f.schema = append(f.schema, field.Forbidden(path.Child("additionalProperties"), "additionalProperties and properties are mutual exclusive"))
		}
		of := below
		if of.meta {
			of.noDefaults = "inside additionalProperties applying to object metadata"
		}
		f.add(w.visit(more.Schema, path.Child("additionalProperties"), of, p.value(more.Schema)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property, of := s.Properties[name], below
		if !cel.MapIsCorrelatable(s.XMapType) {
			of = of.losing(path)
		}
		if (in.root || s.XEmbeddedResource) && (name == "metadata" || name == "kind" || name == "apiVersion") {
			of.meta = true
			if in.root {
				of.noDefaults = "in top-level " + name
			}
		}
		f.add(w.visit(&property, path.Child("properties").Key(name), of, p.property(&property, name)))
	}
	return f
}

// visitItems validates the schema of a list's items. Only items of lists of type map can be matched
// with those of the old object.
func (w *walk) visitItems(s *apiextensions.JSONSchemaProps, path *field.Path, below inside, p *place) (f findings) {
	if s.Items == nil {
		return findings{}
	}
	if s.XListType == nil || *s.XListType != "map" {
		below = below.losing(path)
	}
	f.add(w.visit(s.Items.Schema, path.Child("items"), below, p.item(s.Items.Schema)))
	for i := range s.Items.JSONSchemas {
		item := &s.Items.JSONSchemas[i]
		f.add(w.visit(item, path.Child("items").Index(i), below, p.item(item)))
	}
	return f
}

// inside describes the ancestors of a schema.
type inside struct {
	root bool // the schema is the root itself
	meta bool // the schema is in an object's metadata, kind, or apiVersion
	// noDefaults is where defaults are forbidden, "in top-level metadata"; "" if they are allowed.
	noDefaults string
	// uncorrelated is the path of the outermost ancestor whose values cannot be matched with those
	// of the old object, or nil. Rules below it cannot use oldSelf.
	uncorrelated *field.Path
}

// losing returns in for the children of a node whose values cannot be matched with old ones.
func (in inside) losing(path *field.Path) inside {
	if in.uncorrelated == nil {
		in.uncorrelated = path
	}
	return in
}

// findings holds the errors of a schema and its descendants. Those of rules are separate, because
// rules are validated only in a schema without other errors.
type findings struct{ schema, rules field.ErrorList }

func (f *findings) add(more findings) {
	f.schema = append(f.schema, more.schema...)
	f.rules = append(f.rules, more.rules...)
}

// supportedTypes are the types that a schema may name.
var supportedTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// checkSupported rejects the parts of JSON Schema that a schema may not use.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// specStandardValidatorV3, validate
func checkSupported(s *apiextensions.JSONSchemaProps, in inside, path *field.Path) (errs field.ErrorList) {
	if s.Type != "" && !slices.Contains(supportedTypes, s.Type) {
		errs = append(errs, field.NotSupported(path.Child("type"), s.Type, supportedTypes))
	}
	if s.Default != nil && in.noDefaults != "" {
		errs = append(errs, field.Forbidden(path.Child("default"), "must not be set "+in.noDefaults))
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"id", s.ID != ""},
		{"additionalItems", s.AdditionalItems != nil},
		{"patternProperties", len(s.PatternProperties) > 0},
		{"definitions", len(s.Definitions) > 0},
		{"dependencies", s.Dependencies != nil},
		{"$ref", s.Ref != nil},
	} {
		if f.set {
			errs = append(errs, field.Forbidden(path.Child(f.name), f.name+" is not supported"))
		}
	}
	if s.Type == "null" {
		errs = append(errs, field.Forbidden(path.Child("type"), "type cannot be set to null, use nullable as an alternative"))
	}
	if s.Items != nil && len(s.Items.JSONSchemas) > 0 {
		errs = append(errs, field.Forbidden(path.Child("items"), "items must be a schema object and not an array"))
	}
	if in.meta && s.XEmbeddedResource {
		errs = append(errs, field.Forbidden(path.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"))
	}
	return errs
}

// checkCompiled compiles the rules of a schema that is otherwise valid, and validates them and
// their cost; path is that of the rules.
func (w *walk) checkCompiled(s *apiextensions.JSONSchemaProps, path *field.Path, in inside, p *place) (errs field.ErrorList) {
	if err := w.ctx.Err(); err != nil {
		return field.ErrorList{field.InternalError(path, err)}
	}
	t, err := p.types()
	if err != nil {
		return field.ErrorList{field.InternalError(path, fmt.Errorf(
			"internal error: failed to construct type information for x-kubernetes-validations rules: %w",
			err,
		))}
	}
	if t == nil {
		return field.ErrorList{field.InternalError(path, errors.New("internal error: failed to retrieve type information for x-kubernetes-validations"))}
	}
	compiled, err := cel.Compile(t.schema, t.declared, celconfig.PerCallLimit, environments(), w.known)
	if err != nil {
		return field.ErrorList{field.InternalError(path, err)}
	}
	for i := range compiled {
		errs = append(errs, w.checkRule(&s.XValidations[i], &compiled[i], path.Index(i), in, p)...)
	}
	return errs
}

// checkRule validates a compiled rule.
func (w *walk) checkRule(r *apiextensions.ValidationRule, c *cel.CompilationResult, path *field.Path, in inside, p *place) field.ErrorList {
	rule := path.Child("rule")
	errs := w.charge(rule, "estimated rule cost", p.cost(c))
	if c.Error != nil {
		if c.Error.Type == apiservercel.ErrorTypeRequired {
			errs = append(errs, field.Required(rule, c.Error.Detail))
		} else {
			errs = append(errs, field.Invalid(rule, *r, c.Error.Detail))
		}
	}
	switch message := path.Child("messageExpression"); {
	case c.MessageExpressionError != nil:
		errs = append(errs, field.Invalid(message, *r, c.MessageExpressionError.Detail))
	case c.MessageExpression != nil:
		errs = append(errs, w.charge(message, "estimated messageExpression cost", c.MessageExpressionMaxCost)...)
	}
	switch {
	case c.UsesOldSelf && in.uncorrelated != nil:
		errs = append(errs, field.Invalid(rule, r.Rule, fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion of the schema within %v", in.uncorrelated)))
	case !c.UsesOldSelf && r.OptionalOldSelf != nil:
		errs = append(errs, field.Invalid(path.Child("optionalOldSelf"), *r.OptionalOldSelf, "may not be set if oldSelf is not used in rule"))
	}
	return errs
}

// charge adds the cost of an expression to the total, and checks its limit unless the update does
// not change the schema.
func (w *walk) charge(path *field.Path, what string, cost uint64) (errs field.ErrorList) {
	if cost > maxExpressionCost && !w.unchanged {
		errs = field.ErrorList{field.Forbidden(path, tooCostly(what, cost, maxExpressionCost))}
	}
	w.total.add(path, cost)
	return errs
}
