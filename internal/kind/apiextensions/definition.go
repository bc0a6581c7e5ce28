package apiextensions

import (
	"context"
	"slices"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/customresource/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// CustomResourceDefinition is apiextensions.k8s.io/v1 CustomResourceDefinition: a kind defined by a
// client. Package definition turns served definitions into Kinds; package customresource implements
// their semantics.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go
var CustomResourceDefinition = kind.Define(kind.Kind{
	Type: object.Type{
		Group: apiextensionsv1.GroupName, Version: "v1", Kind: "CustomResourceDefinition", Plural: "customresourcedefinitions",
		New: func() object.Object { return &apiextensionsv1.CustomResourceDefinition{} }, Bulk: true,
		Weak: object.WeakTo[apiextensionsv1.CustomResourceDefinition],
	},
	Singular: "customresourcedefinition", ShortNames: []string{"crd", "crds"}, Categories: []string{"api-extensions"},
	NewList: func() runtime.Object { return &apiextensionsv1.CustomResourceDefinitionList{} },

	Status: kind.Through(kind.Write[*apiextensionsv1.CustomResourceDefinition]{
		Prepare: func(d, was *apiextensionsv1.CustomResourceDefinition) {
			d.Spec = *was.Spec.DeepCopy()
			metav1.ResetObjectMetaForStatus(&d.ObjectMeta, &d.ObjectMeta)
		},
		Validate: definition.ValidateStatusUpdate,
	}),

	Columns: kind.CreatedColumns,
	Row:     kind.CreatedRow,
}, kind.Functions[*apiextensionsv1.CustomResourceDefinition]{
	Default:       definition.Default,
	PrepareCreate: definition.PrepareCreate,
	PrepareUpdate: definition.PrepareUpdate,
	Validate: func(o *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
		return definition.Validate(context.Background(), o)
	},
	ValidateUpdate: func(next, old *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
		return definition.ValidateUpdate(context.Background(), next, old)
	},
	Warnings:      definition.Warnings,
	PrepareDelete: beginCleanup,
})

// beginCleanup adds the finalizer that keeps a definition until its objects are deleted.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/etcd.go, Delete
func beginCleanup(d *apiextensionsv1.CustomResourceDefinition, now time.Time) {
	if !slices.Contains(d.Finalizers, apiextensionsv1.CustomResourceCleanupFinalizer) {
		d.Finalizers = append(d.Finalizers, apiextensionsv1.CustomResourceCleanupFinalizer)
	}
	SetDefinitionCondition(d, apiextensionsv1.CustomResourceDefinitionCondition{
		Type: apiextensionsv1.Terminating, Status: apiextensionsv1.ConditionTrue, Reason: "InstanceDeletionPending",
		Message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
	}, now)
}

// SetDefinitionCondition sets a condition of a definition, in place, with a new transition time if
// its status changes; now is cluster time. The observed generation, which only clients set, stays.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go, SetCRDCondition
func SetDefinitionCondition(d *apiextensionsv1.CustomResourceDefinition, c apiextensionsv1.CustomResourceDefinitionCondition, now time.Time) {
	c.LastTransitionTime = metav1.Time{Time: now.Truncate(time.Second)}
	old := apihelpers.FindCRDCondition(d, c.Type)
	if old == nil {
		d.Status.Conditions = append(d.Status.Conditions, c)
		return
	}
	if old.Status == c.Status && !old.LastTransitionTime.IsZero() {
		c.LastTransitionTime = old.LastTransitionTime
	}
	c.ObservedGeneration = old.ObservedGeneration
	*old = c
}
