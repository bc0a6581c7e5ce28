package connect

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/rowlock/rowlock/internal/visit"
)

// socketFrame returns a client's message as one websocket frame, with a mask of zeros.
func socketFrame(message []byte) []byte {
	f := []byte{0x82, 0x80}
	switch n := len(message); {
	case n < 126:
		f[1] |= byte(n)
	case n < 1<<16:
		f[1] |= 126
		f = binary.BigEndian.AppendUint16(f, uint16(n))
	default:
		f[1] |= 127
		f = binary.BigEndian.AppendUint64(f, uint64(n))
	}
	return append(append(f, 0, 0, 0, 0), message...)
}

// largest returns the payload of the largest frame whose header is complete.
func largest(socket bool, b []byte) (most uint64) {
	for {
		payload, head, mask := uint64(0), 8, 0
		if socket {
			if len(b) < 2 {
				return most
			}
			head = map[byte]int{126: 4, 127: 10}[b[1]&0x7f]
			mask = int(b[1]>>7) * 4
		}
		head = max(head, 2)
		if len(b) < head {
			return most
		}
		switch {
		case !socket:
			payload = uint64(b[5])<<16 | uint64(b[6])<<8 | uint64(b[7])
		case head == 4:
			payload = uint64(binary.BigEndian.Uint16(b[2:]))
		case head == 10:
			payload = binary.BigEndian.Uint64(b[2:])
		default:
			payload = uint64(b[1] & 0x7f)
		}
		if most = max(most, payload); payload > uint64(len(b)) || head+mask+int(payload) > len(b) {
			return most
		}
		b = b[head+mask+int(payload):]
	}
}

// FuzzFrameBound: exactly the first frame that is too large is detected by its header, however the
// bytes are split.
func FuzzFrameBound(f *testing.F) {
	most := binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, maxClientFrame)
	more := binary.BigEndian.AppendUint64([]byte{0x82, 0xff}, maxClientFrame+1)
	for _, b := range [][]byte{
		nil, {0x82}, socketFrame(nil), socketFrame([]byte("\x00hello")), socketFrame(make([]byte, 300)), most, more,
		append(socketFrame([]byte("x")), more...), {0x82, 0x7f, 0xff}, {0x80, 3, 0, 1, 0, 0x18, 0, 0},
		{0, 0, 0, 1, 1, 0x18, 0, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 'x', 0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff},
	} {
		f.Add(true, b, uint8(1))
		f.Add(false, b, uint8(3))
	}
	f.Fuzz(func(t *testing.T, socket bool, b []byte, cut uint8) {
		want := largest(socket, b) > maxClientFrame
		whole, pieces := frameBound{socket: socket}, frameBound{socket: socket}
		good, fault := whole.pass(b)
		if good > len(b) || fault == nil && good < len(b) || fault != nil && largest(socket, b[:good]) > maxClientFrame {
			t.Errorf("%d of %d bytes may be read: %v", good, len(b), fault)
		}
		var last error
		for rest := b; len(rest) > 0; {
			n := min(len(rest), int(cut)+1)
			_, last = pieces.pass(rest[:n])
			rest = rest[n:]
		}
		if (fault != nil) != want || (last != nil) != want {
			t.Errorf("too large: %t; whole %v, in pieces %v", want, fault, last)
		}
		if len(whole.head) > 10 {
			t.Errorf("%d bytes are kept", len(whole.head))
		}
	})
}

// piped is a response whose connection is one end of a pipe.
type piped struct {
	*httptest.ResponseRecorder
	net.Conn
}

// Write implements http.ResponseWriter.
func (p piped) Write(b []byte) (int, error) { return p.ResponseRecorder.Write(b) }

// Hijack implements http.Hijacker.
func (p piped) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return p.Conn, bufio.NewReadWriter(bufio.NewReader(p.Conn), bufio.NewWriter(p.Conn)), nil
}

