package node

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// RuntimeClass is node.k8s.io/v1 RuntimeClass: the handler that runs a Pod's containers, its
// overhead, and the nodes that have it. Emulated nodes have every handler.
//
// Source: kubernetes v1.36 pkg/registry/node/runtimeclass/strategy.go
//
// Differs: the column Handler has a description, because every column has one. Upstream looks it up
// in the wrong type and finds none.
var RuntimeClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass", Plural: "runtimeclasses",
		New: func() object.Object { return &nodev1.RuntimeClass{} },
	},
	Singular: "runtimeclass",
	NewList:  func() runtime.Object { return &nodev1.RuntimeClassList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Handler", Type: "string", Description: nodev1.RuntimeClass{}.SwaggerDoc()["handler"]},
		kind.AgeColumn,
	},
	UpdateCreates: true,
}, kind.Functions[*nodev1.RuntimeClass]{
	Default:  func(*nodev1.RuntimeClass) {},
	Validate: validateRuntimeClass,
	ValidateUpdate: func(rc, was *nodev1.RuntimeClass) field.ErrorList {
		errs := validateRuntimeClass(rc)
		errs = append(errs, validation.ValidateObjectMetaUpdate(&rc.ObjectMeta, &was.ObjectMeta, field.NewPath("metadata"))...)
		return append(errs, validation.ValidateImmutableField(rc.Handler, was.Handler, field.NewPath("handler"))...)
	},
	Warnings: warnOfRuntimeClass,
	Row: func(rc *nodev1.RuntimeClass, now time.Time) []any {
		return []any{rc.Name, rc.Handler, kind.Age(rc.CreationTimestamp, now)}
	},
})

// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, ValidateRuntimeClass
func validateRuntimeClass(rc *nodev1.RuntimeClass) field.ErrorList {
	errs := validation.ValidateObjectMeta(&rc.ObjectMeta, false, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	if rc.Handler == "" {
		errs = append(errs, field.Required(field.NewPath("handler"), ""))
	} else {
		errs = append(errs, check.DNSLabel(rc.Handler, field.NewPath("handler"))...)
	}
	if rc.Overhead != nil {
		overhead := &corev1.ResourceRequirements{Limits: rc.Overhead.PodFixed}
		errs = append(errs, podspec.ValidateResources(overhead, check.ContainerResourceName, &podspec.Context{}, field.NewPath("overhead"))...)
	}
	if s := rc.Scheduling; s != nil {
		path := field.NewPath("scheduling")
		errs = append(errs, check.Labels(s.NodeSelector, path.Child("nodeSelector"))...)
		errs = append(errs, validateClassTolerations(s.Tolerations, path.Child("tolerations"))...)
	}
	return errs
}

// validateClassTolerations validates tolerations, which must be distinct.
//
// Source: kubernetes v1.36 pkg/apis/node/validation/validation.go, validateTolerations
func validateClassTolerations(tolerations []corev1.Toleration, path *field.Path) field.ErrorList {
	errs := podspec.ValidateTolerations(tolerations, path)
	seen := map[corev1.Toleration]bool{}
	for i, t := range tolerations {
		key := corev1.Toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect}
		if seen[key] {
			errs = append(errs, field.Duplicate(path.Index(i), check.Untagged(t)))
		}
		seen[key] = true
	}
	return errs
}

// warnOfRuntimeClass warns about a node selector with deprecated labels.
//
// Source: kubernetes v1.36 pkg/api/node/util.go, GetWarningsForRuntimeClass
func warnOfRuntimeClass(next, _ *nodev1.RuntimeClass) []string {
	s := next.Scheduling
	if s == nil {
		return nil
	}
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(s.NodeSelector)) {
		if text, deprecated := check.DeprecatedNodeLabels[key]; deprecated {
			texts = append(texts, "scheduling.nodeSelector: "+text)
		}
	}
	return texts
}
