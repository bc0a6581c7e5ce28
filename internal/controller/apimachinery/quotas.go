package apimachinery

import (
	"context"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Quotas keeps the ResourceQuotas of each namespace, parsed for measuring. It observes the mirror.
// The zero Quotas is empty.
type Quotas struct {
	mu          sync.RWMutex
	byNamespace map[string][]*kind.Quota // by their names; a list is never changed
	fresh       func(context.Context) error
}

var (
	_ mirror.Observer = (*Quotas)(nil)
	_ store.Quotas    = (*Quotas)(nil)
)

// Connect gives Quotas the mirror that it observes.
func (q *Quotas) Connect(m *mirror.Mirror) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.fresh = m.Fresh
}

// Reset implements mirror.Observer.
func (q *Quotas) Reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.byNamespace = nil
}

// Observe implements mirror.Observer.
func (q *Quotas) Observe(e mirror.Event) {
	if e.New.Type.Plural != core.ResourceQuota.Plural {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var left []*kind.Quota
	for _, other := range q.byNamespace[e.New.Namespace] {
		if other.Name != e.New.Name {
			left = append(left, other)
		}
	}
	if e.New.Verb != object.Deleted {
		left = append(left, kind.NewQuota(e.New.Object().(*corev1.ResourceQuota)))
		slices.SortFunc(left, func(a, b *kind.Quota) int { return strings.Compare(a.Name, b.Name) })
	}
	if len(left) == 0 {
		delete(q.byNamespace, e.New.Namespace)
		return
	}
	if q.byNamespace == nil {
		q.byNamespace = map[string][]*kind.Quota{}
	}
	q.byNamespace[e.New.Namespace] = left
}

// In implements store.Quotas.
func (q *Quotas) In(namespace string) []*kind.Quota {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.byNamespace[namespace]
}

// Fresh implements store.Quotas.
func (q *Quotas) Fresh(ctx context.Context) error {
	q.mu.RLock()
	fresh := q.fresh
	q.mu.RUnlock()
	return fresh(ctx)
}
