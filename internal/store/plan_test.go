package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// fill gives the database the sizes of a cluster that has been busy for a while: 10,000 objects
// with two versions, an owner and a memory each, one workload per hundred, and 10,000 wakeups, most
// of them due later.
func (f fixture) fill() {
	f.T.Helper()
	const n = 10_000
	f.MustExec(`INSERT INTO objects (uid, revision, terminating, resource, namespace, name)
		SELECT md5(i::text)::uuid, 100000 + i, false, 'pods', 'default', 'filler-' || i FROM generate_series(1, $1::int) AS i`, n)
	f.MustExec(`INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
		SELECT v * 50000 + i, now(), 0, md5(i::text)::uuid, CASE v WHEN 1 THEN 'c' ELSE 'u' END::"char", 'pods', 'default', 'filler-' || i, '',
			json_build_object('kind', 'Pod', 'apiVersion', 'v1', 'metadata', json_build_object('name', 'filler-' || i, 'filler', repeat('x', 200)))
		FROM generate_series(1, $1::int) AS i, generate_series(1, 2) AS v`, n)
	f.MustExec(`INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
		SELECT i, now(), 0, md5('rewritten')::uuid, 'u', 'pods', 'default', 'rewritten', '', '{}' FROM generate_series(1001, 1200) AS i`)
	f.MustExec("INSERT INTO owners (owner, uid) SELECT md5((i / 100)::text)::uuid, md5(i::text)::uuid FROM generate_series(1, $1::int) AS i", n)
	f.MustExec(`INSERT INTO selectors (uid, namespace, controller, match)
		SELECT md5(i::text)::uuid, 'ns-' || i % 20, 'replicaset', json_build_object('app', i::text) FROM generate_series(1, $1::int, 100) AS i`, n)
	f.MustExec(`INSERT INTO wakeups (due, cause, uid, attempt, controller)
		SELECT now() + interval '1 day' + i * interval '1 s', 0, md5(i::text)::uuid, 0, (ARRAY['replicaset', 'scheduler', 'kubelet'])[i % 3 + 1]
		FROM generate_series(1, $1::int) AS i`, n)
	f.MustExec("INSERT INTO memories (uid, state) SELECT md5(i::text)::uuid, 'remembered' FROM generate_series(1, $1::int) AS i", n)
	f.MustExec(`INSERT INTO node_files (node, path, mode, uid, gid, content)
		SELECT 'node-' || i % 100, '/var/' || i, 0, 0, 0, '' FROM generate_series(1, $1::int) AS i`, n)
	f.MustExec(`INSERT INTO calls (caller, number, callee, at, query, answer)
		SELECT md5(i::text)::uuid, i, md5((i + 1)::text)::uuid, now(), 'asked', CASE WHEN i % 2 = 0 THEN 'told'::bytea END FROM generate_series(1, $1::int) AS i`, n)
	f.MustExec(`INSERT INTO traffic (caller, minute, service, callee, caller_name, answered, failed, refused, lost)
		SELECT md5(i::text)::uuid, '2030-01-01', 'default/s-' || i, 'default/p-' || i, 'default/c', 1, 1, 1, 1 FROM generate_series(1, $1::int) AS i`, n)
	f.MustExec("UPDATE revision SET value = 110000")
	f.MustExec("SELECT clock_advance(interval '1 s', NULL)")
}

// reads counts the rows that a transaction has read of the tables that grow with the cluster.
type reads struct {
	Sequential int64 // scans of whole tables
	Rows       int64 // through indexes or by whole scans
}

// mostRows is how many rows a hot statement about 20 or 50 objects may read. A bad plan reads
// thousands.
const mostRows = 600

const sqlReads = `SELECT sum(seq_scan)::bigint, sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables
	WHERE relname IN ('objects', 'log', 'wakeups', 'owners', 'selectors', 'memories', 'node_files', 'calls', 'traffic')`

