// Package loader puts the state of a snapshot into a database: a new one directly, and one that is in
// use in a single transaction, after the whole state has arrived.
package loader

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// The statements, each in its own file.
var (
	//go:embed load_fresh.sql
	sqlFresh string
	//go:embed load_stage.sql
	sqlStage string
	//go:embed load_header.sql
	sqlHeader string
	//go:embed load_take.sql
	sqlTake string
	//go:embed load_clear.sql
	sqlClear string
	//go:embed load_staged.sql
	sqlStaged string
	//go:embed load_counted.sql
	sqlCounted string
	//go:embed load_finish.sql
	sqlFinish string
)

const (
	// loadRows and loadBytes are the thresholds from which received rows are sent to the database.
	loadRows, loadBytes = 1000, 4 << 20
	// loadPatience is how long a load waits for a moment without concurrent changes.
	loadPatience = 20 * time.Second
)

// Errors of loads.
var (
	// ErrBusy says that the load found no moment without concurrent changes.
	ErrBusy = errors.New("the cluster kept changing")
	// ErrNotEmpty says that the cluster has objects of its own.
	ErrNotEmpty = errors.New("the cluster has objects of its own")
)

// ClockAfter says whether the clock runs after a state is loaded. The clock shows the state's time
// in any case.
type ClockAfter string

// The values of ClockAfter.
const (
	ClockAsSaved ClockAfter = ""
	ClockPaused  ClockAfter = "paused"
	ClockRunning ClockAfter = "running" // at its previous pace
)

// Options say how a state is loaded.
type Options struct {
	// Fresh says that the database is new and unused. The state is then written into it directly,
	// and a load that fails leaves the database unusable.
	Fresh bool
	// Replace deletes the objects that the cluster has.
	Replace bool
	// Clock says whether the clock runs afterwards.
	Clock ClockAfter
}

// Loader loads a state into a database: a snapshot.Sink, and Finish. It trusts its input; see
// snapshot.Checker. Nothing is visible to others until Finish, unless the database is Fresh. Close
// must be called.
type Loader struct {
	ctx    context.Context //nolint:containedctx // of one load, as Sink has none
	conn   *pgx.Conn
	kinds  *kind.Catalogue
	routes *wakeup.Router
	o      Options
	header snapshot.Header
	tables [loadTables]loading
	quotas map[string][]*kind.Quota // the state's quotas, by namespace
	// definitions are the state's custom resource definitions; it has its own custom kinds besides
	// the built-in ones.
	definitions []*object.Version
	bytes       int
}

// loading is the rows that are about to be sent to a table.
type loading struct {
	name    string
	columns []string
	rows    [][]any
}

const (
	loadLog = iota
	loadObjects
	loadOwners
	loadSelectors
	loadReservations
	loadQuotas
	loadUsage
	loadMemories
	loadFiles
	loadCalls
	loadWakeups
	loadTables
)

// New begins a load on a connection of its own. routes, which must not be nil, lists what all
// controllers sync in the end.
func New(ctx context.Context, pool *pgxpool.Pool, kinds *kind.Catalogue, routes *wakeup.Router, o Options) (*Loader, error) {
	if routes == nil {
		panic("store: a load without routes would wake no controller")
	}
	c, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	// The connection is taken out of the pool, because the staged rows live as long as the session.
	l := &Loader{ctx: ctx, conn: c.Hijack(), kinds: kinds.Builtin(), routes: routes, o: o, quotas: map[string][]*kind.Quota{}}
	l.tables = [loadTables]loading{
		loadLog:          {name: "log", columns: []string{"revision", "at", "cause", "uid", "verb", "resource", "namespace", "name", "writer", "body"}},
		loadObjects:      {name: "objects", columns: []string{"uid", "revision", "terminating", "resource", "namespace", "name"}},
		loadOwners:       {name: "owners", columns: []string{"owner", "uid"}},
		loadSelectors:    {name: "selectors", columns: []string{"uid", "namespace", "controller", "match"}},
		loadReservations: {name: "reservations", columns: []string{"key", "uid"}},
		loadQuotas:       {name: "quotas", columns: []string{"uid", "namespace", "name", "spec", "since", "counting"}},
		loadUsage:        {name: "quota_usage", columns: []string{"quota", "resource", "hard", "used", "limited", "format"}},
		loadMemories:     {name: "memories", columns: []string{"uid", "state"}},
		loadFiles:        {name: "node_files", columns: []string{"node", "path", "mode", "uid", "gid", "content"}},
		loadCalls:        {name: "calls", columns: []string{"caller", "number", "callee", "at", "due", "query", "answer"}},
		loadWakeups:      {name: "wakeups", columns: []string{"due", "retry", "cause", "uid", "attempt", "controller"}},
	}
	prepare := sqlFresh + sqlClear
	if !o.Fresh {
		prepare = sqlStage
		for i := range l.tables {
			l.tables[i].name = "staged_" + l.tables[i].name
		}
	}
	if err := l.script(prepare); err != nil {
		l.Close()
		return nil, fmt.Errorf("load: %w", err)
	}
	return l, nil
}

