package volume

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// volumeTypes lists the types in the order in which upstream checks them.
var volumeTypes = []volumeType{
	{name: "emptyDir", set: func(s *corev1.VolumeSource) bool { return s.EmptyDir != nil }, validate: validateEmptyDir},
	{name: "hostPath", set: func(s *corev1.VolumeSource) bool { return s.HostPath != nil }, validate: validateHostPath},
	{name: "gitRepo", set: func(s *corev1.VolumeSource) bool { return s.GitRepo != nil }, validate: validateGitRepo},
	{
		name: "gcePersistentDisk", fields: "persistentDisk",
		set: func(s *corev1.VolumeSource) bool { return s.GCEPersistentDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("pdName", v.GCEPersistentDisk.PDName))
			return append(errs, validatePartition(v.GCEPersistentDisk.Partition, path)...)
		},
	},
	{
		name: "awsElasticBlockStore",
		set:  func(s *corev1.VolumeSource) bool { return s.AWSElasticBlockStore != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("volumeID", v.AWSElasticBlockStore.VolumeID))
			return append(errs, validatePartition(v.AWSElasticBlockStore.Partition, path)...)
		},
	},
	{name: "secret", set: func(s *corev1.VolumeSource) bool { return s.Secret != nil }, validate: validateSecretVolume},
	{name: "nfs", set: func(s *corev1.VolumeSource) bool { return s.NFS != nil }, validate: validateNFS},
	{name: "iscsi", set: func(s *corev1.VolumeSource) bool { return s.ISCSI != nil }, validate: validateISCSI, always: validateISCSISession},
	{
		name: "glusterfs",
		set:  func(s *corev1.VolumeSource) bool { return s.Glusterfs != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			g := v.Glusterfs
			return check.Required(path, check.Need("endpoints", g.EndpointsName), check.Need("path", g.Path))
		},
	},
	{name: "flocker", set: func(s *corev1.VolumeSource) bool { return s.Flocker != nil }, validate: validateFlocker},
	{
		name: "persistentVolumeClaim",
		set:  func(s *corev1.VolumeSource) bool { return s.PersistentVolumeClaim != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return check.Required(path, check.Need("claimName", v.PersistentVolumeClaim.ClaimName))
		},
	},
	{
		name: "rbd",
		set:  func(s *corev1.VolumeSource) bool { return s.RBD != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := requireMonitors(v.RBD.CephMonitors, path)
			return append(errs, check.Required(path, check.Need("image", v.RBD.RBDImage))...)
		},
	},
	{
		name: "cinder",
		set:  func(s *corev1.VolumeSource) bool { return s.Cinder != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			errs := check.Required(path, check.Need("volumeID", v.Cinder.VolumeID))
			if ref := v.Cinder.SecretRef; ref != nil {
				errs = append(errs, check.Required(path.Child("secretRef"), check.Need("name", ref.Name))...)
			}
			return errs
		},
	},
	{
		name: "cephfs", forbidden: "cephFS",
		set: func(s *corev1.VolumeSource) bool { return s.CephFS != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return requireMonitors(v.CephFS.Monitors, path)
		},
	},
	{
		name: "quobyte",
		set:  func(s *corev1.VolumeSource) bool { return s.Quobyte != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateQuobyte(v.Quobyte, path)
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
			errs := check.Required(path, check.Need("driver", v.FlexVolume.Driver))
			return append(errs, validateFlexOptions(v.FlexVolume.Options, path.Child("options"))...)
		},
	},
	{name: "configMap", set: func(s *corev1.VolumeSource) bool { return s.ConfigMap != nil }, validate: validateConfigMapVolume},
	{
		name: "azureFile",
		set:  func(s *corev1.VolumeSource) bool { return s.AzureFile != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			a := v.AzureFile
			return check.Required(path, check.Need("secretName", a.SecretName), check.Need("shareName", a.ShareName))
		},
	},
	{
		name: "vsphereVolume",
		set:  func(s *corev1.VolumeSource) bool { return s.VsphereVolume != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return check.Required(path, check.Need("volumePath", v.VsphereVolume.VolumePath))
		},
	},
	{
		name: "photonPersistentDisk",
		set:  func(s *corev1.VolumeSource) bool { return s.PhotonPersistentDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return check.Required(path, check.Need("pdID", v.PhotonPersistentDisk.PdID))
		},
	},
	{
		name: "portworxVolume",
		set:  func(s *corev1.VolumeSource) bool { return s.PortworxVolume != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return check.Required(path, check.Need("volumeID", v.PortworxVolume.VolumeID))
		},
	},
	{
		name: "azureDisk",
		set:  func(s *corev1.VolumeSource) bool { return s.AzureDisk != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateAzureDisk(v.AzureDisk, path)
		},
	},
	{
		name: "storageos",
		set:  func(s *corev1.VolumeSource) bool { return s.StorageOS != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			return validateStorageOS(v.StorageOS, path)
		},
	},
	{name: "projected", set: func(s *corev1.VolumeSource) bool { return s.Projected != nil }, validate: validateProjected},
	{
		name: "scaleIO",
		set:  func(s *corev1.VolumeSource) bool { return s.ScaleIO != nil },
		validate: func(v volumeInPod, path *field.Path) field.ErrorList {
			io := v.ScaleIO
			return check.Required(path,
				check.Need("gateway", io.Gateway), check.Need("system", io.System), check.Need("volumeName", io.VolumeName))
		},
	},
	{name: "csi", set: func(s *corev1.VolumeSource) bool { return s.CSI != nil }, validate: validateCSI},
	{name: "ephemeral", set: func(s *corev1.VolumeSource) bool { return s.Ephemeral != nil }, validate: validateEphemeralVolume},
	{name: "image", set: func(s *corev1.VolumeSource) bool { return s.Image != nil }, validate: validateImageVolume},
}

