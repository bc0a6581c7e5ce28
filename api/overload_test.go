package api_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/store"
)

// busyReader blocks all readers until it is opened, and counts them.
type busyReader struct {
	*apitest.Fake
	inside atomic.Int64
	open   chan struct{}
}

// Fresh implements kube.Reader.
func (r *busyReader) Fresh(ctx context.Context) error {
	r.inside.Add(1)
	<-r.open
	return r.Fake.Fresh(ctx)
}

// herd sends concurrent requests to a handler and counts the codes of the answers.
type herd struct {
	t       *testing.T
	handler http.Handler
	all     sync.WaitGroup
	refused atomic.Int64
	served  atomic.Int64
}

// send sends n requests with this User-Agent.
func (h *herd) send(n int, agent, request, body string) {
	method, path, _ := strings.Cut(request, " ")
	for range n {
		h.all.Go(func() {
			req := httptest.NewRequest(method, path, strings.NewReader(body)).WithContext(h.t.Context())
			req.Header.Set("User-Agent", agent)
			req.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.handler.ServeHTTP(w, req)
			switch {
			case w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "1":
				h.refused.Add(1)
			case w.Code == http.StatusOK || w.Code == http.StatusCreated:
				h.served.Add(1)
			default:
				h.t.Errorf("%s %s: %d %s", agent, request, w.Code, w.Body)
			}
		})
	}
}

// awaitCount waits until the counter is want, and fails if it exceeds that.
func awaitCount(t *testing.T, counted *atomic.Int64, want int64) {
	t.Helper()
	for until := time.Now().Add(apitest.Patience); counted.Load() < want; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			break
		}
	}
	if got := counted.Load(); got != want {
		t.Fatalf("counted %d, want %d", got, want)
	}
}

// Ten times as many requests as there are slots arrive at once: from a client that rewrites one
// object in a loop, and from one that lists everything. As many as allowed are served, as many as
// allowed wait, and the rest get 429. Meanwhile a person's requests, a lease and health checks are
// served at once, and watches continue. Afterwards everyone is served.
func TestOverload(t *testing.T) {
	t.Parallel()
	const writes, reads, waiting = 20, 40, 50
	written, opened := atomic.Int64{}, make(chan struct{})
	limits := func(d *api.Deps) {
		d.Limits = api.Limits{Mutating: writes, ReadOnly: reads, Waiting: waiting, Patience: apitest.Patience}
	}
	c := apitest.NewCluster(t, limits)
	reader := &busyReader{Fake: c.Fake, open: opened}
	c.Set(t, "hot", "0", nil)
	c.Set(t, "cold", "0", nil)
	watch := c.OpenWatch(t, apitest.ConfigMapsPath+"?watch=1&fieldSelector=metadata.name=cold&resourceVersion=3")
	c.BeforeWrite = func(store.Change) { written.Add(1); <-opened }
	hot := herd{t: t, handler: c.Handler}
	hot.send(10*writes, "loop/1", "PUT "+apitest.ConfigMapsPath+"/hot", `{"metadata":{"name":"hot"}}`)
	// Their flow gets three quarters of the slots.
	awaitCount(t, &hot.refused, 10*writes-writes*3/4-waiting)
	awaitCount(t, &written, writes*3/4)
	others := herd{t: t, handler: c.Handler}
	others.send(1, "kubectl/v1.36", "POST "+apitest.ConfigMapsPath, `{"metadata":{"name":"by-a-person"}}`)
	others.send(1, "operator/1", "POST /apis/coordination.k8s.io/v1/namespaces/default/leases", `{"metadata":{"name":"leader"}}`)
	awaitCount(t, &written, writes*3/4+2)

	// Reads have slots of their own.
	busy := apitest.NewHandler(limits, func(d *api.Deps) { d.Kube.Reader, d.Kube.Writer = reader, c.Fake })
	lists := herd{t: t, handler: busy}
	lists.send(10*reads, "lister/1", "GET /api/v1/configmaps", "")
	awaitCount(t, &lists.refused, 10*reads-reads*3/4-waiting)
	awaitCount(t, &reader.inside, reads*3/4)
	person := herd{t: t, handler: busy}
	person.send(reads/8, "kubectl/v1.36", "GET "+apitest.ConfigMapsPath+"?limit=500", "")
	awaitCount(t, &reader.inside, reads*3/4+reads/8)
	for _, path := range []string{"/readyz", "/livez"} {
		if res := c.Do(t, "GET "+path, ""); res.Code != http.StatusOK {
			t.Errorf("%s under load: %d %s", path, res.Code, res.Body)
		}
	}

	close(opened)
	c.Set(t, "cold", "1", nil)
	if got := watch.Next(); !strings.HasPrefix(got, "MODIFIED default/cold k=1") {
		t.Errorf("a watch gets %q", got)
	}
	for name, h := range map[string]struct {
		*herd
		want int64
	}{"the loop": {&hot, writes*3/4 + waiting}, "the lists": {&lists, reads*3/4 + waiting}, "others": {&others, 2}, "a person": {&person, reads / 8}} {
		if h.all.Wait(); h.served.Load() != h.want {
			t.Errorf("%s: %d were served, want %d", name, h.served.Load(), h.want)
		}
	}
	if res := c.Do(t, "PUT "+apitest.ConfigMapsPath+"/hot", `{"metadata":{"name":"hot"}}`, "Content-Type: application/json"); res.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", res.Code, res.Body)
	}
}

