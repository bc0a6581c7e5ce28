// Package workload defines the controllers of workloads: Deployments, ReplicaSets, StatefulSets,
// DaemonSets, Jobs and CronJobs, with autoscaling and disruption budgets.
package workload

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is a World. Its methods are what this package's controllers do.
type controllers world.World
