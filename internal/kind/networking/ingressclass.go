package networking

import (
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// ingressClassAnnotation is the older form of an Ingress's class.
const ingressClassAnnotation = "kubernetes.io/ingress.class"

// maxIngressController is the maximum length of a controller's name.
const maxIngressController = 250

// parameterScopes are the scopes that the parameters of an IngressClass may have.
var parameterScopes = []string{
	networkingv1.IngressClassParametersReferenceScopeCluster, networkingv1.IngressClassParametersReferenceScopeNamespace,
}

// IngressClass is networking.k8s.io/v1 IngressClass: the controller that implements an Ingress.
//
// Source: kubernetes v1.36 pkg/registry/networking/ingressclass/strategy.go
var IngressClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "networking.k8s.io", Version: "v1", Kind: "IngressClass", Plural: "ingressclasses",
		New: func() object.Object { return &networkingv1.IngressClass{} },
	},
	Singular: "ingressclass",
	NewList:  func() runtime.Object { return &networkingv1.IngressClassList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Controller", Type: "string", Description: "Controller that is responsible for handling this class"},
		{Name: "Parameters", Type: "string", Description: "A reference to a resource with additional parameters"},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*networkingv1.IngressClass]{
	Default: func(o *networkingv1.IngressClass) {
		if p := o.Spec.Parameters; p != nil {
			kind.SetDefault(&p.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
		}
	},
	PrepareCreate: func(o *networkingv1.IngressClass) { o.SetGeneration(1) },
	PrepareUpdate: func(next, old *networkingv1.IngressClass) {
		if !equality.Semantic.DeepEqual(next.Spec, old.Spec) {
			next.SetGeneration(old.GetGeneration() + 1)
		}
	},
	Validate: validateIngressClass,
	ValidateUpdate: func(ic, was *networkingv1.IngressClass) field.ErrorList {
		errs := check.MetaUpdate(&ic.ObjectMeta, &was.ObjectMeta)
		errs = append(errs, validation.ValidateImmutableField(ic.Spec.Controller, was.Spec.Controller, field.NewPath("spec", "controller"))...)
		return append(errs, validateIngressClass(ic)...)
	},
	Row: ingressClassRow,
})

// isDefaultIngressClass reports whether the class is the default for Ingresses without one.
func isDefaultIngressClass(ic *networkingv1.IngressClass) bool {
	return ic.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true"
}

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressClass
func validateIngressClass(ic *networkingv1.IngressClass) field.ErrorList {
	errs := check.Meta(&ic.ObjectMeta, false, validation.NameIsDNSSubdomain)
	path := field.NewPath("spec")
	controller := path.Child("controller")
	if len(ic.Spec.Controller) > maxIngressController {
		errs = append(errs, field.TooLong(controller, "", maxIngressController))
	}
	errs = append(errs, utilvalidation.IsDomainPrefixedPath(controller, ic.Spec.Controller)...)
	return append(errs, validateClassParameters(ic.Spec.Parameters, path.Child("parameters"))...)
}

// validateClassParameters validates a reference to parameters, which may be nil.
//
// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, validateIngressClassParametersReference
func validateClassParameters(p *networkingv1.IngressClassParametersReference, path *field.Path) field.ErrorList {
	if p == nil {
		return nil
	}
	var errs field.ErrorList
	if p.APIGroup != nil {
		errs = append(errs, check.Invalid(path.Child("apiGroup"), *p.APIGroup, utilvalidation.IsDNS1123Subdomain(*p.APIGroup))...)
	}
	errs = append(errs, check.PathSegment(p.Kind, path.Child("kind"))...)
	errs = append(errs, check.PathSegment(p.Name, path.Child("name"))...)
	if p.Scope == nil {
		return append(errs, field.Required(path.Child("scope"), ""))
	}
	namespace := path.Child("namespace")
	switch *p.Scope {
	case networkingv1.IngressClassParametersReferenceScopeNamespace:
		if p.Namespace == nil {
			errs = append(errs, field.Required(namespace, "`parameters.scope` is set to 'Namespace'"))
		} else {
			errs = append(errs, check.DNSLabel(*p.Namespace, namespace)...)
		}
	case networkingv1.IngressClassParametersReferenceScopeCluster:
		if p.Namespace != nil {
			errs = append(errs, field.Forbidden(namespace, "`parameters.scope` is set to 'Cluster'"))
		}
	default:
		errs = append(errs, field.NotSupported(path.Child("scope"), *p.Scope, parameterScopes))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printIngressClass
func ingressClassRow(o *networkingv1.IngressClass, now time.Time) []any {
	ic, parameters := o, "<none>"
	name := ic.Name
	if isDefaultIngressClass(ic) {
		name += " (default)"
	}
	if p := ic.Spec.Parameters; p != nil {
		parameters = p.Kind
		if p.APIGroup != nil {
			parameters += "." + *p.APIGroup
		}
		parameters += "/" + p.Name
	}
	return []any{name, ic.Spec.Controller, parameters, kind.Age(ic.CreationTimestamp, now)}
}
