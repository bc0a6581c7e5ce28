package kind

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// volumeTypes lists the types in the order in which upstream looks at them. Of the types that name a provider's own
// storage only the fields that they cannot do without are judged.
//
// Differs: upstream also judges the format of such fields (an azureDisk's URI, a quobyte's registry), which matters to
// nobody here, as nothing is ever mounted.
var volumeTypes = []volumeType{
	{name: "emptyDir", set: func(s *corev1.VolumeSource) bool { return s.EmptyDir != nil }, validate: validateEmptyDir},
	{name: "hostPath", set: func(s *corev1.VolumeSource) bool { return s.HostPath != nil }, validate: validateHostPath},
	{name: "gitRepo", set: func(s *corev1.VolumeSource) bool { return s.GitRepo != nil }, validate: validateGitRepo},
	{
		name: "gcePersistentDisk", fields: "persistentDisk",
		set: func(s *corev1.VolumeSource) bool { return s.GCEPersistentDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := validateRequired(path, requirement{"pdName", v.GCEPersistentDisk.PDName})
			return append(errs, validatePartition(v.GCEPersistentDisk.Partition, path)...)
		},
	},
	{
		name: "awsElasticBlockStore",
		set:  func(s *corev1.VolumeSource) bool { return s.AWSElasticBlockStore != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := validateRequired(path, requirement{"volumeID", v.AWSElasticBlockStore.VolumeID})
			return append(errs, validatePartition(v.AWSElasticBlockStore.Partition, path)...)
		},
	},
	{name: "secret", set: func(s *corev1.VolumeSource) bool { return s.Secret != nil }, validate: validateSecretVolume},
	{name: "nfs", set: func(s *corev1.VolumeSource) bool { return s.NFS != nil }, validate: validateNFS},
	{name: "iscsi", set: func(s *corev1.VolumeSource) bool { return s.ISCSI != nil }, validate: validateISCSI},
	{
		name: "glusterfs",
		set:  func(s *corev1.VolumeSource) bool { return s.Glusterfs != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			g := v.Glusterfs
			return validateRequired(path, requirement{"endpoints", g.EndpointsName}, requirement{"path", g.Path})
		},
	},
	{name: "flocker", set: func(s *corev1.VolumeSource) bool { return s.Flocker != nil }, validate: validateFlocker},
	{
		name: "persistentVolumeClaim",
		set:  func(s *corev1.VolumeSource) bool { return s.PersistentVolumeClaim != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"claimName", v.PersistentVolumeClaim.ClaimName})
		},
	},
	{
		name: "rbd",
		set:  func(s *corev1.VolumeSource) bool { return s.RBD != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			monitors := strings.Join(v.RBD.CephMonitors, ",")
			return validateRequired(path, requirement{"monitors", monitors}, requirement{"image", v.RBD.RBDImage})
		},
	},
	{
		name: "cinder",
		set:  func(s *corev1.VolumeSource) bool { return s.Cinder != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := validateRequired(path, requirement{"volumeID", v.Cinder.VolumeID})
			if ref := v.Cinder.SecretRef; ref != nil {
				errs = append(errs, validateRequired(path.Child("secretRef"), requirement{"name", ref.Name})...)
			}
			return errs
		},
	},
	{
		name: "cephfs", forbidden: "cephFS",
		set: func(s *corev1.VolumeSource) bool { return s.CephFS != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"monitors", strings.Join(v.CephFS.Monitors, ",")})
		},
	},
	{
		name: "quobyte",
		set:  func(s *corev1.VolumeSource) bool { return s.Quobyte != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			var errs field.ErrorList
			if v.Quobyte.Registry == "" {
				const msg = "must be a host:port pair or multiple pairs separated by commas"
				errs = append(errs, field.Required(path.Child("registry"), msg))
			}
			return append(errs, validateRequired(path, requirement{"volume", v.Quobyte.Volume})...)
		},
	},
	{
		name: "downwardAPI", forbidden: "downwarAPI",
		set:      func(s *corev1.VolumeSource) bool { return s.DownwardAPI != nil },
		validate: validateDownwardAPI,
	},
	{name: "fc", set: func(s *corev1.VolumeSource) bool { return s.FC != nil }, validate: validateFC},
	{
		name: "flexVolume",
		set:  func(s *corev1.VolumeSource) bool { return s.FlexVolume != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"driver", v.FlexVolume.Driver})
		},
	},
	{name: "configMap", set: func(s *corev1.VolumeSource) bool { return s.ConfigMap != nil }, validate: validateConfigMapVolume},
	{
		name: "azureFile",
		set:  func(s *corev1.VolumeSource) bool { return s.AzureFile != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			a := v.AzureFile
			return validateRequired(path, requirement{"secretName", a.SecretName}, requirement{"shareName", a.ShareName})
		},
	},
	{
		name: "vsphereVolume",
		set:  func(s *corev1.VolumeSource) bool { return s.VsphereVolume != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"volumePath", v.VsphereVolume.VolumePath})
		},
	},
	{
		name: "photonPersistentDisk",
		set:  func(s *corev1.VolumeSource) bool { return s.PhotonPersistentDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"pdID", v.PhotonPersistentDisk.PdID})
		},
	},
	{
		name: "portworxVolume",
		set:  func(s *corev1.VolumeSource) bool { return s.PortworxVolume != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"volumeID", v.PortworxVolume.VolumeID})
		},
	},
	{
		name: "azureDisk",
		set:  func(s *corev1.VolumeSource) bool { return s.AzureDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			a := v.AzureDisk
			return validateRequired(path, requirement{"diskName", a.DiskName}, requirement{"diskURI", a.DataDiskURI})
		},
	},
	{
		name: "storageos",
		set:  func(s *corev1.VolumeSource) bool { return s.StorageOS != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateRequired(path, requirement{"volumeName", v.StorageOS.VolumeName})
		},
	},
	{name: "projected", set: func(s *corev1.VolumeSource) bool { return s.Projected != nil }, validate: validateProjected},
	{
		name: "scaleIO",
		set:  func(s *corev1.VolumeSource) bool { return s.ScaleIO != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			io := v.ScaleIO
			return validateRequired(path,
				requirement{"gateway", io.Gateway}, requirement{"system", io.System}, requirement{"volumeName", io.VolumeName})
		},
	},
	{name: "csi", set: func(s *corev1.VolumeSource) bool { return s.CSI != nil }, validate: validateCSI},
	{name: "ephemeral", set: func(s *corev1.VolumeSource) bool { return s.Ephemeral != nil }, validate: validateEphemeralVolume},
	{name: "image", set: func(s *corev1.VolumeSource) bool { return s.Image != nil }, validate: validateImageVolume},
}

