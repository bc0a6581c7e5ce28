package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/types"
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
