package archive_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestLoad_AllOrNothing interrupts loads at any time: the session of the load ends wherever it is.
// Afterwards the database has either the whole snapshot and nothing else, or its previous contents;
// and the snapshot can be loaded again.
func TestLoad_AllOrNothing(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Populate()
	s.Do("POST", "/rowlock/v1/snapshots", `{"name":"all"}`)
	load := "/rowlock/v1/snapshots/all/load"
	s.Do("POST", load, `{"replace":true}`)
	want := s.Contents()
	for i := range 8 {
		s.Do("POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":"mark-%d"}}`, i))
		before := s.Contents()
		done := s.Abandon(time.Duration(rand.Int64N(int64(120*time.Millisecond))), "POST", load, `{"replace":true}`)
		settled(s)
		switch got := s.Contents(); {
		case got == want:
		case done:
			t.Fatalf("a load that was answered has made\n%s\nnot\n%s", got, want)
		case got != before:
			t.Fatalf("an interrupted load has left\n%s\nof\n%s", got, before)
		}
		s.Do("POST", load, `{"replace":true}`)
		if got := s.Contents(); got != want {
			t.Fatalf("the next load has made\n%s\nnot\n%s", got, want)
		}
	}
}

// settled waits until an abandoned load is over, in the server too: a load waits for no other, so a
// second one could be refused.
func settled(s *clustertest.Site) {
	s.T.Helper()
	s.Refused(409, "POST", "/rowlock/v1/snapshots/all/load", `{}`)
}

// TestLoad_IsSeenByAll: the other replica loads again too, its watches end with 410, and earlier
// revisions are no longer available.
func TestLoad_IsSeenByAll(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	first, second := clustertest.Open(t, database), clustertest.Open(t, database)
	first.Pause()
	first.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"old"}}`)
	first.Do("POST", "/rowlock/v1/snapshots", `{"name":"all"}`)
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	second.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"new"}}`)
	second.Get("/api/v1/configmaps", &list)
	lines := second.Watch("/api/v1/configmaps")
	if !lines.Scan() {
		t.Fatalf("the watch has not begun: %v", lines.Err())
	}
	first.Do("POST", "/rowlock/v1/snapshots/all/load", `{"replace":true}`)
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if !strings.Contains(last, `"code":410`) {
		t.Errorf("the watch ended with %s", last)
	}
	for what, s := range map[string]*clustertest.Site{"the replica that loaded": first, "the other": second} {
		if s == second { // it loads again by itself, and returns 503 meanwhile
			s.Until(what, func() bool { code, _ := s.Try("GET", "/api/v1/configmaps", ""); return code == http.StatusOK })
		}
		s.Refused(404, "GET", "/api/v1/namespaces/default/configmaps/new", "")
		s.Do("GET", "/api/v1/namespaces/default/configmaps/old", "")
		var now struct {
			Metadata struct{ ResourceVersion string }
		}
		s.Get("/api/v1/configmaps", &now)
		before, after := list.Metadata.ResourceVersion, now.Metadata.ResourceVersion
		if len(after) < len(before) || len(after) == len(before) && after <= before {
			t.Errorf("%s is at %s, after %s", what, after, before)
		}
		s.Refused(410, "GET", "/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion="+list.Metadata.ResourceVersion, "")
		s.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"generateName":"after-"}}`)
	}
}

// TestSnapshot_OfTheLog: it has every change of a range, in order.
func TestSnapshot_OfTheLog(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Populate()
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	s.Get("/api/v1/pods", &list)
	s.Do("POST", "/rowlock/v1/snapshots", `{"name":"log","log":{"from":5}}`)
	file := s.Do("GET", "/rowlock/v1/snapshots/log/file", "")
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
	s.Do("PUT", "/rowlock/v1/snapshots/again/file", string(file))
	if message := s.Refused(422, "POST", "/rowlock/v1/snapshots/again/load", `{"replace":true}`); !strings.Contains(message, "range of the log") {
		t.Errorf("it is refused with: %s", message)
	}
	s.Refused(422, "POST", "/rowlock/v1/snapshots", `{"name":"no","log":{"from":9,"to":5}}`)
	s.Refused(422, "POST", "/rowlock/v1/snapshots", `{"name":"no","log":{"from":5,"to":99999999}}`)
	s.Refused(404, "GET", "/rowlock/v1/snapshots/no", "")
}

// TestSnapshot_HostileFiles: they are refused with the reason, and leave nothing behind.
func TestSnapshot_HostileFiles(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Populate()
	s.Do("POST", "/rowlock/v1/snapshots", `{"name":"good"}`)
	file := s.Do("GET", "/rowlock/v1/snapshots/good/file", "")
	before := s.Contents()
	for name, bad := range map[string][]byte{"cut": file[:len(file)/2], "changed": bytes.Replace(file, file[len(file)-20:len(file)-16], []byte("xxxx"), 1), "text": []byte("no snapshot")} {
		s.Refused(400, "PUT", "/rowlock/v1/snapshots/"+name+"/file", string(bad))
		s.Refused(404, "GET", "/rowlock/v1/snapshots/"+name, "")
	}
	s.Refused(422, "PUT", "/rowlock/v1/snapshots/A.B/file", string(file))
	s.Refused(409, "PUT", "/rowlock/v1/snapshots/good/file", string(file))
	s.Refused(409, "POST", "/rowlock/v1/snapshots/good/load", `{}`)
	s.Refused(422, "POST", "/rowlock/v1/snapshots/good/load", `{"clock":"backwards","replace":true}`)
	if after := s.Contents(); after != before {
		t.Errorf("the cluster has changed")
	}
}
