package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// PodGC deletes Pods of nodes that do not exist, and Pods that have ended where there are too many.
const PodGC = "podgc"

func newPodGC(w World) engine.Controller {
	return engine.Controller{
		Name: PodGC, UserAgent: "pod-garbage-collector", Batch: 1, Lock: wakeup.HousekeepingLock, Reconcile: w.lookForOrphans,
		Sources: []wakeup.Source{
			wakeup.Watches(&kind.Node.Type, quarantine),
			wakeup.Watches(&kind.Pod.Type, wakeLock(wakeup.HousekeepingLock, boundByClient)),
		},
	}
}

// podGCQuarantine is how long the Pods of a node that is gone are kept, in case the node comes back.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, quarantineTime.
const podGCQuarantine = 40 * time.Second

// quarantine has the Pods of a node that is gone collected, some time later.
func quarantine(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil {
		wakes = append(wakes, wakeup.Wake{UID: wakeup.HousekeepingLock, After: podGCQuarantine})
	}
	return wakes
}

// boundByClient holds for Pods whose node a client has named: there may be no such node.
func boundByClient(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	return d.Controller == "" && bound(pod) && !bound(old)
}
