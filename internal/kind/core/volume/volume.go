package volume

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Validate validates a Pod's volumes and returns the valid ones by name: only these can be mounted.
// meta is nil for a template, which has no claims of its own yet.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumes
func Validate(volumes []corev1.Volume, meta *metav1.ObjectMeta, path *field.Path) (map[string]corev1.VolumeSource, field.ErrorList) {
	pod := ""
	if meta != nil {
		pod = meta.Name
	}
	created := sets.New[string]() // claims created with the Pod
	for _, v := range volumes {
		if pod != "" && v.Ephemeral != nil {
			created.Insert(pod + "-" + v.Name)
		}
	}

	var all field.ErrorList
	sound := make(map[string]corev1.VolumeSource, len(volumes))
	for i := range volumes {
		v, at := &volumes[i], path.Index(i)
		errs := validateVolumeSource(volumeInPod{Volume: v, pod: pod, isPod: meta != nil, path: at})
		if v.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else {
			errs = append(errs, check.DNSLabel(v.Name, at.Child("name"))...)
		}
		if _, twice := sound[v.Name]; twice {
			errs = append(errs, field.Duplicate(at.Child("name"), v.Name))
		}
		if len(errs) == 0 {
			sound[v.Name] = v.VolumeSource
		}
		all = append(all, errs...)
		if claim := v.PersistentVolumeClaim; claim != nil && created.Has(claim.ClaimName) {
			all = append(all, field.Invalid(at.Child("persistentVolumeClaim", "claimName"), claim.ClaimName,
				"must not reference a PVC that gets created for an ephemeral volume"))
		}
	}
	return sound, all
}

// validateVolumeSource checks that a volume has exactly one type. It validates only the first.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateVolumeSource
func validateVolumeSource(v volumeInPod) field.ErrorList {
	var errs field.ErrorList
	found := false
	for i := range volumeTypes {
		t := &volumeTypes[i]
		if !t.set(&v.VolumeSource) {
			continue
		}
		if found {
			at := v.path.Child(cmp.Or(t.forbidden, t.name))
			errs = append(errs, field.Forbidden(at, "may not specify more than 1 volume type"))
		} else {
			found = true
			errs = append(errs, t.validate(v, v.path.Child(cmp.Or(t.fields, t.name)))...)
		}
		if t.always != nil {
			errs = append(errs, t.always(v)...)
		}
	}
	if !found {
		errs = append(errs, field.Required(v.path, "must specify a volume type"))
	}
	return errs
}
