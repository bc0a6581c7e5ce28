package injector_test

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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// flaky is a replica behind a URL.
type flaky struct {
	kubernetes.Interface
	t   *testing.T
	url string
}

func openFlaky(t *testing.T, url string) flaky {
	t.Helper()
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: url, Nodes: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(replica.Handler())
	server.Config.ErrorLog = nil
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
		replica.Close()
	})
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: server.URL, QPS: -1, UserAgent: "flaky/1"}, &http.Client{Transport: agent{transport}})
	if err != nil {
		t.Fatal(err)
	}
	return flaky{client, t, server.URL}
}

// agent sets the User-Agent, because a client with its own transport does not.
type agent struct{ http.RoundTripper }

func (a agent) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", "flaky/1")
	return a.RoundTripper.RoundTrip(req)
}

// send sends a request about faults and reads the answer.
func (f flaky) send(method, path, body string, v any) int {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal(answer, v); err != nil {
		f.t.Fatalf("%s %s: %s", method, path, answer)
	}
	return res.StatusCode
}

// fault makes a fault of the API.
func (f flaky) fault(api string) (made v1.Fault) {
	f.t.Helper()
	if code := f.send(http.MethodPost, v1.FaultsPath, `{"api":`+api+`}`, &made); code != http.StatusOK {
		f.t.Fatalf("%s: %d", api, code)
	}
	return made
}

func (f flaky) faults() []v1.Fault {
	f.t.Helper()
	var list v1.FaultList
	f.send(http.MethodGet, v1.FaultsPath, "", &list)
	return list.Items
}

func (f flaky) has(name string) bool {
	f.t.Helper()
	return slices.ContainsFunc(f.faults(), func(f v1.Fault) bool { return f.Name == name })
}

func (f flaky) note(name string) *corev1.ConfigMap {
	f.t.Helper()
	cm, err := f.CoreV1().ConfigMaps("default").Create(f.t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return cm
}

// TestFault_Conflicts: a client that retries after a conflict succeeds when the fault has reached
// its count.
func TestFault_Conflicts(t *testing.T) {
	t.Parallel()
	f := openFlaky(t, pgtest.NewURL(t))
	f.note("a")
	f.fault(`{"verbs":["update"],"resources":["configmaps"],"names":["a"],"conflict":true,"count":3}`)
	tries := 0
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		tries++
		cm, err := f.CoreV1().ConfigMaps("default").Get(t.Context(), "a", metav1.GetOptions{})
		if err != nil {
			return err
		}
		cm.Data = map[string]string{"try": fmt.Sprint(tries)}
		_, err = f.CoreV1().ConfigMaps("default").Update(t.Context(), cm, metav1.UpdateOptions{})
		return err
	})
	if err != nil || tries != 4 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	if left := f.faults(); len(left) != 0 {
		t.Errorf("faults are left: %v", left)
	}
}

// TestFault_ReplicasShareACount: two replicas share a count, whichever is asked, and each ends the
// fault for both.
func TestFault_ReplicasShareACount(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	replicas := []flaky{openFlaky(t, url), openFlaky(t, url)}
	replicas[0].fault(`{"verbs":["get"],"resources":["configmaps"],"status":500,"count":25}`)
	clustertest.Await(t, "the other replica knows it", func(context.Context) bool { return len(replicas[1].faults()) == 1 })
	var hits atomic.Int64
	var asking sync.WaitGroup
	for i := range 80 {
		asking.Go(func() {
			_, err := replicas[i%2].CoreV1().ConfigMaps("default").Get(t.Context(), "kube-root-ca.crt", metav1.GetOptions{})
			if apierrors.IsInternalError(err) {
				hits.Add(1)
			}
		})
	}
	asking.Wait()
	if n := hits.Load(); n != 25 {
		t.Errorf("the fault happened %d times", n)
	}
	for _, f := range replicas {
		if left := f.faults(); len(left) != 0 {
			t.Errorf("faults are left: %v", left)
		}
	}
}

// TestFault_Errors: the errors are those that a server would return, and name the fault behind
// them.
func TestFault_Errors(t *testing.T) {
	t.Parallel()
	f := openFlaky(t, pgtest.NewURL(t))
	for code, want := range map[int]metav1.StatusReason{
		403: metav1.StatusReasonForbidden, 404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict, 410: metav1.StatusReasonExpired,
		429: metav1.StatusReasonTooManyRequests, 500: metav1.StatusReasonInternalError, 503: metav1.StatusReasonServiceUnavailable,
		504: metav1.StatusReasonTimeout, 599: "",
	} {
		made := f.fault(fmt.Sprintf(`{"resources":["secrets"],"userAgents":["odd"],"status":%d,"count":1,"retryAfter":"7s"}`, code))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url+"/api/v1/namespaces/default/secrets/s", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("User-Agent", "an odd client")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var status metav1.Status
		err = json.NewDecoder(res.Body).Decode(&status)
		res.Body.Close() //nolint:errcheck,gosec // it was only read
		if err != nil || res.StatusCode != code || status.Kind != "Status" || int(status.Code) != code || status.Reason != want ||
			status.Message != "fault "+made.Name+": "+text(code) || res.Header.Get("Rowlock-Fault") != made.Name || res.Header.Get("Retry-After") != "7" {
			t.Errorf("%d: %v, %s, %v, %+v", code, err, res.Status, res.Header, status)
		}
	}
}

