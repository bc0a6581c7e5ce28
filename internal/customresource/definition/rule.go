package definition

import (
	"slices"
	"strings"
	"sync"

	celgo "github.com/google/cel-go/cel"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
)

// environments returns the environments in which rules are compiled. Building them takes
// milliseconds, so the first rule does it.
var environments = sync.OnceValue(func() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
})

// expressions holds the expressions of a definition before an update. Stored expressions may use
// functions that this release does not yet allow in new ones.
type expressions struct{ rules, messages sets.Set[string] }

// expressionsOf returns the expressions of a spec.
func expressionsOf(spec *apiextensions.CustomResourceDefinitionSpec) expressions {
	known := expressions{sets.New[string](), sets.New[string]()}
	eachSchema(spec, func(s *apiextensions.JSONSchemaProps) {
		for _, rule := range s.XValidations {
			known.rules.Insert(rule.Rule)
			if rule.MessageExpression != "" {
				known.messages.Insert(rule.MessageExpression)
			}
		}
	})
	return known
}

// RuleEnv returns the environment of a rule.
func (e expressions) RuleEnv(all *environment.EnvSet, rule string) *celgo.Env {
	return environmentOf(all, e.rules.Has(rule))
}

// MessageExpressionEnv returns the environment of a messageExpression.
func (e expressions) MessageExpressionEnv(all *environment.EnvSet, expression string) *celgo.Env {
	return environmentOf(all, e.messages.Has(expression))
}

func environmentOf(all *environment.EnvSet, stored bool) *celgo.Env {
	if stored {
		return all.StoredExpressionsEnv()
	}
	return all.NewExpressionsEnv()
}

// reasons are the values that a rule's reason may have.
var reasons = []string{
	string(apiextensions.FieldValueDuplicate), string(apiextensions.FieldValueForbidden),
	string(apiextensions.FieldValueInvalid), string(apiextensions.FieldValueRequired),
}

// checkRules validates the rules of a schema without compiling them; path is that of the rules.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionOpenAPISchema
func checkRules(s *apiextensions.JSONSchemaProps, path *field.Path) (errs field.ErrorList) {
	for i := range s.XValidations {
		r, at := &s.XValidations[i], path.Index(i)
		if fault := checkMessage(r, at); fault != nil {
			errs = append(errs, fault)
		}
		if r.MessageExpression != "" && blank(r.MessageExpression) {
			errs = append(errs, field.Required(at.Child("messageExpression"), "messageExpression must be non-empty if specified"))
		}
		if r.Reason != nil && !slices.Contains(reasons, string(*r.Reason)) {
			errs = append(errs, field.NotSupported(at.Child("reason"), *r.Reason, reasons))
		}
		if r.FieldPath != "" {
			errs = append(errs, checkFieldPath(s, r.FieldPath, at.Child("fieldPath"))...)
		}
	}
	return errs
}

// checkMessage validates the text of a rule and its message.
func checkMessage(r *apiextensions.ValidationRule, path *field.Path) *field.Error {
	message := path.Child("message")
	switch {
	case blank(r.Rule):
		return field.Required(path.Child("rule"), "rule is not specified")
	case r.Message != "" && blank(r.Message):
		return field.Invalid(message, r.Message, "must be non-empty if specified")
	case hasLines(strings.TrimSpace(r.Message)):
		return field.Invalid(message, r.Message, "must not contain line breaks")
	case hasLines(strings.TrimSpace(r.Rule)) && blank(r.Message):
		return field.Required(message, "message must be specified if rule contains line breaks")
	}
	return nil
}

func checkFieldPath(s *apiextensions.JSONSchemaProps, text string, path *field.Path) (errs field.ErrorList) {
	if blank(text) {
		errs = append(errs, field.Invalid(path, text, "must be non-empty if specified"))
	}
	if hasLines(text) {
		errs = append(errs, field.Invalid(path, text, "must not contain line breaks"))
	}
	structural, err := structuralschema.NewStructural(s)
	if err != nil {
		return errs // reported for the whole schema
	}
	if _, _, err := cel.ValidFieldPath(text, structural); err != nil {
		errs = append(errs, field.Invalid(path, text, "must be a valid path"))
	}
	return errs
}

func hasLines(text string) bool { return strings.ContainsAny(text, "\n\r") }

// blank reports whether a text is empty or only white space.
func blank(text string) bool { return strings.TrimSpace(text) == "" }
