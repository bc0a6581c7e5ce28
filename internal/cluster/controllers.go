package cluster

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/controller"
)

var (
	//go:embed controllers_off.sql
	sqlControllersOff string
	//go:embed controllers_off_set.sql
	sqlControllersOffSet string
)

// chooseControllers syncs all objects of the controllers that run here and were off in the replica
// that started last, and records which are off now. If a process dies in between, the record is
// unchanged and the next process repeats this.
func (p parts) chooseControllers(ctx context.Context, c Config) error {
	rows, err := p.pool.Query(ctx, sqlControllersOff)
	if err != nil {
		return fmt.Errorf("read the disabled controllers: %w", err)
	}
	before, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("read the disabled controllers: %w", err)
	}
	now := slices.Sorted(maps.Keys(c.off))
	if slices.Equal(before, now) {
		return nil
	}
	c.Log.Info("the disabled controllers are not those of the replica that started last", "off", now, "before", before)
	for _, one := range p.controllers {
		if !one.Off && slices.Contains(before, one.Name) {
			if err := controller.WakeAll(ctx, p.Deps, one); err != nil {
				return err
			}
		}
	}
	if _, err := p.pool.Exec(ctx, sqlControllersOffSet, now); err != nil {
		return fmt.Errorf("record the disabled controllers: %w", err)
	}
	return nil
}
