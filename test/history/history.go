package history

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
)

//go:embed read.sql
var sqlRead string

// Entry is one row of the log.
type Entry struct {
	Revision object.Revision
	At       time.Time
	Cause    object.Revision
	Key      object.Key
	UID      types.UID
	Verb     object.Verb
	Writer   string
	// Object is the object as of this revision. For a removal, it is the last state.
	Object object.Object
}

// History is the log from its first revision on, in order.
type History []Entry

// Violation is one thing that should not have happened.
type Violation struct {
	Revision object.Revision // where it shows; 0 if it shows in what is missing at the end
	Key      object.Key
	Message  string
}

// String returns "revision 12, pods/default/web-1: created twice".
func (v Violation) String() string {
	return fmt.Sprintf("revision %d, %s: %s", v.Revision, v.Key, v.Message)
}

// Read reads the whole log of a database. The log must not have been compacted, because the checks
// need its beginning.
func Read(ctx context.Context, conn interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}) (History, error) {
	rows, err := conn.Query(ctx, sqlRead)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	kinds := builtin.Catalogue()
	var h History
	bodies := map[types.UID][]byte{} // of live objects
	var e Entry
	var uid pgtype.UUID
	var verb string
	var body []byte
	fields := []any{&e.Revision, &e.At, &e.Cause, &uid, &verb, &e.Key.Resource, &e.Key.Namespace, &e.Key.Name, &e.Writer, &body}
	_, err = pgx.ForEachRow(rows, fields, func() error {
		e.UID, e.Verb, e.Object = types.UID(uid.String()), verbs[verb], nil
		k := kinds.ByResource(e.Key.Resource)
		if body == nil {
			body = lastState(k, e, bodies[e.UID])
		}
		if bodies[e.UID] = body; e.Verb == object.Deleted {
			delete(bodies, e.UID)
		}
		if body != nil {
			if k != nil {
				e.Object = k.New()
			} else if _, err := object.TypeOf(e.Key.Resource, e.Key.Namespace != "", body); err != nil {
				return fmt.Errorf("revision %d is of the unknown resource %s: %w", e.Revision, e.Key.Resource, err)
			} else {
				e.Object = object.NewCustom()
			}
			if err := json.Unmarshal(body, e.Object); err != nil {
				return fmt.Errorf("decode revision %d: %w", e.Revision, err)
			}
		}
		h, body = append(h, e), nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return h, nil
}

// lastState returns the body of a removal that has none of its own. The kind is nil for custom
// resources.
func lastState(k *kind.Kind, e Entry, before []byte) []byte {
	if k == nil || before == nil {
		return before
	}
	old := &object.Version{Type: &k.Type, Verb: object.Updated}
	old.SetBody(before)
	v := &object.Version{Type: &k.Type, Verb: e.Verb, At: object.MomentOf(e.At)}
	v.Succeed(old)
	return v.Body()
}

var verbs = map[string]object.Verb{"c": object.Created, "u": object.Updated, "d": object.Deleted}
