package storage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/object"
)

// meta is the metadata of a stored object that is 90 seconds old.
func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, ResourceVersion: "1", CreationTimestamp: metav1.Time{Time: kindtest.Now.Add(-90 * time.Second)}}
}

// class returns a valid, defaulted StorageClass, with a change applied.
func class(change func(*storagev1.StorageClass)) *storagev1.StorageClass {
	c := &storagev1.StorageClass{ObjectMeta: meta("fast"), Provisioner: "example.com/disk"}
	storage.StorageClass.Default(c)
	if change != nil {
		change(c)
	}
	return c
}

func driver(change func(*storagev1.CSIDriverSpec)) *storagev1.CSIDriver {
	d := &storagev1.CSIDriver{ObjectMeta: meta("disk.example.com")}
	storage.CSIDriver.Default(d)
	if change != nil {
		change(&d.Spec)
	}
	return d
}

func csiNode(drivers ...storagev1.CSINodeDriver) *storagev1.CSINode {
	return &storagev1.CSINode{ObjectMeta: meta("node-1"), Spec: storagev1.CSINodeSpec{Drivers: drivers}}
}

func capacity(change func(*storagev1.CSIStorageCapacity)) *storagev1.CSIStorageCapacity {
	c := &storagev1.CSIStorageCapacity{ObjectMeta: meta("rack"), StorageClassName: "fast"}
	c.Namespace = "default"
	if change != nil {
		change(c)
	}
	return c
}

func attachment(change func(*storagev1.VolumeAttachment)) *storagev1.VolumeAttachment {
	a := &storagev1.VolumeAttachment{ObjectMeta: meta("a"), Spec: storagev1.VolumeAttachmentSpec{
		Attacher: "disk.example.com", NodeName: "node-1", Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: new("pv-1")},
	}}
	if change != nil {
		change(a)
	}
	return a
}

func attributes(driver string, parameters map[string]string) *storagev1.VolumeAttributesClass {
	return &storagev1.VolumeAttributesClass{ObjectMeta: meta("gold"), DriverName: driver, Parameters: parameters}
}

func topology(keys ...string) corev1.TopologySelectorTerm {
	var t corev1.TopologySelectorTerm
	for _, key := range keys {
		t.MatchLabelExpressions = append(t.MatchLabelExpressions, corev1.TopologySelectorLabelRequirement{Key: key, Values: []string{"a"}})
	}
	return t
}

