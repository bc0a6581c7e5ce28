package volume

import (
	"net"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

func requireMonitors(monitors []string, path *field.Path) field.ErrorList {
	if len(monitors) == 0 {
		return field.ErrorList{field.Required(path.Child("monitors"), "")}
	}
	return nil
}

const (
	quobyteRegistryWanted = "must be a host:port pair or multiple pairs separated by commas"
	maxQuobyteTenant      = 64 // characters
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateQuobyteVolumeSource
func validateQuobyte(q *corev1.QuobyteVolumeSource, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch at := path.Child("registry"); {
	case q.Registry == "":
		errs = append(errs, field.Required(at, quobyteRegistryWanted))
	case len(q.Tenant) > maxQuobyteTenant:
		errs = append(errs, field.Required(path.Child("tenant"), "must be a UUID and may not exceed a length of 64 characters"))
	default:
		for pair := range strings.SplitSeq(q.Registry, ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil {
				errs = append(errs, field.Invalid(at, q.Registry, quobyteRegistryWanted))
			}
		}
	}
	return append(errs, check.Required(path, check.Need("volume", q.Volume))...)
}

// Enum values of an Azure disk, sorted as messages list them.
var (
	azureCachingModes = []corev1.AzureDataDiskCachingMode{
		corev1.AzureDataDiskCachingNone, corev1.AzureDataDiskCachingReadOnly, corev1.AzureDataDiskCachingReadWrite,
	}
	azureDiskKinds = []corev1.AzureDataDiskKind{corev1.AzureDedicatedBlobDisk, corev1.AzureManagedDisk, corev1.AzureSharedBlobDisk}
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateAzureDisk
func validateAzureDisk(a *corev1.AzureDiskVolumeSource, path *field.Path) field.ErrorList {
	errs := check.Required(path, check.Need("diskName", a.DiskName), check.Need("diskURI", a.DataDiskURI))
	if a.CachingMode != nil {
		errs = append(errs, check.Enum(*a.CachingMode, azureCachingModes, path.Child("cachingMode"))...)
	}
	if a.Kind == nil {
		return errs
	}
	errs = append(errs, check.Enum(*a.Kind, azureDiskKinds, path.Child("kind"))...)
	prefix, form := "https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
	if *a.Kind == corev1.AzureManagedDisk {
		prefix, form = "/subscriptions/", "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
	}
	if !strings.HasPrefix(a.DataDiskURI, prefix) {
		errs = append(errs, field.NotSupported(path.Child("diskURI"), a.DataDiskURI, []string{form}))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateStorageOSVolumeSource
func validateStorageOS(s *corev1.StorageOSVolumeSource, path *field.Path) field.ErrorList {
	errs := check.Required(path, check.Need("volumeName", s.VolumeName))
	if s.VolumeName != "" {
		errs = append(errs, check.DNSLabel(s.VolumeName, path.Child("volumeName"))...)
	}
	if s.VolumeNamespace != "" {
		errs = append(errs, check.DNSLabel(s.VolumeNamespace, path.Child("volumeNamespace"))...)
	}
	if s.SecretRef != nil {
		errs = append(errs, check.Required(path.Child("secretRef"), check.Need("name", s.SecretRef.Name))...)
	}
	return errs
}

// ValidateTemplateMeta checks that the metadata of a claim template has only labels and
// annotations. As upstream, paths use Go's field names.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateTemplateObjectMeta
func ValidateTemplateMeta(m *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"name", m.Name != ""},
		{"generateName", m.GenerateName != ""},
		{"namespace", m.Namespace != ""},
		{"selfLink", m.SelfLink != ""},
		{"uID", m.UID != ""},
		{"resourceVersion", m.ResourceVersion != ""},
		{"generation", m.Generation != 0},
		{"creationTimestamp", !m.CreationTimestamp.IsZero()},
		{"deletionTimestamp", m.DeletionTimestamp != nil},
		{"deletionGracePeriodSeconds", m.DeletionGracePeriodSeconds != nil},
		{"ownerReferences", m.OwnerReferences != nil},
		{"finalizers", m.Finalizers != nil},
		{"managedFields", m.ManagedFields != nil},
	} {
		if f.set {
			errs = append(errs, field.Forbidden(path.Child(f.name), "cannot be set"))
		}
	}
	return errs
}
