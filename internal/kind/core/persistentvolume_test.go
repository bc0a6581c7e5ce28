package core_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// The annotations that preceded fields of claims and volumes.
const (
	oldClass  = "volume.beta.kubernetes.io/storage-class"
	oldMounts = "volume.beta.kubernetes.io/mount-options"
)

// storedVolume returns the PersistentVolume "pv-1" of a CSI driver as stored, 90 seconds old, with a
// change applied.
func storedVolume(change func(*corev1.PersistentVolume)) *corev1.PersistentVolume {
	since := metav1.NewTime(kindtest.Now.Add(-90 * time.Second))
	v := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: "pv-1", UID: "u1", ResourceVersion: "1", CreationTimestamp: since},
		Spec: corev1.PersistentVolumeSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Capacity:    kindtest.Quantities("storage=1Gi"),
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				CSI: &corev1.CSIPersistentVolumeSource{Driver: "disk.example.com", VolumeHandle: "h1"},
			},
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable, LastPhaseTransitionTime: &since},
	}
	core.PersistentVolume.Default(v)
	if change != nil {
		change(v)
	}
	return v
}

// onLabel returns an affinity to nodes whose label has the value "a".
func onLabel(label string) *corev1.VolumeNodeAffinity {
	return &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: label, Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}},
	}}}}
}

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolume and SetDefaults_ResourceList
func TestPersistentVolume_Default(t *testing.T) {
	t.Parallel()
	v := &corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{
		Capacity:               kindtest.Quantities("storage=100u"),
		PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/disk"}},
	}}
	core.PersistentVolume.Default(v)
	kindtest.Diff(t, &corev1.PersistentVolume{
		Spec: corev1.PersistentVolumeSpec{
			Capacity: kindtest.Quantities("storage=1m"),
			PersistentVolumeSource: corev1.PersistentVolumeSource{
				HostPath: &corev1.HostPathVolumeSource{Path: "/disk", Type: new(corev1.HostPathUnset)},
			},
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
			VolumeMode:                    new(corev1.PersistentVolumeFilesystem),
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumePending},
	}, v)

	set := func(v *corev1.PersistentVolume) {
		v.Spec.PersistentVolumeReclaimPolicy, v.Spec.VolumeMode = corev1.PersistentVolumeReclaimDelete, new(corev1.PersistentVolumeBlock)
		v.Status.Phase = corev1.VolumeFailed
	}
	kept := storedVolume(set)
	core.PersistentVolume.Default(kept)
	kindtest.Diff(t, storedVolume(set), kept)
}

// Source: kubernetes v1.36 pkg/registry/core/persistentvolume/strategy.go
func TestPersistentVolume_StatusIsNotTheClients(t *testing.T) {
	t.Parallel()
	bound := func(v *corev1.PersistentVolume) {
		v.Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumeBound, Message: "m", Reason: "r"}
	}
	created := storedVolume(bound)
	core.PersistentVolume.PrepareCreate(created)
	kindtest.Diff(t, storedVolume(func(v *corev1.PersistentVolume) { v.Status.Phase = corev1.VolumePending }), created)

	updated := storedVolume(func(v *corev1.PersistentVolume) { bound(v); v.Spec.StorageClassName = "slow" })
	core.PersistentVolume.PrepareUpdate(updated, storedVolume(nil))
	kindtest.Diff(t, storedVolume(func(v *corev1.PersistentVolume) { v.Spec.StorageClassName = "slow" }), updated)

	status := storedVolume(func(v *corev1.PersistentVolume) { v.Spec.StorageClassName, v.Status.Message = "slow", "m" })
	core.PersistentVolume.Status.Prepare(status, storedVolume(nil))
	kindtest.Diff(t, storedVolume(func(v *corev1.PersistentVolume) { v.Status.Message = "m" }), status)
}

