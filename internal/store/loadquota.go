package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
)

// countQuotas counts what is used of the quotas of the state, of which all has come, so that they hold from its first moment on.
func (l *Loader) countQuotas() error {
	if len(l.quotas) == 0 {
		return nil
	}
	used := map[*kind.Quota]corev1.ResourceList{}
	rows, err := l.conn.Query(l.ctx, sqlLoadCounted, slices.Collect(maps.Keys(l.quotas)))
	if err != nil {
		return fmt.Errorf("store: load: count what quotas limit: %w", err)
	}
	var resource string
	var body []byte
	_, err = pgx.ForEachRow(rows, []any{&resource, &body}, func() error {
		return l.countObject(used, l.kinds.ByResource(resource), body)
	})
	if err != nil {
		return fmt.Errorf("store: load: count what quotas limit: %w", err)
	}
	for _, quotas := range l.quotas {
		for _, q := range quotas {
			for name, hard := range q.Limits(l.kinds) {
				sum := used[q][name]
				l.add(loadUsage, 0, parseUID(q.UID), string(name), decimal(hard), decimal(sum), hard.String(), string(sum.Format))
			}
		}
	}
	return l.flush()
}

// countObject adds what an object uses of the quotas of its namespace.
func (l *Loader) countObject(used map[*kind.Quota]corev1.ResourceList, k *kind.Kind, body []byte) error {
	if k == nil || !k.Counted() {
		return nil
	}
	o := k.New()
	if err := json.Unmarshal(body, o); err != nil {
		return err
	}
	for _, q := range l.quotas[o.GetNamespace()] {
		for name, quantity := range q.Usage(k, o) {
			if used[q] == nil {
				used[q] = corev1.ResourceList{}
			}
			sum := used[q][name].DeepCopy()
			sum.Add(quantity)
			used[q][name] = sum
		}
	}
	return nil
}
