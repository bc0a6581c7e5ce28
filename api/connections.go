package api

import (
	"container/list"
	"context"
	"net"
	"sync"
)

// connections is a listener that limits the number of open connections. At the limit, it closes the
// oldest connection whose client has not authenticated, so that strangers cannot lock out users. If
// there is none, new connections wait until another ends. It is safe for concurrent use.
type connections struct {
	net.Listener
	most int

	mu        sync.Mutex // guards the fields below
	changed   *sync.Cond
	open      int
	strangers list.List // of *connection, oldest first
	closed    bool
}

func newConnections(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept returns the next connection when the limit allows it. A connection that waits is open, but
// nothing is read from it.
func (l *connections) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	oldest, ok := l.makeRoom()
	if !ok {
		_ = accepted.Close() // the server is stopping
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

// makeRoom waits until the limit allows one more connection. It returns the connection that must be
// closed for it; nil if there is room. ok is false when the listener is closed.
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

// Close ends Accept. Open connections stay open.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// leaveLocked stops counting a connection.
func (l *connections) leaveLocked(c *connection) {
	if c.left {
		return
	}
	c.left = true
	l.open--
	l.settleLocked(c)
	l.changed.Broadcast()
}

// settleLocked removes a connection from the strangers, if it is one.
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
	place *list.Element // in of.strangers; nil for an authenticated client. Guarded by of.mu, like left.
	left  bool
}

// Close ends the connection.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.leaveLocked(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// connectionKey is the context key of a request's connection.
type connectionKey struct{}

// withConnection implements http.Server.ConnContext.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	if encrypted, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = encrypted.NetConn()
	}
	if c, ok := conn.(*connection); ok {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return ctx
}

// noteKnown marks the connection of a request as authenticated, or as exempt from authentication.
func noteKnown(ctx context.Context) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.settleLocked(c)
}
