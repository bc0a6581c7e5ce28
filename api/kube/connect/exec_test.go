package connect_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/websocket"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/visit"
)

// fakeSessions runs a function instead of a process and records how sessions start.
type fakeSessions struct {
	run func(ctx context.Context, start visit.Start, streams visit.Streams) error

	mu     sync.Mutex
	starts []visit.Start
}

// Run implements connect.Sessions.
func (s *fakeSessions) Run(ctx context.Context, _ types.UID, start visit.Start, streams visit.Streams) error {
	s.mu.Lock()
	s.starts = append(s.starts, start)
	s.mu.Unlock()
	return s.run(ctx, start, streams)
}

// begun returns how sessions started.
func (s *fakeSessions) begun() []visit.Start {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.starts)
}

// entered returns a cluster with a Pod p-n in which sessions run.
func entered(t *testing.T, run func(ctx context.Context, start visit.Start, streams visit.Streams) error) (*apitest.Cluster, *fakeSessions) {
	t.Helper()
	s := &fakeSessions{run: run}
	c, _ := apitest.NewClusterWithPods(t, func(d *api.Deps) { d.Kube.Sessions = s })
	return c, s
}

const execPath = "/api/v1/namespaces/default/pods/p-n/exec"

// executors returns client-go's two executors, by protocol.
func executors(t *testing.T, c *apitest.Cluster, query string) map[string]remotecommand.Executor {
	t.Helper()
	at, err := url.Parse(c.URL + execPath + "?" + query)
	if err != nil {
		t.Fatal(err)
	}
	spdy, err := remotecommand.NewSPDYExecutor(c.Config(), http.MethodPost, at)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := remotecommand.NewWebSocketExecutor(c.Config(), http.MethodGet, at.String())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]remotecommand.Executor{"spdy": spdy, "websocket": socket}
}

// client-go's executors send stdin and its end, receive stdout and stderr separately, and get the
// exit code.
func TestExec_Streams(t *testing.T) {
	t.Parallel()
	c, s := entered(t, func(_ context.Context, _ visit.Start, streams visit.Streams) error {
		in, err := io.ReadAll(streams.Stdin)
		if err != nil {
			return err
		}
		fmt.Fprintf(streams.Stdout, "%d bytes", len(in))
		fmt.Fprint(streams.Stderr, "told")
		return &visit.ExitError{Code: 3}
	})
	for name, e := range executors(t, c, "command=count&command=all+words&stdin=true&stdout=true&stderr=true") {
		var out, stderr bytes.Buffer
		err := e.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdin: strings.NewReader(strings.Repeat("x", 200_000)), Stdout: &out, Stderr: &stderr})
		var code exec.CodeExitError
		if !errors.As(err, &code) || code.Code != 3 || out.String() != "200000 bytes" || stderr.String() != "told" {
			t.Errorf("%s: %v, %q and %q", name, err, out.String(), stderr.String())
		}
	}
	for _, start := range s.begun() {
		if start.Container != "c" || strings.Join(start.Command, "|") != "count|all words" || !start.Stdin || start.TTY {
			t.Errorf("started %+v", start)
		}
	}
}

// sizes is a queue of terminal sizes.
type sizes chan remotecommand.TerminalSize

// Next implements remotecommand.TerminalSizeQueue.
func (s sizes) Next() *remotecommand.TerminalSize {
	if size, ok := <-s; ok {
		return &size
	}
	return nil
}

// The size of the client's window and its changes arrive in order.
func TestExec_Terminal(t *testing.T) {
	t.Parallel()
	c, _ := entered(t, func(_ context.Context, start visit.Start, streams visit.Streams) error {
		if !start.TTY || streams.Stderr != nil {
			return errors.New("not a terminal")
		}
		for range 2 {
			size := <-streams.Resize
			fmt.Fprintf(streams.Stdout, "%dx%d\r\n", size.Rows, size.Cols)
		}
		return nil
	})
	for name, e := range executors(t, c, "command=sh&stdin=true&stdout=true&tty=true") {
		window, in := make(sizes, 2), make(chan struct{})
		window <- remotecommand.TerminalSize{Width: 80, Height: 24}
		window <- remotecommand.TerminalSize{Width: 65535, Height: 1}
		close(window)
		var out bytes.Buffer
		err := e.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdin: untilClosed(in), Stdout: &out, Tty: true, TerminalSizeQueue: window})
		close(in)
		if want := "24x80\r\n1x65535\r\n"; err != nil || out.String() != want {
			t.Errorf("%s: %v, %q; want %q", name, err, out.String(), want)
		}
	}
}

// untilClosed is an input without data.
type untilClosed chan struct{}