// script runs statements without arguments, in one message.
func (l *Loader) script(sql string) error {
	_, err := l.conn.PgConn().Exec(l.ctx, sql).ReadAll()
	return err
}

// Close ends the load and discards everything that Finish has not committed.
func (l *Loader) Close() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), time.Second)
	defer cancel()
	_ = l.conn.Close(ctx) // what matters has been committed
}

// Begin implements snapshot.Sink.
func (l *Loader) Begin(h snapshot.Header) error {
	l.header = h
	return nil
}

// Put implements snapshot.Sink.
func (l *Loader) Put(r snapshot.Record) error {
	var err error
	switch {
	case r.Memory != nil:
		l.add(loadMemories, len(r.Memory.State), store.ParseUID(r.Memory.UID), r.Memory.State)
	case r.Wakeup != nil:
		l.wakeup(r.Wakeup)
	case r.File != nil:
		f := r.File
		l.add(loadFiles, len(f.Content), f.Node, f.Path, f.Mode, f.UID, f.GID, present(f.Content))
	case r.Answer != nil:
		a := r.Answer
		l.add(loadCalls, len(a.Answer), store.ParseUID(a.Caller), a.Number, store.ParseUID(a.Callee), a.At, a.Due, []byte{}, present(a.Answer))
	case r.Version != nil:
		err = l.version(r.Version)
	}
	if err != nil {
		return err
	}
	if l.bytes > loadBytes || len(l.tables[loadWakeups].rows) >= loadRows || len(l.tables[loadLog].rows) >= loadRows {
		return l.flush()
	}
	return nil
}

// present never returns nil, which would be NULL.
func present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// add queues a row for a table. bytes is about how large the row is.
func (l *Loader) add(table, bytes int, row ...any) {
	l.tables[table].rows = append(l.tables[table].rows, row)
	l.bytes += bytes + 100
}

// wakeup adds a wakeup. One that was put off in real time is due at once.
func (l *Loader) wakeup(w *snapshot.Wakeup) {
	var retry *time.Time
	if w.Due == nil {
		retry = new(time.Unix(0, 0))
	}
	l.add(loadWakeups, 0, w.Due, retry, int64(w.Cause), store.ParseUID(w.UID), int32(w.Attempt), w.Controller)
}

// version adds a version and what follows from it, as Batch.Add does for a creation.
func (l *Loader) version(v *snapshot.Version) error {
	k := l.kinds.ByResource(v.Resource)
	if k == nil {
		k = &kind.Kind{} // a custom resource
	}
	if k == apiextensions.CustomResourceDefinition {
		l.define(v)
	}
	verb := byte('u')
	if v.Verb == object.Created {
		verb = 'c'
	}
	uid := store.ParseUID(v.UID)
	l.add(loadLog, len(v.Body), int64(v.Revision), v.At, int64(v.Cause), uid, verb, v.Resource, v.Namespace, v.Name, v.Writer, []byte(v.Body))
	terminating := false
	if k.Selector != nil || k.Reservations != nil || k.IsQuota() {
		o := k.New()
		if err := json.Unmarshal(v.Body, o); err != nil {
			return fmt.Errorf("load %s: %w", v.Key(), err)
		}
		terminating = o.GetDeletionTimestamp() != nil
		l.owners(uid, o.GetOwnerReferences())
		if err := l.consequences(k, uid, o); err != nil {
			return fmt.Errorf("load %s: %w", v.Key(), err)
		}
	} else if bytes.Contains(v.Body, []byte(`"ownerReferences"`)) || bytes.Contains(v.Body, []byte(`"deletionTimestamp"`)) {
		var o metav1.PartialObjectMetadata
		if err := json.Unmarshal(v.Body, &o); err != nil {
			return fmt.Errorf("load %s: %w", v.Key(), err)
		}
		terminating = o.DeletionTimestamp != nil
		l.owners(uid, o.OwnerReferences)
	}
	l.add(loadObjects, 0, uid, int64(v.Revision), terminating, v.Resource, v.Namespace, v.Name)
	return nil
}