// TestS14_HotStatementsKeepTheirPlans: statements that run with every change read a few rows
// through indexes, however large the tables are: before the tables are analysed, afterwards, and
// with generic plans.
func TestS14_HotStatementsKeepTheirPlans(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.fill()
	f.MustWrite(storetest.CreateReplicaSet("rs", "web"))
	for _, statistics := range []string{"empty", "analysed"} {
		if statistics == "analysed" {
			f.MustExec("ANALYZE")
		}
		for _, plans := range []string{"force_custom_plan", "force_generic_plan"} {
			conn := f.Conn()
			if _, err := conn.Exec(t.Context(), "SELECT set_config('plan_cache_mode', $1, false)", plans); err != nil {
				t.Fatal(err)
			}
			for name, do := range f.hot(t.Context(), statistics+plans) {
				if got := f.reads(conn, do); got.Sequential > 0 || got.Rows > mostRows {
					t.Errorf("%s, with statistics %s and %s: %d whole scans, %d rows", name, statistics, plans, got.Sequential, got.Rows)
				}
			}
		}
	}
}

// reads measures what a transaction reads, and rolls it back.
func (f fixture) reads(conn *pgx.Conn, do func(*pgx.Conn) error) (r reads) {
	f.T.Helper()
	ctx := f.T.Context()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		f.T.Fatal(err)
	}
	var before reads // includes what the session has not reported yet
	if err := conn.QueryRow(ctx, sqlReads).Scan(&before.Sequential, &before.Rows); err != nil {
		f.T.Fatal(err)
	}
	if err := do(conn); err != nil {
		f.T.Fatal(err)
	}
	if err := conn.QueryRow(ctx, sqlReads).Scan(&r.Sequential, &r.Rows); err != nil {
		f.T.Fatal(err)
	}
	r.Sequential, r.Rows = r.Sequential-before.Sequential, r.Rows-before.Rows
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		f.T.Fatal(err)
	}
	return r
}

