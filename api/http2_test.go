package api_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/apitest"
)

// opened starts HTTP/2 on a connection and discards the answers.
func opened(t *testing.T, address string) (net.Conn, *http2.Framer) {
	t.Helper()
	conn := speak(t, address, http2.ClientPreface)
	framer := http2.NewFramer(conn, conn)
	if err := framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return conn, framer
}

// requestHeaders returns the encoded headers of a GET.
func requestHeaders(path string) []byte {
	var b strings.Builder
	e := hpack.NewEncoder(&b)
	for _, f := range [][2]string{{":method", "GET"}, {":scheme", "http"}, {":authority", "localhost"}, {":path", path}} {
		_ = e.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	return []byte(b.String())
}

// An HTTP/2 connection that resets its requests as fast as it sends them, or whose headers never
// end, is cut off, and other connections are served meanwhile.
func TestHTTP2_Floods(t *testing.T) {
	t.Parallel()
	const most = 1_000_000 // frames; each flood is cut off long before
	headers := requestHeaders("/api/v1/pods?watch=1")
	for name, flood := range map[string]func(f *http2.Framer, i int) error{
		"rapid reset": func(f *http2.Framer, i int) error {
			id := uint32(2*i + 1)
			if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: headers, EndHeaders: true, EndStream: true}); err != nil {
				return err
			}
			return f.WriteRSTStream(id, http2.ErrCodeCancel)
		},
		"continuations": func(f *http2.Framer, i int) error {
			if i == 0 {
				return f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: headers, EndStream: true})
			}
			return f.WriteContinuation(1, false, []byte(strings.Repeat("\x00\x01a\x01b", 1000)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, address := limited(t, api.Limits{Streams: 10})
			conn, framer := opened(t, address)
			drained := make(chan struct{})
			go func() { defer close(drained); _, _ = io.Copy(io.Discard, conn) }()
			var err error
			for i := 0; i < most && err == nil; i++ {
				err = flood(framer, i)
			}
			if err == nil {
				t.Error("the flood is not cut off")
			}
			res, err := http.Get("http://" + address + "/livez")
			if err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("another client: %v, %v", res, err)
			}
			_ = res.Body.Close()
			_ = conn.Close()
			select {
			case <-drained:
			case <-time.After(apitest.Patience):
				t.Error("the connection is still open")
			}
		})
	}
}

// An HTTP/2 connection carries as many concurrent requests as the limit allows.
func TestLimits_Streams(t *testing.T) {
	t.Parallel()
	_, address := limited(t, api.Limits{Streams: 2})
	conn := speak(t, address, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
	frame := make([]byte, 9)
	if _, err := io.ReadFull(conn, frame); err != nil || frame[3] != 4 {
		t.Fatalf("the first frame is not the settings: %v, %v", frame, err)
	}
	settings := make([]byte, int(frame[1])<<8|int(frame[2]))
	if _, err := io.ReadFull(conn, settings); err != nil {
		t.Fatal(err)
	}
	const maxConcurrentStreams = "\x00\x03\x00\x00\x00\x02"
	if !bytes.Contains(settings, []byte(maxConcurrentStreams)) {
		t.Errorf("the settings are %x", settings)
	}
}
