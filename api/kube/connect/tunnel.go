package connect

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/websocket"
	"k8s.io/apimachinery/pkg/util/portforward"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// hijacked hands out its request's connection and remembers it, so that it can be ended. Each piece
// that is written has to be accepted in time.
type hijacked struct {
	http.ResponseWriter
	ctl    *http.ResponseController
	slow   time.Duration
	socket bool // as for client

	mu   sync.Mutex
	conn net.Conn
	over bool
}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, err := takeOver(h.ctl, h.socket, func() {})
	if err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conn = conn; h.over {
		_ = conn.Close() // nobody reads what is left
	}
	timed := &timedConn{conn, h.slow}
	return timed, bufio.NewReadWriter(bufio.NewReader(timed), bufio.NewWriter(timed)), nil
}

// end closes the connection, now or when it is handed out.
func (h *hijacked) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over = true; h.conn != nil {
		_ = h.conn.Close() // nobody reads what is left
	}
}

// timedConn fails when a piece is not accepted in time.
type timedConn struct {
	net.Conn
	slow time.Duration
}

// Write implements net.Conn.
func (c *timedConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.slow)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// tunnelProtocol is the protocol of SPDY in a websocket that a client offers; "" for none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/proxy/streamtunnel.go, spdyProtocolsFromWebsocketProtocols
func tunnelProtocol(req *http.Request) string {
	for _, header := range req.Header.Values("Sec-Websocket-Protocol") {
		for protocol := range strings.SplitSeq(header, ",") {
			if protocol = strings.TrimSpace(protocol); protocol == portforward.WebsocketsSPDYTunnelingPortForwardV1 {
				return protocol
			}
		}
	}
	return ""
}

// tunnel makes the request's connection a websocket and serves the SPDY in it as if it had come
// alone.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/proxy/streamtunnel.go, TunnelingHandler
func tunnel(w http.ResponseWriter, req *http.Request, protocol string, serve http.HandlerFunc) {
	handler := func(socket *websocket.Conn) {
		socket.PayloadType = websocket.BinaryFrame
		inner := req.Clone(req.Context())
		inner.Method, inner.Body = http.MethodPost, http.NoBody
		inner.Header.Set(httpstream.HeaderConnection, httpstream.HeaderUpgrade)
		inner.Header.Set(httpstream.HeaderUpgrade, spdy.HeaderSpdy31)
		inner.Header.Set(httpstream.HeaderProtocolVersion, strings.TrimPrefix(protocol, portforward.WebsocketsSPDYTunnelingPrefix))
		conn := &watchedConn{Conn: &socketConn{Conn: socket}, early: bytes.NewReader(nil), gone: func() {}} // whose frames SPDY's are
		serve(&tunnelled{header: http.Header{}, conn: conn}, inner)
	}
	choose := func(config *websocket.Config, _ *http.Request) error {
		config.Protocol = []string{protocol}
		return nil
	}
	websocket.Server{Handshake: choose, Handler: handler}.ServeHTTP(w, req)
}

// tunnelled is the writer of a response that has become a websocket: only its connection is of use.
type tunnelled struct {
	header http.Header
	conn   net.Conn
}

// Header implements http.ResponseWriter.
func (t *tunnelled) Header() http.Header { return t.header }

// WriteHeader implements http.ResponseWriter. The websocket's own response has been sent.
func (t *tunnelled) WriteHeader(int) {}

// Write implements http.ResponseWriter.
func (t *tunnelled) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Hijack implements http.Hijacker.
func (t *tunnelled) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return t.conn, bufio.NewReadWriter(bufio.NewReader(t.conn), bufio.NewWriter(t.conn)), nil
}

// socketConn is a websocket as a connection. Its addresses are of no use to anybody.
type socketConn struct{ *websocket.Conn }

// LocalAddr implements net.Conn.
func (socketConn) LocalAddr() net.Addr { return &net.TCPAddr{} }

// RemoteAddr implements net.Conn.
func (socketConn) RemoteAddr() net.Addr { return &net.TCPAddr{} }
