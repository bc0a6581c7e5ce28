package connect_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
)

// getLog is the start of a request for a log.
const getLog = "GET " + apitest.PodsPath + "/"

// Options select lines in upstream's order: tail, time, stream, bytes.
func TestLog(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	at := func(s float64) time.Time { return apitest.Now.Add(time.Duration(s * float64(time.Second))) }
	logs.Set("c run-1", connect.LogPage{Dropped: 7, Lines: []emulator.Line{
		{At: at(-30), Stream: emulator.Stdout, Text: "one"},
		{At: at(-20.5), Stream: emulator.Stderr, Text: "two"},
		{At: at(-10), Stream: emulator.Stdout, Text: "thr", Partial: true},
		{At: at(-10), Stream: emulator.Stdout, Text: "ee"},
		{At: at(-1), Stream: emulator.Stderr, Text: ""},
	}})
	tests := []struct{ query, want string }{
		{"", "one\ntwo\nthree\n\n"},
		{"container=c&follow=false&previous=0&unknown=1&pretty=true", "one\ntwo\nthree\n\n"},
		{"tailLines=2", "ee\n\n"},
		{"tailLines=0", ""},
		{"tailLines=100", "one\ntwo\nthree\n\n"},
		{"sinceSeconds=10", "three\n\n"},
		{"sinceSeconds=9223372036854775807", "one\ntwo\nthree\n\n"},
		{"sinceTime=2026-01-02T03:03:45Z", "three\n\n"},
		{"sinceTime=2026-01-02T04:03:44%2B01:00", "two\nthree\n\n"},
		{"sinceTime=2027-01-02T03:03:45Z", ""},
		{"tailLines=3&sinceSeconds=5", "\n"},
		{"limitBytes=6", "one\ntw"},
		{"limitBytes=1000", "one\ntwo\nthree\n\n"},
		{"stream=Stderr", "two\n\n"},
		{"stream=Stdout&limitBytes=5", "one\nt"},
		{"stream=All&tailLines=1", "\n"},
		{"timestamps=true", "2026-01-02T03:03:35.000000000Z one\n2026-01-02T03:03:44.500000000Z two\n2026-01-02T03:03:55.000000000Z three\n2026-01-02T03:04:04.000000000Z \n"},
		{"timestamps&limitBytes=35&stream=Stderr", "2026-01-02T03:03:44.500000000Z two\n"},
		{"follow=true&limitBytes=2", "on"},
	}
	for _, tt := range tests {
		res := c.Do(t, getLog+"p/log?"+tt.query, "")
		if diff := cmp.Diff(tt.want, res.Body); diff != "" || res.Code != http.StatusOK || res.Header.Get("Content-Type") != "text/plain" {
			t.Errorf("%s: %d %s (-want +got):\n%s", tt.query, res.Code, res.Header.Get("Content-Type"), diff)
		}
	}
}

// A log is that of the container run in the Pod's status.
func TestLogOfARun(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	for _, id := range []string{"run-1", "run-2", "run-3"} {
		logs.Set("c "+id, connect.LogPage{Lines: []emulator.Line{{At: apitest.Now, Stream: emulator.Stdout, Text: id}}, Ended: true})
	}
	again := apitest.Running("c", "run-3")
	again.LastTerminationState = apitest.Ended("run-2")
	crashed := apitest.Waiting("c", "CrashLoopBackOff")
	crashed.LastTerminationState = apitest.Ended("run-1")
	restarting := corev1.ContainerStatus{Name: "c", State: apitest.Ended(""), LastTerminationState: apitest.Ended("run-2")}
	c.Store(t, apitest.PodOnNode("again", again))
	c.Store(t, apitest.PodOnNode("done", corev1.ContainerStatus{Name: "c", State: apitest.Ended("run-2")}))
	c.Store(t, apitest.PodOnNode("crashed", crashed))
	c.Store(t, apitest.PodOnNode("restarting", restarting))
	initializing := apitest.PodOnNode("initializing", apitest.Waiting("main", "PodInitializing"))
	initializing.Spec.InitContainers = []corev1.Container{{Name: "c", Image: "busybox"}}
	initializing.Status.InitContainerStatuses = []corev1.ContainerStatus{apitest.Running("c", "run-1")}
	c.Store(t, initializing)
	unbound := apitest.PodOnNode("unbound", apitest.Waiting("c", ""))
	unbound.Spec.NodeName = ""
	c.Store(t, unbound)
	for _, tt := range []struct{ request, want string }{
		{"again/log", "run-3\n"}, {"again/log?previous=true", "run-2\n"}, {"again/log?previous&follow", "run-2\n"},
		{"done/log", "run-2\n"}, {"crashed/log", "run-1\n"}, {"crashed/log?previous=true", "run-1\n"}, {"restarting/log", "run-2\n"},
		{"initializing/log?container=c", "run-1\n"}, {"unbound/log", ""},
	} {
		if res := c.Do(t, getLog+tt.request, ""); res.Body != tt.want {
			t.Errorf("%s: %d %q, want %q", tt.request, res.Code, res.Body, tt.want)
		}
	}
	if res := c.Do(t, getLog+"unbound/log", ""); res.Code != http.StatusNoContent {
		t.Errorf("without a node: %d", res.Code)
	}
}

