package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/engine"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	flowcontrolkind "github.com/rowlock/rowlock/internal/kind/flowcontrol"
	"github.com/rowlock/rowlock/internal/kind/scheduling"
	"github.com/rowlock/rowlock/internal/kind/storage"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/flowcontrol"
	"github.com/rowlock/rowlock/internal/reconcile/ipaddress"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccount"
	"github.com/rowlock/rowlock/internal/reconcile/servicecidr"
)

// Bootstrap creates what a cluster begins with and does not have: the namespaces, the
// PriorityClasses, the FlowSchemas and their priority levels, the roles and their bindings, the
// API's Service and, in a cluster without any node, the requested emulated nodes. In a new cluster
// it also creates the StorageClass "standard", which users may change or delete for good. Replicas
// may call it at the same time: the later one finds the names taken. The mirror must be fresh.
func Bootstrap(ctx context.Context, deps engine.Deps, nodes Fleet) error {
	if !nodes.NoStorageClass && deps.Mirror.Get(object.Key{Resource: "namespaces", Name: metav1.NamespaceDefault}) == nil {
		// Before the namespace that marks the cluster as initialised: otherwise a process that dies
		// in between would leave it out for ever.
		if err := createMissing(ctx, deps, []object.Object{storage.Standard()}); err != nil {
			return err
		}
	}
	var missing []object.Object
	for _, ns := range serviceaccount.Bootstrap() {
		missing = append(missing, ns)
	}
	for _, class := range scheduling.SystemPriorityClasses() {
		missing = append(missing, class)
	}
	for _, level := range flowcontrolkind.PriorityLevels() {
		missing = append(missing, level)
	}
	for _, schema := range flowcontrolkind.FlowSchemas() {
		schema.Status.Conditions = append(schema.Status.Conditions, flowcontrol.Dangling(schema, true, deps.Clock.Now()))
		missing = append(missing, schema)
	}
	if deps.Mirror.List("nodes", "").Len() == 0 {
		for i := range nodes.Nodes {
			missing = append(missing, nodes.node(i, deps.Clock.Now()))
		}
	}
	if err := createMissing(ctx, deps, missing); err != nil {
		return err
	}
	if err := deps.Mirror.AwaitFresh(ctx); err != nil { // the namespaces
		return fmt.Errorf("bootstrap: %w", err)
	}
	roles, err := repairRoles(ctx, deps) // some are in one of the namespaces
	if err != nil {
		return err
	}
	service := kubernetesservice.Service() // also in one of the namespaces, as its endpoints are
	servicekind.Kind.Default(service)
	return createMissing(ctx, deps, append(roles,
		service, kubernetesservice.Endpoints(), kubernetesservice.EndpointSlice(), ipaddress.Of(service, service.Spec.ClusterIP),
		servicecidr.NewReady(servicekind.DefaultCIDRName, servicekind.DefaultCIDR, deps.Clock.Now().Truncate(time.Second)),
	))
}

// Fleet is the emulated nodes that a cluster begins with, and whether it begins with a
// StorageClass.
type Fleet struct {
	Nodes    int
	Zones    int                 // how many zones they are spread over, round-robin; zero for none
	Capacity corev1.ResourceList // of each node; nil for nodelifecycle.DefaultCapacity
	// NoStorageClass omits the StorageClass that a new cluster begins with.
	NoStorageClass bool
}

// node makes the i-th node, counted from zero. Its zone labels are those that a cloud provider's
// controller would add.
func (f Fleet) node(i int, now time.Time) *corev1.Node {
	n := nodelifecycle.DefaultNode(i+1, f.Capacity, now)
	if f.Zones > 0 {
		n.Labels[corev1.LabelTopologyRegion] = "region-1"
		n.Labels[corev1.LabelTopologyZone] = fmt.Sprintf("zone-%d", i%f.Zones+1)
	}
	return n
}
