package scenario

import (
	"strings"
	"testing"
)

const threePods = `apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: "nginx:1.14.2"}]}
`

// TestContention_IsOverWhenItIs: what a plan leaves out because another transaction holds its
// object is done as soon as that ends, even while the cluster's clock is paused: waiting for others
// takes real time.
func TestContention_IsOverWhenItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.apply(command{input: threePods})
	w.settle(command{})

	other, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback(t.Context()) //nolint:errcheck // it has been rolled back below unless the test has failed
	if _, err := other.Exec(t.Context(), "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec(t.Context(), "SELECT FROM objects WHERE resource = 'pods' FOR NO KEY UPDATE"); err != nil {
		t.Fatal(err)
	}
	w.kubectl("", "scale", "replicaset/web", "--replicas=0")
	w.settle(command{options: map[string][]string{"limit": {"5"}}})
	if pods := w.kubectl("", "get", "pods", "--output=name"); strings.Count(pods, "\n") != 3 {
		t.Fatalf("Pods that another transaction holds were changed; left are:\n%s", pods)
	}
	if err := other.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.settle(command{})
	if pods := w.kubectl("", "get", "pods"); !strings.HasPrefix(pods, "No resources found") {
		t.Errorf("nothing is held any more, and there are:\n%s", pods)
	}
}
