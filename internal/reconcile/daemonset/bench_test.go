package daemonset_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
)

// BenchmarkReconcile is a sync of a DaemonSet with a Pod on each of 1,000 nodes: when all is well,
// and when all Pods must be replaced.
func BenchmarkReconcile(b *testing.B) {
	const n = 1000
	for name, s := range map[string]daemonset.Snapshot{
		"settled": snapshot(set(counted(n, n)), nodes(n), all(pods(n))...),
		"rolling": snapshot(set(counted(n, n), image("b", 2), bounds("10%", "0")), nodes(n), all(pods(n))...),
		"new":     snapshot(set(counted(0, n)), nodes(n)),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				daemonset.Reconcile(s)
			}
		})
	}
}