func text(code int) string {
	if s := http.StatusText(code); s != "" {
		return s
	}
	return fmt.Sprint(code)
}

// TestFault_Drop: a connection that is cut before the request changes nothing; one that is cut in
// the answer has made the change.
func TestFault_Drop(t *testing.T) {
	t.Parallel()
	f := openFlaky(t, pgtest.NewURL(t))
	for _, when := range []string{"before", "after"} {
		f.fault(`{"verbs":["create"],"resources":["configmaps"],"drop":"` + when + `","count":1}`)
		body := bytes.NewBufferString(`{"metadata":{"name":"` + when + `"}}`)
		res, err := http.Post(f.url+"/api/v1/namespaces/default/configmaps", "application/json", body) //nolint:noctx // it ends at once
		if when == "after" {
			if err != nil || res.StatusCode != http.StatusCreated {
				t.Fatalf("the answer has no head: %v", err)
			}
			_, err = io.ReadAll(res.Body)
			res.Body.Close() //nolint:errcheck,gosec // it was only read
		}
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", when, err)
		}
		_, err = f.CoreV1().ConfigMaps("default").Get(t.Context(), when, metav1.GetOptions{})
		if done := err == nil; done != (when == "after") {
			t.Errorf("cut off %s the answer, the ConfigMap is there: %v, %v", when, done, err)
		}
	}
}

// TestFault_Delay: a delay ends with the client, and does not affect health checks or requests that
// end faults.
func TestFault_Delay(t *testing.T) {
	t.Parallel()
	f := openFlaky(t, pgtest.NewURL(t))
	made := f.fault(`{"delay":"5m"}`)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := f.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "slow"}}, metav1.CreateOptions{})
		ended <- err
	}()
	clustertest.Await(t, "the request waits", func(context.Context) bool { return f.faults()[0].Hits == 1 })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, path := range []string{"/readyz", "/livez", "/metrics"} {
		res, err := http.Get(f.url + path) //nolint:noctx // it ends at once
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(path, err)
		}
		res.Body.Close() //nolint:errcheck,gosec // it is not read
	}
	f.send(http.MethodDelete, v1.FaultsPath+"/"+made.Name, "", &made)
	if _, err := f.CoreV1().ConfigMaps("default").Get(t.Context(), "slow", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("what its client has given up was done: %v", err)
	}
}

// TestFault_EndsInRealTime: a fault of the API ends in real time, on every replica.
func TestFault_EndsInRealTime(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first, second := openFlaky(t, url), openFlaky(t, url)
	var made v1.Fault
	first.send(http.MethodPost, v1.FaultsPath, `{"name":"brief","for":"1s","api":{"resources":["secrets"],"status":418}}`, &made)
	if made.Until == nil {
		t.Fatal("it has no end")
	}
	clustertest.Await(t, "the fault has ended", func(context.Context) bool { return len(first.faults())+len(second.faults()) == 0 })
	if _, err := second.CoreV1().Secrets("default").List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
}

// TestFault_AnInformerSeesEverything: an informer survives watches that are cut, expire and arrive
// late, and sees everything.
func TestFault_AnInformerSeesEverything(t *testing.T) {
	t.Parallel()
	f := openFlaky(t, pgtest.NewURL(t))
	dropped := f.fault(`{"resources":["configmaps"],"verbs":["watch"],"watch":"drop","after":"20ms","count":2}`)
	f.fault(`{"resources":["configmaps"],"verbs":["watch"],"delay":"2ms"}`)

	informer := coreinformers.NewConfigMapInformer(f, "default", 0, nil)
	var mu sync.Mutex
	seen := map[string]bool{}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) {
			mu.Lock()
			defer mu.Unlock()
			seen[o.(*corev1.ConfigMap).Name] = true
		},
		DeleteFunc: func(o any) { t.Errorf("nothing was deleted, but %v", o) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	var running sync.WaitGroup
	defer func() { cancel(); running.Wait() }()
	running.Go(func() { informer.RunWithContext(ctx) })
	sees := func(n int) func(context.Context) bool {
		return func(context.Context) bool {
			mu.Lock()
			defer mu.Unlock()
			return len(seen) >= n+1 // and kube-root-ca.crt
		}
	}
	for i := range 30 {
		f.note(fmt.Sprintf("note-%d", i))
		switch i {
		case 5:
			clustertest.Await(t, "watches have been dropped", func(context.Context) bool { return !f.has(dropped.Name) })
		case 15:
			expired := f.fault(`{"resources":["configmaps"],"watch":"expire","count":1}`) // of the open watch
			clustertest.Await(t, "the watch has expired", func(context.Context) bool { return !f.has(expired.Name) })
		}
	}
	clustertest.Await(t, "the informer has seen all", sees(30))
	if left := f.faults(); len(left) != 1 || left[0].Hits == 0 {
		t.Errorf("the watches were not delayed: %+v", left)
	}
}
