package controller

import (
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Deployment keeps the ReplicaSets of Deployments.
const Deployment = "deployment"

func newDeployment(World) engine.Controller {
	return engine.Controller{
		Name: Deployment, UserAgent: "deployment-controller", Primary: "deployments.apps", Batch: 64, Reconcile: each(lookAtDeployment),
		Sources: []wakeup.Source{
			wakeup.For(&kind.Deployment.Type),
			wakeup.Owns(&kind.ReplicaSet.Type),
			wakeup.Adopts(&kind.ReplicaSet.Type),
		},
	}
}
