package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// memoryPage is how many memories one statement of ForgetGone reads.
	memoryPage = 500
	// forgetEvery is the pause between two passes of RunForgetting.
	forgetEvery = 5 * time.Minute
)

// Memory returns what a controller remembers beside an object, as last committed; nil if nothing.
// See plan.Plan.
func (s *Store) Memory(ctx context.Context, uid types.UID) (memory []byte, err error) {
	if err := s.pool.QueryRow(ctx, sqlMemory, uid).Scan(&memory); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("store: read the memory of %s: %w", uid, err)
	}
	return memory, nil
}

// Memories returns what a controller remembers beside objects, as last committed, in conn's open
// transaction, by uid. Objects without a memory are missing. It takes no lock.
func (s *Store) Memories(ctx context.Context, conn *pgx.Conn, uids []types.UID) (map[types.UID][]byte, error) {
	rows, err := conn.Query(ctx, sqlMemories, uids)
	if err != nil {
		return nil, fmt.Errorf("store: read memories: %w", err)
	}
	memories := make(map[types.UID][]byte, len(uids))
	var uid types.UID
	var memory []byte
	if _, err := pgx.ForEachRow(rows, []any{&uid, &memory}, func() error {
		memories[uid] = bytes.Clone(memory)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("store: read memories: %w", err)
	}
	return memories, nil
}

// ForgetGone deletes the files of nodes that are gone, the counts of faults that are gone, the
// calls of and sessions in Pods that are gone, old request counts, and the memories of objects that
// are gone. Workers delete the memories of objects that they remove, but removals by clients leave
// them behind. It reads all memories, page by page; any number of processes may call it at once.
func (s *Store) ForgetGone(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, sqlForgetFiles); err != nil {
		return fmt.Errorf("store: forget the files of nodes that are gone: %w", err)
	}
	if _, err := s.pool.Exec(ctx, sqlForgetFaults); err != nil {
		return fmt.Errorf("store: forget the counts of faults that are gone: %w", err)
	}
	if _, err := s.pool.Exec(ctx, sqlForgetCalls, memoryPage); err != nil {
		return fmt.Errorf("store: forget the calls of Pods that are gone: %w", err)
	}
	if _, err := s.pool.Exec(ctx, sqlForgetTraffic, TrafficKept, memoryPage); err != nil {
		return fmt.Errorf("store: forget the traffic of long ago: %w", err)
	}
	if _, err := s.pool.Exec(ctx, sqlForgetSessions, memoryPage); err != nil {
		return fmt.Errorf("store: forget the sessions in Pods that are gone: %w", err)
	}
	after := pgtype.UUID{Valid: true}
	for {
		var n int
		last := pgtype.UUID{}
		if err := s.pool.QueryRow(ctx, sqlForget, after, memoryPage).Scan(&n, &last); err != nil {
			return fmt.Errorf("store: forget what is gone: %w", err)
		}
		if n < memoryPage {
			return nil
		}
		after = last
	}
}

// RunForgetting calls ForgetGone at once and then every five minutes, until ctx ends. Every process
// may run it. It returns nil.
func (s *Store) RunForgetting(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.ForgetGone(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("memories of what is gone were not removed", "error", err)
		}
		pause(ctx, forgetEvery)
	}
	return nil
}
