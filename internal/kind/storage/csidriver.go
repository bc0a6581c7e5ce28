package storage

import (
	"strings"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// CSIDriver is storage.k8s.io/v1 CSIDriver: the capabilities of a volume driver.
//
// Source: kubernetes v1.36 pkg/registry/storage/csidriver/strategy.go
var CSIDriver = kind.Define(kind.Kind{
	Type: object.Type{
		Group: storageGroup, Version: "v1", Kind: "CSIDriver", Plural: "csidrivers",
		New: func() object.Object { return &storagev1.CSIDriver{} },
	},
	Singular: "csidriver",
	NewList:  func() runtime.Object { return &storagev1.CSIDriverList{} },

	Warnings: warnOfCSIDriver,

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "AttachRequired", Type: "boolean", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["attachRequired"]},
		{Name: "PodInfoOnMount", Type: "boolean", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["podInfoOnMount"]},
		{Name: "StorageCapacity", Type: "boolean", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["storageCapacity"]},
		{Name: "TokenRequests", Type: "string", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["tokenRequests"]},
		{Name: "RequiresRepublish", Type: "boolean", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["requiresRepublish"]},
		{Name: "Modes", Type: "string", Description: storagev1.CSIDriverSpec{}.SwaggerDoc()["volumeLifecycleModes"]},
		kind.AgeColumn,
	},
}, kind.Functions[*storagev1.CSIDriver]{
	Default:       defaultCSIDriver,
	PrepareCreate: func(o *storagev1.CSIDriver) { o.Spec.PreventPodSchedulingIfMissing = nil },
	PrepareUpdate: prepareCSIDriverUpdate,
	Validate: func(d *storagev1.CSIDriver) field.ErrorList {
		return append(check.Meta(&d.ObjectMeta, false, validation.NameIsDNSSubdomain), validateCSIDriverSpec(&d.Spec, field.NewPath("spec"))...)
	},
	ValidateUpdate: func(d, was *storagev1.CSIDriver) field.ErrorList {
		spec := field.NewPath("spec")
		errs := append(check.MetaUpdate(&d.ObjectMeta, &was.ObjectMeta), validateCSIDriverSpec(&d.Spec, spec)...)
		errs = append(errs, validation.ValidateImmutableField(d.Spec.AttachRequired, was.Spec.AttachRequired, spec.Child("attachedRequired"))...)
		return append(errs, validation.ValidateImmutableField(d.Spec.VolumeLifecycleModes, was.Spec.VolumeLifecycleModes, spec.Child("volumeLifecycleModes"))...)
	},
	Row: csiDriverRow,
})

// tokensInSecrets is the warning about a driver that gets service account tokens.
//
// Source: kubernetes v1.36 pkg/registry/storage/csidriver/strategy.go, warningServiceAccountTokenInSecretsRecommended
const tokensInSecrets = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, " +
	"set to true to prevent possible logging of tokens in volume attributes"

