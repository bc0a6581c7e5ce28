package storage_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/object"
)

// Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go
func TestValidateUpdate(t *testing.T) {
	t.Parallel()
	node := func(id string, volumes int32) *storagev1.CSINode {
		return csiNode(storagev1.CSINodeDriver{Name: "a", NodeID: id, Allocatable: &storagev1.VolumeNodeResources{Count: &volumes}})
	}
	inline := attachment(func(a *storagev1.VolumeAttachment) {
		a.Spec.Source = storagev1.VolumeAttachmentSource{InlineVolumeSpec: &corev1.PersistentVolumeSpec{
			AccessModes:            []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: "d", VolumeHandle: "h"}},
		}}
	})
	tests := []struct {
		name      string
		kind      *kind.Kind
		next, old object.Object
		want      []string
	}{
		{"a class may change what concerns only new volumes", storage.StorageClass, class(func(c *storagev1.StorageClass) {
			c.AllowVolumeExpansion, c.MountOptions = new(true), []string{"ro"}
			c.AllowedTopologies = []corev1.TopologySelectorTerm{topology("zone")}
		}), class(nil), nil},
		{"the rest of a class is immutable", storage.StorageClass, class(func(c *storagev1.StorageClass) {
			c.Provisioner, c.Parameters = "example.com/tape", map[string]string{"k": "v"}
			*c.ReclaimPolicy, *c.VolumeBindingMode = corev1.PersistentVolumeReclaimRetain, storagev1.VolumeBindingWaitForFirstConsumer
		}), class(nil), []string{
			`parameters: Invalid value: {"k":"v"}: field is immutable`,
			`provisioner: Invalid value: "example.com/tape": field is immutable`,
			`reclaimPolicy: Invalid value: "Retain": field is immutable`,
			`volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable`,
		}},
		{"a driver may change what nodes read", storage.CSIDriver, driver(func(s *storagev1.CSIDriverSpec) {
			s.PodInfoOnMount, s.StorageCapacity, s.RequiresRepublish, s.SELinuxMount = new(true), new(true), new(true), new(true)
			s.FSGroupPolicy, s.TokenRequests = new(storagev1.FileFSGroupPolicy), []storagev1.TokenRequest{{Audience: "a"}}
		}), driver(nil), nil},
		{"the rest of a driver is immutable", storage.CSIDriver, driver(func(s *storagev1.CSIDriverSpec) {
			s.AttachRequired, s.VolumeLifecycleModes = new(false), []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecycleEphemeral}
		}), driver(nil), []string{
			"spec.attachedRequired: Invalid value: false: field is immutable",
			`spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable`,
		}},
		{"a node may change the number of volumes", storage.CSINode, node("1", 8), node("1", 4), nil},
		{"a node may lose a driver", storage.CSINode, csiNode(), node("1", 4), nil},
		{"a node's driver is immutable", storage.CSINode, node("2", 8), node("1", 4), []string{
			`spec.drivers: Invalid value: {"Name":"a","NodeID":"2","TopologyKeys":null,"Allocatable":null}: field is immutable`,
		}},
		{"a capacity may change", storage.CSIStorageCapacity, capacity(func(c *storagev1.CSIStorageCapacity) {
			c.Capacity, c.MaximumVolumeSize = new(resource.MustParse("1Gi")), new(resource.MustParse("1Gi"))
		}), capacity(nil), nil},
		{"what a capacity is for may not", storage.CSIStorageCapacity, capacity(func(c *storagev1.CSIStorageCapacity) {
			c.StorageClassName, c.NodeTopology = "slow", &metav1.LabelSelector{MatchLabels: map[string]string{"zone": "a"}}
		}), capacity(nil), []string{
			`nodeTopology: Invalid value: {"matchLabels":{"zone":"a"}}: field is immutable`,
			`storageClassName: Invalid value: "slow": field is immutable`,
		}},
		{"an attachment's spec is immutable", storage.VolumeAttachment, attachment(func(a *storagev1.VolumeAttachment) {
			a.Spec.NodeName = "node-2"
		}), attachment(nil), []string{
			`spec: Invalid value: {"Attacher":"disk.example.com","Source":{"PersistentVolumeName":"pv-1","InlineVolumeSpec":null},` +
				`"NodeName":"node-2"}: field is immutable`,
		}},
		{"an inline volume's fields are in upstream's order", storage.VolumeAttachment, inline, attachment(nil), []string{
			`spec: Invalid value: {"Attacher":"disk.example.com","Source":{"PersistentVolumeName":null,"InlineVolumeSpec":{"Capacity":null,` +
				`"GCEPersistentDisk":null,"AWSElasticBlockStore":null,"HostPath":null,"Glusterfs":null,"NFS":null,"RBD":null,"Quobyte":null,` +
				`"ISCSI":null,"FlexVolume":null,"Cinder":null,"CephFS":null,"FC":null,"Flocker":null,"AzureFile":null,"VsphereVolume":null,` +
				`"AzureDisk":null,"PhotonPersistentDisk":null,"PortworxVolume":null,"ScaleIO":null,"Local":null,"StorageOS":null,` +
				`"CSI":{"Driver":"d","VolumeHandle":"h","ReadOnly":false,"FSType":"","VolumeAttributes":null,"ControllerPublishSecretRef":null,` +
				`"NodeStageSecretRef":null,"NodePublishSecretRef":null,"ControllerExpandSecretRef":null,"NodeExpandSecretRef":null},` +
				`"AccessModes":["ReadWriteOnce"],"ClaimRef":null,"PersistentVolumeReclaimPolicy":"","StorageClassName":"","MountOptions":null,` +
				`"VolumeMode":null,"NodeAffinity":null,"VolumeAttributesClassName":null}},"NodeName":"node-1"}: field is immutable`,
		}},
		{
			"attributes are immutable", storage.VolumeAttributesClass,
			attributes("b.example.com", map[string]string{"iops": "2"}), attributes("a.example.com", map[string]string{"iops": "1"}),
			[]string{"driverName: Forbidden: updates to driverName are forbidden.", "parameters: Forbidden: updates to parameters are forbidden."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(tt.kind.ValidateUpdate(tt.next, tt.old)))
		})
	}
}

