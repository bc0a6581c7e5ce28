package networking

import (
	"strings"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// AllocatorName is the label value of an IPAddress that is managed together with the Service that
// has the address.
//
// Source: kubernetes v1.36 pkg/registry/core/service/ipallocator/ipallocator.go, ControllerName
const AllocatorName = "ipallocator.k8s.io"

// IPAddress is networking.k8s.io/v1 IPAddress: an address, which is its name, and its owner. If a
// user creates one, no Service gets the address.
//
// Source: kubernetes v1.36 pkg/registry/networking/ipaddress/strategy.go
var IPAddress = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "networking.k8s.io", Version: "v1", Kind: "IPAddress", Plural: "ipaddresses",
		New: func() object.Object { return &networkingv1.IPAddress{} },
	},
	Singular:   "ipaddress",
	ShortNames: []string{"ip"},
	NewList:    func() runtime.Object { return &networkingv1.IPAddressList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "ParentRef", Type: "string", Description: networkingv1.IPAddressSpec{}.SwaggerDoc()["parentRef"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*networkingv1.IPAddress]{
	Default:       func(*networkingv1.IPAddress) {},
	PrepareCreate: func(*networkingv1.IPAddress) {},
	Validate:      validateIPAddress,
	ValidateUpdate: func(a, was *networkingv1.IPAddress) field.ErrorList {
		errs := append(validateIPAddress(a), check.MetaUpdate(&a.ObjectMeta, &was.ObjectMeta)...)
		if !equality.Semantic.DeepEqual(a.Spec.ParentRef, was.Spec.ParentRef) {
			errs = append(errs, field.Invalid(field.NewPath("spec", "parentRef"), check.Untagged(a.Spec.ParentRef), validation.FieldImmutableErrorMsg))
		}
		return errs
	},
	Row: func(o *networkingv1.IPAddress, _ time.Time) []any {
		return []any{o.GetName(), parentCell(o)}
	},
})

// Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIPAddress
func validateIPAddress(a *networkingv1.IPAddress) field.ErrorList {
	errs := check.Meta(&a.ObjectMeta, false, func(name string, _ bool) (texts []string) {
		for _, err := range utilvalidation.IsValidIP(nil, name) {
			texts = append(texts, err.Detail)
		}
		return texts
	})
	path, parent := field.NewPath("spec", "parentRef"), a.Spec.ParentRef
	if parent == nil {
		return append(errs, field.Required(path, ""))
	}
	if parent.Group != "" {
		errs = append(errs, check.Invalid(path.Child("group"), parent.Group, utilvalidation.IsDNS1123Subdomain(parent.Group))...)
	}
	segment := func(name, value string, required bool) {
		if value == "" && required {
			errs = append(errs, field.Required(path.Child(name), ""))
		} else if value != "" {
			errs = append(errs, check.Invalid(path.Child(name), value, content.IsPathSegmentName(value))...)
		}
	}
	segment("resource", parent.Resource, true)
	segment("name", parent.Name, true)
	segment("namespace", parent.Namespace, false)
	return errs
}

// parentCell prints the owner of an address.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printIPAddress
func parentCell(a *networkingv1.IPAddress) string {
	parent := a.Spec.ParentRef
	if parent == nil {
		return "<none>"
	}
	text := strings.ToLower(schema.GroupResource{Group: parent.Group, Resource: parent.Resource}.String())
	if parent.Namespace != "" {
		text += "/" + parent.Namespace
	}
	return text + "/" + parent.Name
}
