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

// hijacked hijacks its request's connection and keeps it, so that it can be closed. The client must
// accept each write in time.
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
		_ = conn.Close() // the rest is discarded
	}
	timed := &timedConn{conn, h.slow}
	return timed, bufio.NewReadWriter(bufio.NewReader(timed), bufio.NewWriter(timed)), nil
}

// end closes the connection, now or as soon as it is hijacked.
func (h *hijacked) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over = true; h.conn != nil {
		_ = h.conn.Close() // the rest is discarded
	}
}

// timedConn fails if the client does not accept a write in time.
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

// tunnelProtocol returns the protocol of SPDY in a websocket that a client offers; "" if it offers
// none.
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

// tunnel upgrades the connection to a websocket and serves the SPDY connection inside it.
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
		conn := &watchedConn{Conn: &socketConn{Conn: socket}, early: bytes.NewReader(nil), gone: func() {}} // bounds the frames of SPDY
		serve(&tunnelled{header: http.Header{}, conn: conn}, inner)
	}
	choose := func(config *websocket.Config, _ *http.Request) error {
		config.Protocol = []string{protocol}
		return nil
	}
	websocket.Server{Handshake: choose, Handler: handler}.ServeHTTP(w, req)
}

// tunnelled is the writer of a response that has become a websocket: only Hijack is useful.
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

// socketConn adapts a websocket to net.Conn. Its addresses are placeholders.
type socketConn struct{ *websocket.Conn }

// LocalAddr implements net.Conn.
func (socketConn) LocalAddr() net.Addr { return &net.TCPAddr{} }

// RemoteAddr implements net.Conn.
func (socketConn) RemoteAddr() net.Addr { return &net.TCPAddr{} }