func TestLogRefused(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	two := apitest.PodOnNode("two", apitest.Waiting("a", "ContainerCreating"), apitest.Waiting("b", "ErrImagePull"))
	two.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "busybox"}}
	two.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", Image: "busybox"}}}
	two.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{Name: "debug"}}
	c.Store(t, two)
	c.Store(t, apitest.PodOnNode("one", apitest.Waiting("c", "ImagePullBackOff")))
	c.Store(t, apitest.PodOnNode("lost", corev1.ContainerStatus{Name: "c", State: apitest.Ended("")}))
	c.Store(t, apitest.PodOnNode("running", apitest.Running("c", "run-1")))
	nowhere := apitest.PodOnNode("nowhere", apitest.Running("c", "run-1"))
	nowhere.Spec.NodeName = "gone"
	c.Store(t, nowhere)
	tests := []struct{ request, want string }{
		{"x/log", "404 NotFound pods \"x\" not found\nabout pods \"x\", retry after 0s"},
		{"nowhere/log", "404 NotFound nodes \"gone\" not found\nabout nodes \"gone\", retry after 0s"},
		{"two/log", "400 BadRequest a container name must be specified for pod two, choose one of: [init a b debug]"},
		{"two/log?container=c", "400 BadRequest container c is not valid for pod two"},
		{"two/log?container=a", "400 BadRequest container \"a\" in pod \"two\" is waiting to start: ContainerCreating"},
		{"two/log?container=b", "400 BadRequest container \"b\" in pod \"two\" is waiting to start: image can't be pulled"},
		{"two/log?container=init", "400 BadRequest container \"init\" in pod \"two\" is not available"},
		{"two/log?container=debug", "400 BadRequest container \"debug\" in pod \"two\" is waiting to start - no logs yet"},
		{"one/log", "400 BadRequest container \"c\" in pod \"one\" is waiting to start: trying and failing to pull image"},
		{"one/log?previous=true", "400 BadRequest previous terminated container \"c\" in pod \"one\" not found"},
		{"lost/log", "400 BadRequest container \"c\" in pod \"lost\" is terminated"},
		{"running/log?tailLines=-1", "422 Invalid PodLogOptions \"running\" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0\n" +
			"about PodLogOptions \"running\", retry after 0s\ncause FieldValueInvalid tailLines"},
		{"running/log?limitBytes=0", "422 Invalid PodLogOptions \"running\" is invalid: limitBytes: Invalid value: 0: must be greater than 0\n" +
			"about PodLogOptions \"running\", retry after 0s\ncause FieldValueInvalid limitBytes"},
		{"running/log?sinceSeconds=0", "422 Invalid PodLogOptions \"running\" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0\n" +
			"about PodLogOptions \"running\", retry after 0s\ncause FieldValueInvalid sinceSeconds"},
		{"running/log?sinceSeconds=1&sinceTime=2026-01-02T03:03:45Z", "422 Invalid PodLogOptions \"running\" is invalid: []: Forbidden: " +
			"at most one of `sinceTime` or `sinceSeconds` may be specified\nabout PodLogOptions \"running\", retry after 0s\ncause FieldValueForbidden []"},
		{"running/log?stream=stdout", "422 Invalid PodLogOptions \"running\" is invalid: stream: Unsupported value: \"stdout\": supported values: \"All\", \"Stdout\", \"Stderr\"\n" +
			"about PodLogOptions \"running\", retry after 0s\ncause FieldValueNotSupported stream"},
		{"running/log?stream=Stdout&tailLines=1", "422 Invalid PodLogOptions \"running\" is invalid: []: Forbidden: " +
			"`tailLines` and specific `stream` are mutually exclusive for now\nabout PodLogOptions \"running\", retry after 0s\ncause FieldValueForbidden []"},
		{"running/log?tailLines=many", "400 BadRequest strconv.ParseInt: parsing \"many\": invalid syntax"},
		{"running/log?sinceTime=yesterday", "400 BadRequest parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\""},
	}
	for _, tt := range tests {
		t.Run(tt.request, func(t *testing.T) {
			res := c.Do(t, getLog+tt.request, "")
			var got metav1.Status
			if err := json.Unmarshal([]byte(res.Body), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, apitest.FormatStatus(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	logs.Err = errors.New("no database")
	if res := c.Do(t, getLog+"running/log", ""); res.Code != http.StatusServiceUnavailable {
		t.Errorf("without a database: %d %s", res.Code, res.Body)
	}
}

// Follow sends new lines until the container ends.
func TestLogFollow(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	line := func(text string) emulator.Line {
		return emulator.Line{At: apitest.Now, Stream: emulator.Stdout, Text: text}
	}
	soon := 10 * time.Millisecond
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{line("a"), line("b")}, Again: soon})
	res, err := http.Get(c.URL + apitest.PodsPath + "/p/log?follow=true&tailLines=1")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	in := bufio.NewScanner(res.Body)
	next := func(want string) {
		t.Helper()
		if in.Scan(); in.Text() != want {
			t.Fatalf("got %q, want %q (%v)", in.Text(), want, in.Err())
		}
	}
	next("b")
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{line("b"), line("c")}, Dropped: 1, Again: soon})
	next("c")
	// A page may end before the previous one did. No line is sent twice.
	var once sync.Once
	read := make(chan struct{})
	logs.Lock()
	logs.Pages["c run-1"] = connect.LogPage{Lines: []emulator.Line{line("b")}, Dropped: 1, Again: soon}
	logs.OnRead = func() { once.Do(func() { close(read) }) }
	logs.Unlock()
	<-read
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{line("b"), line("c"), line("d")}, Dropped: 1, Again: soon})
	next("d")
	// Lines that were dropped before they could be sent are lost.
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{line("f")}, Dropped: 5, Again: time.Hour})
	next("f")
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{line("f"), line("g")}, Dropped: 5, Ended: true})
	touch(t, c, object.Key{Resource: "pods", Namespace: "default", Name: "p"}) // before the hour is over
	next("g")
	if in.Scan() {
		t.Errorf("continues with %q", in.Text())
	}
}

