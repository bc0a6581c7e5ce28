package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// abandon sends a request and goes away after a while. It reports whether it was answered with
// success before.
func (s *site) abandon(after time.Duration, method, path, body string) bool {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// TestLoad_AllOrNothing interrupts loads at any time: the session of the load ends wherever it is.
// Afterwards the database has either the whole snapshot and nothing else, or its previous contents;
// and the snapshot can be loaded again.
func TestLoad_AllOrNothing(t *testing.T) {
	t.Parallel()
	s := openSite(t, pgtest.NewURL(t))
	s.populate()
	s.do("POST", "/rowlock/v1/snapshots", `{"name":"all"}`)
	load := "/rowlock/v1/snapshots/all/load"
	s.do("POST", load, `{"replace":true}`)
	want := s.contents()
	for i := range 8 {
		s.do("POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":"mark-%d"}}`, i))
		before := s.contents()
		done := s.abandon(time.Duration(rand.Int64N(int64(120*time.Millisecond))), "POST", load, `{"replace":true}`)
		s.settled()
		switch got := s.contents(); {
		case got == want:
		case done:
			t.Fatalf("a load that was answered has made\n%s\nnot\n%s", got, want)
		case got != before:
			t.Fatalf("an interrupted load has left\n%s\nof\n%s", got, before)
		}
		s.do("POST", load, `{"replace":true}`)
		if got := s.contents(); got != want {
			t.Fatalf("the next load has made\n%s\nnot\n%s", got, want)
		}
	}
}

// settled waits until an abandoned load is over, in the server too: a load waits for no other, so a
// second one could be refused.
func (s *site) settled() {
	s.t.Helper()
	s.refused(409, "POST", "/rowlock/v1/snapshots/all/load", `{}`)
}

// contents returns all objects of all kinds, without the revision of the lists.
func (s *site) contents() string {
	s.t.Helper()
	var out strings.Builder
	for _, path := range []string{"/api/v1/configmaps", "/api/v1/pods", "/api/v1/services", "/apis/apps/v1/deployments", "/apis/apps/v1/replicasets", "/apis/batch/v1/jobs", "/apis/batch/v1/cronjobs", "/api/v1/nodes"} {
		var list struct{ Items []json.RawMessage }
		s.get(path, &list)
		for _, item := range list.Items {
			out.Write(item)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// TestFork_Abandoned: a fork whose client goes away while it is made exists completely, or not at
// all. It may appear after the next one was requested.
func TestFork_Abandoned(t *testing.T) {
	t.Parallel()
	s, database := forkSite(t)
	s.populate()
	want := s.contents()
	judged := func() bool {
		var list v1.ForkList
		s.get(v1.ForksPath, &list)
		for _, f := range list.Items {
			if f.State != v1.ForkReady {
				continue
			}
			if got := s.at("/forks/" + f.Name).contents(); got != want {
				t.Errorf("the fork %s has\n%s\nnot\n%s", f.Name, got, want)
			}
			s.do("DELETE", "/rowlock/v1/forks/"+f.Name, "")
		}
		return len(list.Items) == 0
	}
	for i := range 5 {
		s.abandon(time.Duration(rand.Int64N(int64(300*time.Millisecond))), "POST", "/rowlock/v1/forks", fmt.Sprintf(`{"name":"try-%d"}`, i))
		s.until("the end of the fork", judged)
	}
	s.until("the end of all databases", func() bool { return judged() && databases(t, database) == 0 })
}

// TestLoad_IsSeenByAll: the other replica loads again too, its watches end with 410, and earlier
// revisions are no longer available.
func TestLoad_IsSeenByAll(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	first, second := openSite(t, database), openSite(t, database)
	first.pause()
	first.do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"old"}}`)
	first.do("POST", "/rowlock/v1/snapshots", `{"name":"all"}`)
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	second.do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"new"}}`)
	second.get("/api/v1/configmaps", &list)
	lines := second.watch("/api/v1/configmaps")
	if !lines.Scan() {
		t.Fatalf("the watch has not begun: %v", lines.Err())
	}
	first.do("POST", "/rowlock/v1/snapshots/all/load", `{"replace":true}`)
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if !strings.Contains(last, `"code":410`) {
		t.Errorf("the watch ended with %s", last)
	}
	for what, s := range map[string]*site{"the replica that loaded": first, "the other": second} {
		if s == second { // it loads again by itself, and returns 503 meanwhile
			s.until(what, func() bool { code, _ := s.try("GET", "/api/v1/configmaps", ""); return code == http.StatusOK })
		}
		s.refused(404, "GET", "/api/v1/namespaces/default/configmaps/new", "")
		s.do("GET", "/api/v1/namespaces/default/configmaps/old", "")
		var now struct {
			Metadata struct{ ResourceVersion string }
		}
		s.get("/api/v1/configmaps", &now)
		if len(now.Metadata.ResourceVersion) < len(list.Metadata.ResourceVersion) || now.Metadata.ResourceVersion <= list.Metadata.ResourceVersion && len(now.Metadata.ResourceVersion) == len(list.Metadata.ResourceVersion) {
			t.Errorf("%s is at %s, after %s", what, now.Metadata.ResourceVersion, list.Metadata.ResourceVersion)
		}
		s.refused(410, "GET", "/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion="+list.Metadata.ResourceVersion, "")
		s.do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"generateName":"after-"}}`)
	}
}