// hot returns the statements that run with every change, each on a few rows of a full database.
func (f fixture) hot(ctx context.Context, round string) map[string]func(*pgx.Conn) error {
	heads := map[string]*object.Version{}
	for i := range 20 {
		name := fmt.Sprintf("%s-%d", round, i)
		heads[name] = f.MustWrite(storetest.CreatePod(name, "web"))
	}
	uid := heads[round+"-0"].UID
	apply := func(change func(b *store.Batch, v *object.Version, i int) store.Change) func(*pgx.Conn) error {
		return func(conn *pgx.Conn) error {
			b := newBatch(names.ReplicaSet)
			for _, v := range heads {
				c := change(b, v, b.Len())
				if _, err := b.Add(c, 0, uid, v.At.Time()); err != nil {
					return err
				}
				b.Again(v.UID, v.At.Time(), v.Revision)
				b.Remember(v.UID, v.Revision, []byte(round))
				b.Exchange(v.UID, v.Revision, plan.Call{Caller: v.UID, Callee: uid, Number: 1, At: v.At.Time(), Query: []byte(round)})
				b.WakeAt(names.Kubelet, uid, v.At.Time().Add(time.Hour), v.Revision)
			}
			return f.Apply(ctx, conn, b)
		}
	}
	query := func(sql string, args ...any) func(*pgx.Conn) error {
		return func(conn *pgx.Conn) error { _, err := conn.Exec(ctx, sql, args...); return err }
	}
	return map[string]func(*pgx.Conn) error{
		"creations": apply(func(_ *store.Batch, _ *object.Version, i int) store.Change {
			return storetest.CreatePod(fmt.Sprintf("new-%s-%d", round, i), "web")
		}),
		"updates":           apply(func(_ *store.Batch, v *object.Version, _ int) store.Change { return storetest.Touch(v, "1") }),
		"removals":          apply(func(_ *store.Batch, v *object.Version, _ int) store.Change { return storetest.Remove(v) }),
		"claim":             query("SELECT uid FROM claim('replicaset', 50, NULL)"),
		"claim_under":       query("SELECT uid FROM claim_under($1, 'scheduler', 50)", wakeup.SchedulerLock),
		"claim with memory": query("SELECT uid FROM claim('replicaset', 50, 1000000)"),
		"memory":            query(store.SQL("memory"), uid),
		"next_due":          query("SELECT controller, due FROM next_due()"),
		"clock_step":        query("SELECT outcome FROM clock_step(8)"),
		"calls":             query(store.SQL("calls"), []types.UID{uid, "c4ca4238-a0b9-2382-0dcc-509a6f75849b"}, 50, 1000, 100, time.Now()),
		"traffic":           query(store.ReadTraffic, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), "default/s-9", []string{"default/p-9", "default/p-10"}, uid, 1000, 100),
		"tally":             query("SELECT tally(ARRAY[$1::uuid], ARRAY[1::bigint], '{default/c}', '{2030-01-01}', '{default/s}', '{default/p}', '{1}', '{0}', '{0}', '{0}', '15 min')", uid),
		"node_files":        query(store.SQL("node_files"), []string{"node-1", "node-2"}, []string{"/var", "/var/2"}),
		"lock_head":         query(store.SQL("lock_head"), uid),
		"find_write":        query(store.SQL("find_write"), "pods", uid, 0, "c", ""),
		"revision":          query(store.SQL("revision")),
		"bodies":            query(store.SQL("log_bodies"), []int64{109_900, 109_901, 109_902}),
		"log_after":         query(store.SQL("log_after"), 109_900, 50),
		"log_row":           query(store.SQL("log_row"), 109_900, uid, heads[round+"-0"].At.Time()),
		"log_time":          query(store.SQL("log_time"), 60_000),
		"changes":           query(store.SQL("changes"), "pods", 109_900, 50),
		"compact":           query(store.SQL("compact"), 100_000, 100_050),
		"compact one":       query(store.SQL("compact"), 1000, 1200), // an object that is rewritten all the time
	}
}

// TestS5_UpdatesStayHeapOnly: no index holds the columns that they change, and pages have room for
// a while without cleanup.
func TestS5_UpdatesStayHeapOnly(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	changes := make([]store.Change, 200)
	for i := range changes {
		changes[i] = storetest.CreateConfigMap(fmt.Sprint("cm-", i))
	}
	f.gather(changes)
	heads := f.live()
	changes = changes[:0]
	for i, v := range heads {
		if i%4 == 0 && v.Type.Plural == "configmaps" {
			changes = append(changes, storetest.Update(v, "1"))
		}
	}
	for _, err := range f.gather(changes) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for table, want := range map[string]int64{"objects": int64(len(changes)), "revision": 4} {
		const sql = "SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = $1"
		storetest.Eventually(t, "the statistics tell of the updates", func() bool { return f.Number(sql, table) >= want })
		if n := f.Number("SELECT n_tup_upd - n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = $1", table); n != 0 {
			t.Errorf("%d updates of %s were not heap-only", n, table)
		}
	}
}

// TestS5_ABodyIsWrittenOnce: it is in the row of its version; a tombstone that adds nothing has no
// body.
func TestS5_ABodyIsWrittenOnce(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	const marker = "written-once-1f0c"
	v := f.MustWrite(storetest.CreateConfigMap("a"))
	v = f.MustWrite(storetest.Update(v, marker))
	f.MustWrite(storetest.Remove(v))
	tables := []string{"revision", "objects", "log", "owners", "selectors", "wakeups"}
	rows := int64(0)
	for _, table := range tables {
		rows += f.Number(fmt.Sprintf("SELECT count(*) FROM %s AS t WHERE t::text LIKE '%%' || $1 || '%%'", table), marker)
	}
	if rows != 1 {
		t.Errorf("the body is in %d rows, want 1", rows)
	}
}
