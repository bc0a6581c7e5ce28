package volume

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
)

// DefaultPersistent applies the defaults of a PersistentVolume's source, in place.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/zz_generated.defaults.go, SetObjectDefaults_PersistentVolume
func DefaultPersistent(s *corev1.PersistentVolumeSource) {
	if s.HostPath != nil {
		kind.SetDefault(&s.HostPath.Type, corev1.HostPathUnset)
	}
	if s.ISCSI != nil {
		s.ISCSI.ISCSIInterface = cmp.Or(s.ISCSI.ISCSIInterface, "default")
	}
	if s.RBD != nil {
		s.RBD.RBDPool = cmp.Or(s.RBD.RBDPool, "rbd")
		s.RBD.RadosUser = cmp.Or(s.RBD.RadosUser, "admin")
		s.RBD.Keyring = cmp.Or(s.RBD.Keyring, "/etc/ceph/keyring")
	}
	defaultNetworkVolume(&corev1.VolumeSource{AzureDisk: s.AzureDisk})
	if s.ScaleIO != nil {
		s.ScaleIO.StorageMode = cmp.Or(s.ScaleIO.StorageMode, "ThinProvisioned")
		s.ScaleIO.FSType = cmp.Or(s.ScaleIO.FSType, "xfs")
	}
}

// persistentSources lists the types in the order in which upstream checks them.
var persistentSources = []persistentSource{
	shared("hostPath", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{HostPath: s.HostPath}, s.HostPath != nil
	}),
	shared("gcePersistentDisk", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{GCEPersistentDisk: s.GCEPersistentDisk}, s.GCEPersistentDisk != nil
	}),
	shared("awsElasticBlockStore", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{AWSElasticBlockStore: s.AWSElasticBlockStore}, s.AWSElasticBlockStore != nil
	}),
	{
		name: "glusterfs", set: func(s *corev1.PersistentVolumeSource) bool { return s.Glusterfs != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("endpoints", s.Glusterfs.EndpointsName), check.Need("path", s.Glusterfs.Path))
			if ns := s.Glusterfs.EndpointsNamespace; ns != nil {
				at := path.Child("endpointsNamespace")
				if *ns == "" {
					return append(errs, field.Invalid(at, *ns, "if the endpointnamespace is set, it must be a valid namespace name"))
				}
				errs = append(errs, check.Invalid(at, *ns, validation.ValidateNamespaceName(*ns, false))...)
			}
			return errs
		},
	},
	shared("flocker", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{Flocker: s.Flocker}, s.Flocker != nil
	}),
	shared("nfs", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{NFS: s.NFS}, s.NFS != nil
	}),
	{
		name: "rbd", set: func(s *corev1.PersistentVolumeSource) bool { return s.RBD != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			monitors := strings.Join(s.RBD.CephMonitors, ",")
			if len(s.RBD.CephMonitors) > 0 {
				monitors = "some"
			}
			return check.Required(path, check.Need("monitors", monitors), check.Need("image", s.RBD.RBDImage))
		},
	},
	shared("quobyte", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{Quobyte: s.Quobyte}, s.Quobyte != nil
	}),
	{
		name: "cephfs", forbidden: "cephFS", set: func(s *corev1.PersistentVolumeSource) bool { return s.CephFS != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			if len(s.CephFS.Monitors) == 0 {
				return field.ErrorList{field.Required(path.Child("monitors"), "")}
			}
			return nil
		},
	},
	{
		name: "iscsi", set: func(s *corev1.PersistentVolumeSource) bool { return s.ISCSI != nil },
		validate: func(s *corev1.PersistentVolumeSource, volume string, path *field.Path) field.ErrorList {
			return validatePersistentISCSI(s.ISCSI, volume, path)
		},
	},
	{
		name: "cinder", set: func(s *corev1.PersistentVolumeSource) bool { return s.Cinder != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("volumeID", s.Cinder.VolumeID))
			if ref := s.Cinder.SecretRef; ref != nil {
				errs = append(errs, check.Required(path.Child("secretRef"), check.Need("name", ref.Name), check.Need("namespace", ref.Namespace))...)
			}
			return errs
		},
	},
	shared("fc", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{FC: s.FC}, s.FC != nil
	}),
	{
		name: "flexVolume", beside: true, set: func(s *corev1.PersistentVolumeSource) bool { return s.FlexVolume != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("driver", s.FlexVolume.Driver))
			return append(errs, validateFlexOptions(s.FlexVolume.Options, path.Child("options"))...)
		},
	},
	{
		name: "azureFile", set: func(s *corev1.PersistentVolumeSource) bool { return s.AzureFile != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			a := s.AzureFile
			errs := check.Required(path, check.Need("secretName", a.SecretName), check.Need("shareName", a.ShareName))
			if a.SecretNamespace != nil {
				errs = append(errs, check.Required(path, check.Need("secretNamespace", *a.SecretNamespace))...)
			}
			return errs
		},
	},
	shared("vsphereVolume", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{VsphereVolume: s.VsphereVolume}, s.VsphereVolume != nil
	}),
	shared("photonPersistentDisk", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{PhotonPersistentDisk: s.PhotonPersistentDisk}, s.PhotonPersistentDisk != nil
	}),
	shared("portworxVolume", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{PortworxVolume: s.PortworxVolume}, s.PortworxVolume != nil
	}),
	shared("azureDisk", func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool) {
		return corev1.VolumeSource{AzureDisk: s.AzureDisk}, s.AzureDisk != nil
	}),
	{
		name: "scaleIO", set: func(s *corev1.PersistentVolumeSource) bool { return s.ScaleIO != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			io := s.ScaleIO
			return check.Required(path, check.Need("gateway", io.Gateway), check.Need("system", io.System), check.Need("volumeName", io.VolumeName))
		},
	},
	{
		name: "local", set: func(s *corev1.PersistentVolumeSource) bool { return s.Local != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			if s.Local.Path == "" {
				return field.ErrorList{field.Required(path.Child("path"), "")}
			}
			return check.NoBacksteps(s.Local.Path, path.Child("path"))
		},
	},
	{
		name: "storageos", set: func(s *corev1.PersistentVolumeSource) bool { return s.StorageOS != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			return validatePersistentStorageOS(s.StorageOS, path)
		},
	},
	{
		name: "csi", set: func(s *corev1.PersistentVolumeSource) bool { return s.CSI != nil },
		validate: func(s *corev1.PersistentVolumeSource, _ string, path *field.Path) field.ErrorList {
			return validatePersistentCSI(s.CSI, path)
		},
	},
}

