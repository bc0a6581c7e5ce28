package chaos_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/credential"
)

// crowd is a program that sends requests from many connections at once, and does not wait after a
// 429.
type crowd struct {
	*target
	agent           string
	method, path    string
	client          http.Client
	served, refused atomic.Int64
	cut             atomic.Int64 // requests whose connection ended: they may have been executed
}

func (a *target) crowd(agent, method, path string, connections int) *crowd {
	return &crowd{target: a, agent: agent, method: method, path: path, client: http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: connections}, Timeout: attackTimeout,
	}}
}

// rush sends requests from n connections until the context is done, at least one from each. The
// body of the i-th request is body(i).
func (c *crowd) rush(ctx context.Context, n int, body func(i int64) string) {
	var all sync.WaitGroup
	var sent atomic.Int64
	for range n {
		all.Go(func() {
			for first := true; first || ctx.Err() == nil; first = false {
				c.request(body(sent.Add(1)))
			}
		})
	}
	all.Wait()
	c.client.CloseIdleConnections()
}

func (c *crowd) request(body string) {
	req, err := http.NewRequest(c.method, c.url+c.path, strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Content-Type", "application/json")
	res, err := c.client.Do(req)
	if err != nil {
		c.cut.Add(1) // as when a connection has not sent its first request in time
		return
	}
	defer res.Body.Close() //nolint:errcheck // it was read to its end
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		c.t.Errorf("%s: %v", c.agent, err)
	}
	switch {
	case res.StatusCode == http.StatusOK:
		c.served.Add(1)
	case res.StatusCode == http.StatusTooManyRequests && res.Header.Get("Retry-After") != "":
		c.refused.Add(1)
	default:
		c.t.Errorf("%s is answered with %s", c.agent, res.Status)
	}
}

// TestOverload_Requests: a program rewrites one object from 2,400 connections, which is more than
// ten times the requests that fit, and another one lists everything from 200. The first gets 429
// for what cannot wait. Meanwhile every request of an everyday client succeeds at the first
// attempt, a Deployment becomes available, and a watch shows each change of the object. All of it
// takes a bounded amount of memory, and afterwards no request waits.
func TestOverload_Requests(t *testing.T) {
	a := newTarget(t)
	const writers, readers, listed = 2400, 200, 300
	object := func(name, value string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{"a":%q}}`, name, value)
	}
	for i := range listed {
		if code, text := a.send(http.MethodPost, configMapsPath, object(fmt.Sprintf("listed-%d", i), strings.Repeat("x", 2048)), asJSON); code != http.StatusCreated {
			t.Fatalf("answered %d %.300s", code, text)
		}
	}
	code, text := a.send(http.MethodPost, configMapsPath, object("hot", ""), asJSON)
	var hot metav1.PartialObjectMetadata
	if err := json.Unmarshal([]byte(text), &hot); err != nil || code != http.StatusCreated {
		t.Fatalf("answered %d %.300s, %v", code, text, err)
	}
	before := a.memory()
	ctx, calm := context.WithCancel(context.Background())
	defer calm()
	loop := a.crowd("loop/1", http.MethodPut, configMapsPath+"/hot", writers)
	lister := a.crowd("lister/1", http.MethodGet, "/api/v1/configmaps", readers)
	seen := a.count("hot", hot.ResourceVersion)
	a.while(
		func() {
			loop.rush(ctx, writers, func(i int64) string { return object("hot", strconv.FormatInt(i, 10)) })
		},
		func() { lister.rush(ctx, readers, func(int64) string { return "" }) },
		func() {
			defer calm()
			becomes(t, "requests are refused", func() bool { return loop.refused.Load() > 0 })
			a.createDeployment("calm", 5)
			becomes(t, "the Deployment is rolled out", func() bool { return a.isRolledOut("calm") })
		},
	)
	after := time.Now()
	eventually(t, "no request waits", func() bool { return a.metric(`apiserver_current_inqueue_requests{request_kind="mutating"}`) == 0 })
	a.everyday(-1)
	t.Logf("%d writes and %d lists served, %d writes refused, %d cut; %d MB of memory; calm after %v", loop.served.Load(), lister.served.Load(),
		loop.refused.Load(), loop.cut.Load(), (a.memory()-before)>>20, time.Since(after))
	if least, most, got := loop.served.Load(), loop.served.Load()+loop.cut.Load(), seen(loop.served.Load()); got < least || got > most {
		t.Errorf("the watch showed %d changes, want %d to %d", got, least, most)
	}
	if lister.served.Load() == 0 {
		t.Error("no list was answered")
	}
	if grown := (a.memory() - before) >> 20; grown > 400 {
		t.Errorf("the crowds made the process take %d MB", grown)
	}
}

// count watches a ConfigMap, starting at a resource version. The result waits until the watch has
// shown n changes, and returns how many it has shown.
func (a *target) count(name, since string) func(n int64) int64 {
	a.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	a.t.Cleanup(cancel)
	lines := a.follow(ctx, name, since)
	var shown atomic.Int64
	go func() {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), `{"type":"MODIFIED"`) {
				shown.Add(1)
			}
		}
	}()
	return func(n int64) int64 {
		eventually(a.t, fmt.Sprintf("the watch shows %d changes", n), func() bool { return shown.Load() >= n })
		return shown.Load()
	}
}

// follow begins a watch of a ConfigMap and returns its lines.
func (a *target) follow(ctx context.Context, name, since string) *bufio.Scanner {
	a.t.Helper()
	path := fmt.Sprintf("%s?watch=1&fieldSelector=metadata.name=%s&resourceVersion=%s", configMapsPath, name, since)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url+path, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	res, err := a.http.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		a.t.Fatalf("a watch is answered with %s", res.Status)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return lines
}

// TestOverload_Watches: of five thousand watches over HTTP/2, five hundred are never read. Each of
// the others gets every event in order, and all of them take a bounded amount of memory.
func TestOverload_Watches(t *testing.T) {
	const watches, unread, events, size = 5000, 500, 6, 24 << 10
	a := newSecureTarget(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	configMaps := a.any().CoreV1().ConfigMaps(namespace)
	written, err := configMaps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "hot"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := a.memory()
	var all sync.WaitGroup
	for i := range watches {
		lines := a.follow(ctx, "hot", written.ResourceVersion)
		if i%(watches/unread) == 0 {
			continue
		}
		all.Go(func() {
			for event := range events {
				if want := fmt.Sprintf(`"a":"%d.`, event); !lines.Scan() || !strings.Contains(lines.Text(), want) {
					t.Errorf("as event %d, a watch got %.100s, %v", event, lines.Text(), lines.Err())
					return
				}
			}
		})
	}
	for event := range events {
		written.Data = map[string]string{"a": fmt.Sprintf("%d.%s", event, strings.Repeat("x", size))}
		if written, err = configMaps.Update(ctx, written, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	grown := (a.memory() - before) >> 20
	t.Logf("%d MB of memory", grown)
	if grown > 800 {
		t.Errorf("the watches made the process take %d MB", grown)
	}
}

// newSecureTarget is a target that speaks HTTP/2, with TLS. A stream that the client does not read
// holds 64 KiB.
func newSecureTarget(t *testing.T) *target {
	t.Helper()
	dir := credential.Dir(t.TempDir())
	if err := dir.Fill([]string{"127.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	authority, err := os.ReadFile(dir.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, Protocols: protocols, HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10},
	}}
	return newTargetOf(t, client, "--tls-cert-file="+dir.CertFile(), "--tls-private-key-file="+dir.KeyFile())
}