func (u untilClosed) Read([]byte) (int, error) {
	<-u
	return 0, io.EOF
}

// Errors after the upgrade are reported as upstream's kubelet reports them.
func TestExec_Errors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
	}{
		{&emulator.StartError{Reason: `OCI runtime exec failed: exec failed: unable to start container process: exec: "x": executable file not found in $PATH`},
			`error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: ` +
				`unable to start container process: exec: "x": executable file not found in $PATH`},
		{visit.ErrGone, "error executing command in container: container not running (c)"},
		{emulator.ErrSessions, "error executing command in container: too many sessions in the Pod"},
		{&visit.ExitError{Code: 137}, "command terminated with exit code 137"},
	} {
		c, _ := entered(t, func(context.Context, visit.Start, visit.Streams) error { return test.err })
		for name, e := range executors(t, c, "command=x&stdout=true") {
			if err := e.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdout: io.Discard}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v; want %s", name, err, test.want)
			}
		}
	}
}

// Upstream's errors are returned before the connection is upgraded.
func TestExec_Refused(t *testing.T) {
	t.Parallel()
	c, s := entered(t, func(context.Context, visit.Start, visit.Streams) error { return nil })
	c.Store(t, apitest.Pod("homeless"))
	socket := []string{"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}
	for _, test := range []struct {
		about string
		code  int
		want  string
	}{
		{"p-n/exec?stdout=true", 400, "you must specify at least one command for the container"},
		{"p-n/exec?command=&stdout=true", 400, "you must specify at least one command for the container"},
		{"p-n/exec?command=x", 400, "you must specify at least 1 of stdin, stdout, stderr"},
		{"p-n/attach", 400, "you must specify at least 1 of stdin, stdout, stderr"},
		{"p-n/exec?command=x&stderr=true&tty=true", 400, "you must specify at least 1 of stdin, stdout, stderr"},
		{"p-n/exec?command=x&stdout=true&container=other", 400, "container other is not valid for pod p-n"},
		{"homeless/exec?command=x&stdout=true", 400, "pod homeless does not have a host assigned"},
		{"nobody/exec?command=x&stdout=true", 404, `pods \"nobody\" not found`},
		{"p-lost/exec?command=x&stdout=true", 500, "error dialing backend: dial tcp 192.168.0.1:10250: i/o timeout"},
	} {
		res := c.Do(t, "GET /api/v1/namespaces/default/pods/"+test.about, "", socket...)
		if res.Code != test.code || !strings.Contains(res.Body, test.want) {
			t.Errorf("%s: %d %s; want %d %s", test.about, res.Code, res.Body, test.code, test.want)
		}
	}
	if res := c.Do(t, "POST "+execPath+"?command=x&stdout=true", ""); res.Code != 400 || !strings.Contains(res.Body, "Upgrade request required") {
		t.Errorf("without an upgrade: %d %s", res.Code, res.Body)
	}
	if starts := s.begun(); len(starts) != 0 {
		t.Errorf("sessions have begun: %v", starts)
	}
}

// Viewers cannot open sessions in Pods by any method.
func TestExec_Rights(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t, apitest.WithLogin(t))
	for method, verb := range map[string]string{http.MethodGet: "get", http.MethodPost: "create"} {
		for _, subresource := range []string{"exec", "attach", "portforward"} {
			res := c.Do(t, method+" /api/v1/namespaces/default/pods/web/"+subresource+"?command=x&stdout=true&ports=80", "", "Authorization: Bearer viewer")
			want := fmt.Sprintf(`pods \"web\" is forbidden: User \"vera\" cannot %s resource \"pods/%s\" in API group \"\" in the namespace \"default\"`, verb, subresource)
			if res.Code != http.StatusForbidden || !strings.Contains(res.Body, want) {
				t.Errorf("%s %s: %d %s; want 403 %s", method, subresource, res.Code, res.Body, want)
			}
		}
	}
}

