package clustertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// Fork makes a fork and removes it when the test ends. more are further fields of the request, each
// with a comma before it.
func (s *Site) Fork(name, more string) *Site {
	s.T.Helper()
	s.Do("POST", "/rowlock/v1/forks", `{"name":"`+name+`"`+more+`}`)
	s.T.Cleanup(func() { s.Try("DELETE", "/rowlock/v1/forks/"+name, "") })
	return s.At("/forks/" + name)
}

// Advance lets time pass, including all work due meanwhile.
func (s *Site) Advance(by string) {
	s.T.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	s.Do("POST", "/rowlock/v1/clock", `{"advance":{"by":"`+by+`"}}`)
	for {
		var c v1.Clock
		s.Get(v1.ClockPath+"?wait=30s", &c)
		if c.Advance.Phase == v1.AdvanceDone {
			return
		}
		if time.Now().After(deadline) {
			s.T.Fatalf("the advance is %s", c.Advance.Phase)
		}
	}
}

// Pause stops the clock.
func (s *Site) Pause() { s.T.Helper(); s.Do("POST", "/rowlock/v1/clock", `{"paused":true}`) }

// Everything returns the lists of all stored kinds as they are sent, by resource and version.
func (s *Site) Everything() map[string]string {
	s.T.Helper()
	all := map[string]string{}
	for list, path := range StoredLists() {
		all[list] = string(s.Do("GET", path, ""))
	}
	return all
}

// StoredLists returns the paths of the lists of all built-in kinds that are stored, by resource and
// version.
func StoredLists() map[string]string {
	paths := map[string]string{}
	for _, k := range builtin.Catalogue().All() {
		if k.Answer != nil || k.Derived != nil {
			continue // they are not stored
		}
		prefix := "/api/"
		if k.Group != "" {
			prefix = "/apis/" + k.Group + "/"
		}
		paths[k.Resource()+"/"+k.Version] = prefix + k.Version + "/" + k.Plural
	}
	return paths
}

// Now returns the clock's time.
func (s *Site) Now() time.Time {
	s.T.Helper()
	var c v1.Clock
	s.Get(v1.ClockPath, &c)
	return c.Now
}

// Populate makes a cluster, at a paused clock, with work in progress: a rollout that stalls, a Job
// whose program computes, a CronJob that is due later, a Service, a Pod that is being deleted.
func (s *Site) Populate() {
	s.T.Helper()
	s.Pause()
	core, apps, batch := "/api/v1/namespaces/default/", "/apis/apps/v1/namespaces/default/", "/apis/batch/v1/namespaces/default/"
	deployment := `{"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:%s"}]}}}}`
	s.Do("POST", apps+"deployments", fmt.Sprintf(deployment, "1.29"))
	s.Do("POST", core+"services", `{"metadata":{"name":"web"},"spec":{"type":"NodePort","selector":{"app":"web"},"ports":[{"port":80}]}}`)
	s.Do("POST", core+"configmaps", `{"metadata":{"name":"note"},"data":{"text":"<&> é"}}`)
	s.Advance("5s")
	s.Do("PUT", apps+"deployments/web", fmt.Sprintf(deployment, "1.161"))
	s.Do("POST", batch+"jobs", `{"metadata":{"name":"count"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"busybox:1.36",
		"command":["sh","-c","echo $RANDOM; i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo $i; sleep 1; done"]}]}}}}`)
	s.Do("POST", batch+"cronjobs", `{"metadata":{"name":"tick"},"spec":{"schedule":"*/5 * * * *",
		"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
		"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c","date"]}]}}}}}}`)
	s.Do("POST", core+"pods", `{"metadata":{"name":"last"},"spec":{"terminationGracePeriodSeconds":60,
		"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c","trap : TERM; while :; do sleep 1; done"]}]}}`)
	s.Advance("10s")
	s.Do("DELETE", core+"pods/last", "")
	s.Advance("4s")
}

// Same compares two results of Everything, list by list, byte by byte.
func Same(t testing.TB, what string, want, got map[string]string) {
	t.Helper()
	for list, text := range want {
		if diff := cmp.Diff(strings.Split(text, "},{"), strings.Split(got[list], "},{")); diff != "" {
			t.Errorf("%s: %s differs (-want +got):\n%s", what, list, diff)
		}
	}
}

// PodOf returns the name of a Job's Pod, in the namespace "default".
func (s *Site) PodOf(job string) string {
	s.T.Helper()
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	s.Get("/api/v1/namespaces/default/pods?labelSelector=batch.kubernetes.io/job-name="+job, &list)
	if len(list.Items) != 1 {
		s.T.Fatalf("the Job %s has %d Pods", job, len(list.Items))
	}
	return list.Items[0].Metadata.Name
}

// Contents returns the objects that Populate makes, and those made of them, without the revisions of
// their lists.
func (s *Site) Contents() string {
	s.T.Helper()
	var out strings.Builder
	for _, path := range []string{
		"/api/v1/configmaps", "/api/v1/pods", "/api/v1/services", "/apis/apps/v1/deployments",
		"/apis/apps/v1/replicasets", "/apis/batch/v1/jobs", "/apis/batch/v1/cronjobs", "/api/v1/nodes",
	} {
		var list struct{ Items []json.RawMessage }
		s.Get(path, &list)
		for _, item := range list.Items {
			out.Write(item)
			out.WriteByte('\n')
		}
	}
	return out.String()
}
