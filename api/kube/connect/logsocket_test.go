package connect_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/websocket"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/internal/emulator"
)

// A websocket log is sent as messages, starting with an empty one, and the socket closes at its
// end.
func TestLog_Websocket(t *testing.T) {
	t.Parallel()
	c, logs := apitest.NewClusterWithLogs(t)
	c.Store(t, apitest.PodOnNode("p", apitest.Running("c", "run-1")))
	logs.Set("c run-1", connect.LogPage{Lines: []emulator.Line{{At: apitest.Now, Stream: emulator.Stdout, Text: "one"}}})
	at := strings.Replace(c.URL, "http://", "ws://", 1) + "/api/v1/namespaces/default/pods/p/log"
	for protocol, want := range map[string]string{"": "|one\n", "binary.k8s.io": "|one\n", "base64.binary.k8s.io": "|b25lCg=="} {
		conn, err := websocket.Dial(at, protocol, c.URL)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			var message []byte
			if err = websocket.Message.Receive(conn, &message); err != nil {
				break
			}
			got = append(got, string(message))
		}
		if strings.Join(got, "|") != want || !errors.Is(err, io.EOF) {
			t.Errorf("%q: %q, then %v; want %q", protocol, got, err, want)
		}
		conn.Close() //nolint:errcheck,gosec // no longer used
	}
	if _, err := websocket.Dial(at, "unknown.k8s.io", c.URL); err == nil {
		t.Error("an unknown protocol was accepted")
	}
}
