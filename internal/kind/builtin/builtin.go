package builtin

import (
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/autoscaling"
	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/certificates"
	"github.com/rowlock/rowlock/internal/kind/coordination"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/limitrange"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/discovery"
	"github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/kind/networking"
	"github.com/rowlock/rowlock/internal/kind/node"
	"github.com/rowlock/rowlock/internal/kind/policy"
	"github.com/rowlock/rowlock/internal/kind/rbac"
	"github.com/rowlock/rowlock/internal/kind/resource"
	"github.com/rowlock/rowlock/internal/kind/review"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
	"github.com/rowlock/rowlock/internal/kind/storage"
)

// Catalogue returns the built-in catalogue: every kind that Rowlock serves without
// CustomResourceDefinitions.
func Catalogue() *kind.Catalogue { return catalogue }

var catalogue = kind.NewCatalogue(
	core.Namespace,
	core.Node,
	pod.Kind,
	core.PodTemplate,
	core.Event,
	core.EventsV1,
	core.ConfigMap,
	core.Secret,
	limitrange.Kind,
	core.ResourceQuota,
	core.ServiceAccount,
	service.Kind,
	core.Endpoints,
	core.PersistentVolume,
	core.PersistentVolumeClaim,
	core.ReplicationController,
	apps.ReplicaSet,
	apps.StatefulSet,
	apps.Deployment,
	apps.DaemonSet,
	apps.ControllerRevision,
	batch.Job,
	batch.CronJob,
	autoscaling.HorizontalPodAutoscaler,
	autoscaling.HorizontalPodAutoscalerV1,
	certificates.CertificateSigningRequest,
	coordination.Lease,
	flowcontrol.FlowSchema,
	flowcontrol.PriorityLevelConfiguration,
	networking.Ingress,
	networking.IngressClass,
	networking.NetworkPolicy,
	networking.IPAddress,
	networking.ServiceCIDR,
	node.RuntimeClass,
	policy.PodDisruptionBudget,
	rbac.Role,
	rbac.RoleBinding,
	rbac.ClusterRole,
	rbac.ClusterRoleBinding,
	scheduling.PriorityClass,
	discovery.EndpointSlice,
	storage.StorageClass,
	storage.VolumeAttachment,
	storage.CSIDriver,
	storage.CSINode,
	storage.CSIStorageCapacity,
	storage.VolumeAttributesClass,
	resource.DeviceClass,
	resource.ResourceClaim,
	resource.ResourceClaimTemplate,
	resource.ResourceSlice,
	review.SelfSubjectAccessReview,
	review.SelfSubjectRulesReview,
	review.SubjectAccessReview,
	review.LocalSubjectAccessReview,
	review.SelfSubjectReview,
	review.TokenReview,
	core.ComponentStatus,
	apiextensions.CustomResourceDefinition,
	metrics.NodeMetrics,
	metrics.PodMetrics,
	Fault,
	metrics.Metric,
)
