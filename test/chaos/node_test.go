package chaos_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/history"
)

// fail makes a node fail; "" heals it.
func (c *clients) fail(node, fault string) {
	c.t.Helper()
	value := "null"
	if fault != "" {
		value = `"` + fault + `"`
	}
	do(c, "nodes", func(ctx context.Context, client kubernetes.Interface) (*corev1.Node, error) {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"emulation.rowlock.io/fault":%s}}}`, value)
		return client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	})
}

// advance lets time pass, and disturbs that.
func (c *clocked) advance(by time.Duration, disturb func(from time.Time)) {
	c.t.Helper()
	begun := c.clock(http.MethodPost, fmt.Sprintf(`{"advance": {"by": %q}}`, by))
	if begun.Advance == nil {
		c.t.Fatalf("the advance has not begun: %+v", begun)
	}
	from := begun.Advance.To.Add(-by)
	disturb(from)
	eventually(c.t, "the advance is done", func() bool { return c.clock(http.MethodGet, "").Advance.Phase != "running" })
}

// A node fails, and processes are killed while it is given up, while its Pods are evicted and when
// it is back: its Pods are deleted when they are due and at no other time, each is replaced once,
// and in the end everything is as requested.
func TestKill_ANodeFails(t *testing.T) {
	c := newClocked(t, pgtest.NewURL(t), 3, begin)
	c.createDeployment("web", 60)
	c.advance(10*time.Second, func(time.Time) {})
	c.awaitRolledOut([]string{"web"})
	lost := 0
	for _, pod := range c.pods() {
		if pod.Spec.NodeName == "node-1" {
			lost++
		}
	}

	c.fail("node-1", "failed")
	var due time.Time
	c.advance(400*time.Second, func(from time.Time) {
		due = from.Add(350 * time.Second)
		for i, at := range []time.Duration{50, 349, 350} {
			c.reach(from.Add(at * time.Second))
			r := c.replicas[i]
			r.kill()
			r.start()
		}
	})
	// The template has no grace, so Pods are deleted at once.
	var gone, late int
	if err := c.conn.QueryRow(t.Context(), "SELECT count(*), count(*) FILTER (WHERE at <> $1) FROM log WHERE resource = 'pods' AND verb = 'd'", due).Scan(&gone, &late); err != nil {
		t.Fatal(err)
	}
	if gone != lost || late > 0 || lost == 0 {
		t.Errorf("%d of the %d Pods on the node are gone, %d of them not at %v", gone, lost, late, due)
	}
	c.awaitRolledOut([]string{"web"})

	c.fail("node-1", "")
	c.advance(time.Minute, func(time.Time) { c.replicas[0].kill(); c.replicas[0].start() })
	c.awaitSettled(map[string]int{"web": 60})
	var made int
	if err := c.conn.QueryRow(t.Context(), "SELECT count(*) FROM log WHERE resource = 'pods' AND verb = 'c'").Scan(&made); err != nil {
		t.Fatal(err)
	}
	if made != 60+lost {
		t.Errorf("%d Pods were made, want 60 and %d in the place of those that were lost", made, lost)
	}
	h, err := history.Read(t.Context(), c.conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range slices.Concat(history.Chain(h), history.Pods(h)) {
		t.Error(v)
	}
}

// pods returns all Pods.
func (c *clients) pods() []corev1.Pod {
	c.t.Helper()
	var pods []corev1.Pod
	eventually(c.t, "Pods are listed", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		list, err := c.any().CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		if err == nil {
			pods = list.Items
		}
		return err == nil
	})
	return pods
}