// Updates of one object without a resourceVersion take turns once they have lost a race: each needs
// few attempts, however many there are.
func TestOverload_UpdatesTakeTurns(t *testing.T) {
	t.Parallel()
	const writers = 60
	attempts, opened := atomic.Int64{}, make(chan struct{})
	c := apitest.NewCluster(t)
	c.Set(t, "hot", "0", nil)
	c.BeforeWrite = func(store.Change) {
		attempts.Add(1)
		<-opened
	}
	h := herd{t: t, handler: c.Handler}
	for i := range writers {
		h.send(1, "loop/1", "PUT "+apitest.ConfigMapsPath+"/hot", fmt.Sprintf(`{"metadata":{"name":"hot"},"data":{"k":"%d"}}`, i+1))
	}
	awaitCount(t, &attempts, writers)
	close(opened)
	if h.all.Wait(); h.served.Load() != writers {
		t.Errorf("%d of %d updates were made", h.served.Load(), writers)
	}
	if n := attempts.Load(); n > 2*writers {
		t.Errorf("%d updates took %d attempts", writers, n)
	}
}

// Each of five thousand watches gets every event in order, although a tenth of the clients do not
// read. Those are cut off and do not delay others.
func TestOverload_Watchers(t *testing.T) {
	t.Parallel()
	const watchers, slow, events = 5000, 500, 4
	c := apitest.NewCluster(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var begun, got, stuck atomic.Int64
	var all sync.WaitGroup
	cut := make(chan struct{})
	for i := range watchers {
		w := &watchWriter{header: http.Header{}, begun: &begun, got: &got}
		if i%(watchers/slow) == 0 {
			w.cut, w.stuck = cut, &stuck
		}
		all.Go(func() {
			c.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, apitest.ConfigMapsPath+"?watch=1&resourceVersion=1", nil).WithContext(ctx))
			if w.cut == nil && w.wrong != "" {
				t.Errorf("a watch got %s", w.wrong)
			}
		})
	}
	awaitCount(t, &begun, watchers)
	for i := range events {
		c.Set(t, "a", fmt.Sprint(i+1), nil)
	}
	awaitCount(t, &got, (watchers-slow)*events)
	awaitCount(t, &stuck, slow)
	close(cut)
	cancel()
	all.Wait()
}

// watchWriter is the client of a watch: it reads everything, or nothing until it is cut off.
type watchWriter struct {
	header     http.Header
	begun, got *atomic.Int64
	stuck      *atomic.Int64 // nil for a client that reads
	cut        chan struct{}
	events     int
	wrong      string
	started    bool
}

var errCut = errors.New("the client was cut off")

// Header implements http.ResponseWriter.
func (w *watchWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *watchWriter) WriteHeader(code int) {
	if code != http.StatusOK {
		w.wrong = fmt.Sprint(code)
	}
	if !w.started {
		w.started = true
		w.begun.Add(1)
	}
}

// Write implements http.ResponseWriter.
func (w *watchWriter) Write(b []byte) (int, error) {
	if w.cut != nil && len(b) > 0 {
		w.stuck.Add(1)
		<-w.cut
		return 0, errCut
	}
	for line := range strings.Lines(string(b)) {
		w.events++
		if !strings.Contains(line, fmt.Sprintf(`"k":"%d"`, w.events)) {
			w.wrong = fmt.Sprintf("as event %d: %s", w.events, line)
		}
		w.got.Add(1)
	}
	return len(b), nil
}

// Flush implements http.Flusher.
func (w *watchWriter) Flush() {}

