package controller_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/nodelifecycle"
	"github.com/rowlock/rowlock/internal/store"
)

// newCrowd makes a cluster with a node that has this many Pods, all in one namespace and with one
// label.
func newCrowd(t *testing.T, pods int) *costWorld {
	t.Helper()
	c := newCostWorld(t, 0)
	c.made = nil
	full := nodelifecycle.DefaultNode(70, nil, start)
	full.Spec.Taints = []corev1.Taint{{Key: "repair", Effect: corev1.TaintEffectNoExecute}}
	c.add(full)
	c.add(&corev1.Namespace{ObjectMeta: meta("", "crowd"), Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}})
	c.add(&corev1.ConfigMap{ObjectMeta: meta("crowd", "shared")})
	c.add(&corev1.ResourceQuota{ObjectMeta: meta("crowd", "crowd"), Spec: corev1.ResourceQuotaSpec{Hard: amounts("pods", "5", "requests.cpu", "1")}})
	c.add(&fault.Fault{ObjectMeta: meta("", "crowd"), Spec: fault.Spec{Pod: &fault.Pod{Namespace: "crowd", Selector: "app=crowd", Action: fault.CrashLoop}}})
	for i := range pods {
		c.pod(meta("crowd", fmt.Sprintf("p-%05d", i)), full.Name, "crowd", func(p *corev1.Pod) {
			p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "shared"}}}}
			p.Spec.Tolerations = []corev1.Toleration{{Key: "repair", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(60))}}
		})
	}
	for i, v := range c.made {
		v.Revision = c.mirror.Revision() + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
	return c
}

// piecewise are the syncs that process a crowd in pieces, by controller name.
var piecewise = map[string]types.UID{
	names.TaintEviction: "nodes/node-70",
	names.Configuration: "configmaps/shared",
	names.Fault:         "faults/crowd",
	names.NodePods:      "nodes/node-70",
	names.ResourceQuota: "resourcequotas/crowd",
}

// TestCost_OfAPiece: the cost is the same however many objects there are, in the first piece and in
// the last but one.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfAPiece(t *testing.T) {
	small, large := newCrowd(t, 5000), newCrowd(t, 20_000)
	for name, uid := range piecewise {
		var costs [2][]cost
		for i, c := range []*costWorld{small, large} {
			controller, look := c.named(name), engine.Request{UID: uid}
			if controller.Quotas {
				look.Quota = &store.QuotaState{Counting: true}
			}
			for range 2 {
				costs[i] = append(costs[i], c.sync(controller, look))
				look.Memory = c.remembered(controller, look)
			}
		}
		if diff := cmp.Diff(costs[0], costs[1]); diff != "" || costs[0][0].Visits > 3000 || costs[0][0].Writes > 1001 || costs[0][0].Visits < 500 {
			t.Errorf("%s of %s (-small +large):\n%s", name, uid, diff)
		}
		t.Logf("%-22s %-32s %+v", name, uid, costs[1])
	}
}

// remembered returns what a sync leaves to the next.
func (c *costWorld) remembered(controller engine.Controller, look engine.Request) []byte {
	p := c.plan(controller, look, start)
	if p.Memory == nil {
		return look.Memory
	}
	return p.Memory
}
