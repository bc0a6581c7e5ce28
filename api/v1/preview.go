package v1

import "k8s.io/apimachinery/pkg/types"

// The paths of previews: what a deletion would delete, and which Pods a scale-down would delete.
const (
	DeletionPath  = Root + "/deletion"
	ScaleDownPath = Root + "/scaledown"
)

// Deletion is what a DELETE of an object would remove and what it would leave behind. Of kinds that
// the user may not read nothing is listed; counts are of all.
type Deletion struct {
	ResourceVersion string `json:"resourceVersion" doc:"The revision at which this is so."`
	Propagation     string `json:"propagation" enum:"Foreground,Background,Orphan" doc:"The policy that holds: the one asked for, or that of the object or its kind."`
	Deleted         []Ref  `json:"deleted" doc:"What would be deleted: the object first, then everything that goes with it, in the order of deletion."`
	DeletedCount    int    `json:"deletedCount"`
	Orphaned        []Ref  `json:"orphaned" doc:"What would lose its last owner and stay."`
	OrphanedCount   int    `json:"orphanedCount"`
	Released        []Ref  `json:"released" doc:"What would lose an owner and stay with others."`
	ReleasedCount   int    `json:"releasedCount"`
	Held            []Held `json:"held" doc:"Deleted objects that would stay for now, because of a finalizer that nothing removes or a node that does not respond."`
	HeldCount       int    `json:"heldCount"`
}

// Ref names an object.
type Ref struct {
	Resource   string    `json:"resource" doc:"As in pods or deployments.apps."`
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Namespace  string    `json:"namespace,omitempty"`
	Name       string    `json:"name"`
	UID        types.UID `json:"uid"`
}

// Held is an object that waits for something else when it is deleted.
type Held struct {
	Ref
	Finalizers []string `json:"finalizers,omitempty" doc:"Those that it keeps."`
	Node       string   `json:"node,omitempty" doc:"The Pod's node, if it does not respond, so that nothing confirms the end of the Pod."`
}

// ScaleDown is what a workload would give up at another number of replicas.
type ScaleDown struct {
	ResourceVersion string    `json:"resourceVersion" doc:"The revision at which this is so."`
	UID             types.UID `json:"uid" doc:"The workload's."`
	From            int32     `json:"from" doc:"How many replicas it is to have now."`
	To              int32     `json:"to" doc:"How many it was asked for."`
	Shrinks         []Shrink  `json:"shrinks" doc:"What becomes smaller: the workload itself or, of a Deployment, its ReplicaSets."`
	Victims         []Victim  `json:"victims" doc:"The Pods that would go, in the order in which the controller takes them; of a Deployment, by ReplicaSet. None for those who may not list Pods."`
	VictimsCount    int       `json:"victimsCount" doc:"How many they are, although not all may be listed."`
}

// Shrink is an object that becomes smaller.
type Shrink struct {
	Name         string    `json:"name"`
	UID          types.UID `json:"uid"`
	From         int32     `json:"from"`
	To           int32     `json:"to"`
	VictimsCount int       `json:"victimsCount" doc:"How many Pods it would give up."`
}

// Victim is a Pod that would go.
type Victim struct {
	Name    string    `json:"name"`
	UID     types.UID `json:"uid"`
	Owner   string    `json:"owner" doc:"Who gives it up: one of the names in shrinks."`
	Reason  string    `json:"reason" enum:"NotAssigned,Phase,NotReady,DeletionCost,DoubledUp,ReadyLater,MoreRestarts,CreatedLater,SmallerUID,NoIndex,SameIndex,OtherOrdinal,NoneIsToStay,OwnerHasEnded" doc:"The rule that puts it before the first Pod that stays."`
	Message string    `json:"message" doc:"The same for people."`
	Than    string    `json:"than,omitempty" doc:"The first Pod that stays; absent where it does not matter which stay."`
}
