package podtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/nodefile"
)

// NodeFiles are the files of a node by their paths.
type NodeFiles map[string]plan.File

// keep stores what a Pod has changed.
func (n NodeFiles) keep(files []plan.File) {
	for _, f := range files {
		if f.Removed {
			delete(n, f.Path)
		} else {
			n[f.Path] = f
		}
	}
}

// Seen are those that a Pod's volumes show.
func (n NodeFiles) Seen(pod *corev1.Pod) (files []plan.File) {
	for _, at := range slices.Sorted(maps.Keys(n)) {
		for i := range pod.Spec.Volumes {
			if h := pod.Spec.Volumes[i].HostPath; h != nil && (at == nodefile.HostPath(h) || strings.HasPrefix(at, strings.TrimSuffix(nodefile.HostPath(h), "/")+"/")) {
				files = append(files, n[at])
				break
			}
		}
	}
	return files
}

// String is a line for each file: its path, mode and content.
func (n NodeFiles) String() string {
	var b strings.Builder
	for _, at := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(&b, "%s %o %q\n", at, n[at].Mode, n[at].Data)
	}
	return b.String()
}

// Run lets a Pod live for a while on a node with these files.
func (n NodeFiles) Run(t *testing.T, pod *corev1.Pod, until time.Duration) *World {
	t.Helper()
	w := &World{T: t, Pod: pod, Now: Noon, Node: n}
	w.Live(until)
	return w
}
