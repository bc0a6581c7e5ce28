package engine

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"
)

// WakeNow has a controller sync objects, in one transaction; it does nothing for an empty list.
func WakeNow(ctx context.Context, deps Deps, controller string, uids []types.UID) error {
	if len(uids) == 0 {
		return nil
	}
	batch := deps.Store.NewBatch(controller)
	for _, uid := range uids {
		batch.Wake(controller, uid, 0)
	}
	return deps.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			return err
		}
		_, err := deps.Store.Commit(ctx, conn.Conn(), batch)
		return err
	})
}
