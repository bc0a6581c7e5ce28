package wakeup

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

var (
	//go:embed claim.sql
	sqlClaim string
	//go:embed claim_under.sql
	sqlClaimUnder string
	//go:embed any_calls.sql
	sqlAnyCalls string
	//go:embed next_retry.sql
	sqlNextRetry string
	//go:embed hold.sql
	sqlHold string
)

// Claim is one object to sync, with the wakeups that ask for it.
type Claim struct {
	UID     types.UID
	IDs     []int64 // the wakeups that the sync will acknowledge
	Cause   object.Revision
	Attempt int // how often the sync has failed before
	// Memory is what is remembered beside the object, nil for nothing; set only if it was
	// requested.
	Memory []byte
}

// memoryBytes bounds how much memory one claim reads: objects whose memory exceeds it are left for
// the next claim.
const memoryBytes = 16 << 20

// Claimed is what a worker has taken: locked until its transaction ends.
type Claimed struct {
	Claims   []Claim         // in the order of their causes, then by uid
	Revision object.Revision // the newest when the wakeups were read: the snapshots must be at least that new; 0 without claims
	Now      time.Time       // cluster time of the claim, in UTC; zero without claims
	NextDue  time.Time       // when the controller's next wakeup is due, zero for none
	// NextRetry is when the controller's next sync that was put off must be retried, by this
	// process's own time; zero for none.
	NextRetry time.Time
	// Calls says that there may be calls of Pods, see plan.Call; Still that the clock is paused and
	// nothing advances it. Only claims with memories set them.
	Calls, Still bool
	// Contended says that nothing could be claimed because another worker holds the controller's
	// lock.
	Contended bool
}

// Take begins a transaction on conn and claims up to limit objects that the controller must sync,
// in one message. With a lock, the one row of that uid is locked instead of the objects. The caller
// ends the transaction.
func Take(ctx context.Context, conn *pgx.Conn, controller string, lock types.UID, limit int) (Claimed, error) {
	if lock == "" {
		return take(ctx, conn, false, controller, sqlClaim, controller, limit, nil)
	}
	return take(ctx, conn, false, controller, sqlClaimUnder, lock, controller, limit)
}

// TakeWithMemory is Take for a controller that remembers: the claims come with the memories beside
// their objects, as of the objects' locks. There may be fewer than limit, because memories are read
// up to a bound in bytes.
func TakeWithMemory(ctx context.Context, conn *pgx.Conn, controller string, limit int) (Claimed, error) {
	return take(ctx, conn, true, controller, sqlClaim, controller, limit, memoryBytes)
}

func take(ctx context.Context, conn *pgx.Conn, memory bool, controller, sql string, args ...any) (Claimed, error) {
	var c Claimed
	var m pgx.Batch
	m.Queue("BEGIN")
	m.Queue(sql, args...).Query(c.scan)
	m.Queue(sqlNextRetry, controller).Query(func(rows pgx.Rows) error {
		var left time.Duration
		_, err := pgx.ForEachRow(rows, []any{&left}, func() error {
			c.NextRetry = time.Now().Add(left)
			return nil
		})
		return err
	})
	if memory {
		m.Queue(sqlAnyCalls).QueryRow(func(row pgx.Row) error { return row.Scan(&c.Calls, &c.Still) })
	}
	if err := conn.SendBatch(ctx, &m).Close(); err != nil {
		return Claimed{}, fmt.Errorf("claim work of %s: %w", controller, err)
	}
	slices.SortFunc(c.Claims, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.UID, b.UID))
	})
	return c, nil
}

// Hold begins a transaction on conn and waits for the lock of one row, under which the wakeups of
// its object may be replaced outside of a claim. Without it, the object could be deleted at the
// same time, and a wakeup that can never be claimed would remain.
func Hold(ctx context.Context, conn *pgx.Conn, uid types.UID) error {
	var m pgx.Batch
	m.Queue("BEGIN")
	m.Queue(sqlHold, uid)
	if err := conn.SendBatch(ctx, &m).Close(); err != nil {
		return fmt.Errorf("lock %s: %w", uid, err)
	}
	return nil
}

func (c *Claimed) scan(rows pgx.Rows) error {
	if err := rows.Err(); err != nil { // there are no rows, and so no fields
		return err
	}
	var uid pgtype.UUID
	var ids []int64
	var memory []byte
	var cause, revision *object.Revision
	var attempt *int
	var at *time.Time
	c.Contended = true
	_, err := pgx.ForEachRow(rows, []any{&uid, &ids, &cause, &attempt, &revision, &at, &memory}, func() error {
		c.Contended = false
		if !uid.Valid { // the last row
			if at != nil {
				c.NextDue = *at
			}
			return nil
		}
		c.Claims = append(c.Claims, Claim{UID: types.UID(uid.String()), IDs: ids, Cause: *cause, Attempt: *attempt, Memory: memory})
		c.Revision, c.Now = *revision, at.UTC()
		ids, memory = nil, nil
		return nil
	})
	return err
}
