package kube_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/object"
)

// An eviction deletes the Pod with its grace period and records the reason in its conditions.
func TestEviction(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	running := apitest.Pod("p")
	running.Spec.NodeName = "n"
	running.Spec.TerminationGracePeriodSeconds = new(int64(30))
	c.Store(t, running)
	key := object.Key{Resource: "pods", Namespace: "default", Name: "p"}

	evict := func(opts *metav1.DeleteOptions) {
		t.Helper()
		e := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"}, DeleteOptions: opts}
		if err := c.Client(t).CoreV1().Pods("default").EvictV1(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	before := c.Revision()
	evict(&metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
	if c.Revision() != before {
		t.Error("a dry run has written")
	}
	evict(nil)
	got := c.Get(key).Object().(*corev1.Pod)
	want := []corev1.PodCondition{{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(apitest.Now.Local()),
		Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
	}}
	if diff := cmp.Diff(want, got.Status.Conditions); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if got.DeletionTimestamp == nil || *got.DeletionGracePeriodSeconds != 30 || c.Revision() != before+1 {
		t.Errorf("deleted at %v, at revision %d after %d", got.DeletionTimestamp, c.Revision(), before)
	}
	evict(nil)
	if c.Revision() != before+1 {
		t.Error("a second eviction has written")
	}
	evict(&metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))})
	if v := c.Get(key); v != nil {
		t.Errorf("still there: %v", v)
	}
}

// If two budgets select a Pod, its eviction fails with 500.
func TestEviction_OfTwoBudgets(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	running := apitest.Pod("p")
	running.Labels, running.Spec.NodeName, running.Status.Phase = map[string]string{"app": "web"}, "n", corev1.PodRunning
	c.Store(t, running)
	for _, name := range []string{"one", "two"} {
		c.Store(t, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
			Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: running.Labels}},
		})
	}
	res := c.Do(t, "POST /api/v1/namespaces/default/pods/p/eviction", `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`)
	const want = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
	if res.Code != 500 || !strings.Contains(res.Body, want) {
		t.Errorf("answered %d %s", res.Code, res.Body)
	}
}

func TestEvictionRefused(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.Pod("p"))
	tests := []struct{ name, pod, eviction, want string }{
		{"other name", "p", `{"metadata":{"name":"x"}}`, "400 BadRequest name in URL does not match name in Eviction object"},
		{"missing", "x", `{"metadata":{"name":"x"}}`, "404 NotFound pods \"x\" not found\nabout pods \"x\", retry after 0s"},
		{"another Pod's uid", "p", `{"metadata":{"name":"p"},"deleteOptions":{"preconditions":{"uid":"other"}}}`,
			"409 Conflict Operation cannot be fulfilled on Pod \"p\": the UID in the precondition (other) does not match the UID in record (uid-p). " +
				"The object might have been deleted and then recreated\nabout Pod \"p\", retry after 0s"},
		{"unknown policy", "p", `{"metadata":{"name":"p"},"deleteOptions":{"propagationPolicy":"Foo"}}`,
			"422 Invalid DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"Foo\": supported values: " +
				"\"Foreground\", \"Background\", \"Orphan\", \"nil\"\nabout DeleteOptions.meta.k8s.io \"\", retry after 0s\ncause FieldValueNotSupported propagationPolicy"},
		{"another version", "p", `{"apiVersion":"policy/v2","kind":"Eviction","metadata":{"name":"p"}}`,
			"400 BadRequest Eviction in version \"v2\" cannot be handled as a Eviction: no kind \"Eviction\" is registered for version \"policy/v2\" in scheme \"pkg/runtime/scheme.go:111\""},
		{"not by this way", "p", `{"metadata":{"name":"p"},"deleteOptions":{"ignoreStoreReadErrorWithClusterBreakingPotential":true}}`,
			"422 Invalid Eviction.policy \"p\" is invalid: deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: " +
				"can not be set for pod eviction, try after removing the option\nabout Eviction.policy \"p\", retry after 0s\n" +
				"cause FieldValueInvalid deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.Refuses(t, "POST /api/v1/namespaces/default/pods/"+tt.pod+"/eviction", tt.eviction, tt.want)
		})
	}
}

// Evictions of policy/v1beta1 are accepted too.
func TestEvictionBeta(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Store(t, apitest.Pod("p"))
	res := c.Do(t, "POST /api/v1/namespaces/default/pods/p/eviction", `{"apiVersion":"policy/v1beta1","kind":"Eviction","metadata":{"name":"p"}}`)
	if v := c.Get(object.Key{Resource: "pods", Namespace: "default", Name: "p"}); v != nil {
		t.Errorf("still there after %s", res.Body)
	}
}

// Clients discover the group of evictions before they evict.
func TestEvictionGroup(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	groups, resources, err := c.Client(t).Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	var found, subresource bool
	for _, g := range groups {
		found = found || g.Name == "policy" && g.PreferredVersion.GroupVersion == "policy/v1"
	}
	for _, list := range resources {
		for _, r := range list.APIResources {
			subresource = subresource || r.Name == "pods/eviction" && r.Group == "policy" && r.Version == "v1" && r.Kind == "Eviction"
		}
	}
	if !found || !subresource {
		t.Errorf("the group is there: %t, the subresource: %t", found, subresource)
	}
}
