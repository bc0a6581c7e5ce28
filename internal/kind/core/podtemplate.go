package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/object"
)

// PodTemplate is core/v1 PodTemplate: a template that nothing uses.
//
// Source: kubernetes v1.36 pkg/registry/core/podtemplate/strategy.go
var PodTemplate = &kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "PodTemplate", Plural: "podtemplates", Namespaced: true,
		New: func() object.Object { return &corev1.PodTemplate{} },
	},
	Singular: "podtemplate",
	NewList:  func() runtime.Object { return &corev1.PodTemplateList{} },

	Default:       func(o object.Object) { podspec.DefaultTemplate(&o.(*corev1.PodTemplate).Template) },
	PrepareCreate: func(o object.Object) { o.SetGeneration(1) },
	PrepareUpdate: func(next, old object.Object) {
		if !equality.Semantic.DeepEqual(next.(*corev1.PodTemplate).Template, old.(*corev1.PodTemplate).Template) {
			next.SetGeneration(old.GetGeneration() + 1)
		}
	},
	Admission: security.Templates(func(o *corev1.PodTemplate) *corev1.PodTemplateSpec { return &o.Template }),
	Validate: func(o object.Object) field.ErrorList {
		t := o.(*corev1.PodTemplate)
		return append(check.NamespacedMeta(&t.ObjectMeta), podspec.ValidateTemplate(&t.Template, field.NewPath("template"))...)
	},
	ValidateUpdate: func(next, old object.Object) field.ErrorList {
		t, was := next.(*corev1.PodTemplate), old.(*corev1.PodTemplate)
		errs := check.MetaUpdate(&t.ObjectMeta, &was.ObjectMeta)
		return append(errs, podspec.ValidateTemplate(&t.Template, field.NewPath("template"))...)
	},
	Warnings: func(next, old object.Object) []string {
		if old != nil && next.GetGeneration() == old.GetGeneration() {
			return nil
		}
		return podspec.WarnOfTemplate(field.NewPath("template"), &next.(*corev1.PodTemplate).Template)
	},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Containers", Type: "string", Description: kind.ContainersColumn.Description},
		{Name: "Images", Type: "string", Description: kind.ImagesColumn.Description},
		{Name: "Pod Labels", Type: "string", Description: "The labels for the pod template."},
	},
	Row: func(o object.Object, _ time.Time) []any {
		t := o.(*corev1.PodTemplate)
		names, images := kind.ContainerCells(t.Template.Spec.Containers)
		return []any{t.Name, names, images, labels.FormatLabels(t.Template.Labels)}
	},
	UnconditionalUpdate: true,
}
