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
var PodTemplate = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "PodTemplate", Plural: "podtemplates", Namespaced: true,
		New: func() object.Object { return &corev1.PodTemplate{} },
	},
	Singular: "podtemplate",
	NewList:  func() runtime.Object { return &corev1.PodTemplateList{} },

	Admission: security.Templates(func(o *corev1.PodTemplate) *corev1.PodTemplateSpec { return &o.Template }),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Containers", Type: "string", Description: kind.ContainersColumn.Description},
		{Name: "Images", Type: "string", Description: kind.ImagesColumn.Description},
		{Name: "Pod Labels", Type: "string", Description: "The labels for the pod template."},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*corev1.PodTemplate]{
	Default:       func(o *corev1.PodTemplate) { podspec.DefaultTemplate(&o.Template) },
	PrepareCreate: func(o *corev1.PodTemplate) { o.SetGeneration(1) },
	PrepareUpdate: func(next, old *corev1.PodTemplate) {
		if !equality.Semantic.DeepEqual(next.Template, old.Template) {
			next.SetGeneration(old.GetGeneration() + 1)
		}
	},
	Validate: func(t *corev1.PodTemplate) field.ErrorList {
		return append(check.NamespacedMeta(&t.ObjectMeta), podspec.ValidateTemplate(&t.Template, field.NewPath("template"))...)
	},
	ValidateUpdate: func(t, was *corev1.PodTemplate) field.ErrorList {
		errs := check.MetaUpdate(&t.ObjectMeta, &was.ObjectMeta)
		return append(errs, podspec.ValidateTemplate(&t.Template, field.NewPath("template"))...)
	},
	Warnings: func(next, old *corev1.PodTemplate) []string {
		if old != nil && next.GetGeneration() == old.GetGeneration() {
			return nil
		}
		return podspec.WarnOfTemplate(field.NewPath("template"), &next.Template)
	},
	Row: func(t *corev1.PodTemplate, _ time.Time) []any {
		names, images := kind.ContainerCells(t.Template.Spec.Containers)
		return []any{t.Name, names, images, labels.FormatLabels(t.Template.Labels)}
	},
})
