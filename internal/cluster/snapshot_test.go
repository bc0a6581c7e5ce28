package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
)

// site is a replica and a way to it.
type site struct {
	t      testing.TB
	url    string // of its API
	client *http.Client
	close  func()
}

// openSite opens a replica over a database.
func openSite(t testing.TB, database string, options ...func(*cluster.Config)) *site {
	t.Helper()
	c := cluster.Config{DatabaseURL: database, Nodes: 2, Log: slog.New(slog.DiscardHandler)}
	for _, o := range options {
		o(&c)
	}
	replica, err := cluster.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	s := &site{t: t, url: server.URL, client: &http.Client{Transport: &http.Transport{}}}
	closed := false
	s.close = func() {
		if !closed {
			closed = true
			s.client.CloseIdleConnections()
			server.CloseClientConnections()
			server.Close()
			replica.Close()
		}
	}
	t.Cleanup(func() { s.close() })
	return s
}

// at returns the same site under a path.
func (s *site) at(path string) *site {
	under := *s
	under.url += path
	return &under
}

// try sends a request.
func (s *site) try(method, path, body string) (int, []byte) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close() //nolint:errcheck // it is only read
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, answer
}

// do sends a request that must succeed.
func (s *site) do(method, path, body string) []byte {
	s.t.Helper()
	code, answer := s.try(method, path, body)
	if code/100 != 2 {
		s.t.Fatalf("%s %s answers %d: %s", method, path, code, answer)
	}
	return answer
}

// refused returns the message of a request that must be refused with a code.
func (s *site) refused(code int, method, path, body string) string {
	s.t.Helper()
	got, answer := s.try(method, path, body)
	var status struct{ Kind, Message string }
	if got != code || json.Unmarshal(answer, &status) != nil || status.Kind != "Status" {
		s.t.Fatalf("%s %s answers %d, not %d with a Status: %s", method, path, got, code, answer)
	}
	return status.Message
}

// get reads an object into v.
func (s *site) get(path string, v any) {
	s.t.Helper()
	if err := json.Unmarshal(s.do("GET", path, ""), v); err != nil {
		s.t.Fatal(err)
	}
}

// advance lets time pass, including all work due meanwhile.
func (s *site) advance(by string) {
	s.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	s.do("POST", "/rowlock/v1/clock", `{"advance":{"by":"`+by+`"}}`)
	for {
		var c v1.Clock
		s.get(v1.ClockPath+"?wait=30s", &c)
		if c.Advance.Phase == v1.AdvanceDone {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the advance is %s", c.Advance.Phase)
		}
	}
}

func (s *site) pause() { s.t.Helper(); s.do("POST", "/rowlock/v1/clock", `{"paused":true}`) }

// everything returns all lists, as they are sent.
func (s *site) everything() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for _, k := range builtin.Catalogue().All() {
		if k.Answer != nil || k.Derived != nil {
			continue // they are not stored
		}
		prefix := "/api/"
		if k.Group != "" {
			prefix = "/apis/" + k.Group + "/"
		}
		all[k.Resource()+"/"+k.Version] = string(s.do("GET", prefix+k.Version+"/"+k.Plural, ""))
	}
	return all
}

// now returns the clock's time.
func (s *site) now() time.Time {
	s.t.Helper()
	var c v1.Clock
	s.get(v1.ClockPath, &c)
	return c.Now
}

// populate makes a cluster, at a paused clock, with work in progress: a rollout that stalls, a Job
// whose program computes, a CronJob that is due later, a Service, a Pod that is being deleted.
func (s *site) populate() {
	s.t.Helper()
	s.pause()
	core, apps, batch := "/api/v1/namespaces/default/", "/apis/apps/v1/namespaces/default/", "/apis/batch/v1/namespaces/default/"
	deployment := `{"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:%s"}]}}}}`
	s.do("POST", apps+"deployments", fmt.Sprintf(deployment, "1.29"))
	s.do("POST", core+"services", `{"metadata":{"name":"web"},"spec":{"type":"NodePort","selector":{"app":"web"},"ports":[{"port":80}]}}`)
	s.do("POST", core+"configmaps", `{"metadata":{"name":"note"},"data":{"text":"<&> é"}}`)
	s.advance("5s")
	s.do("PUT", apps+"deployments/web", fmt.Sprintf(deployment, "1.161"))
	s.do("POST", batch+"jobs", `{"metadata":{"name":"count"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"busybox:1.36",
		"command":["sh","-c","echo $RANDOM; i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo $i; sleep 1; done"]}]}}}}`)
	s.do("POST", batch+"cronjobs", `{"metadata":{"name":"tick"},"spec":{"schedule":"*/5 * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
		"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c","date"]}]}}}}}}`)
	s.do("POST", core+"pods", `{"metadata":{"name":"last"},"spec":{"terminationGracePeriodSeconds":60,"containers":[{"name":"c","image":"busybox:1.36","command":["sh","-c","trap : TERM; while :; do sleep 1; done"]}]}}`)
	s.advance("10s")
	s.do("DELETE", core+"pods/last", "")
	s.advance("4s")
}

