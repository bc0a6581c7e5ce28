package main

import (
	"bufio"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/rowlock/rowlock/test/exercise"
)

// echo starts a server that sends back every line.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close() //nolint:errcheck // its client has gone
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					if _, err := fmt.Fprintln(conn, lines.Text()); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// connect connects through a link, and returns a function that sends a line and one that reads the
// next.
func connect(t *testing.T, l *link) (send func(string), next func() (string, error)) {
	t.Helper()
	conn, err := net.Dial("tcp", l.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(exercise.Patience)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(conn)
	return func(text string) { _, _ = fmt.Fprintln(conn, text) }, func() (string, error) { return lines.ReadString('\n') }
}

func TestLink(t *testing.T) {
	t.Parallel()
	at := echo(t)
	l, err := newLink(func() (net.Conn, error) { return net.Dial("tcp", at) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	for _, tt := range []struct {
		name            string
		disturb, relent func()
	}{
		{"nothing", func() {}, func() {}},
		{"one way", func() { l.hold(there, true) }, func() { l.hold(there, false) }},
		{"the other", func() { l.hold(back, true) }, func() { l.hold(back, false) }},
		{"both ways", func() { l.hold(there, true); l.hold(back, true) }, l.mend},
		{"late", func() { l.delay(10 * time.Millisecond) }, l.mend},
	} {
		send, next := connect(t, l)
		send("before")
		if got, err := next(); got != "before\n" {
			t.Fatalf("%s: got %q, %v before", tt.name, got, err)
		}
		tt.disturb()
		send("during")
		tt.relent()
		if got, err := next(); got != "during\n" {
			t.Errorf("%s: got %q, %v", tt.name, got, err)
		}
	}

	send, next := connect(t, l)
	send("before")
	if got, err := next(); got != "before\n" {
		t.Fatalf("got %q, %v before the cut", got, err)
	}
	l.refuse(true)
	if l.cut() == 0 {
		t.Error("there was nothing to cut")
	}
	if _, err := next(); err == nil {
		t.Error("a connection outlived the cut")
	}
	_, refused := connect(t, l)
	if _, err := refused(); err == nil {
		t.Error("a connection was taken while all are refused")
	}
	l.mend()
	send, answer := connect(t, l)
	send("after")
	if got, err := answer(); got != "after\n" {
		t.Errorf("got %q, %v after", got, err)
	}
}

// TestLink_HoldsBack: while a way is held, nothing passes, however long it takes: what is sent
// later on another connection arrives first.
func TestLink_HoldsBack(t *testing.T) {
	t.Parallel()
	at := echo(t)
	dial := func() (net.Conn, error) { return net.Dial("tcp", at) }
	held, err := newLink(dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(held.close)
	free, err := newLink(dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.close)
	held.hold(back, true)
	came := make(chan string, 2)
	send, next := connect(t, held)
	send("held")
	go func() { got, _ := next(); came <- got }()
	for range 20 {
		send, next := connect(t, free)
		send("free")
		if got, err := next(); got != "free\n" {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	select {
	case got := <-came:
		t.Errorf("%q came through", got)
	default:
	}
	held.mend()
	if got := <-came; got != "held\n" {
		t.Errorf("got %q in the end", got)
	}
}

// TestLink_Doubles: everything arrives twice, and the sender gets one answer.
func TestLink_Doubles(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	arrived := make(chan string)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close() //nolint:errcheck // its client has gone
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					arrived <- lines.Text()
					_, _ = fmt.Fprintln(conn, lines.Text())
				}
			}()
		}
	}()
	l, err := newLink(func() (net.Conn, error) { return net.Dial("tcp", listener.Addr().String()) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	for _, doubled := range []bool{true, false} {
		l.double(doubled)
		send, next := connect(t, l)
		send("hello")
		if <-arrived; doubled {
			<-arrived
		}
		if text, err := next(); err != nil || text != "hello\n" {
			t.Errorf("doubled %t: got %q, %v", doubled, text, err)
		}
	}
}
