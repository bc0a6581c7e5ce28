package flowcontrol

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchema
func validateFlowSchema(s *flowcontrolv1.FlowSchema) field.ErrorList {
	path := field.NewPath("spec")
	errs := append(check.Meta(&s.ObjectMeta, false, validation.NameIsDNSSubdomain), validateFlowSchemaSpec(s, path)...)
	for _, fixed := range mandatoryFlowSchemas() {
		if fixed.Name == s.Name && !equality.Semantic.DeepEqual(s.Spec, fixed.Spec) {
			errs = append(errs, field.Invalid(path, check.Untagged(s.Spec), fmt.Sprintf("spec of '%s' must equal the fixed value", s.Name)))
		}
	}
	return append(errs, validateFlowSchemaStatus(&s.Status)...)
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaSpec
func validateFlowSchemaSpec(s *flowcontrolv1.FlowSchema, path *field.Path) (errs field.ErrorList) {
	spec, precedence := &s.Spec, path.Child("matchingPrecedence")
	if spec.MatchingPrecedence <= 0 {
		errs = append(errs, field.Invalid(precedence, spec.MatchingPrecedence, "must be a positive value"))
	}
	if spec.MatchingPrecedence > flowcontrolv1.FlowSchemaMaxMatchingPrecedence {
		errs = append(errs, field.Invalid(precedence, spec.MatchingPrecedence,
			fmt.Sprintf("must not be greater than %v", flowcontrolv1.FlowSchemaMaxMatchingPrecedence)))
	}
	if spec.MatchingPrecedence == 1 && s.Name != flowcontrolv1.FlowSchemaNameExempt {
		errs = append(errs, field.Invalid(precedence, spec.MatchingPrecedence, "only the schema named 'exempt' may have matchingPrecedence 1"))
	}
	methods := []flowcontrolv1.FlowDistinguisherMethodType{
		flowcontrolv1.FlowDistinguisherMethodByNamespaceType, flowcontrolv1.FlowDistinguisherMethodByUserType,
	}
	if m := spec.DistinguisherMethod; m != nil && !slices.Contains(methods, m.Type) {
		errs = append(errs, field.NotSupported(path.Child("distinguisherMethod", "type"), check.Untagged(m), methods))
	}
	level := path.Child("priorityLevelConfiguration", "name")
	if name := spec.PriorityLevelConfiguration.Name; name == "" {
		errs = append(errs, field.Required(level, "must reference a priority level"))
	} else {
		errs = append(errs, check.Invalid(level, name, validation.NameIsDNSSubdomain(name, false))...)
	}
	for i := range spec.Rules {
		errs = append(errs, validateFlowRule(&spec.Rules[i], path.Child("rules").Index(i))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaPolicyRulesWithSubjects
func validateFlowRule(r *flowcontrolv1.PolicyRulesWithSubjects, path *field.Path) (errs field.ErrorList) {
	if len(r.Subjects) == 0 {
		errs = append(errs, field.Required(path.Child("subjects"), "subjects must contain at least one value"))
	}
	for i := range r.Subjects {
		errs = append(errs, validateFlowSubject(&r.Subjects[i], path.Child("subjects").Index(i))...)
	}
	if len(r.ResourceRules) == 0 && len(r.NonResourceRules) == 0 {
		errs = append(errs, field.Required(path, "at least one of resourceRules and nonResourceRules has to be non-empty"))
	}
	for i := range r.ResourceRules {
		errs = append(errs, validateResourceRule(&r.ResourceRules[i], path.Child("resourceRules").Index(i))...)
	}
	for i := range r.NonResourceRules {
		errs = append(errs, validateURLRule(&r.NonResourceRules[i], path.Child("nonResourceRules").Index(i))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaSubject
func validateFlowSubject(s *flowcontrolv1.Subject, path *field.Path) (errs field.ErrorList) {
	forbidden := func(name string, given bool, kind flowcontrolv1.SubjectKind) {
		if given && s.Kind != kind {
			errs = append(errs, field.Forbidden(path.Child(name), fmt.Sprintf("%s is forbidden when subject kind is not '%s'", name, kind)))
		}
	}
	missing := func(name string) {
		errs = append(errs, field.Required(path.Child(name), fmt.Sprintf("%s is required when subject kind is '%s'", name, s.Kind)))
	}
	named := func(name, value string) {
		if value == "" {
			errs = append(errs, field.Required(path.Child(name, "name"), ""))
		}
	}
	switch s.Kind {
	case flowcontrolv1.SubjectKindServiceAccount:
		if s.ServiceAccount == nil {
			missing("serviceAccount")
		} else {
			errs = append(errs, validateAccountSubject(s.ServiceAccount, path.Child("serviceAccount"))...)
		}
	case flowcontrolv1.SubjectKindUser:
		if s.User == nil {
			missing("user")
		} else {
			named("user", s.User.Name)
		}
	case flowcontrolv1.SubjectKindGroup:
		if s.Group == nil {
			missing("group")
		} else {
			named("group", s.Group.Name)
		}
	default:
		return field.ErrorList{field.NotSupported(path.Child("kind"), s.Kind, []flowcontrolv1.SubjectKind{
			flowcontrolv1.SubjectKindGroup, flowcontrolv1.SubjectKindServiceAccount, flowcontrolv1.SubjectKindUser,
		})}
	}
	forbidden("serviceAccount", s.ServiceAccount != nil, flowcontrolv1.SubjectKindServiceAccount)
	forbidden("user", s.User != nil, flowcontrolv1.SubjectKindUser)
	forbidden("group", s.Group != nil, flowcontrolv1.SubjectKindGroup)
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateServiceAccountSubject
func validateAccountSubject(s *flowcontrolv1.ServiceAccountSubject, path *field.Path) (errs field.ErrorList) {
	switch s.Name {
	case "":
		errs = append(errs, field.Required(path.Child("name"), ""))
	case flowcontrolv1.NameAll:
	default:
		errs = append(errs, check.Invalid(path.Child("name"), s.Name, validation.ValidateServiceAccountName(s.Name, false))...)
	}
	if s.Namespace == "" {
		return append(errs, field.Required(path.Child("namespace"), "must specify namespace for service account"))
	}
	return append(errs, check.Invalid(path.Child("namespace"), s.Namespace, validation.ValidateNamespaceName(s.Namespace, false))...)
}

// flowVerbs are the verbs of requests, in the order in which errors list them.
var flowVerbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"}

// validateFlowVerbs validates the verbs of a rule.
func validateFlowVerbs(verbs []string, path *field.Path) field.ErrorList {
	errs := validateWildcard(verbs, path, "verbs must contain at least one value", "verbs")
	unknown := func(v string) bool { return !slices.Contains(flowVerbs, v) }
	if len(errs) == 0 && !slices.Contains(verbs, "*") && slices.ContainsFunc(verbs, unknown) {
		errs = field.ErrorList{field.NotSupported(path, verbs, flowVerbs)}
	}
	return errs
}

// validateWildcard requires at least one value, and no other if one is "*".
func validateWildcard(values []string, path *field.Path, missing, what string) field.ErrorList {
	switch {
	case len(values) == 0:
		return field.ErrorList{field.Required(path, missing)}
	case len(values) > 1 && slices.Contains(values, "*"):
		return field.ErrorList{field.Invalid(path, values, "if '*' is present, must not specify other "+what)}
	}
	return nil
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaResourcePolicyRule
func validateResourceRule(r *flowcontrolv1.ResourcePolicyRule, path *field.Path) field.ErrorList {
	errs := validateFlowVerbs(r.Verbs, path.Child("verbs"))
	errs = append(errs, validateWildcard(r.APIGroups, path.Child("apiGroups"), "resource rules must supply at least one api group", "api groups")...)
	errs = append(errs, validateWildcard(r.Resources, path.Child("resources"), "resource rules must supply at least one resource", "resources")...)
	namespaces := path.Child("namespaces")
	if len(r.Namespaces) == 0 && r.ClusterScope {
		return errs
	}
	errs = append(errs, validateWildcard(r.Namespaces, namespaces,
		"resource rules that are not cluster scoped must supply at least one namespace", "namespaces")...)
	if slices.Contains(r.Namespaces, "*") {
		return errs
	}
	for i, name := range r.Namespaces {
		for _, wrong := range validation.ValidateNamespaceName(name, false) {
			errs = append(errs, field.Invalid(namespaces.Index(i), name, "each member of this list must be '*' or a DNS-1123 label; "+wrong))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaNonResourcePolicyRule
func validateURLRule(r *flowcontrolv1.NonResourcePolicyRule, path *field.Path) field.ErrorList {
	errs, urls := validateFlowVerbs(r.Verbs, path.Child("verbs")), path.Child("nonResourceURLs")
	errs = append(errs, validateWildcard(r.NonResourceURLs, urls, "nonResourceURLs must contain at least one value", "non-resource URLs")...)
	if slices.Contains(r.NonResourceURLs, "*") {
		return errs
	}
	for i, url := range r.NonResourceURLs {
		if wrong := wrongURL(url); wrong != "" {
			errs = append(errs, field.Invalid(urls.Index(i), url, wrong))
		}
	}
	return errs
}

// wrongURL returns what is wrong with a non-resource path; "" if it is valid.
//
// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateNonResourceURLPath
func wrongURL(url string) string {
	stars := strings.Count(url, "*")
	switch {
	case url == "":
		return "must not be empty"
	case url == "/":
		return ""
	case !strings.HasPrefix(url, "/"):
		return "must start with slash"
	case strings.Contains(url, " "):
		return "must not contain white-space"
	case strings.Contains(url, "//"):
		return "must not contain double slash"
	case stars > 1 || stars == 1 && !strings.HasSuffix(url, "/*"):
		return "wildcard can only do suffix matching"
	}
	return ""
}

// Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidateFlowSchemaStatus
func validateFlowSchemaStatus(s *flowcontrolv1.FlowSchemaStatus) field.ErrorList {
	types := make([]string, len(s.Conditions))
	for i, c := range s.Conditions {
		types[i] = string(c.Type)
	}
	return validateConditionTypes(types)
}

// validateConditionTypes requires that each condition of a status has a type, and that types are
// unique.
func validateConditionTypes(types []string) (errs field.ErrorList) {
	path := field.NewPath("status", "conditions")
	for i, t := range types {
		if slices.Contains(types[:i], t) {
			errs = append(errs, field.Duplicate(path.Index(i).Child("type"), t))
		}
		if t == "" {
			errs = append(errs, field.Required(path.Index(i).Child("type"), ""))
		}
	}
	return errs
}
