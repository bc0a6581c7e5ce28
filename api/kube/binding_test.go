package kube_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/object"
)

// A binding sets a Pod's node and its PodScheduled condition, and copies the binding's annotations
// and labels.
func TestBinding(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/api/v1/namespaces/default/pods/p/binding", "/api/v1/namespaces/default/bindings"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			c := apitest.NewCluster(t)
			if _, err := c.Client(t).CoreV1().Pods("default").Create(context.Background(), apitest.Pod("p"), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			res := c.Do(t, "POST "+path, `{"kind":"Binding","apiVersion":"v1","metadata":{"name":"p","annotations":{"a":"1"},"labels":{"l":"2"}},"target":{"kind":"Node","name":"n"}}`)
			if want := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}`; res.Code != 201 || strings.TrimSpace(res.Body) != want {
				t.Errorf("answered %d %s", res.Code, res.Body)
			}
			got := c.Get(object.Key{Resource: "pods", Namespace: "default", Name: "p"}).Object().(*corev1.Pod)
			if got.Spec.NodeName != "n" || got.Annotations["a"] != "1" || got.Labels["l"] != "2" {
				t.Errorf("on node %q, annotations %v, labels %v", got.Spec.NodeName, got.Annotations, got.Labels)
			}
			want := []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(apitest.Now.Local())}}
			if diff := cmp.Diff(want, got.Status.Conditions); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBindingRefused(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	bound, gated, ending := apitest.Pod("bound"), apitest.Pod("gated"), apitest.Pod("ending")
	bound.Spec.NodeName = "m"
	gated.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/g"}}
	ending.DeletionTimestamp, ending.DeletionGracePeriodSeconds = &metav1.Time{Time: apitest.Now}, new(int64(30))
	for _, p := range []*corev1.Pod{bound, gated, ending, apitest.Pod("free")} {
		c.Store(t, p)
	}
	tests := []struct {
		name, pod, binding string
		want               string
	}{
		{"bound already", "bound", `{"metadata":{"name":"bound"},"target":{"name":"n"}}`,
			"409 Conflict Operation cannot be fulfilled on pods/binding \"bound\": pod bound is already assigned to node \"m\"\nabout pods/binding \"bound\", retry after 0s"},
		{"gated", "gated", `{"metadata":{"name":"gated"},"target":{"name":"n"}}`,
			"409 Conflict Operation cannot be fulfilled on pods/binding \"gated\": pod gated has non-empty .spec.schedulingGates\nabout pods/binding \"gated\", retry after 0s"},
		{"being deleted", "ending", `{"metadata":{"name":"ending"},"target":{"name":"n"}}`,
			"409 Conflict Operation cannot be fulfilled on pods/binding \"ending\": pod ending is being deleted, cannot be assigned to a host\nabout pods/binding \"ending\", retry after 0s"},
		{"no target", "free", `{"metadata":{"name":"free"},"target":{}}`,
			"422 Invalid Binding \"free\" is invalid: target.name: Required value\nabout Binding \"free\", retry after 0s\ncause FieldValueRequired target.name"},
		{"other name", "free", `{"metadata":{"name":"x"},"target":{"name":"n"}}`,
			"400 BadRequest name in URL does not match name in Binding object"},
		{"missing", "x", `{"metadata":{"name":"x"},"target":{"name":"n"}}`,
			"404 NotFound pods \"x\" not found\nabout pods \"x\", retry after 0s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.Refuses(t, "POST /api/v1/namespaces/default/pods/"+tt.pod+"/binding", tt.binding, tt.want)
		})
	}
}

// A Pod on a node is deleted gracefully: first it gets a deletion timestamp, then a deletion with
// grace period 0 removes it.
func TestGracefulDeletion(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	p := apitest.Pod("p")
	p.Spec.NodeName, p.Spec.TerminationGracePeriodSeconds, p.Status.Phase = "n", new(int64(30)), corev1.PodRunning
	c.Store(t, p)
	var got corev1.Pod
	res := c.Do(t, "DELETE /api/v1/namespaces/default/pods/p", "")
	if err := json.Unmarshal([]byte(res.Body), &got); err != nil || res.Code != 200 || got.DeletionTimestamp == nil || *got.DeletionGracePeriodSeconds != 30 {
		t.Fatalf("answered %d %s", res.Code, res.Body)
	}
	if want := apitest.Now.Add(30e9); !got.DeletionTimestamp.Time.Equal(want) {
		t.Errorf("ends at %s, want %s", got.DeletionTimestamp, want)
	}
	res = c.Do(t, "DELETE /api/v1/namespaces/default/pods/p?gracePeriodSeconds=0", "")
	if err := json.Unmarshal([]byte(res.Body), &got); err != nil || res.Code != 200 || got.Kind != "Pod" || c.Get(object.Key{Resource: "pods", Namespace: "default", Name: "p"}) != nil {
		t.Errorf("without grace: %d %s", res.Code, res.Body)
	}
}
