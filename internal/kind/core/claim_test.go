package core_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// storedClaim returns the claim "data" of 1Gi as stored, 90 seconds old and pending, with changes
// applied.
func storedClaim(changes ...func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{
			Name: "data", Namespace: "default", UID: "u1", ResourceVersion: "1",
			CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-90 * time.Second)),
		},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: kindtest.Quantities("storage=1Gi")},
		},
	}
	core.PersistentVolumeClaim.Default(c)
	for _, change := range changes {
		change(c)
	}
	return c
}

// boundClaim binds a claim to a volume of 1Gi.
func boundClaim(c *corev1.PersistentVolumeClaim) {
	c.Spec.VolumeName, c.Spec.StorageClassName = "pv-1", new("fast")
	c.Status = corev1.PersistentVolumeClaimStatus{
		Phase: corev1.ClaimBound, AccessModes: c.Spec.AccessModes, Capacity: kindtest.Quantities("storage=1Gi"),
	}
}

func requesting(size string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) {
		c.Spec.Resources.Requests = kindtest.Quantities("storage=" + size)
	}
}

// inClass sets the class of a claim, or removes it with nil.
func inClass(name *string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = name }
}

// annotatedClass sets the class of a claim in the old annotation.
func annotatedClass(name string) func(*corev1.PersistentVolumeClaim) {
	return func(c *corev1.PersistentVolumeClaim) { c.Annotations = map[string]string{oldClass: name} }
}

func storageClass(name string, change func(*storagev1.StorageClass)) *storagev1.StorageClass {
	c := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: "disk.example.com"}
	if change != nil {
		change(c)
	}
	return c
}

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolumeClaim,
// SetDefaults_PersistentVolumeClaimSpec and SetDefaults_ResourceList
func TestPersistentVolumeClaim_Default(t *testing.T) {
	t.Parallel()
	c := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: kindtest.Quantities("storage=100u"), Limits: kindtest.Quantities("storage=1100u"),
	}}}
	core.PersistentVolumeClaim.Default(c)
	kindtest.Diff(t, &corev1.PersistentVolumeClaim{
		Spec: corev1.PersistentVolumeClaimSpec{
			VolumeMode: new(corev1.PersistentVolumeFilesystem),
			Resources: corev1.VolumeResourceRequirements{
				Requests: kindtest.Quantities("storage=1m"), Limits: kindtest.Quantities("storage=2m"),
			},
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
	}, c)

	lost := func(c *corev1.PersistentVolumeClaim) {
		c.Spec.VolumeMode, c.Status.Phase = new(corev1.PersistentVolumeBlock), corev1.ClaimLost
	}
	kept := storedClaim(lost)
	core.PersistentVolumeClaim.Default(kept)
	kindtest.Diff(t, storedClaim(lost), kept)
}

// Source: kubernetes v1.36 pkg/registry/core/persistentvolumeclaim/strategy.go
func TestPersistentVolumeClaim_StatusIsNotTheClients(t *testing.T) {
	t.Parallel()
	status := func(c *corev1.PersistentVolumeClaim) {
		c.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimLost, CurrentVolumeAttributesClassName: new("gold")}
	}
	created := storedClaim(status)
	core.PersistentVolumeClaim.PrepareCreate(created)
	kindtest.Diff(t, storedClaim(), created)

	updated := storedClaim(status, requesting("2Gi"))
	core.PersistentVolumeClaim.PrepareUpdate(updated, storedClaim(boundClaim))
	kindtest.Diff(t, storedClaim(boundClaim).Status, updated.Status)
	kindtest.Diff(t, storedClaim(requesting("2Gi")).Spec, updated.Spec)

	written := storedClaim(status, requesting("2Gi"))
	core.PersistentVolumeClaim.Status.Prepare(written, storedClaim())
	kindtest.Diff(t, storedClaim(status), written)
}

