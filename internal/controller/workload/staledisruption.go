package workload

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewStaleDisruption makes the controller that clears the condition DisruptionTarget of Pods that
// were not deleted after all.
//
// Cost: the Pod.
func NewStaleDisruption(world.World) engine.Controller {
	return engine.Controller{
		Name: names.StaleDisruption, UserAgent: "disruption-controller", Others: []string{"pods"}, Batch: 64,
		Reconcile: gather.Each(func(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
			return disruption.ClearStale(disruption.Target{Pod: o.Object().(*corev1.Pod), Now: now})
		}),
		Sources: []wakeup.Source{wakeup.Watches(&podkind.Kind.Type, markedForDisruption)},
	}
}

// markedForDisruption asks for a Pod that has become the target of a disruption, at the time when
// it should be gone. Most are by then, and their wakeups with them; so this does not disturb their
// deletion.
//
// Source: kubernetes v1.36 pkg/controller/disruption/disruption.go, updatePod and nonTerminatingPodHasStaleDisruptionCondition
// Differs: the time counts from the write, not from the condition's own time, which is in whole
// seconds: the condition is cleared up to a second later and, if a client backdates it, two minutes
// after the client has written it.
func markedForDisruption(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	was, is := disruption.MayGoStale(old), disruption.MayGoStale(pod)
	if is == nil || was != nil && was.LastTransitionTime.Equal(&is.LastTransitionTime) {
		return wakes
	}
	return append(wakes, wakeup.Wake{UID: pod.UID, After: disruption.StaleTimeout})
}
