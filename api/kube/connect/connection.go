package connect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// client is a response whose connection can be hijacked. gone is called when the connection breaks
// or ends. The frames that the client sends are bounded.
type client struct {
	http.ResponseWriter
	socket bool // the connection becomes a websocket, otherwise SPDY
	gone   func()
}

// Hijack implements http.Hijacker.
func (c *client) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	watched, err := takeOver(http.NewResponseController(c.ResponseWriter), c.socket, c.gone)
	if err != nil {
		return nil, nil, err
	}
	return watched, bufio.NewReadWriter(bufio.NewReader(watched), bufio.NewWriter(watched)), nil
}

// takeOver hijacks a request's connection. gone is as for watchedConn.
func takeOver(ctl *http.ResponseController, socket bool, gone func()) (*watchedConn, error) {
	conn, rw, err := ctl.Hijack()
	if err != nil {
		return nil, fmt.Errorf("take over the connection: %w", err)
	}
	early := make([]byte, rw.Reader.Buffered())
	if _, err := io.ReadFull(rw, early); err != nil {
		return nil, fmt.Errorf("take over the connection: %w", err)
	}
	return &watchedConn{Conn: conn, early: bytes.NewReader(early), frames: frameBound{socket: socket}, gone: gone}, nil
}

// watchedConn calls gone once, when a read fails or the connection is closed, as the server does
// after the client ends or violates the protocol. Reads fail from the first frame on that is too
// large.
type watchedConn struct {
	net.Conn
	early  *bytes.Reader // data buffered before the takeover
	frames frameBound
	gone   func()
	once   sync.Once
}

// Read implements net.Conn.
func (c *watchedConn) Read(b []byte) (n int, err error) {
	if c.early.Len() > 0 {
		n, err = c.early.Read(b)
	} else {
		n, err = c.Conn.Read(b)
	}
	if good, fault := c.frames.pass(b[:n]); fault != nil {
		n, err = good, fault // readers use the data before they handle the error
	}
	if err != nil {
		c.once.Do(c.gone)
	}
	return n, err
}

// Close implements net.Conn.
func (c *watchedConn) Close() error {
	c.once.Do(c.gone)
	return c.Conn.Close()
}
