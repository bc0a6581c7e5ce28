package volume

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
)

// Default applies the defaults of a volume, in place; a volume without a type is an emptyDir.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Volume and SetDefaults_*VolumeSource
func Default(v *corev1.Volume) {
	s := &v.VolumeSource
	if *s == (corev1.VolumeSource{}) {
		s.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if s.HostPath != nil {
		kind.SetDefault(&s.HostPath.Type, corev1.HostPathUnset)
	}
	if s.Secret != nil {
		kind.SetDefault(&s.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if s.ConfigMap != nil {
		kind.SetDefault(&s.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if s.DownwardAPI != nil {
		kind.SetDefault(&s.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		defaultDownwardFiles(s.DownwardAPI.Items)
	}
	if s.Image != nil {
		s.Image.PullPolicy = cmp.Or(s.Image.PullPolicy, PullPolicyOf(s.Image.Reference))
	}
	defaultProjected(s.Projected)
	defaultClaimTemplate(s.Ephemeral)
	defaultNetworkVolume(s)
}

func defaultDownwardFiles(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		DefaultFieldRef(files[i].FieldRef)
	}
}

// defaultProjected sets the lifetime of a service account token to one hour by default.
func defaultProjected(p *corev1.ProjectedVolumeSource) {
	if p == nil {
		return
	}
	kind.SetDefault(&p.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for _, source := range p.Sources {
		if source.DownwardAPI != nil {
			defaultDownwardFiles(source.DownwardAPI.Items)
		}
		if source.ServiceAccountToken != nil {
			kind.SetDefault(&source.ServiceAccountToken.ExpirationSeconds, 60*60)
		}
	}
}

func defaultClaimTemplate(e *corev1.EphemeralVolumeSource) {
	if e == nil || e.VolumeClaimTemplate == nil {
		return
	}
	spec := &e.VolumeClaimTemplate.Spec
	kind.SetDefault(&spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	kind.RoundUp(spec.Resources.Limits, spec.Resources.Requests)
}

// defaultNetworkVolume applies the defaults of volume sources outside the cluster.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/zz_generated.defaults.go, SetObjectDefaults_Pod
func defaultNetworkVolume(s *corev1.VolumeSource) {
	if s.ISCSI != nil {
		s.ISCSI.ISCSIInterface = cmp.Or(s.ISCSI.ISCSIInterface, "default")
	}
	if s.RBD != nil {
		s.RBD.RBDPool = cmp.Or(s.RBD.RBDPool, "rbd")
		s.RBD.RadosUser = cmp.Or(s.RBD.RadosUser, "admin")
		s.RBD.Keyring = cmp.Or(s.RBD.Keyring, "/etc/ceph/keyring")
	}
	if s.AzureDisk != nil {
		kind.SetDefault(&s.AzureDisk.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		kind.SetDefault(&s.AzureDisk.FSType, "ext4")
		kind.SetDefault(&s.AzureDisk.ReadOnly, false)
		kind.SetDefault(&s.AzureDisk.Kind, corev1.AzureSharedBlobDisk)
	}
	if s.ScaleIO != nil {
		s.ScaleIO.StorageMode = cmp.Or(s.ScaleIO.StorageMode, "ThinProvisioned")
		s.ScaleIO.FSType = cmp.Or(s.ScaleIO.FSType, "xfs")
	}
}
