package controller_test

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/engine"
)

// TestAutoscaler_FindsThoseThatShareItsPods: an autoscaler finds the others that scale its Pods,
// whatever selects them.
func TestAutoscaler_FindsThoseThatShareItsPods(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		selector metav1.LabelSelector // of the workload that another autoscaler scales
		shares   bool
	}{
		{"the same label", metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, true},
		{"another label of theirs", metav1.LabelSelector{MatchLabels: map[string]string{"tier": "front"}}, true},
		{"a label of its own beside", metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "track": "other"}}, false},
		{"an expression", metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}}, true},
		{"an expression that they do not meet", metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpDoesNotExist}}}, false},
		{"others", metav1.LabelSelector{MatchLabels: map[string]string{"app": "none"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCostWorld(t, 0)
			before := len(c.made)
			c.add(&appsv1.StatefulSet{ObjectMeta: meta("shared", "mine"), Spec: appsv1.StatefulSetSpec{
				Replicas: new(int32(1)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web", "track": "stable"}}, Template: template("web")}})
			c.pod(meta("shared", "mine-0"), "node-1", "web", func(pod *corev1.Pod) {
				pod.Labels = map[string]string{"app": "web", "tier": "front", "track": "stable"}
			})
			c.add(autoscaler("shared", "mine", "StatefulSet", "mine"))
			c.add(&appsv1.Deployment{ObjectMeta: meta("shared", "other"), Spec: appsv1.DeploymentSpec{Replicas: new(int32(1)), Selector: &tt.selector, Template: template("web")}})
			c.add(autoscaler("shared", "other", "Deployment", "other"))
			c.add(autoscaler("shared", "lost", "Deployment", "nowhere"))
			c.mirror.Committed(c.made[before:])

			all := controller.Controllers(c.world)
			hpa := all[slices.IndexFunc(all, func(of engine.Controller) bool { return of.Name == names.HorizontalPodAutoscaler })]
			p := c.plan(hpa, engine.Request{UID: "horizontalpodautoscalers/mine", Memory: []byte(`{"due":"2026-01-01T00:00:00Z"}`)}, start)
			said := strings.Contains(p.String(), "by multiple HPAs: [{mine shared} {other shared}]")
			if said != tt.shares {
				t.Errorf("the others were found: %t, want %t in\n%s", said, tt.shares, p)
			}
		})
	}
}