// TestSnapshot_OfTheLog: it has every change of a range, in order.
func TestSnapshot_OfTheLog(t *testing.T) {
	t.Parallel()
	s := openSite(t, pgtest.NewURL(t))
	s.populate()
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	s.get("/api/v1/pods", &list)
	s.do("POST", "/rowlock/v1/snapshots", `{"name":"log","log":{"from":5}}`)
	file := s.do("GET", "/rowlock/v1/snapshots/log/file", "")
	next := 6
	for _, v := range versions(t, file) {
		if int(v.Revision) != next {
			t.Fatalf("revision %d follows %d", v.Revision, next-1)
		}
		next++
	}
	if got := fmt.Sprint(next - 1); got != list.Metadata.ResourceVersion {
		t.Errorf("it ends with %s, not %s", got, list.Metadata.ResourceVersion)
	}
	s.do("PUT", "/rowlock/v1/snapshots/again/file", string(file))
	if message := s.refused(422, "POST", "/rowlock/v1/snapshots/again/load", `{"replace":true}`); !strings.Contains(message, "range of a log") {
		t.Errorf("it is refused with: %s", message)
	}
	s.refused(422, "POST", "/rowlock/v1/snapshots", `{"name":"no","log":{"from":9,"to":5}}`)
	s.refused(422, "POST", "/rowlock/v1/snapshots", `{"name":"no","log":{"from":5,"to":99999999}}`)
	s.refused(404, "GET", "/rowlock/v1/snapshots/no", "")
}

// TestSnapshot_HostileFiles: they are refused with the reason, and leave nothing behind.
func TestSnapshot_HostileFiles(t *testing.T) {
	t.Parallel()
	s := openSite(t, pgtest.NewURL(t))
	s.populate()
	s.do("POST", "/rowlock/v1/snapshots", `{"name":"good"}`)
	file := s.do("GET", "/rowlock/v1/snapshots/good/file", "")
	before := s.contents()
	for name, bad := range map[string][]byte{"cut": file[:len(file)/2], "changed": bytes.Replace(file, file[len(file)-20:len(file)-16], []byte("xxxx"), 1), "text": []byte("no snapshot")} {
		s.refused(400, "PUT", "/rowlock/v1/snapshots/"+name+"/file", string(bad))
		s.refused(404, "GET", "/rowlock/v1/snapshots/"+name, "")
	}
	s.refused(422, "PUT", "/rowlock/v1/snapshots/A.B/file", string(file))
	s.refused(409, "PUT", "/rowlock/v1/snapshots/good/file", string(file))
	s.refused(409, "POST", "/rowlock/v1/snapshots/good/load", `{}`)
	s.refused(422, "POST", "/rowlock/v1/snapshots/good/load", `{"clock":"backwards","replace":true}`)
	if after := s.contents(); after != before {
		t.Errorf("the cluster has changed")
	}
}
