package api

import (
	"container/list"
	"context"
	"net"
	"sync"
)

// connections is a listener that bounds how many connections are open. When there are too many, it
// closes the oldest one whose client has not authenticated, so that strangers cannot keep others
// out. Without such a one, new connections wait until another ends. It is safe for concurrent use.
type connections struct {
	net.Listener
	most int

	mu        sync.Mutex // guards all below
	changed   *sync.Cond
	open      int
	strangers list.List // of *connection, the oldest first
	closed    bool
}

func newConnections(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept returns the next connection, once there may be one. One that waits is open, and nothing of
// it is read.
func (l *connections) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	oldest, ok := l.makeRoom()
	if !ok {
		_ = accepted.Close() // the server ends
		return nil, net.ErrClosed
	}
	if oldest != nil {
		_ = oldest.Conn.Close() // its server notices
	}
	c := &connection{Conn: accepted, of: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
	c.place = l.strangers.PushBack(c)
	return c, nil
}

// makeRoom waits until there may be one more connection, and returns the one that has to be closed
// for it; nil for none. It is not ok when the listener is closed.
func (l *connections) makeRoom() (oldest *connection, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open >= l.most && l.strangers.Len() == 0 && !l.closed {
		l.changed.Wait()
	}
	if l.open >= l.most && l.strangers.Len() > 0 {
		oldest, _ = l.strangers.Front().Value.(*connection)
		l.leaveLocked(oldest)
	}
	return oldest, !l.closed
}

// Close ends Accept; connections go on.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// leaveLocked no longer counts a connection.
func (l *connections) leaveLocked(c *connection) {
	if c.left {
		return
	}
	c.left = true
	l.open--
	l.settleLocked(c)
	l.changed.Broadcast()
}

// settleLocked takes a connection out of the strangers, if it is one of them.
func (l *connections) settleLocked(c *connection) {
	if c.place != nil {
		l.strangers.Remove(c.place)
		c.place = nil
	}
}

// connection is one of the connections.
type connection struct {
	net.Conn
	of    *connections
	place *list.Element // among the strangers; nil for a client that is known. Guarded by of.mu, as is left.
	left  bool
}

// Close ends the connection.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.leaveLocked(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// connectionKey is where the connection stands in the context of its requests.
type connectionKey struct{}

// withConnection is http.Server's ConnContext.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	if encrypted, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = encrypted.NetConn()
	}
	if c, ok := conn.(*connection); ok {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return ctx
}

// noteKnown notes that the client of a request has shown who it is, or need not.
func noteKnown(ctx context.Context) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.settleLocked(c)
}
