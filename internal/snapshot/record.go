package snapshot

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Format is the version of the format that Writer writes and Reader reads.
const Format = 1

// Contents says what a file holds.
type Contents string

// The possible contents.
const (
	State Contents = "state" // everything at one revision: it can be loaded
	Log   Contents = "log"   // the changes after one revision up to another: it can be read
)

// Header begins a file.
type Header struct {
	Rowlock  string   `json:"rowlock"` // "snapshot"
	Format   int      `json:"format"`
	Server   string   `json:"server"` // the version of the server that wrote it
	Contents Contents `json:"contents"`
	// From is the revision after which a log begins.
	From object.Revision `json:"from,omitempty"`
	// Revision is the revision of a state, or the last of a log.
	Revision object.Revision `json:"revision"`
	// Time is the cluster time of a state, Committed that of its newest commit.
	Time      time.Time `json:"time"`
	Committed time.Time `json:"committed,omitzero"`
	Clock     Clock     `json:"clock,omitzero"`
	// Addresses is the position of the sequence of Pod addresses.
	Addresses int64 `json:"addresses,omitempty"`
	// Past says that the state is of an earlier revision than the newest when it was saved:
	// controllers' memories and wakeups of that revision are unknown. All controllers sync
	// everything when it is loaded.
	Past bool `json:"past,omitempty"`
}

// Clock is the speed of a cluster's clock.
type Clock struct {
	Speed float64 `json:"speed"` // 0 while it is paused
	Pace  float64 `json:"pace"`  // its speed when it runs
}

// Record is one line between a file's header and its end: exactly one field is set.
type Record struct {
	Memory  *Memory  `json:"memory,omitempty"`
	Wakeup  *Wakeup  `json:"wakeup,omitempty"`
	File    *File    `json:"file,omitempty"`
	Answer  *Answer  `json:"answer,omitempty"`
	Version *Version `json:"version,omitempty"`
}

// Memory is what a controller remembers beside an object.
type Memory struct {
	UID   types.UID `json:"uid"`
	State []byte    `json:"state"`
}

// Wakeup asks a controller to sync an object.
type Wakeup struct {
	Controller string          `json:"controller"`
	UID        types.UID       `json:"uid"`
	Due        *time.Time      `json:"due,omitempty"` // cluster time; nil for a sync that was put off in real time
	Attempt    int             `json:"attempt,omitempty"`
	Cause      object.Revision `json:"cause,omitempty"`
}

// File is a file of an emulated node.
type File struct {
	Node    string `json:"node"`
	Path    string `json:"path"`
	Mode    int32  `json:"mode"`
	UID     int32  `json:"uid,omitempty"`
	GID     int32  `json:"gid,omitempty"`
	Content []byte `json:"content,omitempty"`
}

// Answer is the answer to a request of a Pod to another Pod, or to the API server, that the Pod has
// not collected yet.
type Answer struct {
	Caller types.UID `json:"caller"`
	Number int64     `json:"number"` // the request's number in the caller's machine
	Callee types.UID `json:"callee"`
	At     time.Time `json:"at"`  // cluster time of the request
	Due    time.Time `json:"due"` // when the answer arrives, in cluster time
	Answer []byte    `json:"answer,omitempty"`
}

// Version is a version of an object as the log has it.
type Version struct {
	Revision  object.Revision `json:"revision"`
	At        time.Time       `json:"at"` // cluster time
	Verb      object.Verb     `json:"verb"`
	Resource  string          `json:"resource"`
	Namespace string          `json:"namespace,omitempty"`
	Name      string          `json:"name"`
	UID       types.UID       `json:"uid"`
	Writer    string          `json:"writer,omitempty"`
	Cause     object.Revision `json:"cause,omitempty"`
	// Body is as clients see it, without a resourceVersion; absent if an object was removed
	// unchanged.
	Body json.RawMessage `json:"body,omitempty"`
}

// Key returns the key of the version's object.
func (v *Version) Key() object.Key {
	return object.Key{Resource: v.Resource, Namespace: v.Namespace, Name: v.Name}
}

// end is a file's last line.
type end struct {
	End *End `json:"end"`
}

// End is what a file's last line says about the lines before it.
type End struct {
	Records int64  `json:"records"`
	SHA256  string `json:"sha256"`
}

// Sink receives a state or a log, record by record, in the order of a file. It does not keep
// records, and the caller does not change their contents.
type Sink interface {
	Begin(h Header) error
	Put(r Record) error
}
