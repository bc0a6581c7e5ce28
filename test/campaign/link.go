package main

import (
	"context"
	"io"
	"net"
	"sync"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// way is one of the two directions of a link.
type way int

const (
	there way = iota // from the connecting side
	back
)

// link is an address whose connections are forwarded to another, and can be held, delayed, doubled,
// cut and refused. Held bytes are not lost: as with a cable that is cut, they arrive when it is
// repaired, even if their sender has closed the connection by then, unless the receiver has.
type link struct {
	listener net.Listener
	all      sync.WaitGroup

	mu      sync.Mutex
	dial    func() (net.Conn, error)
	pairs   map[*pair]bool
	held    [2]bool
	late    time.Duration
	refused bool
	doubled bool
	changed chan struct{} // closed when the above has changed
	closed  bool
}

// pair is one connection and the one it is forwarded to.
type pair struct {
	in, out net.Conn
	twin    net.Conn // receives a copy of what is sent to out; its answers are dropped. nil for none
}

// newLink opens a link. dial connects to its target; if nil, connections are refused.
func newLink(dial func() (net.Conn, error)) (*link, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &link{listener: listener, dial: dial, pairs: map[*pair]bool{}, changed: make(chan struct{})}
	l.all.Go(l.serve)
	return l, nil
}

// port returns the port that it listens on.
func (l *link) port() int { return l.listener.Addr().(*net.TCPAddr).Port }

// close ends everything.
func (l *link) close() {
	_ = l.listener.Close() // no more connections arrive
	l.set(func() { l.closed = true })
	l.cut()
	l.all.Wait()
}

// set changes how the link behaves.
func (l *link) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	close(l.changed)
	l.changed = make(chan struct{})
}

// lead sends new connections elsewhere.
func (l *link) lead(dial func() (net.Conn, error)) { l.set(func() { l.dial = dial }) }

// hold makes the bytes of one way wait, or releases them.
func (l *link) hold(w way, yes bool) { l.set(func() { l.held[w] = yes }) }

// delay delays what is sent.
func (l *link) delay(by time.Duration) { l.set(func() { l.late = by }) }

// refuse ends new connections at once, or accepts them again.
func (l *link) refuse(yes bool) { l.set(func() { l.refused = yes }) }

// double sends everything of new connections to their target twice, as a proxy does that repeats
// requests, or no longer. Existing connections end, so that all are affected.
func (l *link) double(yes bool) {
	l.set(func() { l.doubled = yes })
	l.cut()
}

// mend undoes hold, delay and refuse.
func (l *link) mend() { l.set(func() { l.held, l.late, l.refused = [2]bool{}, 0, false }) }

// cut ends the existing connections, and returns how many there were.
func (l *link) cut() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		p.end()
	}
	return len(l.pairs)
}

// cutOne ends one of them.
func (l *link) cutOne() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		p.end()
		return
	}
}

func (p *pair) end() {
	_ = p.in.Close() // readers and writers get an error
	_ = p.out.Close()
	if p.twin != nil {
		_ = p.twin.Close()
	}
}

func (l *link) serve() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.mu.Lock()
		dial, refused := l.dial, l.refused || l.closed
		l.mu.Unlock()
		if refused || dial == nil {
			_ = in.Close()
			continue
		}
		l.all.Go(func() { l.carry(in, dial) })
	}
}

// carry forwards a connection until either end closes it.
func (l *link) carry(in net.Conn, dial func() (net.Conn, error)) {
	out, err := dial()
	if err != nil {
		_ = in.Close()
		return
	}
	p := &pair{in: in, out: out}
	l.mu.Lock()
	doubled := l.doubled
	l.mu.Unlock()
	to := io.Writer(out)
	if doubled {
		if p.twin, err = dial(); err == nil {
			to = twice{out, p.twin}
		}
	}
	l.mu.Lock()
	l.pairs[p] = true
	closed := l.closed
	l.mu.Unlock()
	if closed {
		p.end()
	}
	ctx, cancel := context.WithCancel(context.Background())
	var both sync.WaitGroup
	both.Go(func() { defer cancel(); defer p.end(); l.copy(ctx, there, to, in) })
	if p.twin != nil {
		both.Go(func() { _, _ = io.Copy(io.Discard, p.twin) }) // until either side closes it
	}
	l.copy(ctx, back, in, out)
	cancel()
	p.end()
	both.Wait()
	l.mu.Lock()
	delete(l.pairs, p)
	l.mu.Unlock()
}

// twice writes everything to a second writer first, and ignores its errors.
type twice struct{ to, twin io.Writer }

func (w twice) Write(b []byte) (int, error) {
	_, _ = w.twin.Write(b)
	return w.to.Write(b)
}

func (l *link) copy(ctx context.Context, w way, to io.Writer, from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if l.pass(ctx, w); ctx.Err() != nil {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// pass returns when bytes may proceed.
func (l *link) pass(ctx context.Context, w way) {
	for late := true; ; {
		l.mu.Lock()
		held, by, changed, closed := l.held[w], l.late, l.changed, l.closed
		l.mu.Unlock()
		if !held && late && by > 0 {
			late = false
			exercise.Sleep(ctx, by)
			continue
		}
		if !held || closed {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
