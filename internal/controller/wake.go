package controller

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewRouter determines whom a change wakes, by what the controllers declare. All of them run.
func NewRouter() *wakeup.Router { return NewRouterWithout(nil) }

// NewRouterWithout is NewRouter with some controllers off, by name.
func NewRouterWithout(off map[string]bool) *wakeup.Router {
	return engine.NewRouter(Controllers(World{Off: off}))
}

// wakeLock is a Map for controllers that decide across objects: it asks for the row of their lock,
// if when holds.
func wakeLock(lock types.UID, when wakeup.Predicate) wakeup.Map {
	return func(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
		if when(d) {
			wakes = append(wakes, wakeup.Wake{UID: lock})
		}
		return wakes
	}
}

// bound reports whether a Pod, nil for none, has a node.
func bound(pod *corev1.Pod) bool { return pod != nil && pod.Spec.NodeName != "" }
