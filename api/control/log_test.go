package control_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// bearer is a client with a token and a User-Agent.
type bearer struct {
	token, agent string
	http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	req.Header.Set("User-Agent", b.agent)
	return b.RoundTripper.RoundTrip(req)
}

// openWithLogin opens a replica with a login, as seen by a master and by a viewer.
func openWithLogin(t *testing.T) (master, viewer *clustertest.Site) {
	t.Helper()
	known, err := auth.ReadTokens(strings.NewReader("m,root,1,\"system:masters\"\nv,vera,2,\"rowlock:viewers\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	replica, err := cluster.Open(t.Context(), cluster.Config{
		DatabaseURL: pgtest.NewURL(t), Nodes: 1, Log: slog.New(slog.DiscardHandler),
		Authenticator: &auth.Authenticator{Tokens: func() *auth.Tokens { return known }},
	})
	if err != nil {
		t.Fatal(err)
	}
	server, transport := httptest.NewServer(replica.Handler()), &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
		replica.Close()
	})
	as := func(token string) *clustertest.Site {
		return &clustertest.Site{T: t, URL: server.URL, Client: &http.Client{Transport: bearer{token, "probe/1 (" + token + ")", transport}}}
	}
	return as("m"), as("v")
}

// follow watches changes: it returns a function that reads the next line.
func follow(s *clustertest.Site, query string) (next func() []byte) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/rowlock/v1/changes?watch=true&"+query, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	res, err := s.Client.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		s.T.Fatal(res, err)
	}
	s.T.Cleanup(func() { cancel(); _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	return func() []byte {
		if !lines.Scan() {
			s.T.Fatalf("the stream ended: %v", lines.Err())
		}
		return bytes.Clone(lines.Bytes())
	}
}

// TestLog_NamesTheRequest: a change is found by the Audit-Id of the answer to its request, in a
// fork too.
func TestLog_NamesTheRequest(t *testing.T) {
	t.Parallel()
	master, _ := openWithLogin(t)
	master.Do("POST", "/rowlock/v1/forks", `{"name":"f"}`)
	for _, in := range []string{"", "/forks/f"} {
		cluster := &clustertest.Site{T: t, URL: master.URL + in, Client: master.Client}
		req, err := http.NewRequestWithContext(t.Context(), "POST", cluster.URL+core+"configmaps", strings.NewReader(`{"metadata":{"name":"note"}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := cluster.Client.Do(req)
		if err != nil || res.StatusCode != http.StatusCreated {
			t.Fatal(res, err)
		}
		_ = res.Body.Close() // it is not read
		id := res.Header.Get("Audit-Id")
		if got := last(cluster, "resource=configmaps&name=note").Writer.Request; id == "" || got != id {
			t.Errorf("%q: the request %q made a change that names %q", in, id, got)
		}
	}
}

// TestLog_WhoMaySeeWhat: viewers see the changes of what they may read; they see nothing of
// Secrets, whichever way they ask.
func TestLog_WhoMaySeeWhat(t *testing.T) {
	t.Parallel()
	master, viewer := openWithLogin(t)
	watched := follow(viewer, "namespace=default")
	master.Do("POST", core+"secrets", `{"metadata":{"name":"key"},"stringData":{"password":"hush"}}`)
	master.Do("POST", core+"configmaps", `{"metadata":{"name":"note"}}`)
	secret, note := last(master, "resource=secrets"), last(master, "resource=configmaps&name=note")
	if want := (v1.ChangeWriter{User: "root", UserAgent: "probe/1 (m)", Request: secret.Writer.Request}); secret.Writer != want {
		t.Errorf("the Secret was written by %+v, want %+v", secret.Writer, want)
	}

	viewer.Refused(403, "GET", "/rowlock/v1/changes?resource=secrets", "")
	viewer.Refused(403, "GET", "/rowlock/v1/changes?resource=configmaps&resource=secrets", "")
	viewer.Refused(403, "GET", "/rowlock/v1/changes?resource=secrets&watch=true", "")
	for _, suffix := range []string{"", "/causes"} {
		code, answer := viewer.Try("GET", fmt.Sprintf("/rowlock/v1/changes/%d%s", secret.Revision, suffix), "")
		if told := string(answer); code != 403 || strings.Contains(told, "key") || strings.Contains(told, "default") || strings.Contains(told, "secret") {
			t.Errorf("a viewer who counts revisions is told %d %s", code, told)
		}
	}
	for _, query := range []string{"", "newest=true&", "uid=" + string(secret.UID) + "&", "name=key&", "namespace=default&"} {
		if items := changes(viewer, query+"limit=1000"); slices.ContainsFunc(items, func(c v1.Change) bool { return c.Resource == "secrets" }) {
			t.Errorf("%q shows a viewer the Secret", query)
		}
	}
	for {
		var c v1.Change
		if err := json.Unmarshal(watched(), &c); err != nil || c.Resource == "secrets" {
			t.Fatalf("a viewer who follows sees %+v, %v", c, err)
		}
		if c.Revision == note.Revision {
			break
		}
	}
	if detail := viewer.Do("GET", fmt.Sprintf("/rowlock/v1/changes/%d", note.Revision), ""); !bytes.Contains(detail, []byte(`"name": "note"`)) {
		t.Errorf("a viewer is shown the ConfigMap as %s", detail)
	}
	if detail := master.Do("GET", fmt.Sprintf("/rowlock/v1/changes/%d", secret.Revision), ""); !bytes.Contains(detail, []byte("aHVzaA==")) {
		t.Errorf("a master is shown the Secret as %s", detail)
	}
	viewer.Do("GET", "/rowlock/v1/history", "")
}

// TestLog_OfOneObject reads the history of an object, whole and page by page, forwards and
// backwards, with the object before and after each change.
func TestLog_OfOneObject(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Do("POST", core+"configmaps", `{"metadata":{"name":"note"},"data":{"n":"0"}}`)
	for i := 1; i < 5; i++ {
		s.Do("PUT", core+"configmaps/note", fmt.Sprintf(`{"metadata":{"name":"note"},"data":{"n":"%d"}}`, i))
	}
	s.Do("DELETE", core+"configmaps/note", "")
	life := changes(s, "resource=configmaps&name=note")
	var verbs []string
	for i, c := range life {
		verbs = append(verbs, c.Verb)
		var d struct {
			Object, Previous *struct{ Data map[string]string }
		}
		s.Get(fmt.Sprintf("/rowlock/v1/changes/%d", c.Revision), &d)
		if is := d.Object != nil && d.Object.Data["n"] == fmt.Sprint(i); is != (c.Verb != "deleted") {
			t.Errorf("change %d made of the object %+v", i, d.Object)
		}
		if was := d.Previous != nil && d.Previous.Data["n"] == fmt.Sprint(i-1); was != (c.Verb != "created") {
			t.Errorf("before change %d the object was %+v", i, d.Previous)
		}
	}
	if diff := cmp.Diff([]string{"created", "updated", "updated", "updated", "updated", "deleted"}, verbs); diff != "" {
		t.Fatal(diff)
	}
	backwards := slices.Clone(life)
	slices.Reverse(backwards)
	for query, want := range map[string][]v1.Change{
		"resource=configmaps&name=note":                                                 life,
		"resource=configmaps&namespace=default&newest=true&name=note":                   backwards,
		"uid=" + string(life[0].UID):                                                    life,
		"newest=true&resource=configmaps&uid=" + string(life[0].UID):                    backwards,
		"resource=configmaps&namespace=default&requests=true":                           life, // kube-root-ca.crt belongs to a controller
		"resource=configmaps&name=note&verb=updated":                                    life[1:5],
		"verb=deleted&uid=" + string(life[0].UID):                                       life[5:],
		"newest=true&requests=true&uid=" + string(life[0].UID):                          backwards,
		fmt.Sprintf("name=note&after=%d&before=%d", life[1].Revision, life[4].Revision): life[2:4],
	} {
		var got []v1.Change
		page, after := v1.ChangeList{Next: 1}, ""
		for page.Next != 0 {
			page = v1.ChangeList{}
			s.Get("/rowlock/v1/changes?limit=2&"+query+after, &page)
			got = append(got, page.Items...)
			after = fmt.Sprintf("&after=%d", page.Next)
			if strings.Contains(query, "newest") {
				after = fmt.Sprintf("&before=%d", page.Next)
			}
			if strings.Contains(query, "before=") {
				query = "name=note&before=" + fmt.Sprint(life[4].Revision)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	s.Refused(422, "GET", "/rowlock/v1/changes?resource=nothing", "")
	s.Refused(422, "GET", "/rowlock/v1/changes?limit=0", "")
	s.Refused(422, "GET", "/rowlock/v1/changes?limit=1001", "")
	s.Refused(422, "GET", "/rowlock/v1/changes?after=-1", "")
	s.Refused(422, "GET", "/rowlock/v1/changes?watch=true&newest=true", "")
	s.Refused(422, "GET", "/rowlock/v1/changes/one", "")
	s.Refused(404, "GET", "/rowlock/v1/changes/999999", "")
	s.Refused(404, "GET", "/rowlock/v1/changes/999999/causes", "")
}

// TestLog_IsFollowed: several clients follow at once, each from its own place, over two replicas
// and in a fork, and miss no change.
func TestLog_IsFollowed(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	first, second := clustertest.Open(t, database), clustertest.Open(t, database)
	begin := last(first, "").Revision
	first.Do("POST", core+"configmaps", `{"metadata":{"name":"note-0"}}`)
	streams := []func() []byte{
		follow(first, fmt.Sprintf("resource=configmaps&after=%d", begin)), follow(second, fmt.Sprintf("resource=configmaps&after=%d", begin)),
		follow(second, fmt.Sprintf("namespace=default&resource=configmaps&after=%d", begin)),
	}
	const notes = 40
	for i := 1; i < notes; i++ {
		[]*clustertest.Site{first, second}[i%2].Do("POST", core+"configmaps", fmt.Sprintf(`{"metadata":{"name":"note-%d"}}`, i))
	}
	for n, next := range streams {
		for i := range notes {
			var c v1.Change
			err := json.Unmarshal(next(), &c)
			for err == nil && c.Name == "kube-root-ca.crt" {
				err = json.Unmarshal(next(), &c)
			}
			if err != nil || c.Name != fmt.Sprintf("note-%d", i) {
				t.Fatalf("stream %d has %+v where note-%d should be, %v", n, c, i, err)
			}
		}
	}
	fork := first.Fork("log", "")
	there := follow(fork, "resource=configmaps")
	fork.Do("POST", core+"configmaps", `{"metadata":{"name":"there"}}`)
	if line := there(); !bytes.Contains(line, []byte(`"name":"there"`)) {
		t.Errorf("in the fork there comes %s", line)
	}
}

// TestLog_EndsAtTheCompaction: requests for what is gone say so, and what is still available
// otherwise is returned.
func TestLog_EndsAtTheCompaction(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	s := clustertest.Open(t, database)
	s.Do("POST", core+"configmaps", `{"metadata":{"name":"note"}}`)
	for i := range 5 {
		s.Do("PUT", core+"configmaps/note", fmt.Sprintf(`{"metadata":{"name":"note"},"data":{"n":"%d"}}`, i))
	}
	life := changes(s, "resource=configmaps&name=note")
	to := life[3].Revision
	log := store.New(clustertest.Pool(t, database), builtin.Catalogue(), controller.NewRouter(), store.Config{}, nil, slog.New(slog.DiscardHandler))
	if _, err := log.Compact(t.Context(), object.Revision(to)); err != nil {
		t.Fatal(err)
	}
	s.Refused(410, "GET", fmt.Sprintf("/rowlock/v1/changes?after=%d", life[0].Revision), "")
	s.Refused(410, "GET", fmt.Sprintf("/rowlock/v1/changes?watch=true&after=%d", life[0].Revision), "")
	s.Refused(410, "GET", fmt.Sprintf("/rowlock/v1/changes/%d", life[1].Revision), "")
	if diff := cmp.Diff(life[4:], changes(s, "resource=configmaps&name=note")); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	var d v1.ChangeDetail
	s.Get(fmt.Sprintf("/rowlock/v1/changes/%d", to), &d)
	if d.Object == nil || d.Previous != nil || !d.PreviousExpired {
		t.Errorf("the oldest version that is left is shown as %+v", d)
	}
	var h v1.History
	s.Get("/rowlock/v1/history?points=5", &h)
	if h.Oldest.Revision != to || h.Newest.Revision != last(s, "").Revision || len(h.Points) == 0 ||
		!slices.IsSortedFunc(h.Points, func(a, b v1.HistoryPoint) int { return int(a.Revision - b.Revision) }) {
		t.Errorf("the history is %+v", h)
	}
}
