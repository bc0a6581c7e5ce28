package kind

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// Catalogue is an ordered set of kinds. It never changes after NewCatalogue, and may be shared by goroutines; so
// may the Kinds in it, which nobody changes. The zero Catalogue is empty.
type Catalogue struct {
	kinds      []*Kind // that are served
	stored     []*Kind
	types      []*object.Type
	byResource map[string]*Kind
	byGVR      map[schema.GroupVersionResource]*Kind
	byGVK      map[schema.GroupVersionKind]*Kind
}

// NewCatalogue makes a catalogue of the kinds, in this order. Two kinds of one name are a defect of the caller, as
// is a view whose stored kind is missing; both panic.
func NewCatalogue(kinds ...*Kind) *Catalogue {
	c := &Catalogue{
		byResource: make(map[string]*Kind, len(kinds)),
		byGVR:      make(map[schema.GroupVersionResource]*Kind, len(kinds)),
		byGVK:      make(map[schema.GroupVersionKind]*Kind, len(kinds)),
	}
	for _, k := range kinds {
		gvr, gvk := k.GroupVersion().WithResource(k.Plural), k.GroupVersionKind()
		if c.byGVR[gvr] != nil || c.byGVK[gvk] != nil {
			panic("kind: " + gvk.String() + " is in the catalogue twice")
		}
		c.byGVR[gvr], c.byGVK[gvk] = k, k
		if !k.Internal {
			c.kinds = append(c.kinds, k)
		}
		if k.Stored == nil && k.Answer == nil && k.Derived == nil {
			c.byResource[k.Resource()] = k
			c.types = append(c.types, &k.Type)
			c.stored = append(c.stored, k)
		}
	}
	for _, k := range kinds {
		if k.Stored != nil && c.byResource[k.Stored.Kind.Resource()] != k.Stored.Kind {
			panic("kind: " + k.GroupVersionKind().String() + " is a view of a kind outside the catalogue")
		}
	}
	return c
}

// All lists the kinds that are served, in the catalogue's order, with views and questions.
func (c *Catalogue) All() []*Kind { return slices.Clone(c.kinds) }

// Stored lists the kinds that are stored, in the catalogue's order, with internal ones: views and questions are not among them.
func (c *Catalogue) Stored() []*Kind { return slices.Clone(c.stored) }

// Types lists the types that are stored, in the catalogue's order: views and questions are not among them.
func (c *Catalogue) Types() []*object.Type { return slices.Clone(c.types) }

// ByResource finds a stored kind by its storage name, "deployments.apps" (see object.Type.Resource); nil if there
// is none. It finds no views, as nothing is stored under their names.
func (c *Catalogue) ByResource(resource string) *Kind { return c.byResource[resource] }

// ByGVR finds the kind served under a group, version and plural resource name; nil if there is none.
func (c *Catalogue) ByGVR(group, version, plural string) *Kind {
	return c.byGVR[schema.GroupVersionResource{Group: group, Version: version, Resource: plural}]
}

// ByGVK finds the kind by the apiVersion and kind that its objects carry; nil if there is none.
func (c *Catalogue) ByGVK(gvk schema.GroupVersionKind) *Kind { return c.byGVK[gvk] }

// Default is the built-in catalogue: every kind that Rowlock serves.
func Default() *Catalogue { return builtin }

var builtin = NewCatalogue(
	Namespace,
	Node,
	Pod,
	PodTemplate,
	Event,
	EventsV1,
	ConfigMap,
	Secret,
	LimitRange,
	ResourceQuota,
	ServiceAccount,
	Service,
	Endpoints,
	PersistentVolume,
	PersistentVolumeClaim,
	ReplicationController,
	ReplicaSet,
	StatefulSet,
	Deployment,
	DaemonSet,
	ControllerRevision,
	Job,
	CronJob,
	HorizontalPodAutoscaler,
	HorizontalPodAutoscalerV1,
	CertificateSigningRequest,
	Lease,
	FlowSchema,
	PriorityLevelConfiguration,
	Ingress,
	IngressClass,
	NetworkPolicy,
	IPAddress,
	ServiceCIDR,
	RuntimeClass,
	PodDisruptionBudget,
	Role,
	RoleBinding,
	ClusterRole,
	ClusterRoleBinding,
	PriorityClass,
	EndpointSlice,
	StorageClass,
	VolumeAttachment,
	CSIDriver,
	CSINode,
	CSIStorageCapacity,
	VolumeAttributesClass,
	DeviceClass,
	ResourceClaim,
	ResourceClaimTemplate,
	ResourceSlice,
	SelfSubjectAccessReview,
	SelfSubjectRulesReview,
	SubjectAccessReview,
	LocalSubjectAccessReview,
	SelfSubjectReview,
	TokenReview,
	ComponentStatus,
	NodeMetrics,
	PodMetrics,
	Fault,
	Metric,
)
