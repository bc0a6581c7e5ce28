package core_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// claimChanges are changes of a claim, made in turn.
type claimChanges []func(*corev1.PersistentVolumeClaim)

// The differences that errors of the spec show are left out here.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate
func TestPersistentVolumeClaim_ValidateUpdate(t *testing.T) {
	t.Parallel()
	const (
		fixedSpec = "spec: Forbidden: spec is immutable after creation except resources.requests and " +
			"volumeAttributesClassName for bound claims"
		tooSmall  = "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
		fixedNote = "metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "
	)
	attributes := func(class *string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = class }
	}
	gold := func(c *corev1.PersistentVolumeClaim) {
		boundClaim(c)
		c.Spec.VolumeAttributesClassName, c.Status.CurrentVolumeAttributesClassName = new("gold"), new("gold")
	}
	volume := func(name string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = name }
	}
	expanding, annotated := requesting("3Gi"), annotatedClass("slow")
	tests := []struct {
		name      string
		old, next claimChanges
		want      []string
	}{
		{"metadata", nil, claimChanges{func(c *corev1.PersistentVolumeClaim) {
			c.Labels, c.Annotations = map[string]string{"a": "b"}, map[string]string{"a": "b"}
		}}, nil},
		{"another object", nil, claimChanges{func(c *corev1.PersistentVolumeClaim) { c.UID = "u2" }}, []string{
			`metadata.uid: Invalid value: "u2": field is immutable`,
		}},
		{"the volume is set once", nil, claimChanges{volume("pv-1")}, nil},
		{"another volume", claimChanges{volume("pv-1")}, claimChanges{volume("pv-2")}, []string{fixedSpec}},
		{"no volume any more", claimChanges{volume("pv-1")}, nil, []string{fixedSpec}},
		{"access modes", claimChanges{boundClaim}, claimChanges{boundClaim, func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
		}}, []string{fixedSpec}},
		{"the mode is reported twice", nil, claimChanges{func(c *corev1.PersistentVolumeClaim) {
			c.Spec.VolumeMode = new(corev1.PersistentVolumeBlock)
		}}, []string{fixedSpec, `volumeMode: Invalid value: "Block": field is immutable`}},

		{"a larger bound claim", claimChanges{boundClaim}, claimChanges{boundClaim, requesting("2Gi")}, nil},
		{"a larger pending claim", nil, claimChanges{requesting("2Gi")}, []string{fixedSpec}},
		{"back to less, but more than the volume has", claimChanges{boundClaim, expanding}, claimChanges{boundClaim, requesting("2Gi")}, nil},
		{"back to what the volume has", claimChanges{boundClaim, expanding}, claimChanges{boundClaim}, []string{tooSmall}},
		{"no request any more", claimChanges{boundClaim}, claimChanges{boundClaim, func(c *corev1.PersistentVolumeClaim) {
			c.Spec.Resources.Requests = nil
		}}, []string{"spec.resources[storage]: Required value", fixedSpec, tooSmall}},

		{"a class is set once", nil, claimChanges{inClass(new("fast"))}, nil},
		{"no class is a class", nil, claimChanges{inClass(new(""))}, nil},
		{"another class", claimChanges{inClass(new("slow"))}, claimChanges{inClass(new("fast"))}, []string{fixedSpec}},
		{"no class any more", claimChanges{inClass(new("slow"))}, nil, []string{fixedSpec}},
		{"a class of a claim that had none on purpose", claimChanges{inClass(new(""))}, claimChanges{inClass(new("fast"))}, []string{fixedSpec}},
		{"the field replaces the annotation", claimChanges{annotated}, claimChanges{inClass(new("slow"))}, nil},
		{"the field beside the annotation", claimChanges{annotated}, claimChanges{annotated, inClass(new("slow"))}, nil},
		{"a field other than the annotation", claimChanges{annotated}, claimChanges{annotated, inClass(new("fast"))}, []string{fixedSpec}},
		{"another annotation", claimChanges{annotated}, claimChanges{annotatedClass("fast")}, []string{
			fixedNote + `"fast": field is immutable`,
		}},
		{"no annotation any more", claimChanges{annotated}, nil, []string{fixedNote + `"": field is immutable`}},
		{"an annotation later", nil, claimChanges{annotated}, []string{fixedNote + `"slow": field is immutable`}},

		{"attributes of a bound claim", claimChanges{boundClaim}, claimChanges{boundClaim, attributes(new("gold"))}, nil},
		{"attributes of a pending claim", nil, claimChanges{attributes(new("gold"))}, []string{fixedSpec}},
		{"attributes taken back", claimChanges{boundClaim, attributes(new("gold"))}, claimChanges{boundClaim, attributes(nil)}, nil},
		{"attributes taken back once applied", claimChanges{gold}, claimChanges{gold, attributes(nil)}, []string{
			"spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil",
		}},
		{"attributes emptied once applied", claimChanges{gold}, claimChanges{gold, attributes(new(""))}, []string{
			"spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next, old := storedClaim(tt.next...), storedClaim(tt.old...)
			before := next.DeepCopy()
			var got []string
			for _, text := range kindtest.Texts(core.PersistentVolumeClaim.ValidateUpdate(next, old)) {
				text, _, _ = strings.Cut(text, "\n")
				got = append(got, text)
			}
			kindtest.Diff(t, tt.want, got)
			kindtest.Diff(t, before, next)
		})
	}
}

