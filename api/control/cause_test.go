package control_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// changes returns the result of a query of the log.
func changes(s *clustertest.Site, query string) []v1.Change {
	s.T.Helper()
	var list v1.ChangeList
	s.Get("/rowlock/v1/changes?"+query, &list)
	return list.Items
}

// last returns the newest change that a query of the log finds.
func last(s *clustertest.Site, query string) v1.Change {
	s.T.Helper()
	items := changes(s, "newest=true&limit=1&"+query)
	if len(items) != 1 {
		s.T.Fatalf("%s: there are no such changes", query)
	}
	return items[0]
}

// first returns the oldest change of a resource with a verb and a writer.
func first(s *clustertest.Site, verb, resource, controller string) v1.Change {
	s.T.Helper()
	for _, c := range changes(s, "limit=1000&resource="+resource) {
		if c.Verb == verb && c.Writer.Controller == controller {
			return c
		}
	}
	s.T.Fatalf("%s has %s no %s", controller, verb, resource)
	return v1.Change{}
}

// chain describes a change and its causes in text.
func chain(s *clustertest.Site, revision int64) (lines []string) {
	s.T.Helper()
	var causes v1.ChangeCauses
	s.Get(fmt.Sprintf("/rowlock/v1/changes/%d/causes", revision), &causes)
	for _, c := range causes.Items {
		by := c.Writer.Controller
		if by == "" {
			by = "a client"
		}
		lines = append(lines, c.Verb+" "+c.Resource+" by "+by)
	}
	if !causes.Complete || causes.Reason != "" {
		lines = append(lines, fmt.Sprintf("complete=%t: %s", causes.Complete, causes.Reason))
	}
	return lines
}

