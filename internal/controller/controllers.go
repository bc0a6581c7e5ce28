package controller

import (
	"github.com/rowlock/rowlock/internal/controller/apimachinery"
	"github.com/rowlock/rowlock/internal/controller/auth"
	"github.com/rowlock/rowlock/internal/controller/network"
	"github.com/rowlock/rowlock/internal/controller/node"
	"github.com/rowlock/rowlock/internal/controller/storage"
	"github.com/rowlock/rowlock/internal/controller/workload"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// controllers makes all controllers, each in a file of its own. Add new ones to this list.
var controllers = []func(world.World) engine.Controller{
	workload.NewDeployment,
	workload.NewReplicaSet,
	workload.NewReplicationController,
	workload.NewDaemonSet,
	workload.NewDaemonSetNode,
	workload.NewDaemonSetGone,
	workload.NewStatefulSet,
	workload.NewJob,
	workload.NewJobPod,
	workload.NewCronJob,
	workload.NewTTLAfterFinished,
	workload.NewHorizontalPodAutoscaler,
	apimachinery.NewGarbageCollector,
	apimachinery.NewNamespace,
	auth.NewServiceAccount,
	auth.NewServiceAccountToken,
	apimachinery.NewResourceQuota,
	network.NewKubernetesService,
	network.NewEndpoints,
	network.NewEndpointSliceMirroring,
	network.NewIPAddress,
	network.NewServiceCIDR,
	workload.NewDisruption,
	workload.NewStaleDisruption,
	node.NewConfiguration,
	node.NewNodeLifecycle,
	node.NewNodeDisruption,
	node.NewNodePods,
	node.NewTaintEviction,
	node.NewFault,
	auth.NewCertificateSigningRequest,
	apimachinery.NewFlowControl,
	auth.NewClusterRoleAggregation,
	apimachinery.NewCustomResourceDefinition,
	apimachinery.NewCustomResourceCleanup,
	storage.NewPersistentVolumeClaim,
	storage.NewPersistentVolume,
	storage.NewVolumeClass,
	storage.NewEphemeralVolume,
	storage.NewResourceClaim,
	node.NewPodGC,
	apimachinery.NewEventExpiry,
	node.NewScheduler,
	node.NewKubelet,
	node.NewKubeletBacklog,
	node.NewKubeletTermination,
}

// Controllers returns all controllers of a world, with those that are Off marked.
func Controllers(w world.World) []engine.Controller {
	all := make([]engine.Controller, 0, len(controllers))
	for _, make := range controllers {
		c := make(w)
		c.Off = w.Off[c.Name]
		all = append(all, c)
	}
	return all
}

// NewRouter determines whom a change wakes, by what the controllers declare. All of them run.
func NewRouter() *wakeup.Router { return NewRouterWithout(nil) }

// NewRouterWithout is NewRouter with some controllers off, by name.
func NewRouterWithout(off map[string]bool) *wakeup.Router {
	return engine.NewRouter(Controllers(world.World{Off: off}))
}