// Source: kubernetes v1.36 pkg/api/persistentvolumeclaim/util.go, DropDisabledFields, EnforceDataSourceBackwardsCompatibility and
// NormalizeDataSources
func TestPersistentVolumeClaim_DataSources(t *testing.T) {
	t.Parallel()
	type (
		source    = corev1.TypedLocalObjectReference
		reference = corev1.TypedObjectReference
	)
	from := func(s *source, r *reference) *corev1.PersistentVolumeClaim {
		return storedClaim(func(c *corev1.PersistentVolumeClaim) { c.Spec.DataSource, c.Spec.DataSourceRef = s, r })
	}
	snapshots, populators := new("snapshot.storage.k8s.io"), new("example.com")
	claim, claimRef := &source{Kind: "PersistentVolumeClaim", Name: "a"}, &reference{Kind: "PersistentVolumeClaim", Name: "a"}
	snapshot := &source{APIGroup: snapshots, Kind: "VolumeSnapshot", Name: "s"}
	snapshotRef := &reference{APIGroup: snapshots, Kind: "VolumeSnapshot", Name: "s"}
	image, imageRef := &source{APIGroup: populators, Kind: "Image", Name: "i"}, &reference{APIGroup: populators, Kind: "Image", Name: "i"}
	elsewhere := &reference{Kind: "PersistentVolumeClaim", Name: "a", Namespace: new("other")}
	for _, tt := range []struct {
		name      string
		sent, old *corev1.PersistentVolumeClaim // old is nil for a new claim
		want      *corev1.PersistentVolumeClaim
	}{
		{"none", from(nil, nil), nil, from(nil, nil)},
		{"another claim", from(claim, nil), nil, from(claim, claimRef)},
		{"a snapshot", from(snapshot, nil), nil, from(snapshot, snapshotRef)},
		{"a snapshot without a group is dropped", from(&source{Kind: "VolumeSnapshot", Name: "s"}, nil), nil, from(nil, nil)},
		{"anything else is dropped", from(image, nil), nil, from(nil, nil)},
		{"anything else by reference", from(nil, imageRef), nil, from(image, imageRef)},
		{"in another namespace", from(nil, elsewhere), nil, from(nil, nil)},
		{"in another namespace, stored before", from(nil, elsewhere), from(nil, elsewhere), from(nil, elsewhere)},
		{"an old client omits the reference", from(image, nil), from(image, imageRef), from(image, imageRef)},
		{"two sources are left to validation", from(claim, snapshotRef), nil, from(claim, snapshotRef)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.sent.DeepCopy()
			if tt.old == nil {
				core.PersistentVolumeClaim.PrepareCreate(got)
			} else {
				core.PersistentVolumeClaim.PrepareUpdate(got, tt.old)
			}
			kindtest.Diff(t, tt.want, got)
		})
	}
}

// Source: kubernetes v1.36 plugin/pkg/admission/storage/storageclass/setdefault/admission.go and
// plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
func TestPersistentVolumeClaim_Admission(t *testing.T) {
	t.Parallel()
	byDefault := func(c *storagev1.StorageClass) {
		c.Annotations = map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}
	}
	one := kindtest.Cluster(storageClass("slow", nil), storageClass("fast", byDefault))
	none := kindtest.Cluster(storageClass("slow", nil))
	for _, tt := range []struct {
		name    string
		cluster kindtest.ToyCluster
		change  func(*corev1.PersistentVolumeClaim)
		want    *string
	}{
		{"the default class", one, inClass(nil), new("fast")},
		{"no default class", none, inClass(nil), nil},
		{"its own class", one, inClass(new("slow")), new("slow")},
		{"no class at all", one, inClass(new("")), new("")},
		{"a class in the annotation", one, annotatedClass("slow"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := storedClaim(tt.change)
			if err := kindtest.Admit(core.PersistentVolumeClaim, c, tt.cluster); err != nil {
				t.Fatal(err)
			}
			kindtest.Diff(t, tt.want, c.Spec.StorageClassName)
			kindtest.Diff(t, []string{"kubernetes.io/pvc-protection"}, c.Finalizers)
		})
	}
}

