package chaos_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// loadSpan is how much of a day's load passes for an autoscaler.
const loadSpan = time.Hour

// scaledByLoad lets part of a day's load pass for an autoscaler, in two halves, disturbs that, and
// returns when the workload had how many replicas.
func (c *clocked) scaledByLoad(disturb func(half int)) []string {
	c.t.Helper()
	do(c.clients, "deployments.apps", func(ctx context.Context, client kubernetes.Interface) (*appsv1.Deployment, error) {
		pods := template("shop", "nginx:1.29")
		pods.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")}
		return client.AppsV1().Deployments(namespace).Create(ctx, &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: "shop", Annotations: map[string]string{"emulation.rowlock.io/load": "cpu=12 night=500m peak=14:00 noise=20% seed=7"}},
			Spec:       appsv1.DeploymentSpec{Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "shop"}}, Template: pods},
		}, metav1.CreateOptions{})
	})
	do(c.clients, "horizontalpodautoscalers.autoscaling", func(ctx context.Context, client kubernetes.Interface) (*autoscalingv2.HorizontalPodAutoscaler, error) {
		return client.AutoscalingV2().HorizontalPodAutoscalers(namespace).Create(ctx, &autoscalingv2.HorizontalPodAutoscaler{
			ObjectMeta: metav1.ObjectMeta{Name: "shop"},
			Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
				ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "shop"}, MinReplicas: new(int32(2)), MaxReplicas: 60,
				Behavior: &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: new(int32(120))}},
			},
		}, metav1.CreateOptions{})
	})
	for half := range 2 {
		c.clock(http.MethodPost, fmt.Sprintf(`{"advance": {"by": %q}}`, loadSpan/2))
		disturb(half)
		if last := c.reach(begin.Add(1000 * time.Hour)); last.Advance.Phase != "done" || !last.Now.Equal(begin.Add(time.Duration(half+1)*loadSpan/2)) {
			c.t.Errorf("in the end the clock is %+v %+v", last, last.Advance)
		}
	}
	rows, err := c.conn.Query(context.Background(), `
		SELECT format('%s %s', min(at) AT TIME ZONE 'UTC', replicas) FROM (
			SELECT at, body::json -> 'spec' ->> 'replicas' AS replicas, (body::json -> 'metadata' ->> 'generation')::int AS generation
			FROM log WHERE resource = 'deployments.apps' AND verb <> 'd') AS versions
		GROUP BY generation, replicas ORDER BY generation`)
	if err != nil {
		c.t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		c.t.Fatal(err)
	}
	return lines
}

// HPA-002: the same load from the same seed leads to the same replicas at the same times, in one
// undisturbed process and in two that are killed one after the other: what an autoscaler remembers,
// such as its stabilization window, is in the database.
func TestKill_AutoscalersScaleAsUndisturbed(t *testing.T) {
	want := newClocked(t, pgtest.NewURL(t), 1, begin).scaledByLoad(func(int) {})
	if len(want) < 5 {
		t.Errorf("the load has led to little: %q", want)
	}
	c := newClocked(t, pgtest.NewURL(t), 2, begin)
	got := c.scaledByLoad(func(half int) {
		at := c.reach(begin.Add(time.Duration(2*half+1) * loadSpan / 4))
		c.replicas[half].kill()
		c.reach(at.Now.Add(5 * time.Minute)) // the other continues
		c.replicas[half].start()
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the replicas (-undisturbed +disturbed):\n%s", diff)
	}
}
