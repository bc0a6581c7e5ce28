package v1

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Paths of the log. ChangesPath lists changes. A change is at ChangesPath/REVISION, its causes
// below that.
const (
	ChangesPath  = Root + "/changes"
	CausesSuffix = "/causes"
	HistoryPath  = Root + "/history"
)

// Values of Change.Verb.
const (
	Created = "created"
	Updated = "updated"
	Deleted = "deleted"
)

// Change is one change of the log. With watch=true, each line of the answer is a Change.
type Change struct {
	Revision   int64           `json:"revision"`
	At         time.Time       `json:"at" doc:"When it was committed, in cluster time."`
	Verb       string          `json:"verb" enum:"created,updated,deleted"`
	Resource   string          `json:"resource" doc:"The resource with its group, such as pods or deployments.apps."`
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Namespace  string          `json:"namespace,omitempty"`
	Name       string          `json:"name"`
	UID        types.UID       `json:"uid"`
	Writer     ChangeWriter    `json:"writer"`
	Cause      int64           `json:"cause,omitempty" doc:"The revision of the change that caused it; absent if a client's request or the passing of time did."`
	Object     json.RawMessage `json:"object,omitempty" doc:"With bodies=true, the object after the change, without managedFields; absent for a deletion if the previous change already has the last state."`
}

// ChangeWriter is the author of a change: a client or a controller.
type ChangeWriter struct {
	User       string `json:"user,omitempty" doc:"The user who sent the request; absent on a server without a login."`
	UserAgent  string `json:"userAgent,omitempty" doc:"The client's User-Agent."`
	Request    string `json:"request,omitempty" doc:"The ID of the request in the server's log. It is also the answer's Audit-Id, unless the client sent its own."`
	Controller string `json:"controller,omitempty" doc:"The controller that made the change, such as replicaset-controller; absent for a client."`
}

// ChangeList is a page of the log.
type ChangeList struct {
	Items  []Change `json:"items" doc:"The changes in order of revision; with newest=true, in reverse order."`
	Next   int64    `json:"next,omitempty" doc:"The value of after, or with newest=true of before, for the next page; absent on the last page. A page may have fewer items than the limit, or none, although more follow, if the search for more would take too long."`
	Oldest int64    `json:"oldest" doc:"The oldest retained revision. The state at that revision and all later changes can be read."`
	Newest int64    `json:"newest" doc:"The newest revision."`
}

// ChangeDetail is a change with the object before and after it.
type ChangeDetail struct {
	// Change has the object after the change or, for a deletion, its last state unless that is
	// Previous.
	Change
	Previous        json.RawMessage `json:"previous,omitempty" doc:"The object before the change; absent if there was none."`
	PreviousExpired bool            `json:"previousExpired,omitempty" doc:"Whether the previous object is missing because the log has been compacted past it."`
}

// ChangeCauses is a change and the chain of changes that led to it.
type ChangeCauses struct {
	Items    []Change `json:"items" doc:"The change, then the change that caused it, and so on."`
	Complete bool     `json:"complete" doc:"Whether the last item is the origin: a client's request, or a sync that was due."`
	Reason   string   `json:"reason,omitempty" doc:"Why the chain ends, unless a client's request is its origin."`
}

// History is the range of the log.
type History struct {
	Oldest HistoryPoint   `json:"oldest" doc:"The oldest retained revision."`
	Newest HistoryPoint   `json:"newest" doc:"The newest revision."`
	Points []HistoryPoint `json:"points" doc:"Points between the two, evenly spaced by revision."`
}

// HistoryPoint is the time of a revision.
type HistoryPoint struct {
	Revision int64     `json:"revision"`
	At       time.Time `json:"at" doc:"When it was committed, in cluster time."`
}