// shared returns a type that Pod volumes have too.
func shared(name string, of func(s *corev1.PersistentVolumeSource) (corev1.VolumeSource, bool)) persistentSource {
	fields := ""
	if name == "gcePersistentDisk" {
		fields = "persistentDisk"
	}
	return persistentSource{
		name: name, fields: fields,
		set: func(s *corev1.PersistentVolumeSource) bool { _, has := of(s); return has },
		validate: func(s *corev1.PersistentVolumeSource, volume string, path *field.Path) field.ErrorList {
			source, _ := of(s)
			return asInPod(name, source, volume, path)
		},
	}
}

// validateFlexOptions checks that no option has a name reserved by Kubernetes.
func validateFlexOptions(options map[string]string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(options)) {
		domain, _, _ := strings.Cut(key, "/")
		if d := "." + strings.ToLower(domain); strings.HasSuffix(d, ".kubernetes.io") || strings.HasSuffix(d, ".k8s.io") {
			errs = append(errs, field.Invalid(path.Key(key), key, "kubernetes.io and k8s.io namespaces are reserved"))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateISCSIPersistentVolumeSource
func validatePersistentISCSI(s *corev1.ISCSIPersistentVolumeSource, volume string, path *field.Path) field.ErrorList {
	errs := check.Required(path, check.Need("targetPortal", s.TargetPortal))
	if s.InitiatorName != nil && len(volume)+len(":")+len(s.TargetPortal) > 64 {
		errs = append(errs, field.Invalid(path.Child("targetportal"), s.TargetPortal,
			"Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."))
	}
	errs = append(errs, check.Required(path, check.Need("iqn", s.IQN))...)
	if s.IQN != "" {
		errs = append(errs, validateISCSIName(s.IQN, badISCSIName, path.Child("iqn"))...)
	}
	if s.Lun < 0 || s.Lun > 255 {
		errs = append(errs, field.Invalid(path.Child("lun"), s.Lun, utilvalidation.InclusiveRangeError(0, 255)))
	}
	if (s.DiscoveryCHAPAuth || s.SessionCHAPAuth) && s.SecretRef == nil {
		errs = append(errs, field.Required(path.Child("secretRef"), ""))
	}
	if s.SecretRef != nil {
		errs = append(errs, check.Required(path.Child("secretRef"), check.Need("name", s.SecretRef.Name))...)
	}
	if s.InitiatorName != nil {
		errs = append(errs, validateISCSIName(*s.InitiatorName, badISCSIName, path.Child("initiatorname"))...)
	}
	return errs
}

func validatePersistentStorageOS(s *corev1.StorageOSPersistentVolumeSource, path *field.Path) field.ErrorList {
	errs := check.Required(path, check.Need("volumeName", s.VolumeName))
	if s.VolumeName != "" {
		errs = append(errs, check.DNSLabel(s.VolumeName, path.Child("volumeName"))...)
	}
	if s.VolumeNamespace != "" {
		errs = append(errs, check.DNSLabel(s.VolumeNamespace, path.Child("volumeNamespace"))...)
	}
	if ref := s.SecretRef; ref != nil {
		errs = append(errs, check.Required(path.Child("secretRef"), check.Need("name", ref.Name), check.Need("namespace", ref.Namespace))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateCSIPersistentVolumeSource
func validatePersistentCSI(s *corev1.CSIPersistentVolumeSource, path *field.Path) field.ErrorList {
	errs := check.DriverName(s.Driver, path.Child("driver"))
	errs = append(errs, check.Required(path, check.Need("volumeHandle", s.VolumeHandle))...)
	for _, secret := range []struct {
		name string
		ref  *corev1.SecretReference
	}{
		{"controllerPublishSecretRef", s.ControllerPublishSecretRef}, {"controllerExpandSecretRef", s.ControllerExpandSecretRef},
		{"nodePublishSecretRef", s.NodePublishSecretRef}, {"nodeExpandSecretRef", s.NodeExpandSecretRef},
	} {
		if secret.ref == nil {
			continue
		}
		at := path.Child(secret.name)
		errs = append(errs, check.Required(at, check.Need("name", secret.ref.Name))...)
		if secret.ref.Name != "" {
			errs = append(errs, check.Invalid(at.Child("name"), secret.ref.Name, utilvalidation.IsDNS1123Subdomain(secret.ref.Name))...)
		}
		errs = append(errs, check.Required(at, check.Need("namespace", secret.ref.Namespace))...)
		if secret.ref.Namespace != "" {
			errs = append(errs, check.DNSLabel(secret.ref.Namespace, at.Child("namespace"))...)
		}
	}
	return errs
}

// persistentSource is one type of persistent volume; fields and forbidden are as in volumeType.
type persistentSource struct {
	name              string
	set               func(s *corev1.PersistentVolumeSource) bool
	validate          func(s *corev1.PersistentVolumeSource, volume string, path *field.Path) field.ErrorList
	fields, forbidden string
	// beside is true for the one type that upstream allows in addition to another.
	beside bool
}

// sourceTypes maps names to those types of Pod volumes that PersistentVolumes share.
var sourceTypes = func() map[string]*volumeType {
	byName := make(map[string]*volumeType, len(volumeTypes))
	for i := range volumeTypes {
		byName[volumeTypes[i].name] = &volumeTypes[i]
	}
	return byName
}()

// asInPod validates a source like a Pod's volume of the type.
func asInPod(name string, source corev1.VolumeSource, volume string, path *field.Path) field.ErrorList {
	t := sourceTypes[name]
	if t == nil {
		panic(fmt.Sprintf("kind: there are no volumes of the type %s", name))
	}
	return t.validate(volumeInPod{Volume: &corev1.Volume{Name: volume, VolumeSource: source}, path: path}, path)
}
