package api_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/connect"
	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/emulator"
)

// openStreams opens several watches and returns the answer with a scanner of its lines.
func openStreams(t *testing.T, c *apitest.Cluster, token, body string) (*http.Response, *bufio.Scanner) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+v1.StreamsPath+"?watch=true", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 8<<20)
	return res, lines
}

// collect reads n lines and returns, by stream ID, a summary of each: the names of objects,
// "begun", "ended" or a reason.
func collect(t *testing.T, lines *bufio.Scanner, n int) map[int][]string {
	t.Helper()
	said := map[int][]string{}
	for range n {
		if !lines.Scan() {
			t.Fatalf("the streams ended after %v: %v", said, lines.Err())
		}
		var line v1.StreamLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		var event struct {
			Type   string
			Object struct{ Metadata struct{ Name string } }
		}
		var refusal struct{ Reason string }
		text := "begun"
		switch {
		case line.Error != nil:
			if err := json.Unmarshal(line.Error, &refusal); err != nil {
				t.Fatal(err)
			}
			text = refusal.Reason
		case line.Ended:
			text = "ended"
		case line.Line != nil:
			if err := json.Unmarshal(line.Line, &event); err != nil {
				t.Fatal(err)
			}
			text = event.Type + " " + event.Object.Metadata.Name
		}
		said[line.ID] = append(said[line.ID], text)
	}
	return said
}

// Watches in one answer deliver what separate watches would, each with its own selector and end.
func TestStreams(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	c.Set(t, "a", "1", nil)
	c.Set(t, "b", "1", nil)
	_, lines := openStreams(t, c, "", `{"streams":[
		{"id":1,"path":"/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=2"},
		{"id":2,"path":"/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=0"},
		{"id":3,"path":"/api/v1/nonsense?watch=true"}]}`)
	want := map[int][]string{1: {"begun", "ADDED b"}, 2: {"begun", "ADDED a"}, 3: {"NotFound"}}
	if diff := cmp.Diff(want, collect(t, lines, 5)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	c.Set(t, "a", "", nil)
	want = map[int][]string{1: {"DELETED a"}, 2: {"DELETED a"}}
	if diff := cmp.Diff(want, collect(t, lines, 2)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
}

// Each stream is authorized separately.
func TestStreams_AuthorizedSeparately(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	const both = `{"streams":[{"id":1,"path":"/api/v1/secrets?watch=true"},{"id":2,"path":"/api/v1/configmaps?watch=true&resourceVersion=1"}]}`
	if res, _ := openStreams(t, c, "", both); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("a request without credentials was answered with %s", res.Status)
	}
	_, lines := openStreams(t, c, "viewer", both)
	if diff := cmp.Diff(map[int][]string{1: {"Forbidden"}, 2: {"begun"}}, collect(t, lines, 2)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, lines = openStreams(t, c, "plain", both)
	if diff := cmp.Diff(map[int][]string{1: {"Forbidden"}, 2: {"Forbidden"}}, collect(t, lines, 2)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if lines.Scan() {
		t.Errorf("the answer continues after all streams have ended: %s", lines.Text())
	}
}

// Requests other than watches, and streams of streams, are rejected before the answer starts.
func TestStreams_Refusals(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	tests := map[string]string{
		"nothing":         `{"streams":[]}`,
		"a list":          `{"streams":[{"id":1,"path":"/api/v1/pods"}]}`,
		"an address":      `{"streams":[{"id":1,"path":"http://elsewhere/api/v1/pods?watch=true"}]}`,
		"one id twice":    `{"streams":[{"id":1,"path":"/api/v1/pods?watch=true"},{"id":1,"path":"/api/v1/pods?watch=true"}]}`,
		"what is none":    `{"streams":[{"id":1,"way":"/api/v1/pods?watch=true"}]}`,
		"too many":        `{"streams":[` + strings.TrimSuffix(strings.Repeat(`{"path":"/api/v1/pods?watch=true"},`, 65), ",") + `]}`,
		"no JSON":         `streams`,
		"an invalid path": `{"streams":[{"id":1,"path":"api/v1/pods?watch=true"}]}`,
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if res, _ := openStreams(t, c, "", body); res.StatusCode != http.StatusBadRequest {
				t.Errorf("answered with %s", res.Status)
			}
		})
	}
	_, lines := openStreams(t, c, "", `{"streams":[{"id":1,"path":"`+v1.StreamsPath+`?watch=true"},{"id":2,"path":"/api//v1/pods?watch=true"}]}`)
	got := collect(t, lines, 2)
	if len(got[1]) != 1 || got[1][0] == "begun" || !cmp.Equal(got[2], []string{"NotFound"}) {
		t.Errorf("streams of streams, and an ambiguous path: %v", got)
	}
}

// A log with follow can be a stream too: its lines become strings.
func TestStreams_Logs(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", corev1.ContainerStatus{Name: "c", ContainerID: "run-1", State: apitest.Ended("run-1")}))
	logs.Set("c run-1", connect.LogPage{Ended: true, Lines: []emulator.Line{{Text: "  \"quoted\" \xff"}, {Text: "{}"}}})
	_, lines := openStreams(t, c, "", `{"streams":[{"id":7,"path":"/api/v1/namespaces/default/pods/p/log?follow=true"}]}`)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	want := []string{`{"id":7,"begun":true}`, `{"id":7,"line":"  \"quoted\" \ufffd"}`, `{"id":7,"line":"{}"}`, `{"id":7,"ended":true}`}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
