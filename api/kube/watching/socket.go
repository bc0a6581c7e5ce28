package watching

import (
	"golang.org/x/net/websocket"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// socket is a websocket whose messages are the frames of a watch.
type socket struct{ conn *websocket.Conn }

// send sends one frame as upstream does: JSON as text, protobuf without its length prefix.
func (s *socket) send(frame []byte, e wire.Encoding) error {
	const lengthBytes = 4
	if e == wire.Protobuf {
		return websocket.Message.Send(s.conn, frame[lengthBytes:])
	}
	return websocket.Message.Send(s.conn, string(frame))
}
