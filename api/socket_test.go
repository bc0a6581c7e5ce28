package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// watchSocket opens a watch over a websocket with extra headers. It returns the status code.
func watchSocket(t *testing.T, address string, headers ...string) (net.Conn, int) {
	t.Helper()
	conn := speak(t, address, "GET /api/v1/pods?watch=1&resourceVersion=1"+head+"Connection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"+strings.Join(append(headers, "\r\n"), "\r\n"))
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn, res.StatusCode
}

// A page of another origin cannot open a websocket. Browsers do not prevent it.
func TestSocket_Origin(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{}, func(d *api.Deps) { d.LoopbackGuard = true })
	for header, want := range map[string]int{
		"Origin: http://localhost": http.StatusSwitchingProtocols, "Origin: http://evil.example": http.StatusForbidden,
		"Origin: null": http.StatusForbidden, "Origin: http://localhost:3000": http.StatusForbidden,
	} {
		if _, code := watchSocket(t, address, header); code != want {
			t.Errorf("%s: %d, want %d", header, code, want)
		}
	}
}

// A websocket watch ends, and frees its slot, when its client violates the protocol or disconnects,
// but not before.
func TestSocket_HostileFrames(t *testing.T) {
	t.Parallel()
	mask := "\x00\x00\x00\x00"
	for name, sent := range map[string]string{
		"an unmasked frame":        "\x81\x01a",
		"a vast frame, cut short":  "\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff" + mask + strings.Repeat("a", 1<<20),
		"endless fragments":        "\x01\x81" + mask + "a" + strings.Repeat("\x00\x81"+mask+"a", 100_000),
		"a flood of pings":         strings.Repeat("\x89\x80"+mask, 1000),
		"a ping that is too long":  "\x89\xfe\xff\xff" + mask + strings.Repeat("a", 1<<16),
		"reserved bits":            "\xf1\x80" + mask,
		"an unknown kind of frame": "\x8f\x80" + mask,
		"an early end":             "\x88\x80" + mask,
		"nothing":                  "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, address := limited(t, api.Limits{LongRunning: 1, Waiting: 1, Patience: time.Millisecond})
			conn, code := watchSocket(t, address)
			if code != http.StatusSwitchingProtocols {
				t.Fatalf("answered %d", code)
			}
			if _, second := watchSocket(t, address); second != http.StatusTooManyRequests {
				t.Errorf("a second watch: %d", second)
			}
			_, _ = io.WriteString(conn, sent) // the server may have closed the connection
			_ = conn.Close()
			for until := time.Now().Add(apitest.Patience); ; time.Sleep(10 * time.Millisecond) {
				if _, code := watchSocket(t, address); code == http.StatusSwitchingProtocols {
					break
				}
				if time.Now().After(until) {
					t.Fatal("the place of the watch stays taken")
				}
			}
		})
	}
}

// A client that floods a websocket with pings and reads nothing is cut off at the next event.
func TestSocket_NeverReads(t *testing.T) {
	t.Parallel()
	c, address := limited(t, api.Limits{}, func(d *api.Deps) { d.Kube.SlowAfter = 100 * time.Millisecond })
	conn, code := watchSocket(t, address)
	if code != http.StatusSwitchingProtocols {
		t.Fatalf("answered %d", code)
	}
	ctx, cancel := context.WithTimeout(t.Context(), apitest.Patience)
	defer cancel()
	cut := make(chan struct{})
	go func() {
		defer close(cut)
		ping := "\x89\xfd\x00\x00\x00\x00" + strings.Repeat("x", 125)
		for ctx.Err() == nil {
			if _, err := io.WriteString(conn, strings.Repeat(ping, 100)); err != nil {
				return
			}
		}
	}()
	for i := 0; ctx.Err() == nil; i++ {
		c.Do(t, "POST "+apitest.PodsPath, fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d"},"spec":{"containers":[{"name":"c","image":"i"}]}}`, i), "Content-Type: application/json")
		select {
		case <-cut:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Error("the client is still there")
}
