package v1

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// The paths of the log. ChangesPath lists changes; a change is behind it, by its revision, and what
// led to the change is behind that.
const (
	ChangesPath  = Root + "/changes"
	CausesSuffix = "/causes"
	HistoryPath  = Root + "/history"
)

// What a change did.
const (
	Created = "created"
	Updated = "updated"
	Deleted = "deleted"
)

// Change is one change of the log. With watch=true each line of the answer is one.
type Change struct {
	Revision   int64           `json:"revision"`
	At         time.Time       `json:"at" doc:"When it was committed, by the cluster's clock."`
	Verb       string          `json:"verb" enum:"created,updated,deleted"`
	Resource   string          `json:"resource" doc:"The resource with its group, such as pods or deployments.apps."`
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Namespace  string          `json:"namespace,omitempty"`
	Name       string          `json:"name"`
	UID        types.UID       `json:"uid"`
	Writer     ChangeWriter    `json:"writer"`
	Cause      int64           `json:"cause,omitempty" doc:"The revision that led to it; absent where a client's request did, or nothing but time."`
	Object     json.RawMessage `json:"object,omitempty" doc:"With bodies=true the object as the change left it, without its managedFields; absent of a removal that left the last state to the change before."`
}

// ChangeWriter is who made a change: a client or a controller.
type ChangeWriter struct {
	User       string `json:"user,omitempty" doc:"Whose request it was; absent on a server without a login."`
	UserAgent  string `json:"userAgent,omitempty" doc:"What the client called itself."`
	Request    string `json:"request,omitempty" doc:"The id of the client's request, as its answer's Audit-Id and the server's log have it; an Audit-Id that the client chose itself is only in the log, beside this one."`
	Controller string `json:"controller,omitempty" doc:"Which controller made the change, such as replicaset-controller; absent for a client's."`
}

// ChangeList is a page of the log.
type ChangeList struct {
	Items  []Change `json:"items" doc:"In the order of their revisions, or with newest=true from the newest back."`
	Next   int64    `json:"next,omitempty" doc:"What after, or with newest=true before, is to be for the next page; absent where nothing follows. A page may have fewer items than there is room for, or none, and another follow, where the server would have had to look for too long."`
	Oldest int64    `json:"oldest" doc:"The oldest revision that is retained: what was then can be read, and all changes after it are there."`
	Newest int64    `json:"newest" doc:"The last revision."`
}

// ChangeDetail is a change with the object before and after it.
type ChangeDetail struct {
	// Change has the object after the change or, of a removal, its last state if that is not
	// Previous.
	Change
	Previous        json.RawMessage `json:"previous,omitempty" doc:"The object before the change; absent where there was none."`
	PreviousExpired bool            `json:"previousExpired,omitempty" doc:"There was one, and the log has been compacted past it."`
}

// ChangeCauses is a change and the changes that led to it.
type ChangeCauses struct {
	Items    []Change `json:"items" doc:"The change, then what led to it, and so on back."`
	Complete bool     `json:"complete" doc:"Whether the last item is where it began: a client's request, or a controller that nothing but time had look."`
	Reason   string   `json:"reason,omitempty" doc:"Why it goes no further back, where it was no request that began it."`
}

// History says how far back the log goes.
type History struct {
	Oldest HistoryPoint   `json:"oldest" doc:"The oldest revision that is retained."`
	Newest HistoryPoint   `json:"newest" doc:"The last revision."`
	Points []HistoryPoint `json:"points" doc:"Points between the two, evenly by revision."`
}

// HistoryPoint says when a revision was committed.
type HistoryPoint struct {
	Revision int64     `json:"revision"`
	At       time.Time `json:"at" doc:"By the cluster's clock."`
}
