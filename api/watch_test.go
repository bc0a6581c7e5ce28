package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// watched is an open watch, read frame by frame.
type watched struct {
	t      *testing.T
	res    *http.Response
	frames *bufio.Scanner
}

func (c *cluster) watch(t *testing.T, path string, headers ...string) *watched {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the watch was answered with %s", res.Status)
	}
	w := &watched{t: t, res: res, frames: bufio.NewScanner(res.Body)}
	w.frames.Buffer(nil, 8<<20)
	return w
}

// next reads a frame: "ADDED default/a k=1 at 3". It returns "" at the end of the watch.
func (w *watched) next() string {
	w.t.Helper()
	if !w.frames.Scan() {
		return ""
	}
	var frame struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(w.frames.Bytes(), &frame); err != nil {
		w.t.Fatalf("%v: %s", err, w.frames.Text())
	}
	if frame.Type == "ERROR" {
		var s metav1.Status
		_ = json.Unmarshal(frame.Object, &s)
		return fmt.Sprintf("ERROR %d %s %s", s.Code, s.Reason, s.Message)
	}
	var m corev1.ConfigMap
	if err := json.Unmarshal(frame.Object, &m); err != nil {
		w.t.Fatalf("%v: %s", err, w.frames.Text())
	}
	if frame.Type == "BOOKMARK" {
		return fmt.Sprintf("BOOKMARK %s %v at %s", m.Kind, m.Annotations, m.ResourceVersion)
	}
	return fmt.Sprintf("%s %s/%s k=%s at %s", frame.Type, m.Namespace, m.Name, m.Data["k"], m.ResourceVersion)
}

