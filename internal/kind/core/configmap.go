package core

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// immutableData is the error for an update of an immutable ConfigMap or Secret.
const immutableData = "field is immutable when `immutable` is set"

// ConfigMap is core/v1 ConfigMap.
//
// Source: kubernetes v1.36 pkg/registry/core/configmap/strategy.go
var ConfigMap = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true,
		New: func() object.Object { return &corev1.ConfigMap{} },
	},
	Singular:   "configmap",
	ShortNames: []string{"cm"},
	NewList:    func() runtime.Object { return &corev1.ConfigMapList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Data", Type: "string", Description: corev1.ConfigMap{}.SwaggerDoc()["data"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
	Quota:               kind.CountedAs(corev1.ResourceConfigMaps),
}, kind.Functions[*corev1.ConfigMap]{
	Default: func(o *corev1.ConfigMap) {
		if cm := o; cm.Data == nil {
			cm.Data = map[string]string{}
		}
	},
	Validate:       validateConfigMap,
	ValidateUpdate: validateConfigMapUpdate,
	Row: func(cm *corev1.ConfigMap, now time.Time) []any {
		return []any{cm.Name, int64(len(cm.Data) + len(cm.BinaryData)), kind.Age(cm.CreationTimestamp, now)}
	},
})

// validateConfigMap validates keys and size. It checks keys in order, so that the same object
// always gets the same errors.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateConfigMap
func validateConfigMap(cm *corev1.ConfigMap) field.ErrorList {
	errs := check.NamespacedMeta(&cm.ObjectMeta)
	size := 0
	for _, key := range slices.Sorted(maps.Keys(cm.Data)) {
		path := field.NewPath("data").Key(key)
		errs = append(errs, validateDataKey(key, path)...)
		if _, twice := cm.BinaryData[key]; twice {
			errs = append(errs, field.Invalid(path, key, "duplicate of key present in binaryData"))
		}
		size += len(cm.Data[key])
	}
	for _, key := range slices.Sorted(maps.Keys(cm.BinaryData)) {
		errs = append(errs, validateDataKey(key, field.NewPath("binaryData").Key(key))...)
		size += len(cm.BinaryData[key])
	}
	if size > corev1.MaxSecretSize {
		errs = append(errs, field.TooLong(field.NewPath(""), "", corev1.MaxSecretSize))
	}
	return errs
}

// validateDataKey validates a key of a ConfigMap or Secret, which may become a file name.
func validateDataKey(key string, path *field.Path) field.ErrorList {
	return check.Invalid(path, key, validation.IsConfigMapKey(key))
}

func validateConfigMapUpdate(cm, was *corev1.ConfigMap) field.ErrorList {
	errs := check.MetaUpdate(&cm.ObjectMeta, &was.ObjectMeta)
	if kind.IsTrue(was.Immutable) {
		if !kind.IsTrue(cm.Immutable) {
			errs = append(errs, field.Forbidden(field.NewPath("immutable"), immutableData))
		}
		if !equality.Semantic.DeepEqual(cm.Data, was.Data) {
			errs = append(errs, field.Forbidden(field.NewPath("data"), immutableData))
		}
		if !equality.Semantic.DeepEqual(cm.BinaryData, was.BinaryData) {
			errs = append(errs, field.Forbidden(field.NewPath("binaryData"), immutableData))
		}
	}
	return append(errs, validateConfigMap(cm)...)
}