// Source: kubernetes v1.36 pkg/apis/storage/v1/defaults.go, SetDefaults_CSIDriver
func defaultCSIDriver(o *storagev1.CSIDriver) {
	s := &o.Spec
	kind.SetDefault(&s.AttachRequired, true)
	kind.SetDefault(&s.PodInfoOnMount, false)
	kind.SetDefault(&s.StorageCapacity, false)
	kind.SetDefault(&s.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(s.VolumeLifecycleModes) == 0 {
		s.VolumeLifecycleModes = append(s.VolumeLifecycleModes, storagev1.VolumeLifecyclePersistent)
	}
	kind.SetDefault(&s.RequiresRepublish, false)
	kind.SetDefault(&s.SELinuxMount, false)
}

func prepareCSIDriverUpdate(d, was *storagev1.CSIDriver) {
	d.Spec.PreventPodSchedulingIfMissing = nil
	if !equality.Semantic.DeepEqual(d.Spec, was.Spec) {
		d.Generation = was.Generation + 1
	}
}

func warnOfCSIDriver(next, old object.Object) []string {
	d := next.(*storagev1.CSIDriver)
	if len(d.Spec.TokenRequests) == 0 || d.Spec.ServiceAccountTokenInSecrets != nil {
		return nil
	}
	if was, ok := old.(*storagev1.CSIDriver); ok && equality.Semantic.DeepEqual(was.Spec.TokenRequests, d.Spec.TokenRequests) {
		return nil
	}
	return []string{tokensInSecrets}
}

var fsGroupPolicies = []storagev1.FSGroupPolicy{storagev1.FileFSGroupPolicy, storagev1.NoneFSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy}

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, validateCSIDriverSpec
func validateCSIDriverSpec(s *storagev1.CSIDriverSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	required := func(name string, value *bool) {
		if value == nil {
			errs = append(errs, field.Required(path.Child(name), ""))
		}
	}
	required("attachedRequired", s.AttachRequired)
	required("podInfoOnMount", s.PodInfoOnMount)
	required("storageCapacity", s.StorageCapacity)
	if s.FSGroupPolicy != nil {
		errs = append(errs, check.Enum(*s.FSGroupPolicy, fsGroupPolicies, path.Child("fsGroupPolicy"))...)
	}
	errs = append(errs, validateTokenRequests(s.TokenRequests, path.Child("tokenRequests"))...)
	modes := []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent, storagev1.VolumeLifecycleEphemeral}
	for _, mode := range s.VolumeLifecycleModes {
		errs = append(errs, check.Enum(mode, modes, path.Child("volumeLifecycleModes"))...)
	}
	required("seLinuxMount", s.SELinuxMount)
	if p := s.NodeAllocatableUpdatePeriodSeconds; p != nil && *p < 10 {
		errs = append(errs, field.Invalid(path.Child("nodeAllocatableUpdatePeriodSeconds"), *p, "must be greater than or equal to 10 seconds"))
	}
	if t := s.ServiceAccountTokenInSecrets; t != nil && len(s.TokenRequests) == 0 {
		errs = append(errs, field.Invalid(path.Child("serviceAccountTokenInSecrets"), t, "serviceAccountTokenInSecrets is set but no tokenRequests are specified"))
	}
	return errs
}

func validateTokenRequests(requests []storagev1.TokenRequest, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	audiences := map[string]bool{}
	for i, r := range requests {
		if audiences[r.Audience] {
			errs = append(errs, field.Duplicate(path.Index(i).Child("audience"), r.Audience))
			continue
		}
		audiences[r.Audience] = true
		at := path.Index(i).Child("expirationSeconds")
		switch seconds := r.ExpirationSeconds; {
		case seconds == nil:
		case *seconds < 10*60:
			errs = append(errs, field.Invalid(at, *seconds, "may not specify a duration less than 10 minutes"))
		case *seconds > 1<<32:
			errs = append(errs, field.Invalid(at, *seconds, "may not specify a duration larger than 2^32 seconds"))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printCSIDriver
func csiDriverRow(d *storagev1.CSIDriver, now time.Time) []any {
	is := func(b *bool, otherwise bool) bool {
		if b == nil {
			return otherwise
		}
		return *b
	}
	tokens := "<unset>"
	if d.Spec.TokenRequests != nil {
		audiences := make([]string, len(d.Spec.TokenRequests))
		for i, r := range d.Spec.TokenRequests {
			audiences[i] = r.Audience
		}
		tokens = strings.Join(audiences, ",")
	}
	modes := make([]string, len(d.Spec.VolumeLifecycleModes))
	for i, m := range d.Spec.VolumeLifecycleModes {
		modes[i] = string(m)
	}
	if len(modes) == 0 {
		modes = []string{"<none>"}
	}
	return []any{
		d.Name, is(d.Spec.AttachRequired, true), is(d.Spec.PodInfoOnMount, false), is(d.Spec.StorageCapacity, false),
		tokens, is(d.Spec.RequiresRepublish, false), strings.Join(modes, ","), kind.Age(d.CreationTimestamp, now),
	}
}
