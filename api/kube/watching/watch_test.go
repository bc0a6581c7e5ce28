package watching_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Set(t, "a", "1", nil)
	c.Set(t, "b", "1", nil)
	start := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true")
	behind := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=1&resourceVersion=2")
	only := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=0")
	deprecated := c.OpenWatch(t, "/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=1")
	start.Want("ADDED default/a k=1 at 2", "ADDED default/b k=1 at 3")
	behind.Want("ADDED default/b k=1 at 3")
	only.Want("ADDED default/a k=1 at 2")
	deprecated.Want("ADDED default/a k=1 at 2")

	c.Set(t, "b", "2", nil)
	c.Set(t, "a", "", nil)
	start.Want("MODIFIED default/b k=2 at 4", "DELETED default/a k=1 at 5")
	behind.Want("MODIFIED default/b k=2 at 4", "DELETED default/a k=1 at 5")
	only.Want("DELETED default/a k=1 at 5")
	deprecated.Want("DELETED default/a k=1 at 5")
}

// An object that starts to match a selector is added. When it stops to match, it is deleted, with
// its last matching state and the revision of the change.
func TestWatchSelector(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&labelSelector=on%3Dtrue")
	on, off := map[string]string{"on": "true"}, map[string]string{"on": "false"}
	c.Set(t, "a", "1", off)
	c.Set(t, "a", "2", on)
	c.Set(t, "a", "3", on)
	c.Set(t, "a", "4", off)
	c.Set(t, "a", "5", off)
	c.Set(t, "a", "", nil)
	c.Set(t, "b", "1", on)
	w.Want("ADDED default/a k=2 at 3", "MODIFIED default/a k=3 at 4", "DELETED default/a k=3 at 5", "ADDED default/b k=1 at 8")
}

func TestWatchInitialEvents(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Set(t, "a", "1", nil)
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
	var open []*apitest.Watch
	for _, tt := range tests {
		w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&"+tt.query)
		w.Want(tt.want...)
		open = append(open, w)
	}
	c.Set(t, "a", "2", nil)
	for _, w := range open {
		w.Want("MODIFIED default/a k=2 at 3")
	}
}

// Bookmarks report the progress of a watch even if nothing that it watches changes.
func TestWatchBookmarks(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) { d.Kube.BookmarkEvery = 20 * time.Millisecond })
	w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&allowWatchBookmarks=true&resourceVersion=1")
	w.Want("BOOKMARK ConfigMap map[] at 1")
	c.Store(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}})
	for got := ""; got != "BOOKMARK ConfigMap map[] at 2"; {
		if got = w.Next(); got == "" {
			t.Fatal("the watch is over")
		}
	}
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	t.Run("at its timeout", func(t *testing.T) {
		t.Parallel()
		c := apitest.NewCluster(t)
		began := time.Now()
		c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&timeoutSeconds=1").Want("")
		if d := time.Since(began); d < time.Second {
			t.Errorf("it took no more than %s", d)
		}
	})
	t.Run("if it starts before the oldest retained revision", func(t *testing.T) {
		t.Parallel()
		c := apitest.NewCluster(t)
		c.Set(t, "a", "1", nil)
		c.Set(t, "a", "2", nil)
		c.Compact(3)
		res := c.Do(t, "GET "+apitest.ConfigMapsPath+"?watch=true&resourceVersion=1", "")
		if res.Code != 410 || !strings.Contains(res.Body, `"reason":"Expired"`) {
			t.Errorf("answered %d %s", res.Code, res.Body)
		}
	})
	t.Run("when it falls behind", func(t *testing.T) {
		t.Parallel()
		c := apitest.NewCluster(t)
		w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true")
		c.Set(t, "a", "1", nil)
		w.Want("ADDED default/a k=1 at 2")
		c.Compact(10)
		c.Set(t, "a", "2", nil)
		w.Want("ERROR 410 Expired The resourceVersion for the provided watch is too old.", "")
	})
}

// A client that does not read its watch is cut off and does not block the server.
func TestWatchSlowReader(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) { d.Kube.SlowAfter = 50 * time.Millisecond })
	w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true&resourceVersion=1")
	large := strings.Repeat("x", 1<<20)
	for i := range 64 {
		c.Set(t, "a", fmt.Sprint(i, large), nil)
	}
	time.Sleep(500 * time.Millisecond) // the reader's slowness is what is tested
	frames := 0
	for w.Frames.Scan() {
		frames++
	}
	if frames == 64 || w.Frames.Err() == nil {
		t.Errorf("the watch went on for all %d frames, and ended with %v", frames, w.Frames.Err())
	}
}

// A watch of tables sends the columns once.
func TestWatchTables(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Set(t, "a", "1", nil)
	w := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=true", apitest.AsTable)
	c.Set(t, "a", "2", nil)
	var got []string
	for range 2 {
		if !w.Frames.Scan() {
			t.Fatal(w.Frames.Err())
		}
		var frame struct {
			Type   string
			Object metav1.Table
		}
		if err := json.Unmarshal(w.Frames.Bytes(), &frame); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d columns %v %s", frame.Type, frame.Object.Kind, len(frame.Object.ColumnDefinitions), frame.Object.Rows[0].Cells, frame.Object.ResourceVersion))
	}
	if diff := cmp.Diff([]string{"ADDED Table 3 columns [a 1 <unknown>] 2", "MODIFIED Table 0 columns [a 1 <unknown>] 3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An HTTP/2 watch without events outlives the timeout for slow clients.
func TestIdleWatchOverHTTP2(t *testing.T) {
	t.Parallel()
	const slow = 200 * time.Millisecond
	c := apitest.NewCluster(t, func(d *api.Deps) { d.Kube.SlowAfter = slow })
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := httptest.NewUnstartedServer(c.Handler)
	server.Config.Protocols = protocols
	server.Start()
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	t.Cleanup(client.CloseIdleConnections)

	res, err := client.Get(server.URL + "/api/v1/pods?watch=1&timeoutSeconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.ProtoMajor != 2 {
		t.Fatalf("spoke %s", res.Proto)
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Errorf("the watch did not last its second: %v", err)
	}
}

// A watch may have a timeout of more seconds than a duration can hold.
func TestWatchForAges(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	res, err := http.Get(c.URL + "/api/v1/pods?watch=1&timeoutSeconds=9223372036854775807")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.StatusCode != http.StatusOK {
		t.Errorf("answered %s", res.Status)
	}
}