// Source: kubernetes v1.36 pkg/apis/storage/v1/defaults.go
func TestDefaults(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, &storagev1.StorageClass{
		ObjectMeta: meta("fast"), Provisioner: "example.com/disk",
		ReclaimPolicy: new(corev1.PersistentVolumeReclaimDelete), VolumeBindingMode: new(storagev1.VolumeBindingImmediate),
	}, class(nil))
	kindtest.Diff(t, &storagev1.CSIDriver{ObjectMeta: meta("disk.example.com"), Spec: storagev1.CSIDriverSpec{
		AttachRequired: new(true), PodInfoOnMount: new(false), StorageCapacity: new(false), RequiresRepublish: new(false),
		SELinuxMount:         new(false),
		FSGroupPolicy:        new(storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy),
		VolumeLifecycleModes: []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent},
	}}, driver(nil))
}

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go
func TestValidate(t *testing.T) {
	t.Parallel()
	const notMode = `volumeBindingMode: Unsupported value: "Late": supported values: "Immediate", "WaitForFirstConsumer"`
	const oneSource = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
	long := strings.Repeat("d", 64)
	type check struct {
		name   string
		kind   *kind.Kind
		object object.Object
		want   []string
	}
	var tests []check
	add := func(name string, k *kind.Kind, o object.Object, want ...string) {
		tests = append(tests, check{name, k, o, want})
	}

	add("a class, defaulted", storage.StorageClass, class(nil))
	add("a provisioner with capitals, a nil policy", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		c.Provisioner, c.ReclaimPolicy = "Example.com/Disk", nil
	}))
	add("a class without a provisioner and with unknown modes", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		c.Provisioner, *c.ReclaimPolicy, *c.VolumeBindingMode = "", corev1.PersistentVolumeReclaimRecycle, "Late"
	}), "provisioner: Required value", `reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"`, notMode)
	add("a class without a binding mode and with an unnamed parameter", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		c.VolumeBindingMode, c.Parameters = nil, map[string]string{"": "x"}
	}), `parameters: Invalid value: "": field can not be empty.`, "volumeBindingMode: Required value")
	add("parameters of more than 256 KiB", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		c.Parameters = map[string]string{"k": strings.Repeat("x", 256<<10)}
	}), "parameters: Too long: may not be more than 262144 bytes")
	add("more than 512 parameters", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		c.Parameters = map[string]string{}
		for i := range 513 {
			c.Parameters[fmt.Sprint(i)] = ""
		}
	}), "parameters: Too long: may not be more than 512 bytes")
	add("topologies that repeat keys, values and terms", storage.StorageClass, class(func(c *storagev1.StorageClass) {
		twice := topology("zone")
		twice.MatchLabelExpressions[0].Values = []string{"b", "b"}
		c.AllowedTopologies = []corev1.TopologySelectorTerm{topology("zone"), topology("zone", "zone"), twice, {
			MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: "rack"}},
		}}
	}),
		`allowedTopologies[1].matchLabelExpressions[1].key: Duplicate value: "zone"`,
		`allowedTopologies[1].matchLabelExpressions: Duplicate value: ""`,
		`allowedTopologies[2].matchLabelExpressions[0].values[1]: Duplicate value: "b"`,
		"allowedTopologies[3].matchLabelExpressions[0].values: Required value",
	)

	add("a driver, defaulted", storage.CSIDriver, driver(nil))
	add("a driver that is not defaulted", storage.CSIDriver, &storagev1.CSIDriver{ObjectMeta: meta("disk.example.com")},
		"spec.attachedRequired: Required value", "spec.podInfoOnMount: Required value", "spec.storageCapacity: Required value",
		"spec.seLinuxMount: Required value")
	add("a driver with unknown modes", storage.CSIDriver, driver(func(s *storagev1.CSIDriverSpec) {
		s.FSGroupPolicy, s.VolumeLifecycleModes = new(storagev1.FSGroupPolicy("Some")), []storagev1.VolumeLifecycleMode{"Brief"}
		s.NodeAllocatableUpdatePeriodSeconds, s.ServiceAccountTokenInSecrets = new(int64(9)), new(true)
	}),
		`spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"`,
		`spec.volumeLifecycleModes: Unsupported value: "Brief": supported values: "Persistent", "Ephemeral"`,
		"spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
		"spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified",
	)
	add("tokens that are too short or too long, or for one audience", storage.CSIDriver, driver(func(s *storagev1.CSIDriverSpec) {
		s.TokenRequests = []storagev1.TokenRequest{
			{Audience: "a", ExpirationSeconds: new(int64(599))}, {ExpirationSeconds: new(int64(1<<32 + 1))}, {Audience: "a"},
		}
	}),
		"spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
		"spec.tokenRequests[1].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds",
		`spec.tokenRequests[2].audience: Duplicate value: "a"`,
	)

	add("a node with two drivers", storage.CSINode, csiNode(
		storagev1.CSINodeDriver{Name: "a.example.com", NodeID: "1", TopologyKeys: []string{"example.com/zone"}},
		storagev1.CSINodeDriver{Name: "b.example.com", NodeID: strings.Repeat("i", 256), Allocatable: &storagev1.VolumeNodeResources{}},
	))
	add("a node with invalid drivers", storage.CSINode, csiNode(
		storagev1.CSINodeDriver{Allocatable: &storagev1.VolumeNodeResources{Count: new(int32(-1))}},
		storagev1.CSINodeDriver{Name: long, NodeID: strings.Repeat("i", 257), TopologyKeys: []string{"zone", "zone"}},
		storagev1.CSINodeDriver{Name: long, NodeID: "3", TopologyKeys: []string{"-"}},
	),
		"spec.drivers[0].name: Required value", "spec.drivers[0].nodeID: Required value",
		"spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
		"spec.drivers[1].name: Too long: may not be more than 63 bytes",
		fmt.Sprintf("spec.drivers[1].nodeID: Invalid value: %q: must be 256 characters or less", strings.Repeat("i", 257)),
		`spec.drivers[1]: Duplicate value: "zone"`, "spec.drivers[2].name: Too long: may not be more than 63 bytes",
		fmt.Sprintf("spec.drivers[2].name: Duplicate value: %q", long),
		`spec.drivers[2]: Invalid value: "-": `+kindtest.NotQualifiedName,
	)

	add("an unlimited capacity", storage.CSIStorageCapacity, capacity(nil))
	add("a negative capacity of a class with an invalid name", storage.CSIStorageCapacity, capacity(func(c *storagev1.CSIStorageCapacity) {
		c.StorageClassName, c.Capacity = "-", new(resource.MustParse("-1Gi"))
		c.NodeTopology = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "zone", Operator: "Near"}}}
	}),
		`nodeTopology.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
		`storageClassName: Invalid value: "-": `+kindtest.NotSubdomain,
		`capacity: Invalid value: "-1Gi": must be greater than or equal to 0`,
	)

	add("an attachment of a volume", storage.VolumeAttachment, attachment(nil))
	add("an attachment of nothing", storage.VolumeAttachment, attachment(func(a *storagev1.VolumeAttachment) {
		a.Spec = storagev1.VolumeAttachmentSpec{NodeName: "-"}
	}),
		"spec.attacher: Required value", "spec.source: Required value: "+oneSource,
		`spec.nodeName: Invalid value: "-": `+kindtest.NotSubdomain,
	)
	add("an attachment of two volumes", storage.VolumeAttachment, attachment(func(a *storagev1.VolumeAttachment) {
		a.Spec.Source.InlineVolumeSpec = &corev1.PersistentVolumeSpec{}
	}), "spec.source: Forbidden: "+oneSource)
	add("an inline volume with what only a PersistentVolume has", storage.VolumeAttachment, attachment(func(a *storagev1.VolumeAttachment) {
		a.Spec.Source = storagev1.VolumeAttachmentSource{InlineVolumeSpec: &corev1.PersistentVolumeSpec{
			Capacity: kindtest.Quantities("storage=1Gi"), AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			PersistentVolumeSource: corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "s", Path: "/"}}, StorageClassName: "fast",
		}}
	}),
		"spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes",
		"spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes",
		"spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes",
	)
	// The limit of a message is 1024 bytes, but the error names that of the metadata.
	add("a status of an attachment that is too long", storage.VolumeAttachment, attachment(func(a *storagev1.VolumeAttachment) {
		a.Status.AttachmentMetadata = map[string]string{"k": strings.Repeat("x", 256<<10)}
		a.Status.DetachError = &storagev1.VolumeError{Message: strings.Repeat("x", 1025), ErrorCode: new(int32(-1))}
	}),
		"status.attachmentMetadata: Too long: may not be more than 262144 bytes",
		"status.detachError.message: Too long: may not be more than 262144 bytes",
		"status.detachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive",
	)

	add("attributes without a driver and parameters", storage.VolumeAttributesClass, attributes("", nil),
		"driverName: Required value", "parameters: Required value: must contain at least one key/value pair")

	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(tt.kind.Validate(tt.object)))
		})
	}
}
