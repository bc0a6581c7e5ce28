package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/websocket"

	"github.com/rowlock/rowlock/api"
)

// tunnelled is an answer over a websocket.
type tunnelled struct {
	code  int
	media string
	conn  *websocket.Conn
}

// ask opens a websocket of the dashboard as a browser does that is at a page of the server, and asks one thing.
func ask(t *testing.T, address, at, message string) tunnelled {
	t.Helper()
	conn, err := websocket.Dial("ws://"+address+at, "", "http://"+address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if err := websocket.Message.Send(conn, message); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := websocket.Message.Receive(conn, &text); err != nil {
		t.Fatalf("nothing is answered: %v", err)
	}
	var head struct {
		Code int
		Type string
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		t.Fatalf("it begins with %q", text)
	}
	return tunnelled{head.Code, head.Type, conn}
}

// rest reads until the end.
func (r tunnelled) rest(t *testing.T) string {
	t.Helper()
	text, err := io.ReadAll(r.conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTunnel_Answers(t *testing.T) {
	t.Parallel()
	_, open := limited(t, api.Limits{}, withDashboard)
	_, login := limited(t, api.Limits{}, withDashboard, withLogin(t))
	for _, tt := range []struct {
		name, address, at, message string
		code                       int
		media, want                string
	}{
		{"a list", open, "/ui/socket", `{"path":"/api/v1/namespaces"}`, 200, "application/json", `"name":"default"`},
		{"as a table", open, "/ui/socket", `{"path":"/api/v1/namespaces","accept":"application/json;as=Table;v=v1;g=meta.k8s.io"}`, 200, "application/json", `"kind":"Table"`},
		{"in a fork", open, "/forks/x/ui/socket", `{"path":"/api/v1/pods?watch=1"}`, 200, "", `fork /forks/x/api/v1/pods`},
		{"what is not there", open, "/ui/socket", `{"path":"/api/v1/nodes/none"}`, 404, "application/json", `"reason":"NotFound"`},
		{"a watch from nowhere", open, "/ui/socket", `{"path":"/api/v1/pods?watch=1&resourceVersion=x"}`, 500, "application/json", "Invalid value"},
		{"another server", open, "/ui/socket", `{"path":"http://evil.example/"}`, 400, "application/json", "no path"},
		{"another server without a scheme", open, "/ui/socket", `{"path":"//evil.example/api"}`, 404, "application/json", "NotFound"},
		{"out of a fork", open, "/forks/x/ui/socket", `{"path":"/../../api/v1/namespaces"}`, 404, "application/json", "NotFound"},
		{"an escape out of a fork", open, "/forks/x/ui/socket", `{"path":"/%2e%2e/%2e%2e/api/v1/namespaces"}`, 404, "application/json", "NotFound"},
		{"no path", open, "/ui/socket", `{}`, 400, "application/json", "no path"},
		{"a long path", open, "/ui/socket", `{"path":"/api/v1/pods?` + strings.Repeat("a", 70_000) + `"}`, 414, "application/json", "too long"},
		{"itself", open, "/ui/socket", `{"path":"/ui/socket"}`, 404, "", ""},
		{"nobody", login, "/ui/socket", `{"path":"/api/v1/namespaces"}`, 401, "application/json", "Unauthorized"},
		{"nobody, of a fork", login, "/forks/x/ui/socket", `{"path":"/api/v1/namespaces"}`, 401, "application/json", "Unauthorized"},
		{"a bad token", login, "/ui/socket", `{"path":"/api/v1/namespaces","token":"nobodys"}`, 401, "application/json", "Unauthorized"},
		{"a token and more", login, "/ui/socket", `{"path":"/api/v1/namespaces","token":"master\r\nImpersonate-User: x"}`, 401, "application/json", "Unauthorized"},
		{"a viewer", login, "/ui/socket", `{"path":"/api/v1/namespaces","token":"viewer"}`, 200, "application/json", `"name":"default"`},
		{"a viewer, of secrets", login, "/ui/socket", `{"path":"/api/v1/secrets","token":"viewer"}`, 403, "application/json", "Forbidden"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, tt.address, tt.at, tt.message)
			if body := got.rest(t); got.code != tt.code || !strings.HasPrefix(got.media, tt.media) || !strings.Contains(body, tt.want) {
				t.Errorf("answered %d %s %.500s", got.code, got.media, body)
			}
		})
	}
}

// A watch arrives event by event, and ends when the page goes, which frees its place.
func TestTunnel_Watches(t *testing.T) {
	t.Parallel()
	c, address := limited(t, api.Limits{LongRunning: 1, Patience: time.Millisecond}, withDashboard)
	const watch = `{"path":"/api/v1/namespaces?watch=1&resourceVersion=0"}`
	got := ask(t, address, "/ui/socket", watch)
	var event struct {
		Type   string
		Object struct{ Metadata struct{ Name string } }
	}
	if err := websocket.JSON.Receive(got.conn, &event); err != nil || got.code != http.StatusOK || event.Type != "ADDED" || event.Object.Metadata.Name != "default" {
		t.Fatalf("%d, then %+v, %v", got.code, event, err)
	}
	c.do(t, "POST /api/v1/namespaces", `{"metadata":{"name":"second"}}`, "Content-Type: application/json")
	if err := websocket.JSON.Receive(got.conn, &event); err != nil || event.Object.Metadata.Name != "second" {
		t.Fatalf("then %+v, %v", event, err)
	}
	if second := ask(t, address, "/ui/socket", watch); second.code != http.StatusTooManyRequests {
		t.Errorf("a second watch is answered %d", second.code)
	}
	if err := got.conn.Close(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); ask(t, address, "/ui/socket", watch).code != http.StatusOK; {
		if time.Now().After(end) {
			t.Fatal("the place of a watch whose page is gone does not become free")
		}
	}
}

// Only a page of this server opens a websocket, whether there is a login or not, and whoever does not ask in time is put out.
func TestTunnel_Guard(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{HeaderTimeout: 50 * time.Millisecond}, withDashboard)
	for _, origin := range []string{"http://evil.example", "http://localhost:3000"} {
		if conn, err := websocket.Dial("ws://"+address+"/ui/socket", "", origin); err == nil {
			_ = conn.Close()
			t.Errorf("a page of %s opens a websocket", origin)
		}
	}
	c := newCluster(t, withDashboard)
	for _, request := range []string{"GET /ui/socket", "POST /ui/socket"} {
		if res := c.do(t, request, ""); res.code != http.StatusBadRequest {
			t.Errorf("%s: %d", request, res.code)
		}
	}
	conn, err := websocket.Dial("ws://"+address+"/ui/socket", "", "http://"+address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // it is closed from the other side
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 10)); !errors.Is(err, io.EOF) {
		t.Errorf("who asks nothing reads %d bytes, %v", n, err)
	}
}
