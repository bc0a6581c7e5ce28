package volume

import (
	"fmt"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

func validateEmptyDir(v volumeInPod, at *field.Path) field.ErrorList {
	if limit := v.EmptyDir.SizeLimit; limit != nil && limit.Sign() < 0 {
		return field.ErrorList{field.Forbidden(at.Child("sizeLimit"), "SizeLimit field must be a valid resource quantity")}
	}
	return nil
}

// hostPathTypes is sorted, as messages list it.
var hostPathTypes = []corev1.HostPathType{
	corev1.HostPathUnset, corev1.HostPathBlockDev, corev1.HostPathCharDev, corev1.HostPathDirectory,
	corev1.HostPathDirectoryOrCreate, corev1.HostPathFile, corev1.HostPathFileOrCreate, corev1.HostPathSocket,
}

func validateHostPath(v volumeInPod, at *field.Path) field.ErrorList {
	if v.HostPath.Path == "" {
		return field.ErrorList{field.Required(at.Child("path"), "")}
	}
	errs := check.NoBacksteps(v.HostPath.Path, at.Child("path"))
	if v.HostPath.Type != nil {
		errs = append(errs, check.Enum(*v.HostPath.Type, hostPathTypes, at.Child("type"))...)
	}
	return errs
}

func validateNFS(v volumeInPod, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("server", v.NFS.Server), check.Need("path", v.NFS.Path))
	if !path.IsAbs(v.NFS.Path) {
		errs = append(errs, field.Invalid(at.Child("path"), v.NFS.Path, "must be an absolute path"))
	}
	return errs
}

func validateSecretVolume(v volumeInPod, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("secretName", v.Secret.SecretName))
	errs = append(errs, validateMode(v.Secret.DefaultMode, at.Child("defaultMode"))...)
	return append(errs, validateKeysToPaths(v.Secret.Items, at.Child("items"))...)
}

func validateConfigMapVolume(v volumeInPod, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("name", v.ConfigMap.Name))
	errs = append(errs, validateMode(v.ConfigMap.DefaultMode, at.Child("defaultMode"))...)
	return append(errs, validateKeysToPaths(v.ConfigMap.Items, at.Child("items"))...)
}

func validateKeysToPaths(items []corev1.KeyToPath, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, item := range items {
		errs = append(errs, validateKeyToPath(item, at.Index(i))...)
	}
	return errs
}

func validateKeyToPath(item corev1.KeyToPath, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("key", item.Key), check.Need("path", item.Path))
	errs = append(errs, validateFreePath(item.Path, at.Child("path"))...)
	return append(errs, validateMode(item.Mode, at.Child("mode"))...)
}

// validateMode validates file permissions.
func validateMode(mode *int32, at *field.Path) field.ErrorList {
	if mode == nil || *mode >= 0 && *mode <= 0o777 {
		return nil
	}
	return field.ErrorList{field.Invalid(at, *mode, "must be a number between 0 and 0777 (octal), both inclusive")}
}

// validateDownwardAPI validates the files of a downwardAPI volume. Upstream reports all of them
// with the volume's path.
func validateDownwardAPI(v volumeInPod, at *field.Path) field.ErrorList {
	errs := validateMode(v.DownwardAPI.DefaultMode, at.Child("defaultMode"))
	for i := range v.DownwardAPI.Items {
		errs = append(errs, validateDownwardFile(&v.DownwardAPI.Items[i], at)...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateDownwardAPIVolumeFile
func validateDownwardFile(f *corev1.DownwardAPIVolumeFile, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("path", f.Path))
	errs = append(errs, validateFreePath(f.Path, at.Child("path"))...)
	switch {
	case f.FieldRef != nil:
		errs = append(errs, ValidateFieldRef(f.FieldRef, fileFieldPaths, at.Child("fieldRef"))...)
		if f.ResourceFieldRef != nil {
			errs = append(errs, field.Invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"))
		}
	case f.ResourceFieldRef != nil:
		errs = append(errs, ValidateResourceFieldRef(f.ResourceFieldRef, at.Child("resourceFieldRef"), true)...)
	default:
		errs = append(errs, field.Required(at, "one of fieldRef and resourceFieldRef is required"))
	}
	return append(errs, validateMode(f.Mode, at.Child("mode"))...)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateCSIVolumeSource and ValidateCSIDriverName
func validateCSI(v volumeInPod, at *field.Path) field.ErrorList {
	errs := check.Required(at, check.Need("driver", v.CSI.Driver))
	if driver := v.CSI.Driver; driver != "" {
		if len(driver) > 63 {
			errs = append(errs, field.TooLong(at.Child("driver"), "", 63))
		}
		errs = append(errs, check.Invalid(at.Child("driver"), driver, utilvalidation.IsDNS1123Subdomain(strings.ToLower(driver)))...)
	}
	if ref := v.CSI.NodePublishSecretRef; ref != nil {
		if ref.Name == "" {
			return append(errs, field.Required(at.Child("nodePublishSecretRef", "name"), ""))
		}
		errs = append(errs, check.Invalid(at.Child("name"), ref.Name, validation.NameIsDNSSubdomain(ref.Name, false))...)
	}
	return errs
}

func validateImageVolume(v volumeInPod, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if v.isPod {
		errs = check.Required(at, check.Need("reference", v.Image.Reference))
	}
	return append(errs, check.RequiredEnum(v.Image.PullPolicy, PullPolicies, at.Child("pullPolicy"))...)
}

// validateEphemeralVolume validates the claim template, and that the names of the Pod and the
// volume combine into a valid claim name.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateEphemeralVolumeSource
func validateEphemeralVolume(v volumeInPod, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	at = at.Child("volumeClaimTemplate")
	if t := v.Ephemeral.VolumeClaimTemplate; t == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		meta := at.Child("metadata")
		errs = append(errs, validation.ValidateAnnotations(t.Annotations, meta.Child("annotations"))...)
		errs = append(errs, check.Labels(t.Labels, meta.Child("labels"))...)
		errs = append(errs, ValidateTemplateMeta(&t.ObjectMeta, meta)...)
		errs = append(errs, ValidateClaim(&t.Spec, ClaimOptions{}, at.Child("spec"))...)
	}
	if v.pod == "" || v.Name == "" {
		return errs
	}
	claim := v.pod + "-" + v.Name
	for _, msg := range validation.NameIsDNSSubdomain(claim, false) {
		errs = append(errs, field.Invalid(v.path.Child("name"), v.Name, fmt.Sprintf("PVC name %q: %v", claim, msg)))
	}
	return errs
}