func (w *watched) want(frames ...string) {
	w.t.Helper()
	for _, want := range frames {
		if got := w.next(); got != want {
			w.t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// set creates, updates (value) or deletes ("") a ConfigMap directly in the store.
func (c *cluster) set(t *testing.T, name, value string, labels map[string]string) {
	t.Helper()
	change := store.Change{Verb: object.Created, Type: &core.ConfigMap.Type, New: configMap(name, value)}
	change.New.SetLabels(labels)
	if old := c.Get(change.Key()); old != nil {
		change.Verb, change.Old = object.Updated, old
		if value == "" {
			change.Verb, change.New = object.Deleted, nil
		}
	}
	if _, err := c.Write(context.Background(), change); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set(t, "a", "1", nil)
	c.set(t, "b", "1", nil)
	start := c.watch(t, configMaps+"?watch=true")
	behind := c.watch(t, configMaps+"?watch=1&resourceVersion=2")
	only := c.watch(t, configMaps+"?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=0")
	deprecated := c.watch(t, "/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=1")
	start.want("ADDED default/a k=1 at 2", "ADDED default/b k=1 at 3")
	behind.want("ADDED default/b k=1 at 3")
	only.want("ADDED default/a k=1 at 2")
	deprecated.want("ADDED default/a k=1 at 2")

	c.set(t, "b", "2", nil)
	c.set(t, "a", "", nil)
	start.want("MODIFIED default/b k=2 at 4", "DELETED default/a k=1 at 5")
	behind.want("MODIFIED default/b k=2 at 4", "DELETED default/a k=1 at 5")
	only.want("DELETED default/a k=1 at 5")
	deprecated.want("DELETED default/a k=1 at 5")
}

// An object that starts to match a selector is added. When it stops to match, it is deleted, with
// its last matching state and the revision of the change.
func TestWatchSelector(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	w := c.watch(t, configMaps+"?watch=true&labelSelector=on%3Dtrue")
	on, off := map[string]string{"on": "true"}, map[string]string{"on": "false"}
	c.set(t, "a", "1", off)
	c.set(t, "a", "2", on)
	c.set(t, "a", "3", on)
	c.set(t, "a", "4", off)
	c.set(t, "a", "5", off)
	c.set(t, "a", "", nil)
	c.set(t, "b", "1", on)
	w.want("ADDED default/a k=2 at 3", "MODIFIED default/a k=3 at 4", "DELETED default/a k=3 at 5", "ADDED default/b k=1 at 8")
}

func TestWatchInitialEvents(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set(t, "a", "1", nil)
	const end = "BOOKMARK ConfigMap map[k8s.io/initial-events-end:true] at 2"
	tests := []struct {
		name, query string
		want        []string
	}{
		{"with bookmarks", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", []string{"ADDED default/a k=1 at 2", end}},
		{"no older than", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=1", []string{"ADDED default/a k=1 at 2", end}},
		{"without bookmarks", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan", []string{"ADDED default/a k=1 at 2"}},
		{"none", "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", nil},
	}
	var open []*watched
	for _, tt := range tests {
		w := c.watch(t, configMaps+"?watch=true&"+tt.query)
		w.want(tt.want...)
		open = append(open, w)
	}
	c.set(t, "a", "2", nil)
	for _, w := range open {
		w.want("MODIFIED default/a k=2 at 3")
	}
}

// Bookmarks report the progress of a watch even if nothing that it watches changes.
func TestWatchBookmarks(t *testing.T) {
	t.Parallel()
	c := newCluster(t, func(d *api.Deps) { d.Kube.BookmarkEvery = 20 * time.Millisecond })
	w := c.watch(t, configMaps+"?watch=true&allowWatchBookmarks=true&resourceVersion=1")
	w.want("BOOKMARK ConfigMap map[] at 1")
	c.store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}})
	for got := ""; got != "BOOKMARK ConfigMap map[] at 2"; {
		if got = w.next(); got == "" {
			t.Fatal("the watch is over")
		}
	}
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	t.Run("at its timeout", func(t *testing.T) {
		t.Parallel()
		c := newCluster(t)
		began := time.Now()
		c.watch(t, configMaps+"?watch=true&timeoutSeconds=1").want("")
		if d := time.Since(began); d < time.Second {
			t.Errorf("it took no more than %s", d)
		}
	})
	t.Run("if it starts before the oldest retained revision", func(t *testing.T) {
		t.Parallel()
		c := newCluster(t)
		c.set(t, "a", "1", nil)
		c.set(t, "a", "2", nil)
		c.compact(3)
		res := c.do(t, "GET "+configMaps+"?watch=true&resourceVersion=1", "")
		if res.code != 410 || !strings.Contains(res.body, `"reason":"Expired"`) {
			t.Errorf("answered %d %s", res.code, res.body)
		}
	})
	t.Run("when it falls behind", func(t *testing.T) {
		t.Parallel()
		c := newCluster(t)
		w := c.watch(t, configMaps+"?watch=true")
		c.set(t, "a", "1", nil)
		w.want("ADDED default/a k=1 at 2")
		c.compact(10)
		c.set(t, "a", "2", nil)
		w.want("ERROR 410 Expired The resourceVersion for the provided watch is too old.", "")
	})
}

// A client that does not read its watch is cut off and does not block the server.
func TestWatchSlowReader(t *testing.T) {
	t.Parallel()
	c := newCluster(t, func(d *api.Deps) { d.Kube.SlowAfter = 50 * time.Millisecond })
	w := c.watch(t, configMaps+"?watch=true&resourceVersion=1")
	large := strings.Repeat("x", 1<<20)
	for i := range 64 {
		c.set(t, "a", fmt.Sprint(i, large), nil)
	}
	time.Sleep(500 * time.Millisecond) // the reader's slowness is what is tested
	frames := 0
	for w.frames.Scan() {
		frames++
	}
	if frames == 64 || w.frames.Err() == nil {
		t.Errorf("the watch went on for all %d frames, and ended with %v", frames, w.frames.Err())
	}
}

// A watch of tables sends the columns once.
func TestWatchTables(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set(t, "a", "1", nil)
	w := c.watch(t, configMaps+"?watch=true", asTable)
	c.set(t, "a", "2", nil)
	var got []string
	for range 2 {
		if !w.frames.Scan() {
			t.Fatal(w.frames.Err())
		}
		var frame struct {
			Type   string
			Object metav1.Table
		}
		if err := json.Unmarshal(w.frames.Bytes(), &frame); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d columns %v %s", frame.Type, frame.Object.Kind, len(frame.Object.ColumnDefinitions), frame.Object.Rows[0].Cells, frame.Object.ResourceVersion))
	}
	if diff := cmp.Diff([]string{"ADDED Table 3 columns [a 1 <unknown>] 2", "MODIFIED Table 0 columns [a 1 <unknown>] 3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
