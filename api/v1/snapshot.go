package v1

import "time"

// SnapshotsPath lists and saves snapshots. A snapshot is at SnapshotsPath/NAME; FileSuffix and
// LoadSuffix follow that.
const (
	SnapshotsPath = Root + "/snapshots"
	FileSuffix    = "/file"
	LoadSuffix    = "/load"
)

// Values of Snapshot.Contents.
const (
	ContentsState = "state"
	ContentsLog   = "log"
)

// Values of Clock in LoadRequest and ForkRequest. By default the clock runs or is paused as when
// the state was saved.
const (
	ClockPaused  = "paused"
	ClockRunning = "running"
)

// Snapshot is a stored snapshot.
type Snapshot struct {
	Name     string    `json:"name"`
	Saved    time.Time `json:"saved" doc:"When it was saved or uploaded, in real time."`
	Contents string    `json:"contents" enum:"state,log" doc:"state: everything at one revision, which can be loaded. log: the changes between two revisions."`
	From     int64     `json:"from,omitempty" doc:"The revision after which a log starts."`
	Revision int64     `json:"revision" doc:"The revision of a state, or the last one of a log."`
	Time     time.Time `json:"time" doc:"The cluster time."`
	Past     bool      `json:"past,omitempty" doc:"Whether the revision was in the past when it was saved. Such a snapshot lacks the controllers' memory: after loading, they sync everything again, and programs restart from the start of their containers."`
	Records  int64     `json:"records" doc:"The number of records: objects with their extra data, or changes."`
	Bytes    int64     `json:"bytes" doc:"The size of the file."`
	Server   string    `json:"server" doc:"The version of the server that wrote it."`
}

// SnapshotList is all stored snapshots, by name.
type SnapshotList struct {
	Items []Snapshot `json:"items"`
}

// SnapshotRequest is the body of POST.
type SnapshotRequest struct {
	Name     string    `json:"name" doc:"A name of lowercase letters, digits and hyphens."`
	Revision int64     `json:"revision,omitempty" doc:"The revision to save; 0 means the newest. Any retained revision is possible."`
	Log      *LogRange `json:"log,omitempty" doc:"Save a range of the log instead of a state."`
	Passing  bool      `json:"passing,omitempty" doc:"Do not list it, and delete it when it has not been used for an hour."`
}

// LogRange is a range of the log.
type LogRange struct {
	From int64 `json:"from" doc:"The revision after which it starts."`
	To   int64 `json:"to,omitempty" doc:"Its last revision; 0 means the newest."`
}

// LoadRequest is the body of POST on LoadSuffix: how to load a state.
type LoadRequest struct {
	Replace bool   `json:"replace,omitempty" doc:"Replace the objects of the cluster. Without it, loading into a cluster that has objects of its own fails with 409."`
	Clock   string `json:"clock,omitempty" enum:"paused,running" doc:"Whether the clock runs afterwards; default is as when the state was saved."`
}