// Source: kubernetes v1.36 plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
func TestPersistentVolume_IsProtected(t *testing.T) {
	t.Parallel()
	v := storedVolume(nil)
	if err := kindtest.Admit(core.PersistentVolume, v, kindtest.Cluster()); err != nil {
		t.Fatal(err)
	}
	kindtest.Diff(t, []string{"kubernetes.io/pv-protection"}, v.Finalizers)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolume, and
// pkg/volume/validation/pv_validation.go, checkMountOption
func TestPersistentVolume_Validate(t *testing.T) {
	t.Parallel()
	const noMounts = "metadata.annotations." + oldMounts + ": Forbidden: may not specify mount options for this volume type"
	mounts := map[string]string{oldMounts: "ro"}
	tests := []struct {
		name   string
		change func(*corev1.PersistentVolume)
		want   []string
	}{
		{"valid", nil, nil},
		{"an invalid name, and a namespace", func(v *corev1.PersistentVolume) { v.Name, v.Namespace = "PV", "default" }, []string{
			`metadata.name: Invalid value: "PV": ` + kindtest.NotSubdomain,
			"metadata.namespace: Forbidden: not allowed on this type",
		}},
		{"an invalid spec", func(v *corev1.PersistentVolume) {
			v.Spec.AccessModes, v.Spec.PersistentVolumeReclaimPolicy = nil, "Keep"
		}, []string{
			"spec.accessModes: Required value",
			`spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"`,
		}},
		{"mount options of a driver", func(v *corev1.PersistentVolume) { v.Annotations = mounts }, []string{noMounts}},
		{"mount options of NFS", func(v *corev1.PersistentVolume) {
			v.Annotations = mounts
			v.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}}
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.PersistentVolume.Validate(storedVolume(tt.change))))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeUpdate
func TestPersistentVolume_ValidateUpdate(t *testing.T) {
	t.Parallel()
	const notAffinity = "field is immutable, except for updating from beta label to GA"
	const oldZone = corev1.LabelFailureDomainBetaZone
	secret := func(name string) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) {
			v.Spec.CSI.ControllerExpandSecretRef = &corev1.SecretReference{Namespace: "default", Name: name}
		}
	}
	affinity := func(a *corev1.VolumeNodeAffinity) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) { v.Spec.NodeAffinity = a }
	}
	attributes := func(class *string) func(*corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) { v.Spec.VolumeAttributesClassName = class }
	}
	tests := []struct {
		name      string
		old, next func(*corev1.PersistentVolume)
		want      []string
	}{
		{"the rest of the spec may change", nil, func(v *corev1.PersistentVolume) {
			v.Labels = map[string]string{"a": "b"}
			v.Spec.Capacity = kindtest.Quantities("storage=2Gi")
			v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadOnlyMany}
			v.Spec.PersistentVolumeReclaimPolicy, v.Spec.StorageClassName = corev1.PersistentVolumeReclaimDelete, "slow"
			v.Spec.MountOptions = []string{"ro"}
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: "data"}
		}, nil},
		{"validated like a new one", nil, func(v *corev1.PersistentVolume) { v.Spec.Capacity = kindtest.Quantities("storage=0") }, []string{
			`spec.capacity[storage]: Invalid value: "0": must be greater than zero`,
		}},
		{"the source", nil, func(v *corev1.PersistentVolume) { v.Spec.CSI.VolumeHandle = "h2" }, []string{
			"spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n" +
				"@@ -22,7 +22,7 @@\n" +
				"  \"StorageOS\": null,\n" +
				"  \"CSI\": {\n" +
				"   \"Driver\": \"disk.example.com\",\n" +
				"-  \"VolumeHandle\": \"h1\",\n" +
				"+  \"VolumeHandle\": \"h2\",\n" +
				"   \"ReadOnly\": false,\n" +
				"   \"FSType\": \"\",\n" +
				"   \"VolumeAttributes\": null,\n",
		}},
		{"a secret for expansion is set once", nil, secret("a"), nil},
		{"the mode", nil, func(v *corev1.PersistentVolume) { v.Spec.VolumeMode = new(corev1.PersistentVolumeBlock) }, []string{
			`volumeMode: Invalid value: "Block": field is immutable`,
		}},
		{"an affinity is set once", nil, affinity(onLabel("zone")), nil},
		{"an affinity is not removed", affinity(onLabel("zone")), affinity(nil), []string{
			"nodeAffinity: Invalid value: null: " + notAffinity,
		}},
		{"another affinity", affinity(onLabel("zone")), affinity(onLabel("rack")), []string{
			`nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[` +
				`{"Key":"rack","Operator":"In","Values":["a"]}],"MatchFields":null}]}}: ` + notAffinity,
		}},
		{"a label does not get its old name", affinity(onLabel(corev1.LabelTopologyZone)), affinity(onLabel(oldZone)), []string{
			`nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[` +
				`{"Key":"failure-domain.beta.kubernetes.io/zone","Operator":"In","Values":["a"]}],"MatchFields":null}]}}: ` + notAffinity,
		}},
		{"attributes may change", attributes(nil), attributes(new("gold")), nil},
		{"attributes are not removed", attributes(new("gold")), attributes(nil), []string{
			"spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := core.PersistentVolume.ValidateUpdate(storedVolume(tt.next), storedVolume(tt.old))
			kindtest.Diff(t, tt.want, kindtest.Texts(got))
		})
	}
	for old, next := range map[string]string{
		"failure-domain.beta.kubernetes.io/zone":   "topology.kubernetes.io/zone",
		"failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
		"beta.kubernetes.io/os":                    "kubernetes.io/os",
		"beta.kubernetes.io/arch":                  "kubernetes.io/arch",
		"beta.kubernetes.io/instance-type":         "node.kubernetes.io/instance-type",
	} {
		got := core.PersistentVolume.ValidateUpdate(storedVolume(affinity(onLabel(next))), storedVolume(affinity(onLabel(old))))
		kindtest.Diff(t, []string(nil), kindtest.Texts(got))
	}
	if errs := core.PersistentVolume.ValidateUpdate(storedVolume(secret("b")), storedVolume(secret("a"))); len(errs) != 1 {
		t.Errorf("changing the secret for expansion: %v, want the error of the source", errs)
	}
}