// A claim that already has a data source of a group may keep it, whatever the group's name.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidationOptionsForPersistentVolumeClaim
func TestPersistentVolumeClaim_KeepsItsDataSource(t *testing.T) {
	t.Parallel()
	from := func(c *corev1.PersistentVolumeClaim) {
		c.Spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: new("_"), Kind: "K", Name: "n"}
	}
	kindtest.Diff(t, []string(nil), kindtest.Texts(core.PersistentVolumeClaim.ValidateUpdate(storedClaim(from), storedClaim(from))))
}

// The error shows what has changed, with the names that fields have in upstream's internal types.
func TestPersistentVolumeClaim_ShowsWhatHasChanged(t *testing.T) {
	t.Parallel()
	got := kindtest.Texts(core.PersistentVolumeClaim.ValidateUpdate(storedClaim(inClass(new("fast"))), storedClaim(inClass(new("slow")))))
	kindtest.Diff(t, []string{
		"spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n" +
			"@@ -10,7 +10,7 @@\n" +
			"   }\n" +
			"  },\n" +
			"  \"VolumeName\": \"\",\n" +
			"- \"StorageClassName\": \"slow\",\n" +
			"+ \"StorageClassName\": \"fast\",\n" +
			"  \"VolumeMode\": \"Filesystem\",\n" +
			"  \"DataSource\": null,\n" +
			"  \"DataSourceRef\": null,\n",
	}, got)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimStatusUpdate
func TestPersistentVolumeClaim_ValidateStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*corev1.PersistentVolumeClaim)
		want   []string
	}{
		{"bound", boundClaim, nil},
		{"an expansion in progress", func(c *corev1.PersistentVolumeClaim) {
			boundClaim(c)
			c.Status.AllocatedResources = kindtest.Quantities("storage=2Gi example.com/iops=5")
			c.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{
				corev1.ResourceStorage: corev1.PersistentVolumeClaimControllerResizeInProgress,
				"example.com/iops":     corev1.PersistentVolumeClaimNodeResizePending,
			}
		}, nil},
		{"another object without modes", func(c *corev1.PersistentVolumeClaim) { c.UID, c.Spec.AccessModes = "u2", nil }, []string{
			`metadata.uid: Invalid value: "u2": field is immutable`, "Spec.accessModes: Required value",
		}},
		{"a negative capacity", func(c *corev1.PersistentVolumeClaim) { c.Status.Capacity = kindtest.Quantities("cpu=-1 storage=-2") }, []string{
			"status.capacity[cpu]: Invalid value: -1: must be a valid resource quantity",
			"status.capacity[storage]: Invalid value: -2: must be a valid resource quantity",
		}},
		{"allocated resources", func(c *corev1.PersistentVolumeClaim) {
			c.Status.AllocatedResources = kindtest.Quantities("_=1 cpu=1 storage=-1")
		}, []string{
			`status.allocatedResources: Invalid value: "_": ` + kindtest.NotQualifiedName,
			`status.allocatedResources: Unsupported value: "cpu": supported values: "storage"`,
			"status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity",
		}},
		{"the status of a native resource", func(c *corev1.PersistentVolumeClaim) {
			c.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{
				"kubernetes.io/iops": corev1.PersistentVolumeClaimNodeResizePending,
			}
		}, []string{`status.allocatedResourceStatuses: Unsupported value: "kubernetes.io/iops": supported values: "storage"`}},
		{"an unknown status", func(c *corev1.PersistentVolumeClaim) {
			c.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{corev1.ResourceStorage: "Late"}
		}, []string{
			`status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", ` +
				`"ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := core.PersistentVolumeClaim.Status.Validate(storedClaim(tt.change), storedClaim())
			kindtest.Diff(t, tt.want, kindtest.Texts(got))
		})
	}
}

// Claims that are being deleted may keep what LimitRanges forbid.
//
// Source: kubernetes v1.36 plugin/pkg/admission/limitranger/admission.go, runLimitFunc
func TestPersistentVolumeClaim_LimitRanges(t *testing.T) {
	t.Parallel()
	limit := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "small", Namespace: "default"}, Spec: corev1.LimitRangeSpec{
		Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypePersistentVolumeClaim, Max: kindtest.Quantities("storage=500Mi")}},
	}}
	cluster := kindtest.Cluster(limit)
	const tooLarge = "maximum storage usage per PersistentVolumeClaim is 500Mi, but request is 1Gi"
	kindtest.Diff(t, tooLarge, kindtest.Refusal(kindtest.Deny(core.PersistentVolumeClaim, storedClaim(), cluster)))
	kindtest.Diff(t, tooLarge, kindtest.Refusal(kindtest.DenyUpdate(core.PersistentVolumeClaim, storedClaim(), storedClaim(), cluster)))
	going := storedClaim(func(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{Time: kindtest.Now} })
	kindtest.Diff(t, "", kindtest.Refusal(kindtest.DenyUpdate(core.PersistentVolumeClaim, storedClaim(), going, cluster)))
}