// Follow ends when the Pod is deleted and when the client disconnects.
func TestLogFollowEnds(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{{At: apitest.Now, Stream: emulator.Stdout, Text: "a"}}, Again: time.Hour})
	follow := func(ctx context.Context) *bufio.Scanner {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+apitest.PodsPath+"/p/log?follow=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		in := bufio.NewScanner(res.Body)
		if in.Scan(); in.Text() != "a" {
			t.Fatalf("got %q", in.Text())
		}
		return in
	}
	ctx, hangUp := context.WithCancel(t.Context())
	left, stays := follow(ctx), follow(t.Context())
	hangUp()
	if left.Scan() || !errors.Is(left.Err(), context.Canceled) {
		t.Errorf("after hanging up: %q, %v", left.Text(), left.Err())
	}
	c.Do(t, "DELETE /api/v1/namespaces/default/pods/p?gracePeriodSeconds=0", "")
	if stays.Scan() || stays.Err() != nil {
		t.Errorf("after the Pod has gone: %q, %v", stays.Text(), stays.Err())
	}
}

// touch updates an object with a new annotation.
func touch(t *testing.T, c *apitest.Cluster, key object.Key) {
	t.Helper()
	path := "PATCH /api/v1/namespaces/" + key.Namespace + "/" + key.Resource + "/" + key.Name
	if res := c.Do(t, path, `{"metadata":{"annotations":{"touched":"yes"}}}`, "Content-Type: application/merge-patch+json"); res.Code != http.StatusOK {
		t.Fatalf("touch: %d %s", res.Code, res.Body)
	}
}

// A client that does not read its log is cut off and does not block the server.
func TestLogSlowReader(t *testing.T) {
	t.Parallel()
	logs := &apitest.Logs{Pages: map[string]connect.LogPage{}}
	c := apitest.NewCluster(t, func(d *api.Deps) { d.Kube.Logs, d.Kube.SlowAfter = logs, 50*time.Millisecond })
	c.Store(t, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "n"}})
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	lines := make([]emulator.Line, 64)
	for i := range lines {
		lines[i] = emulator.Line{At: apitest.Now, Stream: emulator.Stdout, Text: strings.Repeat("x", 1<<20)}
	}
	logs.Set("c run-1", connect.LogPage{Lines: lines, Again: time.Hour})
	res, err := http.Get(c.URL + apitest.PodsPath + "/p/log?follow=true")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()             //nolint:errcheck // read only
	time.Sleep(500 * time.Millisecond) // the reader's slowness is what is tested
	if n, err := io.Copy(io.Discard, res.Body); err == nil || n >= 64<<20 {
		t.Errorf("%d bytes have come, and then %v", n, err)
	}
}
