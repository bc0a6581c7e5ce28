package kind

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/object"
)

// PodTemplate is core/v1 PodTemplate: a template that nothing uses.
//
// Source: kubernetes v1.36 pkg/registry/core/podtemplate/strategy.go
var PodTemplate = &Kind{
	Type: object.Type{
		Version: "v1", Kind: "PodTemplate", Plural: "podtemplates", Namespaced: true,
		New: func() object.Object { return &corev1.PodTemplate{} },
	},
	Singular: "podtemplate",
	NewList:  func() runtime.Object { return &corev1.PodTemplateList{} },

	Default:       func(o object.Object) { DefaultPodTemplateSpec(&o.(*corev1.PodTemplate).Template) },
	PrepareCreate: func(o object.Object) { o.SetGeneration(1) },
	PrepareUpdate: func(next, old object.Object) {
		if !equality.Semantic.DeepEqual(next.(*corev1.PodTemplate).Template, old.(*corev1.PodTemplate).Template) {
			next.SetGeneration(old.GetGeneration() + 1)
		}
	},
	Admission: templateSecurity(func(o *corev1.PodTemplate) *corev1.PodTemplateSpec { return &o.Template }),
	Validate: func(o object.Object) field.ErrorList {
		t := o.(*corev1.PodTemplate)
		return append(validateNamespacedMeta(&t.ObjectMeta), validatePodTemplateSpec(&t.Template, field.NewPath("template"))...)
	},
	ValidateUpdate: func(next, old object.Object) field.ErrorList {
		t, was := next.(*corev1.PodTemplate), old.(*corev1.PodTemplate)
		errs := validateObjectMetaUpdate(&t.ObjectMeta, &was.ObjectMeta)
		return append(errs, validatePodTemplateSpec(&t.Template, field.NewPath("template"))...)
	},
	Warnings: func(next, old object.Object) []string {
		if old != nil && next.GetGeneration() == old.GetGeneration() {
			return nil
		}
		return warnOfTemplate(field.NewPath("template"), &next.(*corev1.PodTemplate).Template)
	},

	Columns: []metav1.TableColumnDefinition{
		nameColumn,
		{Name: "Containers", Type: "string", Description: containersColumn.Description},
		{Name: "Images", Type: "string", Description: imagesColumn.Description},
		{Name: "Pod Labels", Type: "string", Description: "The labels for the pod template."},
	},
	Row: func(o object.Object, _ time.Time) []any {
		t := o.(*corev1.PodTemplate)
		names, images := containerCells(t.Template.Spec.Containers)
		return []any{t.Name, names, images, labels.FormatLabels(t.Template.Labels)}
	},
	UnconditionalUpdate: true,
}