// define keeps a definition for countQuotas.
func (l *Loader) define(v *snapshot.Version) {
	d := &object.Version{Type: &apiextensions.CustomResourceDefinition.Type, Name: v.Name, UID: v.UID, Revision: v.Revision, Verb: v.Verb}
	d.SetBody(v.Body)
	l.definitions = append(l.definitions, d)
}

func (l *Loader) owners(uid pgtype.UUID, refs []metav1.OwnerReference) {
	seen := map[pgtype.UUID]bool{}
	for _, ref := range refs {
		if owner := store.ParseUID(ref.UID); owner.Valid && !seen[owner] {
			seen[owner] = true
			l.add(loadOwners, 0, owner, uid)
		}
	}
}

func (l *Loader) consequences(k *kind.Kind, uid pgtype.UUID, o object.Object) error {
	controller, match, err := store.Selects(k, l.routes.Of(k.Resource()).Selector(), o)
	if err != nil {
		return err
	}
	if controller != "" {
		l.add(loadSelectors, len(match), uid, o.GetNamespace(), controller, match)
	}
	if k.Reservations != nil {
		for _, key := range k.Reservations(o) {
			l.add(loadReservations, 0, key, uid)
		}
	}
	if q := kind.QuotaOf(o); q != nil {
		l.add(loadQuotas, 0, uid, q.Namespace, q.Name, q.Digest, int64(0), false)
		l.quotas[q.Namespace] = append(l.quotas[q.Namespace], q)
	}
	return nil
}

// flush sends the queued rows.
func (l *Loader) flush() error {
	for i := range l.tables {
		t := &l.tables[i]
		if len(t.rows) == 0 {
			continue
		}
		if _, err := l.conn.CopyFrom(l.ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("load %s: %w", t.name, err)
		}
		t.rows = t.rows[:0]
	}
	l.bytes = 0
	return nil
}

// Finish replaces the cluster's state with the loaded one, in one transaction. The caller should
// notify the processes that follow the database; otherwise they notice at the next poll. Errors:
// ErrNotEmpty with the name of an object, ErrBusy, store.ErrReserved if two objects of the state hold
// the same address or port, and the database's.
func (l *Loader) Finish() error {
	if err := l.flush(); err != nil {
		return duplicate(err)
	}
	if err := l.countQuotas(); err != nil {
		return err
	}
	if err := l.stageHeader(); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	sql := sqlTake + sqlClear + sqlStaged + sqlFinish
	if l.o.Fresh {
		sql = sqlFinish
		if err := l.script("SET synchronous_commit = on"); err != nil {
			return fmt.Errorf("load: %w", err)
		}
	}
	sql = "BEGIN;\n" + sql + "COMMIT;"
	deadline := time.Now().Add(loadPatience)
	for {
		err := l.script(sql)
		if err == nil || l.conn.IsClosed() {
			return err
		}
		if rollback := l.script("ROLLBACK"); rollback != nil {
			return errors.Join(err, rollback)
		}
		switch {
		case pg.IsRaised(err, "RL001"):
			return fmt.Errorf("%w, such as %s", ErrNotEmpty, pg.Message(err))
		case !pg.IsLockTimeout(err):
			return duplicate(fmt.Errorf("load: %w", err))
		case time.Now().After(deadline):
			return ErrBusy
		}
		select {
		case <-l.ctx.Done():
			return l.ctx.Err()
		case <-time.After(time.Duration(rand.Int64N(int64(100 * time.Millisecond)))):
		}
	}
}

// duplicate is store.ErrReserved for a violated unique constraint: everything else that must be unique
// has been checked before.
func duplicate(err error) error {
	if pg.IsDuplicate(err) {
		return fmt.Errorf("%w: %w", store.ErrReserved, err)
	}
	return err
}

func (l *Loader) stageHeader() error {
	h := l.header
	speed := h.Clock.Speed
	switch l.o.Clock {
	case ClockPaused:
		speed = 0
	case ClockRunning:
		speed = h.Clock.Pace
	case ClockAsSaved:
	}
	var controllers, resources []string
	var locks []pgtype.UUID
	for _, c := range l.routes.Controllers() {
		controllers, resources, locks = append(controllers, c.Name), append(resources, c.Primary), append(locks, store.ParseUID(c.Lock))
	}
	_, err := l.conn.Exec(l.ctx, sqlHeader, pgx.QueryExecModeExec, int64(h.Revision), h.Committed, h.Time, speed, h.Clock.Pace, h.Addresses,
		h.Past, l.o.Replace, controllers, resources, locks)
	return err
}
