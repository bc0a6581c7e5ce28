package v1

import "time"

// SnapshotsPath is where snapshots are listed and saved; each has a path of its own behind it, by
// its name, and its file and its loading are behind that.
const (
	SnapshotsPath = Root + "/snapshots"
	FileSuffix    = "/file"
	LoadSuffix    = "/load"
)

// What a snapshot holds.
const (
	ContentsState = "state"
	ContentsLog   = "log"
)

// Whether the clock of a state that is loaded, or of a fork, runs. Without either it does what it
// did when the state was saved.
const (
	ClockPaused  = "paused"
	ClockRunning = "running"
)

// Snapshot is a snapshot that is kept.
type Snapshot struct {
	Name     string    `json:"name"`
	Saved    time.Time `json:"saved" doc:"When it was saved or sent, in real time."`
	Contents string    `json:"contents" enum:"state,log" doc:"state: all there was at one revision, which can be loaded. log: the changes after one revision up to another."`
	From     int64     `json:"from,omitempty" doc:"The revision after which a log begins."`
	Revision int64     `json:"revision" doc:"The revision of a state, or the last of a log."`
	Time     time.Time `json:"time" doc:"What the cluster's clock showed."`
	Past     bool      `json:"past,omitempty" doc:"Whether the revision had passed when it was saved. What controllers remembered then is not known: when it is loaded they look at everything, and programs begin again where their containers did."`
	Records  int64     `json:"records" doc:"How many objects or changes it holds, and what stands beside objects."`
	Bytes    int64     `json:"bytes" doc:"How large the file is."`
	Server   string    `json:"server" doc:"The version of the server that wrote it."`
}

// SnapshotList is all snapshots that are kept, by name.
type SnapshotList struct {
	Items []Snapshot `json:"items"`
}

// SnapshotRequest is the body of POST: what to save.
type SnapshotRequest struct {
	Name     string    `json:"name" doc:"A name of lower-case letters, digits and hyphens."`
	Revision int64     `json:"revision,omitempty" doc:"The revision whose state is saved; 0 is the newest. Others can be as long as the log has them."`
	Log      *LogRange `json:"log,omitempty" doc:"Save a range of the log instead of a state."`
	Passing  bool      `json:"passing,omitempty" doc:"It is only to be read: it is not listed, and goes when it has not been used for an hour."`
}

// LogRange is a range of the log.
type LogRange struct {
	From int64 `json:"from" doc:"The revision after which it begins."`
	To   int64 `json:"to,omitempty" doc:"Its last revision; 0 is the newest."`
}

// LoadRequest is the body of POST on LoadSuffix: how to load a state.
type LoadRequest struct {
	Replace bool   `json:"replace,omitempty" doc:"Remove what the cluster has of its own. Without, such a cluster is left as it is (409)."`
	Clock   string `json:"clock,omitempty" enum:"paused,running" doc:"Whether the clock runs from then on; as it was saved if it is not said."`
}
