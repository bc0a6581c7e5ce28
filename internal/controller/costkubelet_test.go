package controller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
)

// asking starts a Pod that runs a command, and syncs it until it sends a query to the cluster. It
// returns the request of the sync that answers the query.
func (c *costWorld) asking(name, command string) engine.Request {
	c.t.Helper()
	pod := &corev1.Pod{ObjectMeta: meta("default", name)}
	pod.Spec.NodeName, pod.Spec.Containers = "node-1", []corev1.Container{{Name: "c", Image: "busybox", Command: []string{"sh", "-c", command}}}
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending, PodIP: "10.244.9.9"}
	podkind.Kind.Default(pod)
	c.later(pod)
	request := engine.Request{UID: types.UID("pods/" + name)}
	for now := start; now.Before(start.Add(time.Minute)); now = now.Add(time.Second) {
		p := c.plan(c.named(names.Kubelet), request, now)
		if p.Memory != nil {
			request.Memory = p.Memory
		}
		for _, u := range p.Updates {
			if next, ok := u.Object.(*corev1.Pod); ok {
				pod = next.DeepCopy()
				c.later(pod)
			}
		}
		if len(need.Of(pod, request.Memory, c.world.Images).Queries) > 0 {
			return request
		}
	}
	c.t.Fatalf("%s sends no query", name)
	return request
}

// TestCost_OfAQuestion: a Pod queries the cluster by the name of a Service, by its address, and by a
// name that does not exist. The cost does not depend on the size of the cluster.
//
//nolint:paralleltest // it counts the bodies that the whole process decodes
func TestCost_OfAQuestion(t *testing.T) {
	small, large := newCostWorld(t, 1000), newCostWorld(t, 20_000)
	for name, command := range map[string]string{
		"name": "wget -qO- http://web", "address": "wget -qO- http://10.96.7.7", "none": "nslookup nobody.example", "reverse": "nslookup 10.96.7.7",
	} {
		costs := make([]cost, 2)
		for i, c := range []*costWorld{small, large} {
			request := c.asking(name, command)
			c.sync(c.named(names.Kubelet), request) // decodes what belongs to the Pod
			costs[i] = c.sync(c.named(names.Kubelet), request)
		}
		if diff := cmp.Diff(costs[0], costs[1]); diff != "" {
			t.Errorf("%s (-small +large):\n%s", name, diff)
		}
		t.Logf("%-8s %+v", name, costs[1])
	}
}

// TestCost_OfACall: the sync of the called Pod reads what belongs to the Pod, and wakes the caller.
//
//nolint:paralleltest // it counts the bodies that the whole process decodes
func TestCost_OfACall(t *testing.T) {
	small, large := newCostWorld(t, 1000), newCostWorld(t, 20_000)
	costs := make([]cost, 2)
	for i, c := range []*costWorld{small, large} {
		request := engine.Request{UID: "pods/web-0", Calls: []plan.Call{
			{Caller: "pods/web-1", Callee: "pods/web-0", Number: 1, At: start, Query: []byte(`{"Kind":"http","Port":80,"Method":"GET","Path":"/"}`)},
		}}
		if p := c.plan(c.named(names.Kubelet), request, start); len(p.Calls) != 1 || p.Calls[0].Answer == nil {
			t.Fatalf("the call has no answer: %s", p)
		}
		costs[i] = c.sync(c.named(names.Kubelet), request)
	}
	if diff := cmp.Diff(costs[0], costs[1]); diff != "" {
		t.Errorf("(-small +large):\n%s", diff)
	}
	t.Logf("%+v", costs[1])
}
