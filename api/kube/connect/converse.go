package connect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator"
)

// converse answers the HTTP/1.1 requests on a connection to a port, one after another, until the
// client closes it or a request is the last. It holds one request and one answer in memory at a
// time. The error is that of ask, or reports an unsupported protocol.
func converse(connection io.ReadWriter, port int, ask func(emulator.Query) (emulator.Answer, error)) error {
	limited := &io.LimitedReader{R: connection}
	in := bufio.NewReader(limited)
	for {
		limited.N = maxServedHeader
		is, err := speaksHTTP(in)
		switch {
		case err != nil:
			return nil //nolint:nilerr // the client has disconnected
		case !is:
			return errNotHTTP
		}
		req, err := http.ReadRequest(in)
		switch {
		case err != nil && limited.N <= 0:
			return refuse(connection, http.StatusRequestHeaderFieldsTooLarge)
		case err != nil:
			return refuse(connection, http.StatusBadRequest)
		case req.ProtoMajor != 1:
			return refuse(connection, http.StatusHTTPVersionNotSupported)
		}
		if strings.EqualFold(req.Header.Get("Expect"), "100-continue") {
			if _, err := io.WriteString(connection, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
				return nil //nolint:nilerr // as above
			}
		}
		limited.N = 2 * maxServedBody // chunks come with lengths
		switch err := bound(req); {
		case errors.Is(err, errServedBody):
			return refuse(connection, http.StatusRequestEntityTooLarge)
		case errors.Is(err, errServedHeader):
			return refuse(connection, http.StatusRequestHeaderFieldsTooLarge)
		case err != nil:
			return refuse(connection, http.StatusBadRequest)
		}
		last, err := respondTo(connection, req, port, ask)
		if err != nil || last {
			return err
		}
	}
}

// maxMethod limits how many bytes are examined to detect HTTP.
const maxMethod = 20

// speaksHTTP reports whether the next bytes start like a request: with a method in capitals and a
// path. It consumes nothing. The error is io.EOF if nothing comes.
func speaksHTTP(in *bufio.Reader) (bool, error) {
	for n := 1; ; {
		_, err := in.Peek(n)
		got, _ := in.Peek(in.Buffered()) // already buffered
		switch i := bytes.IndexFunc(got, func(c rune) bool { return c < 'A' || c > 'Z' }); {
		case len(got) == 0:
			return false, err
		case i == 0, i > maxMethod, i < 0 && len(got) > maxMethod, i > 0 && got[i] != ' ':
			return false, nil
		case i > 0 && i+1 < len(got):
			return got[i+1] == '/' || got[i+1] == '*' || got[i+1] == 'h', nil
		case err != nil:
			return false, nil //nolint:nilerr // the client has disconnected too early to tell
		}
		n = len(got) + 1
	}
}

// respondTo passes the request to the program and writes its answer. last reports that the
// connection must end.
func respondTo(connection io.Writer, req *http.Request, port int, ask func(emulator.Query) (emulator.Answer, error)) (last bool, err error) {
	q, err := queryOf(req, port)
	if err != nil {
		return true, nil // the body has been read already
	}
	a, err := ask(q)
	switch {
	case err != nil:
		return true, err
	case a.Outcome == emulator.OutcomeTimeout:
		return true, errNotHTTP
	case a.Outcome != emulator.OutcomeOK:
		return true, fmt.Errorf("read tcp 127.0.0.1:%d: connection reset by peer", port)
	}
	res := responseOf(req, a)
	defer res.Body.Close()           //nolint:errcheck // in memory
	res.Header.Del("Content-Length") // Write computes it from the body
	res.Close = req.Close
	out := bufio.NewWriter(connection)
	sent := errors.Join(res.Write(out), out.Flush())
	return req.Close || sent != nil, nil // an error means that the client has disconnected
}

// refuse answers a request that cannot be forwarded, as Go's server does. The connection must end.
func refuse(connection io.Writer, code int) error {
	text := fmt.Sprintf("%d %s", code, http.StatusText(code))
	_, _ = fmt.Fprintf(connection, "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n%s", text, text) // likewise
	return nil
}

// mostSaid limits the bytes of a custom protocol that are passed to a program at a time.
const mostSaid = 16 << 10

// converseRaw transfers bytes to and from a program with a custom protocol, until either side
// closes the connection. greeting is the program's answer to the connection itself, which may send
// data first. The program's state of the connection is kept here. The error is that of ask, or
// reports that the connection was reset.
func converseRaw(connection io.ReadWriter, port int, greeting emulator.Answer, ask func(emulator.Query) (emulator.Answer, error)) error {
	said := make([]byte, mostSaid)
	for a := greeting; ; {
		if _, err := io.WriteString(connection, string(a.Body)); err != nil || a.Closed {
			return nil //nolint:nilerr // the client has disconnected
		}
		q := emulator.Query{Kind: emulator.QueryRaw, Port: port, Session: a.Session}
		if !a.Pending {
			n, err := connection.Read(said)
			if n == 0 && err != nil {
				return nil //nolint:nilerr // as above
			}
			q.Body = emulator.Text(said[:n])
		}
		var err error
		if a, err = ask(q); err != nil {
			return err
		}
		if a.Outcome != emulator.OutcomeOK {
			return fmt.Errorf("read tcp 127.0.0.1:%d: connection reset by peer", port)
		}
	}
}