// Connections beyond the limit wait until others close.
func TestLimits_Connections(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{Connections: 2, HeaderTimeout: apitest.Patience, IdleTimeout: apitest.Patience})
	ask := "GET /livez" + head + "\r\n"
	first, second := speak(t, address, ask), speak(t, address, ask)
	for _, c := range []net.Conn{first, second} {
		if code, _ := answered(t, c); code != http.StatusOK {
			t.Fatalf("answered %d", code)
		}
	}
	third := speak(t, address, ask)
	if err := third.SetReadDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := third.Read(make([]byte, 1)); err == nil {
		t.Errorf("a third connection was answered with %d bytes", n)
	}
	_ = first.Close()
	if err := third.SetReadDeadline(time.Now().Add(apitest.Patience)); err != nil {
		t.Fatal(err)
	}
	if code, _ := answered(t, third); code != http.StatusOK {
		t.Errorf("after another has closed, the third connection is answered %d", code)
	}
}

// Connections without authentication are closed in favour of new ones, the oldest first; those of
// authenticated clients stay.
func TestLimits_Strangers(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{Connections: 3, HeaderTimeout: apitest.Patience, IdleTimeout: apitest.Patience}, apitest.WithLogin(t))
	known := "GET /api/v1/nodes" + head + "Authorization: Bearer viewer\r\n\r\n"
	first := speak(t, address, known)
	if code, _ := answered(t, first); code != http.StatusOK {
		t.Fatalf("the first connection: %d", code)
	}
	silent, asking := speak(t, address, ""), speak(t, address, "GET /livez"+head+"\r\n")
	if code, _ := answered(t, asking); code != http.StatusOK {
		t.Fatalf("a health check: %d", code)
	}
	last := speak(t, address, known)
	if code, _ := answered(t, last); code != http.StatusOK {
		t.Fatalf("the fourth connection: %d", code)
	}
	hungUp(t, silent)
	if code, _ := answered(t, speak(t, address, known)); code != http.StatusOK {
		t.Fatalf("the fifth connection: %d", code)
	}
	hungUp(t, asking)
	for _, conn := range []net.Conn{first, last} {
		if _, err := io.WriteString(conn, known); err != nil {
			t.Fatal(err)
		}
		if code, _ := answered(t, conn); code != http.StatusOK {
			t.Errorf("an authenticated client has lost its connection: %d", code)
		}
	}
}

// Requests beyond the limit of their class get 429 with Retry-After; other classes and health
// checks are served.
func TestLimits_InFlight(t *testing.T) {
	t.Parallel()
	enter, leave := make(chan struct{}), make(chan struct{})
	c, address := limited(t, api.Limits{Mutating: 1, ReadOnly: 1, LongRunning: 1, Waiting: 1, Patience: time.Millisecond})
	c.BeforeWrite = hold(enter, leave)
	post := func(name string) string {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q}}`, name)
		return fmt.Sprintf("POST %s%sContent-Length: %d\r\n\r\n%s", apitest.ConfigMapsPath, head, len(body), body)
	}
	held := speak(t, address, post("a"))
	<-enter
	conn := speak(t, address, post("b"))
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "1" ||
		!bytes.Contains(text, []byte(`"reason":"TooManyRequests"`)) {
		t.Errorf("the second write: %s %v %s", res.Status, res.Header, text)
	}
	for _, path := range []string{"/api/v1/nodes", "/livez"} {
		if code, _ := answered(t, speak(t, address, "GET "+path+head+"\r\n")); code != http.StatusOK {
			t.Errorf("%s beside a held write: %d", path, code)
		}
	}
	close(leave)
	if code, _ := answered(t, held); code != http.StatusCreated {
		t.Errorf("the first write: %d", code)
	}
	// Watches have a limit of their own, and their end frees a slot.
	watch, cancel := context.WithCancel(t.Context())
	defer cancel()
	begin := func(ctx context.Context) int {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/api/v1/pods?watch=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res.StatusCode
	}
	if code := begin(watch); code != http.StatusOK {
		t.Fatalf("a watch: %d", code)
	}
	if code := begin(t.Context()); code != http.StatusTooManyRequests {
		t.Errorf("another watch: %d", code)
	}
	if code, _ := answered(t, speak(t, address, "GET /api/v1/nodes"+head+"\r\n")); code != http.StatusOK {
		t.Errorf("a list beside a watch: %d", code)
	}
	cancel()
	for until := time.Now().Add(apitest.Patience); begin(t.Context()) != http.StatusOK; {
		if time.Now().After(until) {
			t.Fatal("a watch that has ended does not free its slot")
		}
	}
}

// hold makes the first write wait.
func hold(enter, leave chan struct{}) func(store.Change) {
	var once sync.Once
	return func(store.Change) { once.Do(func() { close(enter); <-leave }) }
}