// A session ends with its client, whatever invalid frames the client sends.
func TestExec_HostileFrames(t *testing.T) {
	t.Parallel()
	var running atomic.Int64
	c, _ := entered(t, func(ctx context.Context, _ visit.Start, streams visit.Streams) error {
		running.Add(1)
		defer running.Add(-1)
		go func() { _, _ = io.Copy(io.Discard, streams.Stdin) }()
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case size, ok := <-streams.Resize:
				if size.Rows < 0 || size.Rows > 65535 || size.Cols < 0 || size.Cols > 65535 {
					t.Errorf("a window has the size %v", size)
				}
				if !ok {
					streams.Resize = nil
				}
			}
		}
	})
	at := "ws" + strings.TrimPrefix(c.URL, "http") + execPath + "?command=sh&stdin=true&stdout=true&tty=true"
	for name, frames := range map[string][]string{
		"resize that is no JSON":         {"\x04{", "\x04]]", "\x04\x00"},
		"resize to the impossible":       {"\x04" + `{"Width":-1,"Height":99999}`, "\x04" + `{"Width":1e400}`, "\x04" + `"wide"`, "\x04" + `{"Width":{"a":1}}`},
		"resize of great depth":          {"\x04" + strings.Repeat("[", 100_000)},
		"a flood of sizes":               slicesOf("\x04"+`{"Width":80,"Height":24}`, 1000),
		"channels that are not there":    {"\x09a", "\xffb", "\x05", "\xff"},
		"what the server alone may send": {"\x01a", "\x02b", "\x03c"},
		"frames without a channel":       {"", "", ""},
		"the end of a stream twice":      {"\xff\x00", "\xff\x00", "\x00more"},
		"much at once":                   {"\x00" + strings.Repeat("a", 1<<20)},
	} {
		conn, err := websocket.Dial(at, "v5.channel.k8s.io", c.URL)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range frames {
			_ = conn.SetWriteDeadline(time.Now().Add(time.Minute))
			if err := websocket.Message.Send(conn, []byte(f)); err != nil {
				break // closing it is a valid answer
			}
		}
		_ = conn.Close()
	}
	for until := time.Now().Add(apitest.Patience); running.Load() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d sessions go on whose clients are gone", running.Load())
		}
	}
}

// A frame may have 1 MiB, also in base64. The server reads what precedes a larger frame and then
// ends the session, although the client is still connected.
func TestExec_FramesAreBounded(t *testing.T) {
	t.Parallel()
	read := make(chan int, 1)
	c, _ := entered(t, func(ctx context.Context, _ visit.Start, streams visit.Streams) error {
		n, _ := io.Copy(io.Discard, streams.Stdin)
		<-ctx.Done()
		read <- int(n)
		return ctx.Err()
	})
	const most = 1 << 20
	for protocol, frame := range map[string]string{
		"v5.channel.k8s.io":        "\x00" + strings.Repeat("a", most),
		"v4.base64.channel.k8s.io": "0" + base64.StdEncoding.EncodeToString(make([]byte, most)),
	} {
		conn, err := websocket.Dial("ws"+strings.TrimPrefix(c.URL, "http")+execPath+"?command=sh&stdin=true&stdout=true", protocol, c.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		for _, f := range []string{frame, frame + frame} {
			if err := websocket.Message.Send(conn, []byte(f)); err != nil {
				break // it has been closed
			}
		}
		if n := <-read; n != most {
			t.Errorf("%s: %d bytes are read of a frame with %d and one that is too large", protocol, n, most)
		}
		_ = conn.Close()
	}
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// Without a protocol version, the end of a session is plain text; in the base64 protocol, every
// frame is encoded.
func TestExec_OldProtocols(t *testing.T) {
	t.Parallel()
	c, _ := entered(t, func(_ context.Context, _ visit.Start, streams visit.Streams) error {
		fmt.Fprint(streams.Stdout, "out")
		return &visit.ExitError{Code: 2}
	})
	at := "ws" + strings.TrimPrefix(c.URL, "http") + execPath + "?command=sh&stdout=true"
	for protocol, want := range map[string][]string{
		"v5.channel.k8s.io":        {"\x01", "\x01out", "\x03{\"metadata\":{},\"status\":\"Failure\""},
		"v4.channel.k8s.io":        {"\x01", "\x01out", "\x03{\"metadata\":{},\"status\":\"Failure\""},
		"v4.base64.channel.k8s.io": {"1", "1b3V0", "3eyJtZXRhZGF0YSI6e30sInN0YXR1cyI6IkZhaWx1cmUi"},
		"channel.k8s.io":           {"\x01", "\x01out", "\x03command terminated with non-zero exit code: command terminated with exit code 2"},
	} {
		conn, err := websocket.Dial(at, protocol, c.URL)
		if err != nil {
			t.Fatalf("%s: %v", protocol, err)
		}
		for i, w := range want {
			var got []byte
			if err := websocket.Message.Receive(conn, &got); err != nil || !strings.HasPrefix(string(got), w) {
				t.Errorf("%s: frame %d is %q, %v; want %q", protocol, i, got, err, w)
			}
		}
		_ = conn.Close()
	}
	if _, err := websocket.Dial(at, "v9.channel.k8s.io", c.URL); err == nil {
		t.Error("a protocol that is not known is spoken")
	}
}