// said serves a connection on which a websocket client sends bytes and then disconnects, whatever
// the answer.
func said(t *testing.T, protocol string, sends []byte, serve func(w http.ResponseWriter, req *http.Request)) {
	t.Helper()
	server, peer := net.Pipe()
	req := httptest.NewRequest(http.MethodGet, "/", nil)
	req.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}}
	if protocol != "" {
		req.Header.Set("Sec-WebSocket-Protocol", protocol)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	var clients sync.WaitGroup
	heard := make(chan struct{})
	clients.Go(func() {
		in := bufio.NewReader(peer)
		_, _ = http.ReadResponse(in, nil)
		close(heard)
		_, _ = io.Copy(io.Discard, in)
	})
	clients.Go(func() {
		<-heard
		_, _ = peer.Write(sends)
		_ = peer.Close()
	})
	serve(piped{httptest.NewRecorder(), server}, req.WithContext(ctx))
	if !stop() {
		t.Error("the session goes on although its client is gone")
	}
	_ = server.Close()
	clients.Wait()
}

// heardOf returns what the program of a session reads of messages in a protocol.
func heardOf(protocol string, messages [][]byte) (input []byte) {
	open, asText, halves := true, strings.Contains(protocol, "base64"), strings.HasPrefix(protocol, "v5.")
	for _, m := range messages {
		switch {
		case len(m) == 0:
		case halves && m[0] == 255:
			if len(m) != 2 || m[1] > channelResize {
				return input
			}
			open = open && m[1] != channelStdin
		case !open || asText && m[0] != '0' || !asText && m[0] != channelStdin:
		case asText:
			if decoded, err := base64.StdEncoding.DecodeString(string(m[1:])); err == nil {
				input = append(input, decoded...)
			}
		default:
			input = append(input, m[1:]...)
		}
	}
	return input
}

// FuzzSessionFrames: whatever a client sends in any protocol, the program reads its input, terminal
// sizes are valid, and the session ends with the client. In the fuzz input, the byte 0x1e separates
// messages; the bytes after the last message need not be a frame.
func FuzzSessionFrames(f *testing.F) {
	protocols := []string{"", "channel.k8s.io", "base64.channel.k8s.io", "v2.channel.k8s.io", "v4.channel.k8s.io", "v4.base64.channel.k8s.io", "v5.channel.k8s.io"}
	for i := range protocols {
		for _, messages := range []string{
			"", "\x00hello\x1e\x00 world", "\x04{\"Width\":80,\"Height\":24}\x1e\x00ls\n", "\x04{\x1e\x00x",
			"0aGVsbG8=\x1e0*\x1e4eyJXaWR0aCI6ODB9", "\x00a\x1e\xff\x00\x1e\x00b", "\xff\x04\x1e\x04{}\x1e\x00a", "\xff\x1e\x00a",
			"\xff\x09\x1e\x00a", "\x01a\x1e\x02b\x1e\x03c\x1e\x09d", "\x04{\"Width\":-1,\"Height\":99999}",
			"\x00" + strings.Repeat("long", 20_000),
		} {
			f.Add(uint8(i), []byte(messages), []byte(nil))
		}
		f.Add(uint8(i), []byte("\x00a"), []byte("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff"))
		f.Add(uint8(i), []byte("\x00a"), []byte("\x01\x81\x00\x00\x00\x00\x00\x80\x81\x00\x00\x00\x00b"))
		f.Add(uint8(i), []byte("\x00a"), []byte("\x88\x80\x00\x00\x00\x00\x89\x80"))
	}
	f.Fuzz(func(t *testing.T, which uint8, sends, tail []byte) {
		protocol, messages := protocols[int(which)%len(protocols)], bytes.Split(sends, []byte{0x1e})
		if strings.HasPrefix(protocol, "v2.") {
			protocol = "v5.channel.k8s.io, channel.k8s.io"
		}
		var frames []byte
		for _, m := range messages {
			frames = append(frames, socketFrame(m)...)
		}
		var input []byte
		a := asked{start: visit.Start{Command: []string{"sh"}, Stdin: true, TTY: true}, stdout: true}
		said(t, protocol, append(frames, tail...), func(w http.ResponseWriter, req *http.Request) {
			ctx, cancel := context.WithCancel(req.Context())
			defer cancel()
			ctx = klog.NewContext(ctx, logr.Discard())
			serveSession(&client{ResponseWriter: w, socket: true, gone: cancel}, req.WithContext(ctx), a, func(ctx context.Context, streams visit.Streams) error {
				var reading sync.WaitGroup
				reading.Go(func() { input, _ = io.ReadAll(streams.Stdin) })
				for size := range streams.Resize {
					if size.Rows < 0 || size.Rows > 65535 || size.Cols < 0 || size.Cols > 65535 {
						t.Errorf("a window has the size %v", size)
					}
				}
				<-ctx.Done()
				reading.Wait()
				return ctx.Err()
			})
		})
		protocol, _, _ = strings.Cut(protocol, ",")
		if want := heardOf(protocol, messages); !bytes.HasPrefix(input, want) || len(tail) == 0 && len(input) != len(want) {
			t.Errorf("%q: %q is read as %q, want %q", protocol, sends, input, want)
		}
	})
}

