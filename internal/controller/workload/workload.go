// Package workload defines the controllers of workloads: Deployments, ReplicaSets, StatefulSets,
// DaemonSets, Jobs and CronJobs, with autoscaling and disruption budgets.
package workload

import "github.com/rowlock/rowlock/internal/controller/world"

// controllers is the World that the controllers of this package are made for, with what they do.
type controllers world.World
