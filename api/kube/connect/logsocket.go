package connect

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"time"

	"golang.org/x/net/websocket"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// Protocols of a websocket that only sends: raw bytes, also for a client that offers no protocol,
// or base64.
const (
	binarySocket = "binary.k8s.io"
	base64Socket = "base64.binary.k8s.io"
)

// textOverSocket upgrades the connection to a websocket and lets send write to it, until either
// ends. It discards what the client sends. The first message is empty.
//
// Source: kubernetes v1.36 staging/src/k8s.io/streaming/pkg/httpstream/wsstream/stream.go, Reader
func textOverSocket(w http.ResponseWriter, req *http.Request, send func(context.Context, http.ResponseWriter)) {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	handler := func(conn *websocket.Conn) {
		conn.MaxPayloadBytes = 1 << 10
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, conn) // returns when the client disconnects or everything has been sent
		}()
		out := &socketWriter{conn: conn, header: http.Header{}, base64: slices.Contains(conn.Config().Protocol, base64Socket)}
		if _, err := out.Write(nil); err == nil {
			send(ctx, out)
		}
	}
	choose := func(config *websocket.Config, _ *http.Request) error {
		if len(config.Protocol) == 0 {
			return nil
		}
		i := slices.IndexFunc(config.Protocol, func(p string) bool { return p == binarySocket || p == base64Socket })
		if i < 0 {
			return websocket.ErrBadWebSocketProtocol
		}
		config.Protocol = config.Protocol[i : i+1]
		return nil
	}
	taken := wire.Hijackable{ResponseWriter: w, ResponseController: http.NewResponseController(w)}
	websocket.Server{Handshake: choose, Handler: handler}.ServeHTTP(taken, req)
}

// socketWriter adapts a websocket to http.ResponseWriter: each write is a message.
type socketWriter struct {
	conn   *websocket.Conn
	header http.Header
	base64 bool
}

// Header implements http.ResponseWriter. It is never sent.
func (s *socketWriter) Header() http.Header { return s.header }

// WriteHeader implements http.ResponseWriter. The websocket's own response has been sent.
func (s *socketWriter) WriteHeader(int) {}

// Write implements http.ResponseWriter.
func (s *socketWriter) Write(b []byte) (int, error) {
	var err error
	if s.base64 {
		err = websocket.Message.Send(s.conn, base64.StdEncoding.EncodeToString(b))
	} else {
		err = websocket.Message.Send(s.conn, b)
	}
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// FlushError implements http.ResponseController. Each message is sent at once.
func (s *socketWriter) FlushError() error { return nil }

// SetWriteDeadline implements http.ResponseController.
func (s *socketWriter) SetWriteDeadline(at time.Time) error { return s.conn.SetWriteDeadline(at) }
