package apitest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// Watch is an open watch, read frame by frame.
type Watch struct {
	Frames *bufio.Scanner

	t *testing.T
}

// OpenWatch watches a path.
func (c *Cluster) OpenWatch(t *testing.T, path string, headers ...string) *Watch {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+path, nil)
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
	w := &Watch{t: t, Frames: bufio.NewScanner(res.Body)}
	w.Frames.Buffer(nil, 8<<20)
	return w
}

// Next reads a frame: "ADDED default/a k=1 at 3". It returns "" at the end of the watch.
func (w *Watch) Next() string {
	w.t.Helper()
	if !w.Frames.Scan() {
		return ""
	}
	var frame struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(w.Frames.Bytes(), &frame); err != nil {
		w.t.Fatalf("%v: %s", err, w.Frames.Text())
	}
	if frame.Type == "ERROR" {
		var s metav1.Status
		_ = json.Unmarshal(frame.Object, &s)
		return fmt.Sprintf("ERROR %d %s %s", s.Code, s.Reason, s.Message)
	}
	var m corev1.ConfigMap
	if err := json.Unmarshal(frame.Object, &m); err != nil {
		w.t.Fatalf("%v: %s", err, w.Frames.Text())
	}
	if frame.Type == "BOOKMARK" {
		return fmt.Sprintf("BOOKMARK %s %v at %s", m.Kind, m.Annotations, m.ResourceVersion)
	}
	return fmt.Sprintf("%s %s/%s k=%s at %s", frame.Type, m.Namespace, m.Name, m.Data["k"], m.ResourceVersion)
}

// Want fails the test unless these are the next frames.
func (w *Watch) Want(frames ...string) {
	w.t.Helper()
	for _, want := range frames {
		if got := w.Next(); got != want {
			w.t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// Set creates, updates (value) or deletes ("") a ConfigMap directly in the store.
func (c *Cluster) Set(t *testing.T, name, value string, labels map[string]string) {
	t.Helper()
	change := store.Change{Verb: object.Created, Type: &core.ConfigMap.Type, New: ConfigMap(name, value)}
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