// led compares the causes of a change.
func led(s *clustertest.Site, what string, c v1.Change, want ...string) {
	s.T.Helper()
	if diff := cmp.Diff(want, chain(s, c.Revision)); diff != "" {
		s.T.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const (
	oneReplica = `{"metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:%s"}]}}}}`
	core  = "/api/v1/namespaces/default/"
	apps  = "/apis/apps/v1/namespaces/default/"
	batch = "/apis/batch/v1/namespaces/default/"
)

// TestCauses_OfARollout follows a rollout back, from its last status to the request that began it.
func TestCauses_OfARollout(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", core+"services", `{"metadata":{"name":"web"},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}`)
	s.Do("POST", core+"configmaps", `{"metadata":{"name":"other"}}`)
	s.Advance("5s")
	s.Do("POST", apps+"deployments", fmt.Sprintf(oneReplica, "1.29"))
	s.Advance("5s")
	begun := []string{
		"updated pods by default-scheduler", "created pods by replicaset-controller",
		"created replicasets.apps by deployment-controller", "created deployments.apps by a client",
	}
	ready := append([]string{"updated pods by kubelet"}, begun...)
	led(s, "the Pod runs", first(s, "updated", "pods", "kubelet"), ready...)
	led(s, "the ReplicaSet's status", last(s, "resource=replicasets.apps"), append([]string{"updated replicasets.apps by replicaset-controller"}, ready...)...)
	led(s, "the Deployment's status", last(s, "resource=deployments.apps"),
		append([]string{"updated deployments.apps by deployment-controller", "updated replicasets.apps by replicaset-controller"}, ready...)...)
	led(s, "the Service's endpoints", last(s, "resource=endpointslices.discovery.k8s.io"), append([]string{"updated endpointslices.discovery.k8s.io by endpointslice-controller"}, ready...)...)
	led(s, "the kubelet's Event", first(s, "created", "events", "kubelet"), append([]string{"created events by kubelet"}, begun...)...)
	led(s, "the scheduler's Event", first(s, "created", "events", "default-scheduler"), append([]string{"created events by default-scheduler"}, begun[1:]...)...)

	s.Do("PUT", apps+"deployments/web", fmt.Sprintf(oneReplica, "1.28"))
	s.Advance("40s")
	// What woke the Deployment last may have been any step of the new Pod's, because it sees the
	// Pods themselves.
	scaled := slices.DeleteFunc(chain(s, first(s, "updated", "replicasets.apps", "deployment-controller").Revision), func(step string) bool {
		return slices.Contains([]string{"updated replicasets.apps by replicaset-controller", "updated pods by kubelet", "updated pods by default-scheduler"}, step)
	})
	if diff := cmp.Diff([]string{
		"updated replicasets.apps by deployment-controller",
		"created pods by replicaset-controller",
		"created replicasets.apps by deployment-controller",
		"updated deployments.apps by a client",
	}, scaled); diff != "" {
		t.Errorf("the old ReplicaSet is scaled down (-want +got):\n%s", diff)
	}
	led(s, "the old Pod is asked to end", first(s, "updated", "pods", "replicaset-controller"), append([]string{"updated pods by replicaset-controller"},
		chain(s, first(s, "updated", "replicasets.apps", "deployment-controller").Revision)...)...)
}

// TestCauses_OfTimers follows timed changes back to what asked for them: the CronJob is the cause
// of its second run, and not the end of the first.
func TestCauses_OfTimers(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", batch+"cronjobs", `{"metadata":{"name":"tick"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
		"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c","sleep 7"]}]}}}}}}`)
	s.Advance("2m40s")
	scheduled := []string{"created cronjobs.batch by a client"}
	var runs []v1.Change
	for _, c := range changes(s, "limit=1000&resource=jobs.batch") {
		if c.Verb == "created" {
			runs = append(runs, c)
		}
	}
	if len(runs) < 2 {
		t.Fatalf("there were %d runs", len(runs))
	}
	for i, run := range runs {
		led(s, fmt.Sprintf("run %d", i+1), run, append([]string{"created jobs.batch by cronjob-controller"}, scheduled...)...)
	}
	pod := last(s, "resource=pods").UID
	led(s, "the Pod's end", last(s, "resource=jobs.batch"),
		"updated jobs.batch by job-controller",
		"updated pods by kubelet",
		"updated pods by default-scheduler",
		"created pods by job-controller",
		"created jobs.batch by cronjob-controller",
		"created cronjobs.batch by a client")
	for _, c := range changes(s, "uid="+string(pod)) {
		if c.Cause == 0 {
			t.Errorf("revision %d, %s by %s, has no cause", c.Revision, c.Verb, c.Writer.Controller)
		}
	}
}

// TestCauses_OfRemovals follows deletions back to the deletion of the owner or the namespace.
func TestCauses_OfRemovals(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", "/api/v1/namespaces", `{"metadata":{"name":"shop"}}`)
	s.Do("POST", apps+"deployments", fmt.Sprintf(oneReplica, "1.29"))
	s.Do("POST", "/apis/apps/v1/namespaces/shop/deployments", fmt.Sprintf(oneReplica, "1.29"))
	s.Advance("5s")
	s.Do("DELETE", apps+"deployments/web", "")
	s.Do("DELETE", "/api/v1/namespaces/shop", "")
	s.Advance("1m")
	led(s, "the Pod of a Deployment", last(s, "resource=pods&namespace=default"),
		"deleted pods by kubelet",
		"updated pods by generic-garbage-collector",
		"deleted replicasets.apps by generic-garbage-collector",
		"deleted deployments.apps by a client")
	for _, resource := range []string{"configmaps", "serviceaccounts", "deployments.apps", "namespaces"} {
		chain := chain(s, last(s, "namespace="+map[bool]string{true: "", false: "shop"}[resource == "namespaces"]+"&resource="+resource).Revision)
		if first, begun := chain[0], chain[len(chain)-1]; first != "deleted "+resource+" by namespace-controller" || begun != "updated namespaces by a client" {
			t.Errorf("of %s, the namespace's end is due to %q", resource, chain)
		}
	}
}

// TestCauses_EveryControllersChangeHasOne: every change has a cause unless only time led to it.
func TestCauses_EveryControllersChangeHasOne(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Populate()
	s.Advance("6m")
	for _, c := range changes(s, "limit=1000") {
		switch {
		case c.Writer.Controller == "rowlock", c.Writer.Controller == "event-expiry":
		case (c.Writer.Controller == "") != (c.Cause == 0):
			t.Errorf("revision %d, %s %s/%s by %+v, has the cause %d", c.Revision, c.Verb, c.Resource, c.Name, c.Writer, c.Cause)
		}
	}
}
