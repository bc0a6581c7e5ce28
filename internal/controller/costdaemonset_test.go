package controller_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestCost_OfANodeForDaemonSets: the cost is one query per DaemonSet, however many Pods they have
// on other nodes, and in pieces if there are very many DaemonSets. A node that is gone costs a
// wakeup for each DaemonSet that has Pods there.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfANodeForDaemonSets(t *testing.T) {
	const nodes, sets = 300, 3
	world := func(others int) *costWorld {
		c := newCostWorld(t, 0)
		c.made = nil
		for i := range sets {
			name := fmt.Sprint("agent-", i)
			c.add(&appsv1.DaemonSet{ObjectMeta: meta("default", name), Spec: appsv1.DaemonSetSpec{Selector: selecting(name), Template: template(name)}})
			for n := range nodes {
				c.pod(meta("default", fmt.Sprint(name, "-", n), controlledBy("DaemonSet", name)), fmt.Sprint("node-", 1000+n), name)
			}
		}
		for i := range others { // they run nowhere
			name := fmt.Sprintf("idle-%04d", i)
			ds := &appsv1.DaemonSet{ObjectMeta: meta("default", name), Spec: appsv1.DaemonSetSpec{Selector: selecting(name), Template: template(name)}}
			ds.Spec.Template.Spec.NodeName = "nowhere"
			c.add(ds)
		}
		for n := range nodes - 1 {
			c.add(nodelifecycle.DefaultNode(1000+n, nil, start))
		}
		c.add(nodelifecycle.DefaultNode(5000, nil, start))
		for i, v := range c.made {
			v.Revision = c.mirror.Revision() + object.Revision(i+1)
		}
		c.mirror.Committed(c.made)
		return c
	}
	c := world(0)
	asked := c.named(names.DaemonSetNode)
	sync := func(c *costWorld, node string) cost {
		look := engine.Request{UID: types.UID("nodes/" + node)}
		c.sync(asked, look) // decodes
		return c.sync(asked, look)
	}
	if got, want := sync(c, "node-5000"), (cost{Visits: 1 + sets + 1, Writes: sets + 1}); got != want { // one daemon exists in every world
		t.Errorf("a new node touches %+v, want %+v", got, want)
	}
	if got, want := sync(c, "node-1000"), (cost{Visits: 1 + sets + 1 + sets, Writes: sets + 1}); got != want { // the Pods are as old as the node
		t.Errorf("a changed node touches %+v, want %+v", got, want)
	}
	gone := c.sync(c.named(names.DaemonSetGone), engine.Request{UID: wakeup.HousekeepingLock})
	if gone.Writes != sets+1 || gone.Visits > 2*nodes {
		t.Errorf("nodes that are gone: touches %+v", gone)
	}

	c = world(700)
	look := engine.Request{UID: "nodes/node-5000"}
	first := c.plan(asked, look, start)
	look.Memory = first.Memory
	second := c.plan(asked, look, start)
	if len(first.Memory) == 0 || !first.WakeAt.Equal(start) || second.Memory == nil || len(second.Memory) > 0 || !second.WakeAt.IsZero() {
		t.Errorf("700 DaemonSets are not asked in two pieces:\n%s\n%s", first, second)
	}
	if n := len(first.Wakes) + len(second.Wakes); n != sets+1 {
		t.Errorf("%d are woken, want %d", n, sets+1)
	}
}