// validatePartition validates the number of a disk partition. 0 means none, though the message says
// 1.
func validatePartition(partition int32, path *field.Path) field.ErrorList {
	if partition >= 0 && partition <= 255 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("partition"), partition, utilvalidation.InclusiveRangeError(1, 255))}
}

func validateGitRepo(v volumeInPod, path *field.Path) field.ErrorList {
	errs := check.Required(path, check.Need("repository", v.GitRepo.Repository))
	return append(errs, check.DescendingPath(v.GitRepo.Directory, path.Child("directory"))...)
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

// validateISCSI validates the target and its names.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateISCSIVolumeSource
func validateISCSI(v volumeInPod, path *field.Path) field.ErrorList {
	s := v.ISCSI
	errs := check.Required(path, check.Need("targetPortal", s.TargetPortal), check.Need("iqn", s.IQN))
	if s.IQN != "" {
		errs = append(errs, validateISCSIName(s.IQN, wantedISCSIName, path.Child("iqn"))...)
	}
	if s.Lun < 0 || s.Lun > 255 {
		errs = append(errs, field.Invalid(path.Child("lun"), s.Lun, utilvalidation.InclusiveRangeError(0, 255)))
	}
	if (s.DiscoveryCHAPAuth || s.SessionCHAPAuth) && s.SecretRef == nil {
		errs = append(errs, field.Required(path.Child("secretRef"), ""))
	}
	if s.InitiatorName != nil {
		errs = append(errs, validateISCSIName(*s.InitiatorName, wantedISCSIName, path.Child("initiatorname"))...)
	}
	return errs
}

// validateISCSISession limits the length of the session name, which contains the volume's name.
func validateISCSISession(v volumeInPod) field.ErrorList {
	if v.ISCSI.InitiatorName == nil || len(v.Volume.Name)+len(":")+len(v.ISCSI.TargetPortal) <= 64 {
		return nil
	}
	return field.ErrorList{field.Invalid(v.path.Child("name"), v.Volume.Name,
		"Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.")}
}
