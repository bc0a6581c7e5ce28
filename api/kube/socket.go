package kube

import (
	"context"
	"io"

	"golang.org/x/net/websocket"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// socket is a websocket whose messages are the frames of a watch.
type socket struct{ conn *websocket.Conn }

// send sends one frame as upstream does: of JSON as text, of protobuf without its length.
func (s *socket) send(frame []byte, e wire.Encoding) error {
	const lengthBytes = 4
	if e == wire.Protobuf {
		return websocket.Message.Send(s.conn, frame[lengthBytes:])
	}
	return websocket.Message.Send(s.conn, string(frame))
}

// overSocket makes the request's connection a websocket and runs the watch over it, until either
// ends. What the client sends is thrown away. Who may ask has been decided as for all requests, the
// origin included.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/watch.go, HandleWS
func (s *stream) overSocket(ctx context.Context, run func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	handler := func(conn *websocket.Conn) {
		conn.MaxPayloadBytes = 1 << 10
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, conn) // it fails when the client has gone or the watch is over
		}()
		s.socket = &socket{conn}
		run(ctx)
	}
	websocket.Server{Handler: handler}.ServeHTTP(wire.Hijackable{ResponseWriter: s.w, ResponseController: s.ctl}, s.req)
}
