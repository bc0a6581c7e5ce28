package storage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// storageGroup is the API group of the kinds of volumes outside the core group.
const storageGroup = "storage.k8s.io"

// StorageClass is storage.k8s.io/v1 StorageClass: the type of volume that a claim requests, and its
// provisioner.
//
// Source: kubernetes v1.36 pkg/registry/storage/storageclass/strategy.go
var StorageClass = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "StorageClass", Plural: "storageclasses",
		New: func() object.Object { return &storagev1.StorageClass{} },
	},
	Singular:   "storageclass",
	ShortNames: []string{"sc"},
	NewList:    func() runtime.Object { return &storagev1.StorageClassList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Provisioner", Type: "string", Description: storagev1.StorageClass{}.SwaggerDoc()["provisioner"]},
		{Name: "ReclaimPolicy", Type: "string", Description: storagev1.StorageClass{}.SwaggerDoc()["reclaimPolicy"]},
		{Name: "VolumeBindingMode", Type: "string", Description: storagev1.StorageClass{}.SwaggerDoc()["volumeBindingMode"]},
		{Name: "AllowVolumeExpansion", Type: "string", Description: storagev1.StorageClass{}.SwaggerDoc()["allowVolumeExpansion"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
}, kind.Functions[*storagev1.StorageClass]{
	Default: func(c *storagev1.StorageClass) {
		kind.SetDefault(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
		kind.SetDefault(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
	},
	Validate: validateStorageClass,
	ValidateUpdate: func(c, was *storagev1.StorageClass) field.ErrorList {
		errs := validateStorageClass(c)
		errs = append(errs, check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)...)
		errs = append(errs, validation.ValidateImmutableField(c.Parameters, was.Parameters, field.NewPath("parameters"))...)
		errs = append(errs, validation.ValidateImmutableField(c.Provisioner, was.Provisioner, field.NewPath("provisioner"))...)
		errs = append(errs, validation.ValidateImmutableField(c.ReclaimPolicy, was.ReclaimPolicy, field.NewPath("reclaimPolicy"))...)
		return append(errs, validation.ValidateImmutableField(c.VolumeBindingMode, was.VolumeBindingMode, field.NewPath("volumeBindingMode"))...)
	},
	Warnings: func(next, _ *storagev1.StorageClass) (warnings []string) {
		for i, term := range next.AllowedTopologies {
			for j, e := range term.MatchLabelExpressions {
				at := field.NewPath("allowedTopologies").Index(i).Child("matchLabelExpressions").Index(j).Child("key")
				if why, deprecated := check.DeprecatedNodeLabels[e.Key]; deprecated {
					warnings = append(warnings, fmt.Sprintf("%s: %s", at, why))
				}
			}
		}
		return warnings
	},
	Row: func(c *storagev1.StorageClass, now time.Time) []any {
		name := c.Name
		if IsDefaultStorageClass(c) {
			name += " (default)"
		}
		policy, mode := corev1.PersistentVolumeReclaimDelete, storagev1.VolumeBindingImmediate
		return []any{
			name, c.Provisioner, string(*cmp.Or(c.ReclaimPolicy, &policy)), string(*cmp.Or(c.VolumeBindingMode, &mode)),
			c.AllowVolumeExpansion != nil && *c.AllowVolumeExpansion, kind.Age(c.CreationTimestamp, now),
		}
	},
})

const (
	// defaultClassAnnotation marks the default class of claims; betaDefaultClassAnnotation is its
	// old form.
	defaultClassAnnotation     = "storageclass.kubernetes.io/is-default-class"
	betaDefaultClassAnnotation = "storageclass.beta.kubernetes.io/is-default-class"

	// StandardStorageClass is the name of the class of a new cluster.
	StandardStorageClass = "standard"
	// EmulatedProvisioner is the provisioner of StandardStorageClass.
	EmulatedProvisioner = "rowlock.io/emulated"
	// NoProvisioner is the provisioner of classes without dynamic provisioning.
	NoProvisioner = "kubernetes.io/no-provisioner"
)

// Standard returns a new copy, as stored, of the StorageClass of a new cluster.
func Standard() *storagev1.StorageClass {
	policy, mode := corev1.PersistentVolumeReclaimDelete, storagev1.VolumeBindingWaitForFirstConsumer
	return &storagev1.StorageClass{
		ObjectMeta:    metav1.ObjectMeta{Name: StandardStorageClass, Annotations: map[string]string{defaultClassAnnotation: "true"}},
		Provisioner:   EmulatedProvisioner,
		ReclaimPolicy: &policy, VolumeBindingMode: &mode, AllowVolumeExpansion: new(true),
	}
}

// IsDefaultStorageClass reports whether a class is marked as default.
func IsDefaultStorageClass(c *storagev1.StorageClass) bool {
	return c.Annotations[defaultClassAnnotation] == "true" || c.Annotations[betaDefaultClassAnnotation] == "true"
}

// DefaultStorageClass returns the default class of claims: the newest one marked as default, and
// the first by name among equally old ones, or nil.
//
// Source: kubernetes v1.36 pkg/volume/util/storageclass.go, GetDefaultClass
func DefaultStorageClass(c kind.Cluster) (is *storagev1.StorageClass) {
	c.Each(StorageClass.Resource(), "", func(v *object.Version) bool {
		class, ok := v.Object().(*storagev1.StorageClass)
		if ok && IsDefaultStorageClass(class) && (is == nil || is.CreationTimestamp.Time.Before(class.CreationTimestamp.Time)) {
			is = class
		}
		return true
	})
	return is
}

// Enum values of a class, sorted as messages list them.
var (
	classReclaimPolicies = []corev1.PersistentVolumeReclaimPolicy{corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRetain}
	volumeBindingModes   = []storagev1.VolumeBindingMode{storagev1.VolumeBindingImmediate, storagev1.VolumeBindingWaitForFirstConsumer}
)

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateStorageClass
func validateStorageClass(c *storagev1.StorageClass) field.ErrorList {
	errs := check.Meta(&c.ObjectMeta, false, validation.NameIsDNSSubdomain)
	errs = append(errs, validateProvisioner(c.Provisioner, field.NewPath("provisioner"))...)
	errs = append(errs, validateParameters(c.Parameters, true, field.NewPath("parameters"))...)
	if p := c.ReclaimPolicy; p != nil && *p != "" {
		errs = append(errs, check.Enum(*p, classReclaimPolicies, field.NewPath("reclaimPolicy"))...)
	}
	if m := c.VolumeBindingMode; m == nil {
		errs = append(errs, field.Required(field.NewPath("volumeBindingMode"), ""))
	} else {
		errs = append(errs, check.Enum(*m, volumeBindingModes, field.NewPath("volumeBindingMode"))...)
	}
	return append(errs, validateTopologies(c.AllowedTopologies, field.NewPath("allowedTopologies"))...)
}

func validateProvisioner(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	return check.QualifiedName(strings.ToLower(name), path)
}

const (
	// maxParameters is the maximum number of parameters of a class, maxParameterBytes their maximum
	// total length.
	maxParameters     = 512
	maxParameterBytes = 256 << 10
)

func validateParameters(parameters map[string]string, emptyAllowed bool, path *field.Path) field.ErrorList {
	if len(parameters) > maxParameters {
		return field.ErrorList{field.TooLong(path, "", maxParameters)}
	}
	var errs field.ErrorList
	bytes := 0
	for key, value := range parameters {
		if key == "" {
			errs = append(errs, field.Invalid(path, key, "field can not be empty."))
		}
		bytes += len(key) + len(value)
	}
	if bytes > maxParameterBytes {
		errs = append(errs, field.TooLong(path, "", maxParameterBytes))
	}
	if !emptyAllowed && len(parameters) == 0 {
		errs = append(errs, field.Required(path, "must contain at least one key/value pair"))
	}
	return errs
}

// validateTopologies validates terms, which must be distinct; a term without expressions equals
// every other one.
//
// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, validateAllowedTopologies, and
// pkg/apis/core/validation/validation.go, ValidateTopologySelectorTerm
//
// Differs: a repeated term is reported once, not once per other term, because that would be
// quadratic for a hostile list. So is an empty one.
func validateTopologies(terms []corev1.TopologySelectorTerm, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{"": true}
	for i, term := range terms {
		at := path.Index(i).Child("matchLabelExpressions")
		values := map[string][]string{}
		for j, e := range term.MatchLabelExpressions {
			of, wrong := validateTopologyExpression(e, at.Index(j))
			errs = append(errs, wrong...)
			if _, twice := values[e.Key]; twice {
				errs = append(errs, field.Duplicate(at.Index(j).Child("key"), e.Key))
			}
			values[e.Key] = of
		}
		var text strings.Builder
		for _, key := range slices.Sorted(maps.Keys(values)) {
			fmt.Fprintf(&text, "%q in %q\n", key, values[key])
		}
		if seen[text.String()] {
			errs = append(errs, field.Duplicate(at, ""))
		}
		seen[text.String()] = true
	}
	return errs
}

// validateTopologyExpression returns the values, sorted, each once.
func validateTopologyExpression(e corev1.TopologySelectorLabelRequirement, path *field.Path) ([]string, field.ErrorList) {
	var errs field.ErrorList
	if len(e.Values) == 0 {
		errs = append(errs, field.Required(path.Child("values"), ""))
	}
	seen := map[string]bool{}
	for i, value := range e.Values {
		if seen[value] {
			errs = append(errs, field.Duplicate(path.Child("values").Index(i), value))
		}
		seen[value] = true
	}
	return slices.Sorted(maps.Keys(seen)), append(errs, metav1validation.ValidateLabelName(e.Key, path.Child("key"))...)
}
