package replica

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

//go:embed presences.sql
var sqlPresences string

// Presences returns the processes that are present now, by their Hints.Replica. A process that has
// died is missing as soon as the database notices that its connections are gone: at once if the
// process ended, after two to three seconds if its host did.
func (h *Hints) Presences(ctx context.Context) ([]int32, error) {
	before := h.newsNow()
	rows, err := h.pool.Query(ctx, sqlPresences, presenceClass)
	if err != nil {
		return nil, fmt.Errorf("read presences: %w", err)
	}
	replicas, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("read presences: %w", err)
	}
	out := make([]int32, len(replicas))
	for i, r := range replicas {
		out[i] = int32(r) //nolint:gosec // it was one
	}
	h.know(out, before)
	return out, nil
}

func (h *Hints) newsNow() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.news
}

// know decides whether this process is alone, from the processes that are present. A hint costs a
// transaction as much as a small write does, and without a receiver it is wasted.
//
// A process that joins shows its presence first and then notifies the others. So this process is
// alone if it was listening before it read which are present, that was only itself, and no other
// has notified it since.
func (h *Hints) know(present []int32, before int) {
	if slices.ContainsFunc(present, func(r int32) bool { return r != h.replica }) {
		h.joined()
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.alone = h.listening && h.news == before; h.alone {
		h.next = Hint{}
	}
}

// joined ends the time alone, if this process was: others may miss what it has not sent until now,
// so a hint makes them look for themselves.
func (h *Hints) joined() {
	h.mu.Lock()
	was := h.alone
	h.alone = false
	h.news++
	h.mu.Unlock()
	if was {
		h.add(Hint{Joined: true})
	}
}

// listens notes whether this process hears of others that join. If not, it is not alone as far as
// it knows.
func (h *Hints) listens(yes bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listening, h.alone = yes, false
	h.news++
}
