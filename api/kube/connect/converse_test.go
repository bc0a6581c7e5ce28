package connect

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator"
)

// spoken is the server's end of a connection on which the client has sent everything.
type spoken struct {
	io.Reader
	bytes.Buffer
}

func (s *spoken) Read(p []byte) (int, error) { return s.Reader.Read(p) }

// conversation returns the requests and answers on a connection on which the client sends this.
func conversation(says string) (asked []string, said string, err error) {
	c := &spoken{Reader: strings.NewReader(says)}
	err = converse(c, 80, func(q emulator.Query) (emulator.Answer, error) {
		asked = append(asked, string(q.Method)+" "+string(q.Host)+" "+string(q.Path)+" "+strings.Join(q.Header, ",")+" "+string(q.Body))
		switch q.Path {
		case "/silent":
			return emulator.Answer{Outcome: emulator.OutcomeTimeout}, nil
		case "/gone":
			return emulator.Answer{Outcome: emulator.OutcomeRefused}, nil
		case "/broken":
			return emulator.Answer{}, errors.New("broken")
		}
		return emulator.Answer{Status: 200, Header: []string{"Content-Type: text/plain", "Content-Length: 2"}, Body: "ok"}, nil
	})
	return asked, c.String(), err
}

const (
	okSaid    = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"
	lastSaid  = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok"
	emptySaid = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\n"
)

func refusal(status string) string {
	return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" + status
}

// Requests are answered in turn, whole bodies and chunked ones, and unsupported input is reported.
func TestConverse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, says string
		asked      []string
		said, err  string
	}{
		{"nothing", "", nil, "", ""},
		{"several", "GET /a HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\nGET /b?c HTTP/1.1\r\nHost: y\r\n\r\n", []string{"GET x /a A: b ", "GET y /b?c  "}, okSaid + okSaid, ""},
		{"bodies", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcPUT /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1\r\nf\r\n0\r\n\r\n",
			[]string{"POST x / Content-Length: 3 abc", "PUT x /c  def"}, okSaid + okSaid, ""},
		{"the last", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n", []string{"GET x / Connection: close "}, lastSaid, ""},
		{"HTTP/1.0", "GET / HTTP/1.0\r\n\r\nGET", []string{"GET  /  "}, lastSaid, ""},
		{"HEAD", "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", []string{"HEAD x /  "}, emptySaid, ""},
		{
			"a client that waits", "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
			[]string{"POST x / Content-Length: 1,Expect: 100-continue a"}, "HTTP/1.1 100 Continue\r\n\r\n" + okSaid, "",
		},
		{"Redis", "*1\r\n$4\r\nPING\r\n", nil, "", errNotHTTP.Error()},
		{"Redis, typed", "PING\r\n", nil, "", errNotHTTP.Error()},
		{"PostgreSQL", "\x00\x00\x00\x08\x04\xd2\x16\x2f", nil, "", errNotHTTP.Error()},
		{"TLS", "\x16\x03\x01", nil, "", errNotHTTP.Error()},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", nil, refusal("505 HTTP Version Not Supported"), ""},
		{"a bad request", "GET / HTTP/1.1\r\n:\r\n\r\n", nil, refusal("400 Bad Request"), ""},
		{"half a request", "GET / HTTP/1.1\r\nHost", nil, refusal("400 Bad Request"), ""},
		{"half a body", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na", nil, refusal("400 Bad Request"), ""},
		{"long headers", "GET / HTTP/1.1\r\nA: " + strings.Repeat("x", maxServedHeader) + "\r\n\r\n", nil, refusal("431 Request Header Fields Too Large"), ""},
		{"a long body", "POST / HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n" + strings.Repeat("x", maxServedBody+1), nil, refusal("413 Request Entity Too Large"), ""},
		{"no answer", "GET /silent HTTP/1.1\r\n\r\n", []string{"GET  /silent  "}, "", errNotHTTP.Error()},
		{"a server that has gone", "GET /gone HTTP/1.1\r\n\r\n", []string{"GET  /gone  "}, "", "read tcp 127.0.0.1:80: connection reset by peer"},
		{"an error", "GET /broken HTTP/1.1\r\n\r\n", []string{"GET  /broken  "}, "", "broken"},
	}
	for _, tt := range tests {
		asked, said, err := conversation(tt.says)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tt.asked, asked); diff != "" || said != tt.said || got != tt.err {
			t.Errorf("%s: said %q, error %q; want %q, %q; asked (-want +got):\n%s", tt.name, said, got, tt.said, tt.err, diff)
		}
	}
}

// FuzzConverse: whatever a client sends, the conversation ends, and no request exceeds its limits.
func FuzzConverse(f *testing.F) {
	for _, says := range []string{
		"", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET /silent HTTP/1.1\r\n\r\n", "PING\r\n",
		"GET /%zz HTTP/1.1\r\n\r\n", "GET h HTTP/1.0\nConnection: keep-alive\n\n",
	} {
		f.Add(says)
	}
	f.Fuzz(func(t *testing.T, says string) {
		asked, _, _ := conversation(says)
		for _, q := range asked {
			if len(q) > 2*maxServedHeader+maxServedBody || len(q) > 2*len(says)+100 {
				t.Errorf("asked %d bytes for %d", len(q), len(says))
			}
		}
	})
}

// A program's greeting, its answers, in pieces, and its session are transferred until it closes the
// connection.
func TestConverseRaw(t *testing.T) {
	t.Parallel()
	c := &spoken{Reader: io.MultiReader(strings.NewReader("one"), strings.NewReader("two"), strings.NewReader("three"))}
	var asked []string
	err := converseRaw(c, 80, emulator.Answer{Raw: true, Body: "hello ", Session: "s"}, func(q emulator.Query) (emulator.Answer, error) {
		asked = append(asked, string(q.Kind+" ")+string(q.Session)+" "+string(q.Body))
		return emulator.Answer{Body: "<" + q.Body + ">", Session: q.Session + "'", Pending: q.Body == "one", Closed: q.Body == "two"}, nil
	})
	if err != nil || c.String() != "hello <one><><two>" {
		t.Errorf("said %q, error %v", c.String(), err)
	}
	if diff := cmp.Diff([]string{"raw s one", "raw s' ", "raw s'' two"}, asked); diff != "" {
		t.Error(diff)
	}
	for outcome, want := range map[emulator.Outcome]string{
		emulator.OutcomeReset:   "read tcp 127.0.0.1:80: connection reset by peer",
		emulator.OutcomeTimeout: "read tcp 127.0.0.1:80: connection reset by peer",
	} {
		err := converseRaw(&spoken{Reader: strings.NewReader("x")}, 80, emulator.Answer{}, func(emulator.Query) (emulator.Answer, error) { return emulator.Answer{Outcome: outcome}, nil })
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", outcome, err)
		}
	}
	broken := errors.New("broken")
	if err := converseRaw(&spoken{Reader: strings.NewReader("x")}, 80, emulator.Answer{}, func(emulator.Query) (emulator.Answer, error) { return emulator.Answer{}, broken }); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}