// validatePartition judges the number of a disk's partition. 0 means none, though the message begins at 1.
func validatePartition(partition int32, path *field.Path) field.ErrorList {
	if partition >= 0 && partition <= 255 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("partition"), partition, utilvalidation.InclusiveRangeError(1, 255))}
}

func validateGitRepo(v volumeInPod, path *field.Path) field.ErrorList {
	errs := validateRequired(path, requirement{"repository", v.GitRepo.Repository})
	return append(errs, validateDescendingPath(v.GitRepo.Directory, path.Child("directory"))...)
}

func validateFlocker(v volumeInPod, path *field.Path) field.ErrorList {
	name, uuid := v.Flocker.DatasetName, v.Flocker.DatasetUUID
	var errs field.ErrorList
	switch {
	case name == "" && uuid == "":
		errs = append(errs, field.Required(path, "one of datasetName and datasetUUID is required"))
	case name != "" && uuid != "":
		errs = append(errs, field.Invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"))
	}
	if strings.Contains(name, "/") {
		errs = append(errs, field.Invalid(path.Child("datasetName"), name, "must not contain '/'"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateFCVolumeSource
func validateFC(v volumeInPod, path *field.Path) field.ErrorList {
	names, ids := v.FC.TargetWWNs, v.FC.WWIDs
	at := path.Child("targetWWNs")
	var errs field.ErrorList
	switch {
	case len(names) == 0 && len(ids) == 0:
		errs = append(errs, field.Required(at, "must specify either targetWWNs or wwids, but not both"))
	case len(names) > 0 && len(ids) > 0:
		errs = append(errs, field.Invalid(at, names, "targetWWNs and wwids can not be specified simultaneously"))
	}
	switch lun := v.FC.Lun; {
	case len(names) == 0:
	case lun == nil:
		errs = append(errs, field.Required(path.Child("lun"), "lun is required if targetWWNs is specified"))
	case *lun < 0 || *lun > 255:
		errs = append(errs, field.Invalid(path.Child("lun"), lun, utilvalidation.InclusiveRangeError(0, 255)))
	}
	return errs
}

// validateISCSI judges the target; its names, which begin with iqn, eui or naa, only by their beginning.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateISCSIVolumeSource
func validateISCSI(v volumeInPod, path *field.Path) field.ErrorList {
	const badName = "must be valid format starting with iqn, eui, or naa"
	s := v.ISCSI
	errs := validateRequired(path, requirement{"targetPortal", s.TargetPortal}, requirement{"iqn", s.IQN})
	if s.IQN != "" && !isISCSIName(s.IQN) {
		errs = append(errs, field.Invalid(path.Child("iqn"), s.IQN, badName))
	}
	if s.Lun < 0 || s.Lun > 255 {
		errs = append(errs, field.Invalid(path.Child("lun"), s.Lun, utilvalidation.InclusiveRangeError(0, 255)))
	}
	if (s.DiscoveryCHAPAuth || s.SessionCHAPAuth) && s.SecretRef == nil {
		errs = append(errs, field.Required(path.Child("secretRef"), ""))
	}
	if s.InitiatorName == nil {
		return errs
	}
	if !isISCSIName(*s.InitiatorName) {
		errs = append(errs, field.Invalid(path.Child("initiatorname"), *s.InitiatorName, badName))
	}
	if len(v.Name)+len(":")+len(s.TargetPortal) > 64 {
		errs = append(errs, field.Invalid(v.path.Child("name"), v.Name,
			"Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."))
	}
	return errs
}

func isISCSIName(name string) bool {
	return strings.HasPrefix(name, "iqn") || strings.HasPrefix(name, "eui") || strings.HasPrefix(name, "naa")
}
