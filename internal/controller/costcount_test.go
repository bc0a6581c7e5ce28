package controller_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
)

// TestCost_OfCountingPods: a rollout of 3,000 Pods costs as much a sync as one of 10.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfCountingPods(t *testing.T) {
	few, many := countingCosts(t, 10), countingCosts(t, 3000)
	if d := cmp.Diff(few, many); d != "" || len(many) != 2 {
		t.Errorf("the costs by the number of Pods (-10 +3000):\n%s", d)
	}
}

// countingCosts returns what a sync of a Deployment costs that is being rolled out, and one of its
// ReplicaSet, which has all Pods but has not counted them yet.
func countingCosts(t *testing.T, pods int32) map[string]cost {
	t.Helper()
	c := newCostWorld(t, 0)
	c.commit(func() {
		c.add(&appsv1.Deployment{ObjectMeta: meta("default", "big"), Spec: appsv1.DeploymentSpec{Replicas: &pods, Selector: selecting("big"), Template: template("big")}})
		c.add(&appsv1.ReplicaSet{ObjectMeta: meta("default", "big", controlledBy("Deployment", "big")), Spec: appsv1.ReplicaSetSpec{Replicas: &pods, Selector: selecting("big"), Template: template("big")}})
		for i := range pods {
			c.pod(meta("default", fmt.Sprint("big-", i), controlledBy("ReplicaSet", "big")), "node-1", "big")
		}
	})
	costs := map[string]cost{}
	for _, ctl := range controller.Controllers(c.world) {
		switch ctl.Name {
		case names.Deployment, names.ReplicaSet:
			look := engine.Request{UID: types.UID(ctl.Name + "s/big")}
			c.sync(ctl, look) // decodes what belongs to the object
			costs[ctl.Name] = c.sync(ctl, look)
			t.Logf("%s of %d Pods: %+v", ctl.Name, pods, costs[ctl.Name])
		}
	}
	return costs
}
