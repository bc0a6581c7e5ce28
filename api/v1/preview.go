package v1

import "k8s.io/apimachinery/pkg/types"

// Paths of previews: what a deletion would delete, and which Pods scaling down would delete.
const (
	DeletionPath  = Root + "/deletion"
	ScaleDownPath = Root + "/scaledown"
)

// Deletion is what a DELETE of an object would delete and what it would leave. Objects that the
// user may not read are not listed, but counted.
type Deletion struct {
	ResourceVersion string `json:"resourceVersion" doc:"The revision of the preview."`
	Propagation     string `json:"propagation" enum:"Foreground,Background,Orphan" doc:"The effective policy: the requested one, or that of the object or its kind."`
	Deleted         []Ref  `json:"deleted" doc:"What would be deleted, in order: the object first, then its dependents."`
	DeletedCount    int    `json:"deletedCount"`
	Orphaned        []Ref  `json:"orphaned" doc:"Dependents that would lose their last owner and remain."`
	OrphanedCount   int    `json:"orphanedCount"`
	Released        []Ref  `json:"released" doc:"Dependents that would lose an owner and keep others."`
	ReleasedCount   int    `json:"releasedCount"`
	Held            []Held `json:"held" doc:"Deleted objects that would remain for now, because of a finalizer that nothing removes or a node that does not respond."`
	HeldCount       int    `json:"heldCount"`
}

// Ref names an object.
type Ref struct {
	Resource   string    `json:"resource" doc:"The resource with its group, such as pods or deployments.apps."`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name"`
	UID        types.UID `json:"uid"`
}

// Held is a deleted object that cannot disappear yet.
type Held struct {
	Ref
	Finalizers []string `json:"finalizers,omitempty" doc:"The finalizers that remain."`
	Node       string   `json:"node,omitempty" doc:"The Pod's node, if it does not respond and so cannot confirm that the Pod has ended."`
}

// ScaleDown is what a workload would delete with fewer replicas.
type ScaleDown struct {
	ResourceVersion string    `json:"resourceVersion" doc:"The revision of the preview."`
	UID             types.UID `json:"uid" doc:"The workload's UID."`
	From            int32     `json:"from" doc:"The current number of replicas in its spec."`
	To              int32     `json:"to" doc:"The requested number of replicas."`
	Shrinks         []Shrink  `json:"shrinks" doc:"What is scaled down: the workload itself or, for a Deployment, its ReplicaSets."`
	Victims         []Victim  `json:"victims" doc:"The Pods that would be deleted, in order; for a Deployment, by ReplicaSet. Empty for users who may not list Pods."`
	VictimsCount    int       `json:"victimsCount" doc:"The number of all victims, listed or not."`
}

// Shrink is an object that is scaled down.
type Shrink struct {
	Name         string    `json:"name"`
	UID          types.UID `json:"uid"`
	From         int32     `json:"from"`
	To           int32     `json:"to"`
	VictimsCount int       `json:"victimsCount" doc:"The number of Pods that it would delete."`
}

// Victim is a Pod that would be deleted.
type Victim struct {
	Name    string    `json:"name"`
	UID     types.UID `json:"uid"`
	Owner   string    `json:"owner" doc:"The object that would delete it: one of the names in shrinks."`
	Reason  string    `json:"reason" enum:"NotAssigned,Phase,NotReady,DeletionCost,DoubledUp,ReadyLater,MoreRestarts,CreatedLater,SmallerUID,NoIndex,SameIndex,OtherOrdinal,NoneIsToStay,OwnerHasEnded" doc:"The rule that ranks it before the first Pod that would remain."`
	Message string    `json:"message" doc:"The reason in words."`
	Than    string    `json:"than,omitempty" doc:"The first Pod that would remain; absent if it does not matter which Pods remain."`
}