// Source: kubernetes v1.36 pkg/registry/storage/csidriver/strategy.go
func TestCSIDriver_Generation(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*storagev1.CSIDriverSpec)
		want   int64
	}{
		"no change":                    {nil, 3},
		"a change of the spec":         {func(s *storagev1.CSIDriverSpec) { s.PodInfoOnMount = new(true) }, 4},
		"only of a field that is off":  {func(s *storagev1.CSIDriverSpec) { s.PreventPodSchedulingIfMissing = new(true) }, 3},
		"a new audience of its tokens": {func(s *storagev1.CSIDriverSpec) { s.TokenRequests = []storagev1.TokenRequest{{}} }, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, old := driver(tt.change), driver(nil)
			next.Generation, old.Generation = 3, 3
			storage.CSIDriver.PrepareUpdate(next, old)
			kindtest.Diff(t, tt.want, next.Generation)
			kindtest.Diff(t, (*bool)(nil), next.Spec.PreventPodSchedulingIfMissing)
		})
	}
}

// Only the status subresource of an attachment writes its status, and it writes nothing else.
//
// Source: kubernetes v1.36 pkg/registry/storage/volumeattachment/strategy.go
func TestVolumeAttachment_Status(t *testing.T) {
	t.Parallel()
	attached := func(a *storagev1.VolumeAttachment) { a.Status.Attached = true }
	created := attachment(attached)
	storage.VolumeAttachment.PrepareCreate(created)
	kindtest.Diff(t, attachment(nil), created)

	updated := attachment(attached)
	storage.VolumeAttachment.PrepareUpdate(updated, attachment(nil))
	kindtest.Diff(t, attachment(nil), updated)

	status := attachment(func(a *storagev1.VolumeAttachment) { a.Status.Attached, a.Spec.NodeName = true, "node-2" })
	storage.VolumeAttachment.Status.Prepare(status, attachment(nil))
	kindtest.Diff(t, attachment(attached), status)
}

