package v1

import "time"

// ForksPath lists and creates forks; a fork is at ForksPath/NAME. A fork's API is at ForkPrefix
// followed by its name.
const (
	ForksPath  = Root + "/forks"
	ForkPrefix = "/forks/"
)

// Values of Fork.State.
const (
	ForkMaking   = "making"
	ForkReady    = "ready"
	ForkRemoving = "removing"
)

// Fork is an independent cluster that started with this cluster's state.
type Fork struct {
	Name     string     `json:"name"`
	Path     string     `json:"path" doc:"The path of its API on the server."`
	State    string     `json:"state" enum:"making,ready,removing"`
	Snapshot string     `json:"snapshot,omitempty" doc:"The snapshot that it started with; absent if it started with the cluster's state."`
	Revision int64      `json:"revision,omitempty" doc:"The revision that it started with."`
	Created  time.Time  `json:"created" doc:"When it was created, in real time."`
	Expires  *time.Time `json:"expires,omitempty" doc:"When it will be deleted, in real time."`
}

// ForkList is all forks, by name.
type ForkList struct {
	Items []Fork `json:"items"`
}

// ForkRequest is the body of POST.
type ForkRequest struct {
	Name     string `json:"name" doc:"A name of lowercase letters, digits and hyphens."`
	At       int64  `json:"at,omitempty" doc:"The revision to start with; 0 means the newest. Any retained revision is possible. For one in the past, controllers sync everything again, and programs restart from the start of their containers."`
	Snapshot string `json:"snapshot,omitempty" doc:"A snapshot to start with, instead of the cluster's state."`
	Clock    string `json:"clock,omitempty" enum:"paused,running" doc:"Whether its clock runs; default is as in the cluster. The clock continues from the time of the state."`
	TTL      string `json:"ttl,omitempty" doc:"How long it is kept, in real time, such as 90s, 36h or 7d; default is until it is deleted."`
}
