package volume_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/core/volume"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

var emptyDir = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}

// ephemeral returns the source of a volume whose claim is created with the Pod.
func ephemeral(spec corev1.PersistentVolumeClaimSpec) corev1.VolumeSource {
	t := &corev1.PersistentVolumeClaimTemplate{Spec: spec}
	return corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: t}}
}

// claim returns a valid spec of a claim, with a change applied.
func claim(change func(*corev1.PersistentVolumeClaimSpec)) corev1.PersistentVolumeClaimSpec {
	s := corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: kindtest.Quantities("storage=1Gi")},
	}
	if change != nil {
		change(&s)
	}
	return s
}

// Only volumes without errors can be mounted, and only their names are taken.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateVolumes
func TestValidate(t *testing.T) {
	t.Parallel()
	const two = "may not specify more than 1 volume type"
	long := strings.Repeat("p", 60)
	pod := &metav1.ObjectMeta{Name: "web"}
	type volumes []corev1.Volume
	tests := []struct {
		name    string
		volumes volumes
		pod     *metav1.ObjectMeta
		sound   []string
		want    []string
	}{
		{"none", nil, pod, nil, nil},
		{"a name is taken only by a volume without errors", volumes{
			{Name: "a"}, {Name: "a", VolumeSource: emptyDir}, {Name: "a", VolumeSource: emptyDir},
		}, pod, []string{"a"}, []string{"v[0]: Required value: must specify a volume type", `v[2].name: Duplicate value: "a"`}},
		{"errors of a type come before those of the name", volumes{{}}, pod, nil,
			[]string{"v[0]: Required value: must specify a volume type", "v[0].name: Required value"}},
		{"only the first of two types is validated", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{}, NFS: &corev1.NFSVolumeSource{}, GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{},
		}}}, pod, nil, []string{
			"v[0].hostPath.path: Required value", "v[0].gcePersistentDisk: Forbidden: " + two, "v[0].nfs: Forbidden: " + two,
		}},
		{"the name of an iSCSI session is limited also if the type is the second", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{
			EmptyDir: emptyDir.EmptyDir, ISCSI: &corev1.ISCSIVolumeSource{InitiatorName: new("iqn"), TargetPortal: strings.Repeat("p", 63)},
		}}}, pod, nil, []string{"v[0].iscsi: Forbidden: " + two, `v[0].name: Invalid value: "a": Total length of ` +
			"<volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."}},
		{"an image needs a reference in a Pod", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{
			PullPolicy: "Sometimes",
		}}}}, pod, nil, []string{"v[0].image.reference: Required value",
			`v[0].image.pullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`}},
		{"an image needs none in a template", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{
			PullPolicy: corev1.PullAlways,
		}}}}, nil, []string{"a"}, nil},
		{"a claim that is created with the Pod has the Pod's name in its own", volumes{{Name: "a", VolumeSource: ephemeral(claim(nil))}},
			&metav1.ObjectMeta{Name: "-"}, nil, []string{`v[0].name: Invalid value: "a": PVC name "--a": ` + kindtest.NotSubdomain}},
		{"a claim in a template has no name yet", volumes{{Name: long, VolumeSource: ephemeral(claim(nil))}}, nil, []string{long}, nil},
		{"reserved options of a flexVolume", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{FlexVolume: &corev1.FlexVolumeSource{
			Driver: "d", Options: map[string]string{"K8s.io": "", "a.kubernetes.io/b": "", "mykubernetes.io/b": ""},
		}}}}, pod, nil, []string{`v[0].flexVolume.options[K8s.io]: Invalid value: "K8s.io": kubernetes.io and k8s.io namespaces are reserved`,
			`v[0].flexVolume.options[a.kubernetes.io/b]: Invalid value: "a.kubernetes.io/b": kubernetes.io and k8s.io namespaces are reserved`}},
		{"a managed Azure disk at the address of a blob", volumes{{Name: "a", VolumeSource: corev1.VolumeSource{
			AzureDisk: &corev1.AzureDiskVolumeSource{DiskName: "d", DataDiskURI: "https://x", Kind: new(corev1.AzureManagedDisk)},
		}}}, pod, nil, []string{`v[0].azureDisk.diskURI: Unsupported value: "https://x": supported values: ` +
			`"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sound, errs := volume.Validate(tt.volumes, tt.pod, field.NewPath("v"))
			kindtest.Diff(t, tt.want, kindtest.Texts(errs))
			kindtest.Diff(t, tt.sound, slices.Sorted(maps.Keys(sound)))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec
func TestValidateClaim(t *testing.T) {
	t.Parallel()
	const notDefault = `must be 'PersistentVolumeClaim' when referencing the default apiGroup`
	type spec = corev1.PersistentVolumeClaimSpec
	snapshot := &corev1.TypedLocalObjectReference{APIGroup: new("snapshot.storage.k8s.io"), Kind: "VolumeSnapshot", Name: "s"}
	from := &corev1.TypedObjectReference{APIGroup: snapshot.APIGroup, Kind: snapshot.Kind, Name: snapshot.Name}
	tests := []struct {
		name   string
		change func(*spec)
		want   []string
	}{
		{"modes and a size are enough", nil, nil},
		{"nothing", func(s *spec) { *s = spec{} }, []string{
			"spec.accessModes: Required value: at least 1 access mode is required", "spec.resources[storage]: Required value",
		}},
		{"no class is not an invalid one", func(s *spec) { s.StorageClassName, s.VolumeAttributesClassName = new(""), new("") }, nil},
		{"classes with invalid names", func(s *spec) { s.StorageClassName, s.VolumeAttributesClassName = new("-"), new("_") }, []string{
			`spec.storageClassName: Invalid value: "-": ` + kindtest.NotSubdomain,
			`spec.volumeAttributesClassName: Invalid value: "_": ` + kindtest.NotSubdomain,
		}},
		{"the same source twice", func(s *spec) { s.DataSource, s.DataSourceRef = snapshot, from }, nil},
		{"two sources", func(s *spec) {
			s.DataSource, s.DataSourceRef = &corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: "c"}, from
		}, []string{"spec: Invalid value: {}: must match dataSourceRef"}},
		{"a source in another namespace is the only one", func(s *spec) {
			s.DataSource, s.DataSourceRef = snapshot, from.DeepCopy()
			s.DataSourceRef.Namespace = new("-")
		}, []string{
			`spec.dataSourceRef.namespace: Invalid value: "-": ` + kindtest.NotLabel,
			"spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified",
		}},
		{"sources without a name, a kind and a group", func(s *spec) {
			s.DataSource = &corev1.TypedLocalObjectReference{APIGroup: new("_")}
			s.DataSourceRef = &corev1.TypedObjectReference{Kind: "VolumeSnapshot", Name: "s", Namespace: new("")}
		}, []string{
			"spec.dataSource.name: Required value", "spec.dataSource.kind: Required value",
			`spec.dataSource.apiGroup: Invalid value: "_": ` + kindtest.NotSubdomain,
			`spec.dataSourceRef: Invalid value: "VolumeSnapshot": ` + notDefault, "spec: Invalid value: {}: must match dataSourceRef",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := claim(tt.change)
			kindtest.Diff(t, tt.want, kindtest.Texts(volume.ValidateClaim(&s, volume.ClaimOptions{}, field.NewPath("spec"))))
		})
	}
	kindtest.Diff(t, []string{`spec.resources.limits[storage]: fractional byte value "1500m" is invalid, must be an integer`},
		volume.WarnOfClaim(&spec{Resources: corev1.VolumeResourceRequirements{
			Requests: kindtest.Quantities("storage=1"), Limits: kindtest.Quantities("storage=1500m"),
		}}, field.NewPath("spec")))
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec
func TestValidatePersistent(t *testing.T) {
	t.Parallel()
	type spec = corev1.PersistentVolumeSpec
	local := corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{Path: "/disk"}}
	nfs := &corev1.NFSVolumeSource{Server: "s", Path: "/"}
	csi := corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: "d", VolumeHandle: "h"}}
	tests := []struct {
		name   string
		inline bool
		change func(*spec)
		want   []string
	}{
		{"a volume of a driver", false, func(s *spec) { s.PersistentVolumeSource = csi }, nil},
		{"nothing", false, func(s *spec) { *s = spec{} }, []string{
			"spec.accessModes: Required value", "spec.capacity: Required value",
			`spec.capacity: Unsupported value: null: supported values: "storage"`, "spec: Required value: must specify a volume type",
		}},
		{"a capacity of other things", false, func(s *spec) {
			s.PersistentVolumeSource, s.Capacity = csi, kindtest.Quantities("cpu=1 storage=-1")
		}, []string{
			`spec.capacity: Unsupported value: {"cpu":"1","storage":"-1"}: supported values: "storage"`,
			"spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
			`spec.capacity[storage]: Invalid value: "-1": must be greater than zero`,
		}},
		{"the root of a node is not recycled", false, func(s *spec) {
			s.HostPath, s.PersistentVolumeReclaimPolicy = &corev1.HostPathVolumeSource{Path: "//"}, corev1.PersistentVolumeReclaimRecycle
		}, []string{"spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"}},
		{"a local volume is on a node", false, func(s *spec) { s.PersistentVolumeSource = local }, []string{
			"spec.nodeAffinity: Required value: Local volume requires node affinity",
		}},
		{"an affinity without nodes", false, func(s *spec) {
			s.PersistentVolumeSource, s.NodeAffinity = local, &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{}}
		}, []string{"spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term"}},
		{"only a flexVolume may be a second type", false, func(s *spec) {
			s.PersistentVolumeSource, s.FlexVolume, s.NFS = csi, &corev1.FlexPersistentVolumeSource{}, nfs
		}, []string{"spec.flexVolume.driver: Required value", "spec.csi: Forbidden: may not specify more than 1 volume type"}},
		{"a secret has a namespace", false, func(s *spec) {
			s.CSI = csi.CSI.DeepCopy()
			s.CSI.NodeExpandSecretRef, s.CSI.NodeStageSecretRef = &corev1.SecretReference{Name: "_"}, &corev1.SecretReference{}
		}, []string{
			`spec.csi.nodeExpandSecretRef.name: Invalid value: "_": ` + kindtest.NotSubdomain,
			"spec.csi.nodeExpandSecretRef.namespace: Required value",
		}},
		{"attributes are those of a driver", false, func(s *spec) {
			s.NFS, s.VolumeAttributesClassName = nfs, new("")
		}, []string{
			"spec.volumeAttributesClassName: Required value: an empty string is disallowed",
			"spec.csi: Required value: has to be specified when using volumeAttributesClassName",
		}},
		{"an inline volume is a filesystem that is kept", true, func(s *spec) {
			s.PersistentVolumeSource, s.Capacity, s.ClaimRef, s.NodeAffinity = csi, nil, &corev1.ObjectReference{}, &corev1.VolumeNodeAffinity{}
			s.PersistentVolumeReclaimPolicy, s.VolumeMode = corev1.PersistentVolumeReclaimDelete, new(corev1.PersistentVolumeBlock)
		}, []string{
			"spec.claimRef: Forbidden: may not be specified in the context of inline volumes",
			"spec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
			"spec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes",
			"spec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := spec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}, Capacity: kindtest.Quantities("storage=1Gi")}
			tt.change(&s)
			got := volume.ValidatePersistent(&s, volume.Judgement{Name: "pv", Inline: tt.inline}, field.NewPath("spec"))
			kindtest.Diff(t, tt.want, kindtest.Texts(got))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/v1/zz_generated.defaults.go, SetObjectDefaults_PersistentVolume, and
// pkg/apis/core/v1/defaults.go, SetDefaults_Volume
func TestDefault(t *testing.T) {
	t.Parallel()
	disk := &corev1.AzureDiskVolumeSource{
		CachingMode: new(corev1.AzureDataDiskCachingReadWrite), FSType: new("ext4"), ReadOnly: new(false), Kind: new(corev1.AzureSharedBlobDisk),
	}
	persistent := corev1.PersistentVolumeSource{
		HostPath: &corev1.HostPathVolumeSource{}, AzureDisk: &corev1.AzureDiskVolumeSource{},
		RBD: &corev1.RBDPersistentVolumeSource{RBDPool: "mine"}, ScaleIO: &corev1.ScaleIOPersistentVolumeSource{},
	}
	volume.DefaultPersistent(&persistent)
	kindtest.Diff(t, corev1.PersistentVolumeSource{
		HostPath: &corev1.HostPathVolumeSource{Type: new(corev1.HostPathUnset)}, AzureDisk: disk,
		RBD:     &corev1.RBDPersistentVolumeSource{RBDPool: "mine", RadosUser: "admin", Keyring: "/etc/ceph/keyring"},
		ScaleIO: &corev1.ScaleIOPersistentVolumeSource{StorageMode: "ThinProvisioned", FSType: "xfs"},
	}, persistent)

	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for image, want := range map[string]corev1.PullPolicy{
		"busybox": corev1.PullAlways, "example.com:5000/a": corev1.PullAlways, "a:latest" + digest: corev1.PullAlways,
		"a:1": corev1.PullIfNotPresent, "a" + digest: corev1.PullIfNotPresent, "A:latest": corev1.PullIfNotPresent, "": corev1.PullIfNotPresent,
	} {
		kindtest.Diff(t, map[string]corev1.PullPolicy{image: want}, map[string]corev1.PullPolicy{image: volume.PullPolicyOf(image)})
	}
}

// Source: kubernetes v1.36 plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
func TestInUseProtection(t *testing.T) {
	t.Parallel()
	c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Finalizers: []string{"example.com/a"}}}
	for range 2 {
		if err := volume.InUseProtection("kubernetes.io/pvc-protection").Mutate(c, nil); err != nil {
			t.Fatal(err)
		}
		kindtest.Diff(t, []string{"example.com/a", "kubernetes.io/pvc-protection"}, c.Finalizers)
	}
}