// Source: kubernetes v1.36 pkg/registry/core/persistentvolume/strategy.go, persistentvolumeStatusStrategy.PrepareForUpdate
func TestPersistentVolume_TransitionTime(t *testing.T) {
	t.Parallel()
	const added, sent = -90 * time.Second, -30 * time.Second // before Now
	at := func(d time.Duration) *metav1.Time { return &metav1.Time{Time: kindtest.Now.Add(d)} }
	for _, tt := range []struct {
		name  string
		phase corev1.PersistentVolumePhase // the stored one is Available
		sent  *metav1.Time
		want  *metav1.Time
	}{
		{"the same phase without a time", corev1.VolumeAvailable, nil, at(added)},
		{"the same phase with a time", corev1.VolumeAvailable, at(sent), at(sent)},
		{"another phase without a time", corev1.VolumeReleased, nil, at(0)},
		{"another phase with the old time", corev1.VolumeReleased, at(added), at(0)},
		{"another phase with a time", corev1.VolumeReleased, at(sent), at(sent)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := storedVolume(func(v *corev1.PersistentVolume) {
				v.Status = corev1.PersistentVolumeStatus{Phase: tt.phase, LastPhaseTransitionTime: tt.sent}
			})
			core.PersistentVolume.Status.Prepare(next, storedVolume(nil))
			core.PersistentVolume.Status.SetTimes(next, storedVolume(nil), kindtest.Now.Add(time.Millisecond))
			kindtest.Diff(t, tt.want, next.Status.LastPhaseTransitionTime)
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeStatusUpdate
func TestPersistentVolume_ValidateStatus(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string(nil), kindtest.Texts(core.PersistentVolume.Status.Validate(
		storedVolume(func(v *corev1.PersistentVolume) { v.Status.Phase = "Anything" }), storedVolume(nil))))
	kindtest.Diff(t, []string{`metadata.uid: Invalid value: "u2": field is immutable`}, kindtest.Texts(core.PersistentVolume.Status.Validate(
		storedVolume(func(v *corev1.PersistentVolume) { v.UID = "u2" }), storedVolume(nil))))
}

// Source: kubernetes v1.36 pkg/api/persistentvolume/util.go, warningsForPersistentVolumeSpecAndMeta
func TestPersistentVolume_Warnings(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string(nil), core.PersistentVolume.Warnings(storedVolume(nil), nil))
	kindtest.Diff(t, []string{
		`metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead`,
		`metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead`,
		"spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. " +
			"Instead, the recommended approach is to use dynamic provisioning.",
		"spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: " +
			"failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
		"spec.cephfs: deprecated in v1.28, non-functional in v1.31+",
		"spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
		"spec.scaleIO: deprecated in v1.16, non-functional in v1.22+",
		"spec.storageOS: deprecated in v1.22, non-functional in v1.25+",
		"spec.glusterfs: deprecated in v1.25, non-functional in v1.26+",
		"spec.rbd: deprecated in v1.28, non-functional in v1.31+",
	}, core.PersistentVolume.Warnings(storedVolume(func(v *corev1.PersistentVolume) {
		v.Annotations = map[string]string{oldClass: "slow", oldMounts: "ro"}
		v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimRecycle
		v.Spec.NodeAffinity = onLabel(corev1.LabelFailureDomainBetaZone)
		v.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{
			CephFS: &corev1.CephFSPersistentVolumeSource{}, PhotonPersistentDisk: &corev1.PhotonPersistentDiskVolumeSource{},
			ScaleIO: &corev1.ScaleIOPersistentVolumeSource{}, StorageOS: &corev1.StorageOSPersistentVolumeSource{},
			Glusterfs: &corev1.GlusterfsPersistentVolumeSource{}, RBD: &corev1.RBDPersistentVolumeSource{},
		}
	}), nil))
}

// columns returns the names of a kind's columns, those of `-o wide` in parentheses.
func columns(k *kind.Kind) (names []string) {
	for _, c := range k.Columns {
		if c.Priority > 0 {
			c.Name = "(" + c.Name + ")"
		}
		names = append(names, c.Name)
	}
	return names
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPersistentVolume
func TestPersistentVolume_Row(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string{
		"Name", "Capacity", "Access Modes", "Reclaim Policy", "Status", "Claim", "StorageClass", "VolumeAttributesClass", "Reason", "Age",
		"(VolumeMode)",
	}, columns(core.PersistentVolume))
	for _, tt := range []struct {
		name   string
		change func(*corev1.PersistentVolume)
		want   []any
	}{
		{"available", nil, []any{"pv-1", "1Gi", "RWO", "Retain", "Available", "", "", "<unset>", "", "90s", "Filesystem"}},
		{"bound", func(v *corev1.PersistentVolume) {
			v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{
				corev1.ReadWriteMany, corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce,
			}
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "default", Name: "data"}
			v.Spec.StorageClassName, v.Spec.VolumeAttributesClassName = "fast", new("gold")
			v.Status.Phase, v.Status.Reason = corev1.VolumeBound, "r"
		}, []any{"pv-1", "1Gi", "RWO,ROX,RWX", "Retain", "Bound", "default/data", "fast", "gold", "r", "90s", "Filesystem"}},
		{"terminating, with the class in an annotation", func(v *corev1.PersistentVolume) {
			v.DeletionTimestamp = &metav1.Time{Time: kindtest.Now}
			v.Annotations, v.Spec.StorageClassName = map[string]string{oldClass: "slow"}, "fast"
			v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		}, []any{"pv-1", "1Gi", "RWOP", "Retain", "Terminating", "", "slow", "<unset>", "", "90s", "Filesystem"}},
		{"empty", func(v *corev1.PersistentVolume) { *v = corev1.PersistentVolume{} }, []any{
			"", "0", "", "", "", "", "", "<unset>", "", "<unknown>", "<unset>",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, core.PersistentVolume.Row(storedVolume(tt.change), kindtest.Now))
		})
	}
	kindtest.Diff(t, fields.Set{"name": "pv-1"}, core.PersistentVolume.SelectableFields(storedVolume(nil)))
}
