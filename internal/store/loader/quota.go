package loader

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/definition"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/store"
)

// countQuotas counts the usage of the state's quotas after the whole state has arrived, so that the
// quotas hold from its first moment on.
func (l *Loader) countQuotas() error {
	if len(l.quotas) == 0 {
		return nil
	}
	used, kinds := kind.Tally{}, definition.Of(l.kinds, l.definitions...)
	rows, err := l.conn.Query(l.ctx, sqlCounted, slices.Collect(maps.Keys(l.quotas)))
	if err != nil {
		return fmt.Errorf("load: count what quotas limit: %w", err)
	}
	var resource string
	var body []byte
	_, err = pgx.ForEachRow(rows, []any{&resource, &body}, func() error {
		return l.countObject(used, kinds.ByResource(resource), body)
	})
	if err != nil {
		return fmt.Errorf("load: count what quotas limit: %w", err)
	}
	for _, quotas := range l.quotas {
		for _, q := range quotas {
			for name, hard := range q.Limits(kinds) {
				sum := used[q][name]
				l.add(loadUsage, 0, store.ParseUID(q.UID), string(name), store.Decimal(hard), store.Decimal(sum), hard.String(), string(sum.Format))
			}
		}
	}
	return l.flush()
}

// countObject adds what an object uses of the quotas of its namespace.
func (l *Loader) countObject(used kind.Tally, k *kind.Kind, body []byte) error {
	if k == nil || !k.Counted() {
		return nil
	}
	o := k.New()
	if err := json.Unmarshal(body, o); err != nil {
		return err
	}
	for _, q := range l.quotas[o.GetNamespace()] {
		used.Add(q, k, o)
	}
	return nil
}