// Source: kubernetes v1.36 pkg/api/storage/util.go, and pkg/registry/storage/csidriver/strategy.go
func TestWarnings(t *testing.T) {
	t.Parallel()
	const zone = `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`
	const old = "failure-domain.beta.kubernetes.io/zone"
	kindtest.Diff(t, []string{"allowedTopologies[0].matchLabelExpressions[1].key: " + zone},
		storage.StorageClass.Warnings(class(func(c *storagev1.StorageClass) {
			c.AllowedTopologies = []corev1.TopologySelectorTerm{topology("rack", old)}
		}), nil))
	kindtest.Diff(t, []string{"nodeTopology.matchLabels." + old + ": " + zone},
		storage.CSIStorageCapacity.Warnings(capacity(func(c *storagev1.CSIStorageCapacity) {
			c.NodeTopology = &metav1.LabelSelector{MatchLabels: map[string]string{old: "a", "rack": "b"}}
		}), nil))

	tokens := driver(func(s *storagev1.CSIDriverSpec) { s.TokenRequests = []storagev1.TokenRequest{{Audience: "a"}} })
	decided := driver(func(s *storagev1.CSIDriverSpec) {
		s.TokenRequests, s.ServiceAccountTokenInSecrets = tokens.Spec.TokenRequests, new(false)
	})
	logged := []string{"spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, " +
		"set to true to prevent possible logging of tokens in volume attributes"}
	kindtest.Diff(t, logged, storage.CSIDriver.Warnings(tokens, nil))
	kindtest.Diff(t, logged, storage.CSIDriver.Warnings(tokens, driver(nil)))
	kindtest.Diff(t, []string(nil), storage.CSIDriver.Warnings(tokens, tokens))
	kindtest.Diff(t, []string(nil), storage.CSIDriver.Warnings(decided, nil))
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go
func TestRows(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		kind   *kind.Kind
		object object.Object
		want   map[string]any
	}{
		{"the default class", storage.StorageClass, class(func(c *storagev1.StorageClass) {
			c.Annotations = map[string]string{"storageclass.beta.kubernetes.io/is-default-class": "true"}
			c.AllowVolumeExpansion, *c.ReclaimPolicy = new(true), corev1.PersistentVolumeReclaimRetain
		}), map[string]any{
			"Name": "fast (default)", "Provisioner": "example.com/disk", "ReclaimPolicy": "Retain", "VolumeBindingMode": "Immediate",
			"AllowVolumeExpansion": true, "Age": "90s",
		}},
		{"a class without anything", storage.StorageClass, &storagev1.StorageClass{}, map[string]any{
			"Name": "", "Provisioner": "", "ReclaimPolicy": "Delete", "VolumeBindingMode": "Immediate",
			"AllowVolumeExpansion": false, "Age": "<unknown>",
		}},
		{"a driver", storage.CSIDriver, driver(func(s *storagev1.CSIDriverSpec) {
			s.AttachRequired, s.TokenRequests = new(false), []storagev1.TokenRequest{{Audience: "a"}, {Audience: "b"}}
			s.VolumeLifecycleModes = append(s.VolumeLifecycleModes, storagev1.VolumeLifecycleEphemeral)
		}), map[string]any{
			"Name": "disk.example.com", "AttachRequired": false, "PodInfoOnMount": false, "StorageCapacity": false, "TokenRequests": "a,b",
			"RequiresRepublish": false, "Modes": "Persistent,Ephemeral", "Age": "90s",
		}},
		{"a driver without anything", storage.CSIDriver, &storagev1.CSIDriver{}, map[string]any{
			"Name": "", "AttachRequired": true, "PodInfoOnMount": false, "StorageCapacity": false, "TokenRequests": "<unset>",
			"RequiresRepublish": false, "Modes": "<none>", "Age": "<unknown>",
		}},
		{"a node", storage.CSINode, csiNode(storagev1.CSINodeDriver{}, storagev1.CSINodeDriver{}), map[string]any{
			"Name": "node-1", "Drivers": int64(2), "Age": "90s",
		}},
		{"a capacity", storage.CSIStorageCapacity, capacity(func(c *storagev1.CSIStorageCapacity) {
			c.Capacity = new(resource.MustParse("1Gi"))
		}), map[string]any{"Name": "rack", "StorageClassName": "fast", "Capacity": "1Gi"}},
		{"an unset capacity", storage.CSIStorageCapacity, capacity(nil), map[string]any{
			"Name": "rack", "StorageClassName": "fast", "Capacity": "<unset>",
		}},
		{"an attachment", storage.VolumeAttachment, attachment(nil), map[string]any{
			"Name": "a", "Attacher": "disk.example.com", "PV": "pv-1", "Node": "node-1", "Attached": false, "Age": "90s",
		}},
		{"attributes", storage.VolumeAttributesClass, attributes("a.example.com", nil), map[string]any{
			"Name": "gold", "DriverName": "a.example.com", "Age": "90s",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := map[string]any{}
			for i, cell := range tt.kind.Row(tt.object, kindtest.Now) {
				got[tt.kind.Columns[i].Name] = cell
			}
			kindtest.Diff(t, tt.want, got)
		})
	}
}

// Source: kubernetes v1.36 pkg/volume/util/storageclass.go, GetDefaultClass
func TestDefaultStorageClass(t *testing.T) {
	t.Parallel()
	named := func(name string, age int, isDefault string) *storagev1.StorageClass {
		return class(func(c *storagev1.StorageClass) {
			c.Name, c.Annotations = name, map[string]string{"storageclass.kubernetes.io/is-default-class": isDefault}
			c.CreationTimestamp = metav1.Unix(kindtest.Now.Unix()-int64(age), 0)
		})
	}
	old, a, b, newest := named("old", 9, "true"), named("a", 5, "true"), named("b", 5, "true"), named("newest", 1, "yes")
	kindtest.Diff(t, "a", storage.DefaultStorageClass(kindtest.Cluster(old, a, b, newest)).Name)
	kindtest.Diff(t, (*storagev1.StorageClass)(nil), storage.DefaultStorageClass(kindtest.Cluster(newest)))
}
