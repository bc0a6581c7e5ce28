package controller_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestCost_OfANodeWithVeryManyPods: the cost is bounded by a burst, whether the node is missing or
// silent.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfANodeWithVeryManyPods(t *testing.T) {
	c := newCostWorld(t, 0)
	const many = 2600
	c.made = nil
	silent := nodelifecycle.DefaultNode(50, nil, start)
	silent.Annotations = map[string]string{outage.Annotation: outage.Faults[0]}
	for i := range silent.Status.Conditions {
		if silent.Status.Conditions[i].Type == corev1.NodeReady {
			silent.Status.Conditions[i].Status = corev1.ConditionUnknown
		}
	}
	c.add(silent)
	for i := range many {
		ready := func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		c.pod(meta("default", fmt.Sprintf("lost-%05d", i)), "nowhere", "lost")
		c.pod(meta("default", fmt.Sprintf("unheard-%05d", i), controlledBy("ReplicaSet", "unheard")), silent.Name, "unheard", ready)
	}
	for i, v := range c.made {
		v.Revision = c.mirror.Revision() + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
	ending := c.mirror.Revision()

	gc := c.named(names.PodGC)
	early := c.sync(gc, engine.Request{UID: wakeup.HousekeepingLock}) // from now on it is known since when the node is missing
	late := c.syncAt(gc, engine.Request{UID: wakeup.HousekeepingLock}, start.Add(time.Minute))
	silenced := c.sync(c.named(names.NodePods), engine.Request{UID: types.UID("nodes/" + silent.Name)})
	for name, row := range map[string]struct {
		got    cost
		writes int
	}{"too early": {early, 2}, "missing": {late, 1000}, "silent": {silenced, 1000}} {
		if row.got.Writes > row.writes || row.got.Writes < row.writes/2 || row.got.Visits > 1100 {
			t.Errorf("%s: touches %+v", name, row.got)
		}
		t.Logf("%-10s %+v", name, row.got)
	}

	// An owner's newest dependent is found through the recent changes, however many dependents
	// there are.
	ref := metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "unheard", UID: "replicasets/unheard", Controller: new(true)}
	c.later(&corev1.ConfigMap{ObjectMeta: meta("default", "newest", ref)})
	c.later(&corev1.ConfigMap{ObjectMeta: meta("default", "other")})
	visits := c.visits.Load()
	c.mirror.Read(func(v mirror.View) {
		if newest, known := v.NewestOwned(ref.UID, ending); newest != ending+1 || !known {
			t.Errorf("the newest is %d, %t, not %d", newest, known, ending+1)
		}
	})
	if n := c.visits.Load() - visits; n != 1 {
		t.Errorf("finding the newest visits %d", n)
	}
}
