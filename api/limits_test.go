package api_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// limited serves a cluster within limits, as the program does. It returns the address.
func limited(t *testing.T, l api.Limits, options ...func(*api.Deps)) (*apitest.Cluster, string) {
	t.Helper()
	c := apitest.NewCluster(t, append(options, func(d *api.Deps) { d.Limits = l })...)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := api.NewHTTPServer(c.Handler, l, nil, slog.New(slog.DiscardHandler))
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-ended })
	return c, listener.Addr().String()
}

// speak opens a connection and sends a text.
func speak(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(apitest.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answered returns the code and the body of an answer.
func answered(t *testing.T, conn net.Conn) (int, string) {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// hungUp waits until the server has closed the connection.
func hungUp(t *testing.T, conn net.Conn) {
	t.Helper()
	if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection is still open: %v", err)
	}
}

const head = " HTTP/1.1\r\nHost: localhost\r\n"

// Headers that never end, and idle connections, time out.
func TestLimits_SlowHeaders(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{HeaderTimeout: 100 * time.Millisecond, IdleTimeout: 100 * time.Millisecond})
	hungUp(t, speak(t, address, ""))
	hungUp(t, speak(t, address, "GET /livez"+head+"X-A: "))
	hungUp(t, speak(t, address, "GET /livez"+head+"\r\n"))
}

// A body that trickles in times out; one that arrives steadily may take any time in total.
func TestLimits_SlowBodies(t *testing.T) {
	t.Parallel()
	const grace = time.Second
	_, address := limited(t, api.Limits{BodyTimeout: grace, BodyRate: 500})
	body := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"slow"},"data":{"k":"` + strings.Repeat("v", 20_000) + `"}}`
	post := func() net.Conn {
		return speak(t, address, fmt.Sprintf("POST %s%sContent-Length: %d\r\nConnection: close\r\n\r\n", apitest.ConfigMapsPath, head, len(body)))
	}
	trickle := post()
	go func() {
		for i := range body {
			if _, err := trickle.Write([]byte{body[i]}); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if code, text := answered(t, trickle); code != http.StatusBadRequest || !strings.Contains(text, "could not be read") {
		t.Errorf("a body that trickles in: %d %.200s", code, text)
	}
	steady, started := post(), time.Now()
	for piece := body; len(piece) > 0; { // every 5,000 bytes add ten seconds
		n := min(len(piece), 5000)
		if _, err := io.WriteString(steady, piece[:n]); err != nil {
			t.Fatal(err)
		}
		piece = piece[n:]
		time.Sleep(grace / 2)
	}
	if code, text := answered(t, steady); code != http.StatusCreated || time.Since(started) < grace {
		t.Errorf("a body that arrives steadily: %d %.200s", code, text)
	}
}

// Bodies larger than 3 MiB are rejected, with or without a Content-Length, and compressed bodies
// are not decompressed.
func TestLimits_LargeBodies(t *testing.T) {
	t.Parallel()
	c, _ := limited(t, api.Limits{})
	large := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large"},"data":{"k":"` + strings.Repeat("v", 3<<20) + `"}}`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, large)
	_ = z.Close()
	tests := []struct {
		name   string
		body   io.Reader
		header [2]string
		want   int
	}{
		{"with its length", strings.NewReader(large), [2]string{}, http.StatusRequestEntityTooLarge},
		{"in chunks", io.MultiReader(strings.NewReader(large)), [2]string{}, http.StatusRequestEntityTooLarge},
		{"packed", &packed, [2]string{"Content-Encoding", "gzip"}, http.StatusBadRequest},
	}
	for _, tt := range tests {
		req, err := http.NewRequest(http.MethodPost, c.URL+apitest.ConfigMapsPath, tt.body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if tt.header[0] != "" {
			req.Header.Set(tt.header[0], tt.header[1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != tt.want || !bytes.Contains(text, []byte(`"kind":"Status"`)) {
			t.Errorf("%s: %d %.200s", tt.name, res.StatusCode, text)
		}
	}
}

// Headers and URLs are bounded in length and number.
func TestLimits_Headers(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{HeaderBytes: 64 << 10, HeaderFields: 20, URLBytes: 1000})
	tests := []struct {
		name, request string
		want          int
		status        bool
	}{
		{"ordinary", "GET /livez" + head, 200, false},
		{"huge", "GET /livez" + head + "X-A: " + strings.Repeat("a", 128<<10) + "\r\n", 431, false},
		{"many", "GET /livez" + head + strings.Repeat("X-A: a\r\n", 21), 431, true},
		{"many names", "GET /livez" + head + names(21), 431, true},
		{"a long URL", "GET /livez?" + strings.Repeat("a", 1000) + head, 414, true},
		{"an endless URL", "GET /livez?" + strings.Repeat("a", 128<<10) + head, 431, false},
	}
	for _, tt := range tests {
		conn := speak(t, address, tt.request+"Connection: close\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil && tt.want == 431 && !tt.status {
			continue // the server stops reading, and its answer may be lost with the connection
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		code, text := res.StatusCode, string(body)
		if code != tt.want || strings.Contains(text, `"kind":"Status"`) != tt.status {
			t.Errorf("%s: %d %.200s", tt.name, code, text)
		}
	}
}

// names returns n headers with different names.
func names(n int) (out string) {
	for i := range n {
		out += fmt.Sprintf("X-%d: a\r\n", i)
	}
	return out
}

// A request that two readers could frame differently is rejected and its connection closed.
func TestLimits_Smuggling(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{})
	for name, headers := range map[string]string{
		"two lengths":           "Content-Length: 4\r\nContent-Length: 5\r\n",
		"two lengths in one":    "Content-Length: 4, 5\r\n",
		"a negative length":     "Content-Length: -1\r\n",
		"a length with a sign":  "Content-Length: +4\r\n",
		"an unknown encoding":   "Transfer-Encoding: xchunked\r\n",
		"two encodings":         "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
		"a space in a name":     "Transfer-Encoding : chunked\r\n",
		"a continued header":    "X-A: a\r\n b: c\r\n\tTransfer-Encoding: chunked\r\n",
		"a line feed in a name": "X\nA: b\r\n",
		"two hosts":             "Host: other\r\n",
	} {
		conn := speak(t, address, "POST "+apitest.ConfigMapsPath+head+headers+"\r\n0\r\n\r\nGET /livez"+head+"\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			continue // the server closed the connection
		}
		if _ = res.Body.Close(); res.StatusCode < 400 {
			t.Errorf("%s: %s", name, res.Status)
		}
		if name == "a continued header" {
			continue // a valid header: the request has no body
		}
		if !res.Close {
			t.Errorf("%s: %s, and the connection stays open", name, res.Status)
		}
	}
	// If both are given, the server ignores Content-Length, as the standard demands, and closes the
	// connection.
	conn := speak(t, address, "POST "+apitest.ConfigMapsPath+head+
		"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez"+head+"\r\n")
	if code, _ := answered(t, conn); code < 400 {
		t.Errorf("with both headers: %d", code)
	}
}

// Invalid paths are answered with a Status, and nothing panics.
func TestLimits_Paths(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{})
	for path, want := range map[string]int{
		"//": 404, "//api/v1/pods": 404, "/api//v1/pods": 404, "/api/v1/namespaces//pods": 404, "/..": 404,
		"/api/v1/../v1/pods": 404, "/api/v1/./pods": 404, "/api/v1/%2e%2e/pods": 404, "/api/v1/namespaces/a%2fb/pods": 404,
		"/api/v1/namespaces/default/configmaps/..": 404, "/api/v1/namespaces/default/configmaps/%2e": 404,
		"/api/v1/namespaces/default/configmaps/%00": 400, "/api/v1/namespaces/default/configmaps/%ff%fe": 400,
		"/%": 400, "/api/v1/pods%": 400, "/api/v1/nodes/": 200, "/api/v1/nodes///": 200, "*": 404, "nowhere": 400,
		"/api/v1/namespaces/default/pods/a/b/c/d": 404, "/watch": 404, "/api/v1/watch": 404,
	} {
		code, text := answered(t, speak(t, address, "GET "+path+head+"Connection: close\r\n\r\n"))
		if code != want || code == 404 && !strings.Contains(text, `"kind":"Status"`) && path != "/watch" {
			t.Errorf("%s: %d %.200s; want %d", path, code, text, want)
		}
	}
}

// Clients that are slow to send their bodies hold no slots, and the total size of bodies is
// limited.
func TestLimits_BodiesBeforePlaces(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{Mutating: 1, Waiting: 1, Patience: time.Millisecond, BodyBytes: 40_000})
	post := func(name, data string) string {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{"k":%q}}`, name, data)
		return fmt.Sprintf("POST %s%sContent-Length: %d\r\n\r\n%s", apitest.ConfigMapsPath, head, len(body), body)
	}
	slow := make([]net.Conn, 3)
	for i := range slow {
		text := post(fmt.Sprintf("slow-%d", i), "")
		slow[i] = speak(t, address, text[:len(text)-1])
	}
	if code, text := answered(t, speak(t, address, post("quick", ""))); code != http.StatusCreated {
		t.Errorf("while others are slow: %d %s", code, text)
	}
	if code, text := answered(t, speak(t, address, post("large", strings.Repeat("x", 50_000)))); code != http.StatusTooManyRequests {
		t.Errorf("a body larger than the rest of the limit: %d %.200s", code, text)
	}
	for i := range slow {
		if _, err := io.WriteString(slow[i], "}"); err != nil {
			t.Fatal(err)
		}
		if code, text := answered(t, slow[i]); code != http.StatusCreated {
			t.Errorf("a slow client whose body is complete: %d %s", code, text)
		}
	}
	if code, text := answered(t, speak(t, address, post("after", strings.Repeat("x", 30_000)))); code != http.StatusCreated {
		t.Errorf("after the slow clients: %d %.200s", code, text)
	}
}

// Deeply nested and aliased bodies are rejected at once.
func TestLimits_DeepBodies(t *testing.T) {
	t.Parallel()
	c, _ := limited(t, api.Limits{})
	c.Store(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}})
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i < 'k'; i++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", i-1), 9), ","))
	}
	const (
		wrap = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":`
		add  = `[{"op":"add","path":"/data","value":`
	)
	for name, body := range map[string][3]string{
		"objects":          {"POST " + apitest.ConfigMapsPath, wrap + deep(`{"a":`, "}", 100_000) + "}", "Content-Type: application/json"},
		"lists":            {"POST " + apitest.ConfigMapsPath, wrap + deep("[", "]", 1_000_000) + "}", "Content-Type: application/json"},
		"lists of YAML":    {"POST " + apitest.ConfigMapsPath, deep("[", "]", 1_000_000), apitest.YAMLBody},
		"dashes of YAML":   {"POST " + apitest.ConfigMapsPath, strings.Repeat("- ", 1_000_000), apitest.YAMLBody},
		"a bomb of YAML":   {"POST " + apitest.ConfigMapsPath, bomb, apitest.YAMLBody},
		"a merge patch":    {"PATCH " + apitest.ConfigMapsPath + "/a", deep(`{"a":`, "}", 100_000), apitest.MergePatch},
		"a strategic one":  {"PATCH " + apitest.ConfigMapsPath + "/a", deep(`{"a":`, "}", 100_000), apitest.StrategicPatch},
		"a JSON patch":     {"PATCH " + apitest.ConfigMapsPath + "/a", add + deep("[", "]", 100_000) + "}]", apitest.JSONPatch},
		"copies of copies": {"PATCH " + apitest.ConfigMapsPath + "/a", copies(), apitest.JSONPatch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			res := c.Do(t, body[0], body[1], body[2])
			if res.Code < 400 || res.Code >= 500 || !strings.Contains(res.Body, `"kind":"Status"`) {
				t.Errorf("answered %d %.300s", res.Code, res.Body)
			}
			if took := time.Since(started); took > apitest.Patience {
				t.Errorf("the answer took %v", took)
			}
		})
	}
}

// copies returns a patch that doubles a value forty times.
func copies() string {
	ops := []string{`{"op":"add","path":"/data","value":{"a":{"b":"` + strings.Repeat("x", 1000) + `"}}}`}
	for i := range 40 {
		ops = append(ops, fmt.Sprintf(`{"op":"copy","from":"/data","path":"/data/c%d"}`, i))
	}
	return "[" + strings.Join(ops, ",") + "]"
}

// A client that never finishes its body gets an answer at the deadline.
func TestHostileSlowBody(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, func(d *api.Deps) { d.Limits.BodyTimeout = 100 * time.Millisecond })
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // read only
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST "+apitest.ConfigMapsPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"reason":"BadRequest"`) {
		t.Errorf("answered %d %s, %v; want 400", res.StatusCode, body, err)
	}
}
