package v1

import "time"

// ForksPath is where forks are listed and made; each has a path of its own behind it, by its name.
// What a fork serves is behind ForkPrefix and its name.
const (
	ForksPath  = Root + "/forks"
	ForkPrefix = "/forks/"
)

// The states of a fork.
const (
	ForkMaking   = "making"
	ForkReady    = "ready"
	ForkRemoving = "removing"
)

// Fork is a cluster that was made from this one's state and goes its own way.
type Fork struct {
	Name     string     `json:"name"`
	Path     string     `json:"path" doc:"Its API is below this path of the server."`
	State    string     `json:"state" enum:"making,ready,removing"`
	Snapshot string     `json:"snapshot,omitempty" doc:"The snapshot that it was made from, unless it was made from the cluster."`
	Revision int64      `json:"revision,omitempty" doc:"The revision whose state it began with."`
	Created  time.Time  `json:"created" doc:"In real time."`
	Expires  *time.Time `json:"expires,omitempty" doc:"When it will be removed, in real time."`
}

// ForkList is all forks, by name.
type ForkList struct {
	Items []Fork `json:"items"`
}

// ForkRequest is the body of POST: which fork to make.
type ForkRequest struct {
	Name     string `json:"name" doc:"A name of lower-case letters, digits and hyphens."`
	At       int64  `json:"at,omitempty" doc:"The revision whose state it begins with; 0 is the newest. Others can be as long as the log has them: then controllers look at everything anew, and programs begin again where their containers did."`
	Snapshot string `json:"snapshot,omitempty" doc:"A snapshot to begin with, instead of the cluster's state."`
	Clock    string `json:"clock,omitempty" enum:"paused,running" doc:"Whether its clock runs; as the cluster's if it is not said. It goes on from the time of the state."`
	TTL      string `json:"ttl,omitempty" doc:"How long it is kept, in real time, such as 90s, 36h or 7d; for ever if it is not said."`
}
