package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ReplicaSet keeps the Pods of ReplicaSets.
const ReplicaSet = "replicaset"

func newReplicaSet(World) engine.Controller {
	return engine.Controller{
		Name: ReplicaSet, UserAgent: "replicaset-controller", Primary: "replicasets.apps", Batch: 16, Reconcile: each(lookAtReplicaSet),
		Sources: []wakeup.Source{
			wakeup.For(&kind.ReplicaSet.Type),
			wakeup.Owns(&kind.Pod.Type), // those that it has made itself too, as there may be more to do
			wakeup.Adopts(&kind.Pod.Type),
		},
	}
}