// forwarder is a Pod that discards its input.
type forwarder struct{}

// PortForward implements portforward.PortForwarder.
func (forwarder) PortForward(_ context.Context, _, _ string, _ int32, stream io.ReadWriteCloser) error {
	_, _ = io.Copy(io.Discard, stream)
	return stream.Close()
}

// FuzzTunnelledFrames: whatever a client sends as SPDY in a websocket, and however it is split into
// frames, the session ends with the client.
func FuzzTunnelledFrames(f *testing.F) {
	for _, opens := range []string{ // as client-go opens streams: for errors, for data, for an invalid port, of another kind, without headers
		"\x80\x03\x00\x01\x00\x00\x00=\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00x\xf9\xe3Ƨ\xc2\x02%:\x06\x06\x06\xce\"H\xfcd\x82\xd2-\xa3!8\xe5\x95\x14\xa5&\xe6B\v\x17\xd6TP\xd0C\n\xea\"P\xa2f\xb20\x00\x00\x00\x00\xff\xff",
		"\x80\x03\x00\x01\x00\x00\x00:\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00x\xf9\xe3Ƨ\xc2\x02%:p:+)JM\xccE*J\x12!\xa5r\x11(\x053Y\x18000p\x16A\xe20\x13\x94\xb6\x19\r\x01\x00\x00\x00\xff\xff",
		"\x80\x03\x00\x01\x00\x00\x00:\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00x\xf9\xe3Ƨ\xc2\x02%:p:+)JM\xccE*J\x12!\xa5r\x11(\x05\xb3Z\x82\x00\x03\x03\x03g\x11$\x1a3Aɛ\xd1\x10\x00\x00\x00\xff\xff",
		"\x80\x03\x00\x01\x00\x00\x006\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00x\xf9\xe3Ƨ\xc2\x02%:p:+)JM̅\x16%\x8c\x15\x90\"\xb9\b\x94|A\x80\xb3\b\x12}\x99\xa0d\xcdh\b\x00\x00\x00\xff\xff",
		"\x80\x03\x00\x01\x00\x00\x00\x1a\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00x\xf9\xe3Ƨ\xc2b```\x00\x00\x00\x00\xff\xff",
	} {
		b := []byte(opens)
		f.Add(b, uint16(1000))
		f.Add(b[:len(b)/2], uint16(3))
		f.Add(append(bytes.Clone(b), "\x00\x00\x00\x01\x00\x00\x00\x05hello"...), uint16(7))
		f.Add(append(bytes.Clone(b), "\x00\x00\x00\x01\x01\x00\x00\x00"...), uint16(1))
	}
	f.Add([]byte("\x80\x03\x00\x06\x00\x00\x00\x04\x00\x00\x00\x01\x80\x03\x00\x07\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00"), uint16(9)) // a ping, and GOAWAY
	f.Add([]byte("\x80\x03\x00\x04\x00\xff\xff\xff\x00\xff\xff\xff"), uint16(100))
	f.Add([]byte("\x00\x00\x00\x01\x00\x18\x00\x01"), uint16(100))
	f.Fuzz(func(t *testing.T, sends []byte, cut uint16) {
		var frames []byte
		for rest := sends; len(rest) > 0; {
			n := min(len(rest), int(cut)+1)
			frames, rest = append(frames, socketFrame(rest[:n])...), rest[n:]
		}
		const protocol = "SPDY/3.1+portforward.k8s.io"
		said(t, protocol, frames, func(w http.ResponseWriter, req *http.Request) {
			h := &hijacked{ResponseWriter: w, ctl: http.NewResponseController(w), slow: time.Minute, socket: true}
			tunnel(h, req, protocol, func(w http.ResponseWriter, req *http.Request) {
				if req.Header.Get(httpstream.HeaderUpgrade) != spdy.HeaderSpdy31 {
					t.Error("no SPDY is asked for")
				}
				portforward.ServePortForward(w, req, forwarder{}, "p", "uid", &portforward.V4Options{}, time.Minute, time.Minute, []string{portforward.ProtocolV1Name})
			})
		})
	})
}