// Source: kubernetes v1.36 plugin/pkg/admission/storage/persistentvolume/resize/admission.go
func TestPersistentVolumeClaim_Expansion(t *testing.T) {
	t.Parallel()
	const fixed = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"
	cluster := kindtest.Cluster(
		storageClass("slow", nil),
		storageClass("fixed", func(c *storagev1.StorageClass) { c.AllowVolumeExpansion = new(false) }),
		storageClass("fast", func(c *storagev1.StorageClass) { c.AllowVolumeExpansion = new(true) }),
	)
	sized := func(class, size string) *corev1.PersistentVolumeClaim {
		return storedClaim(boundClaim, inClass(&class), requesting(size))
	}
	for _, tt := range []struct {
		name      string
		old, next *corev1.PersistentVolumeClaim
		want      string
	}{
		{"a class that allows it", sized("fast", "1Gi"), sized("fast", "2Gi"), ""},
		{"a class that does not say", sized("slow", "1Gi"), sized("slow", "2Gi"), fixed},
		{"a class that forbids it", sized("fixed", "1Gi"), sized("fixed", "2Gi"), fixed},
		{"a class that does not exist", sized("gone", "1Gi"), sized("gone", "2Gi"), fixed},
		{"no class", sized("", "1Gi"), sized("", "2Gi"), fixed},
		{"another class", sized("slow", "1Gi"), sized("fast", "2Gi"), fixed},
		{"the same size", sized("slow", "1Gi"), sized("slow", "1Gi"), ""},
		{"a smaller size", sized("slow", "2Gi"), sized("slow", "1Gi"), ""},
		{
			"a pending claim", storedClaim(inClass(new("fast"))), storedClaim(inClass(new("fast")), requesting("2Gi")),
			"Only bound persistent volume claims can be expanded",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := kindtest.DenyUpdate(core.PersistentVolumeClaim, tt.next, tt.old, cluster)
			kindtest.Diff(t, tt.want, kindtest.Refusal(err))
		})
	}
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaim
func TestPersistentVolumeClaim_Validate(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string(nil), kindtest.Texts(core.PersistentVolumeClaim.Validate(storedClaim())))
	bad := storedClaim(func(c *corev1.PersistentVolumeClaim) {
		c.Name, c.Namespace, c.Spec.Resources.Requests = "-", "", nil
		c.Spec.VolumeMode = new(corev1.PersistentVolumeMode("Tape"))
		c.Spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: new("_"), Kind: "K", Name: "n"}
	})
	kindtest.Diff(t, []string{
		`metadata.name: Invalid value: "-": ` + kindtest.NotSubdomain, "metadata.namespace: Required value",
		"spec.resources[storage]: Required value",
		`spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"`,
		`spec.dataSource.apiGroup: Invalid value: "_": ` + kindtest.NotSubdomain,
	}, kindtest.Texts(core.PersistentVolumeClaim.Validate(bad)))
}

// Source: kubernetes v1.36 pkg/api/persistentvolumeclaim/util.go, GetWarningsForPersistentVolumeClaim
func TestPersistentVolumeClaim_Warnings(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string(nil), core.PersistentVolumeClaim.Warnings(storedClaim(), nil))
	kindtest.Diff(t, []string{
		`metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead`,
		`spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer`,
	}, core.PersistentVolumeClaim.Warnings(storedClaim(annotatedClass("slow"), requesting("1500m")), nil))
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printPersistentVolumeClaim
func TestPersistentVolumeClaim_Row(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string{
		"Name", "Status", "Volume", "Capacity", "Access Modes", "StorageClass", "VolumeAttributesClass", "Age", "(VolumeMode)",
	}, columns(core.PersistentVolumeClaim))
	for _, tt := range []struct {
		name string
		of   *corev1.PersistentVolumeClaim
		want []any
	}{
		{"pending", storedClaim(inClass(new("slow"))), []any{"data", "Pending", "", "", "", "slow", "<unset>", "90s", "Filesystem"}},
		{"bound", storedClaim(boundClaim, func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = new("gold") }), []any{
			"data", "Bound", "pv-1", "1Gi", "RWO", "fast", "gold", "90s", "Filesystem",
		}},
		{"asking for a volume that is not bound yet", storedClaim(func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "pv-1" }), []any{
			"data", "Pending", "pv-1", "0", "", "", "<unset>", "90s", "Filesystem",
		}},
		{"terminating, with the class in an annotation", storedClaim(boundClaim, annotatedClass("slow"), func(c *corev1.PersistentVolumeClaim) {
			c.DeletionTimestamp = &metav1.Time{Time: kindtest.Now}
		}), []any{"data", "Terminating", "pv-1", "1Gi", "RWO", "slow", "<unset>", "90s", "Filesystem"}},
		{"empty", &corev1.PersistentVolumeClaim{}, []any{"", "", "", "", "", "", "<unset>", "<unknown>", "<unset>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, core.PersistentVolumeClaim.Row(tt.of, kindtest.Now))
		})
	}
	kindtest.Diff(t, fields.Set{"name": "data"}, core.PersistentVolumeClaim.SelectableFields(storedClaim()))
}