// fresh makes a cluster from a snapshot's file in a database of its own.
func fresh(t testing.TB, file []byte, clock store.ClockAfter) *site {
	t.Helper()
	url := pgtest.NewURL(t)
	if err := cluster.Load(t.Context(), url, bytes.NewReader(file), clock); err != nil {
		t.Fatal(err)
	}
	return openSite(t, url)
}

// same compares two clusters, list by list, byte by byte.
func same(t testing.TB, what string, want, got map[string]string) {
	t.Helper()
	for list, text := range want {
		if diff := cmp.Diff(strings.Split(text, "},{"), strings.Split(got[list], "},{")); diff != "" {
			t.Errorf("%s: %s differs (-want +got):\n%s", what, list, diff)
		}
	}
}

// TestSnapshot_RoundTrip loads what was saved, in two ways, and compares every list byte by byte;
// then time passes in each, and the same happens at the same times.
func TestSnapshot_RoundTrip(t *testing.T) {
	t.Parallel()
	source := openSite(t, pgtest.NewURL(t))
	source.populate()
	source.do("POST", "/rowlock/v1/snapshots", `{"name":"one"}`)
	want, at := source.everything(), source.now()
	file := source.do("GET", "/rowlock/v1/snapshots/one/file", "")

	loaded := openSite(t, pgtest.NewURL(t))
	loaded.do("PUT", "/rowlock/v1/snapshots/given/file", string(file))
	loaded.do("POST", "/rowlock/v1/snapshots/given/load", `{}`)
	all := map[string]*site{"loaded into an empty cluster": loaded, "loaded before the start": fresh(t, file, store.ClockAsSaved)}
	for what, s := range all {
		same(t, what, want, s.everything())
		if now := s.now(); !now.Equal(at) {
			t.Errorf("%s: the clock shows %s, not %s", what, now, at)
		}
		s.advance("0s")
		same(t, what+", when all was done that was due", want, s.everything())
	}

	log := "/api/v1/namespaces/default/pods/" + source.podOf("count") + "/log"
	source.advance("6m")
	for what, s := range all {
		s.advance("6m")
		if got, want := s.do("GET", log, ""), source.do("GET", log, ""); !bytes.Equal(got, want) {
			t.Errorf("%s: the program wrote\n%s\nand not\n%s", what, got, want)
		}
		if diff := cmp.Diff(source.outcome(), s.outcome()); diff != "" {
			t.Errorf("%s: something else became of it (-source +copy):\n%s", what, diff)
		}
	}
}

// podOf returns the Pod of a Job.
func (s *site) podOf(job string) string {
	s.t.Helper()
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	s.get("/api/v1/namespaces/default/pods?labelSelector=batch.kubernetes.io/job-name="+job, &list)
	if len(list.Items) != 1 {
		s.t.Fatalf("the Job %s has %d Pods", job, len(list.Items))
	}
	return list.Items[0].Metadata.Name
}

// outcome returns the state of the workloads and their Pods, without random parts.
func (s *site) outcome() []string {
	s.t.Helper()
	var out []string
	var jobs struct {
		Items []struct {
			Metadata struct{ Name string }
			Status   struct {
				StartTime, CompletionTime string
				Succeeded, Failed         int
			}
		}
	}
	s.get("/apis/batch/v1/jobs", &jobs)
	for _, j := range jobs.Items {
		out = append(out, fmt.Sprintf("job %s %+v", j.Metadata.Name, j.Status))
	}
	var deployment struct {
		Status struct {
			Conditions []struct{ Type, Status, Reason, LastTransitionTime string }
		}
	}
	s.get("/apis/apps/v1/namespaces/default/deployments/web", &deployment)
	out = append(out, fmt.Sprintf("%+v", deployment))
	var pods struct {
		Items []struct {
			Metadata struct{ Name, DeletionTimestamp string }
		}
	}
	s.get("/api/v1/namespaces/default/pods", &pods)
	return append(out, fmt.Sprintf("%d pods", len(pods.Items)))
}

// versions returns those of a snapshot's file.
func versions(t testing.TB, file []byte) (all []*snapshot.Version) {
	t.Helper()
	r, err := snapshot.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.Version != nil {
			all = append(all, record.Version)
		}
	}
}
