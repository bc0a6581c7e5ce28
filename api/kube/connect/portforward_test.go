package connect_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/httpstream" //nolint:staticcheck // client-go's dialers are of this type
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/emulator"
)

// forwarders returns dialers for a Pod's portforward, by protocol.
func forwarders(t *testing.T, c *apitest.Cluster, pod string) map[string]httpstream.Dialer {
	t.Helper()
	at, err := url.Parse(c.URL + "/api/v1/namespaces/default/pods/" + pod + "/portforward")
	if err != nil {
		t.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	tunnel, err := portforward.NewSPDYOverWebsocketDialer(at, c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]httpstream.Dialer{"spdy": spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, at), "websocket": tunnel}
}

// A Pod's port is reachable over SPDY and over SPDY in a websocket, for several connections in
// turn, and errors for other ports are reported.
func TestPortForward(t *testing.T) {
	t.Parallel()
	c, inside := apitest.NewClusterWithPods(t)
	inside.Answer = emulator.Answer{Status: 200, Body: "hello"}
	for name, dialer := range forwarders(t, c, "p-n") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ready, stop := make(chan struct{}), make(chan struct{})
			f, err := portforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{"0:80"}, stop, ready, io.Discard, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- f.ForwardPorts() }()
			select {
			case <-ready:
			case err := <-done:
				t.Fatal(err)
			}
			ports, err := f.GetPorts()
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if got := fetch(t, ports[0].Local); got != "hello" {
					t.Errorf("answered %q", got)
				}
			}
			close(stop)
			if err := <-done; err != nil {
				t.Errorf("ended with %v", err)
			}
			for port, want := range map[int]string{
				81:   "failed to connect to localhost:81 inside namespace \"uidpn1\", IPv4: dial tcp4 127.0.0.1:81: connect: connection refused",
				6379: "error forwarding port 6379 to pod p-n, uid uid-p-n-1: rowlock: the program accepts connections on this port, but its protocol is not emulated",
			} {
				if got := complaint(t, dialer, port); !strings.Contains(got, want) {
					t.Errorf("port %d: %q; want %q", port, got, want)
				}
			}
		})
	}
}

// complaint returns the text on the error stream of a connection to a port. Like upstream, the
// server resets the streams after it has sent the error; a client that sees the reset first tries
// again.
func complaint(t *testing.T, dialer httpstream.Dialer, port int) string {
	t.Helper()
	var err error
	for range 100 {
		var text string
		if text, err = complain(dialer, port); text != "" {
			return text
		}
	}
	t.Fatal(err)
	return ""
}

func complain(dialer httpstream.Dialer, port int) (string, error) {
	conn, _, err := dialer.Dial(portforward.PortForwardProtocolV1Name)
	if err != nil {
		return "", err
	}
	defer conn.Close() //nolint:errcheck // no longer used
	headers := http.Header{}
	headers.Set("port", strconv.Itoa(port))
	headers.Set("requestID", "1")
	headers.Set("streamType", "error")
	said, err := conn.CreateStream(headers)
	if err != nil {
		return "", err
	}
	headers.Set("streamType", "data")
	data, err := conn.CreateStream(headers)
	if err != nil {
		return "", err
	}
	_, _ = io.WriteString(data, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") // the server may have refused it already
	text, err := io.ReadAll(said)
	return string(text), err
}

// fetch returns the page of a local port, over a new connection.
func fetch(t *testing.T, port uint16) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	res, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/", port)) //nolint:noctx // the client has a timeout
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Upstream's errors are returned before the connection is upgraded.
func TestPortForward_Refused(t *testing.T) {
	t.Parallel()
	c, _ := apitest.NewClusterWithPods(t, func(*api.Deps) {})
	c.Store(t, apitest.Pod("homeless"))
	socket := []string{"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}
	tests := []struct {
		pod     string
		headers []string
		code    int
		want    string
	}{
		{"p-n", nil, 400, "Upgrade request required"},
		{"homeless", nil, 400, "pod homeless does not have a host assigned"},
		{"nobody", nil, 404, `pods \"nobody\" not found`},
		{"p-lost", nil, 500, "error dialing backend: dial tcp 192.168.0.1:10250: i/o timeout"},
		{"p-n", socket, 400, `query parameter \"port\" is required`},
	}
	for _, tt := range tests {
		res := c.Do(t, "GET /api/v1/namespaces/default/pods/"+tt.pod+"/portforward", "", tt.headers...)
		if res.Code != tt.code || !strings.Contains(res.Body, tt.want) {
			t.Errorf("%s: %d %s; want %d %s", tt.pod, res.Code, res.Body, tt.code, tt.want)
		}
	}
}
