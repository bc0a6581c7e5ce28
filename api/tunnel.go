package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/websocket"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// socketPage is where the dashboard's websockets are, below its address.
const socketPage = "socket"

// maxAskBytes bounds what is asked over a websocket: an address and a token.
const maxAskBytes = 128 << 10

// asked is the one message that a page sends over a websocket: a GET request, which it can neither say in a websocket's headers nor,
// as far as the token goes, in its address.
type asked struct {
	Path   string `json:"path"` // with the query, below the address that stands before the dashboard's
	Accept string `json:"accept,omitempty"`
	Token  string `json:"token,omitempty"`
}

// begun is the first message that comes back. The body follows in binary messages, and the end of the websocket is its end.
type begun struct {
	Code int    `json:"code"`
	Type string `json:"type,omitempty"`
}

// tunnel answers GET requests that a page of the dashboard sends over a websocket: those whose answers have no end, as watches. A browser
// keeps no more than six connections to a server without TLS, for all its windows together, but it has hundreds of websockets.
//
// The request is judged like any other. base is the address of the fork that it is about.
func tunnel(l Limits, base string, next http.Handler) http.Handler {
	next = limitHeader(l, paced(l.WriteTimeout, next))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case crossOrigin(req):
			writeError(w, req, forbidden("requests from web pages of other origins are refused"))
			return
		case req.Method != http.MethodGet || req.ProtoMajor != 1 || !strings.EqualFold(req.Header.Get("Upgrade"), "websocket"):
			writeError(w, req, apierrors.NewBadRequest("only a websocket can be opened here"))
			return
		}
		handler := func(conn *websocket.Conn) {
			conn.MaxPayloadBytes = maxAskBytes
			_ = conn.SetReadDeadline(time.Now().Add(l.HeaderTimeout)) // a connection without deadlines has nobody slow behind it
			var a asked
			if websocket.JSON.Receive(conn, &a) != nil {
				return // whoever does not ask is told nothing
			}
			_ = conn.SetReadDeadline(time.Time{}) // as where it was set
			ctx, cancel := context.WithCancel(req.Context())
			defer cancel()
			go func() {
				defer cancel()
				_, _ = io.Copy(io.Discard, conn) // it fails when the client has gone or the answer has come to its end
			}()
			out := &socketWriter{conn: conn, header: http.Header{}}
			if inner, err := a.request(ctx, base, req); err != nil {
				writeError(out, req, err)
			} else {
				next.ServeHTTP(out, inner)
			}
			out.Flush()
		}
		websocket.Server{Handler: handler}.ServeHTTP(hijackable{w, http.NewResponseController(w)}, req)
	})
}

// hijackable hands out a connection through the writers that are wrapped around it.
type hijackable struct {
	http.ResponseWriter
	*http.ResponseController
}

// request is what is asked for, by whoever opened the websocket.
func (a asked) request(ctx context.Context, base string, by *http.Request) (*http.Request, error) {
	at, err := url.ParseRequestURI(a.Path)
	if err != nil || at.Scheme != "" || at.Host != "" || at.Opaque != "" || at.Path == "" || at.Path[0] != '/' {
		return nil, apierrors.NewBadRequest("what is asked for is no path")
	}
	if base != "" {
		at.Path, at.RawPath = base+at.Path, (&url.URL{Path: base}).EscapedPath()+at.EscapedPath()
	}
	h := http.Header{"User-Agent": by.Header["User-Agent"]}
	if a.Accept != "" {
		h.Set("Accept", a.Accept)
	}
	if a.Token != "" {
		h.Set("Authorization", "Bearer "+a.Token)
	}
	req := &http.Request{
		Method: http.MethodGet, URL: at, RequestURI: at.RequestURI(), Header: h, Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: by.Host, RemoteAddr: by.RemoteAddr, TLS: by.TLS,
	}
	return req.WithContext(ctx), nil
}

// socketWriter writes an answer to a websocket: what has come together by each flush, or is a piece's size, as one message.
type socketWriter struct {
	conn   *websocket.Conn
	header http.Header
	begun  bool
	body   []byte
}

// Header is http.ResponseWriter's. What it holds is not sent, but for the type.
func (s *socketWriter) Header() http.Header { return s.header }

// WriteHeader sends the first message.
func (s *socketWriter) WriteHeader(code int) {
	if s.begun {
		return
	}
	s.begun = true
	text, err := json.Marshal(begun{code, s.header.Get("Content-Type")})
	if err == nil {
		_ = websocket.Message.Send(s.conn, string(text)) // if it fails, the next one does
	}
}

// Write is http.ResponseWriter's.
func (s *socketWriter) Write(b []byte) (int, error) {
	s.WriteHeader(http.StatusOK)
	s.body = append(s.body, b...)
	if len(s.body) < pieceBytes {
		return len(b), nil
	}
	return len(b), s.FlushError()
}

// Flush is FlushError, for whoever does not know that.
func (s *socketWriter) Flush() { _ = s.FlushError() } // as the next write will

// FlushError sends what has been written.
func (s *socketWriter) FlushError() error {
	s.WriteHeader(http.StatusOK)
	if len(s.body) == 0 {
		return nil
	}
	err := websocket.Message.Send(s.conn, s.body)
	s.body = s.body[:0]
	return err
}

// SetWriteDeadline is for http.ResponseController and for the pace.
func (s *socketWriter) SetWriteDeadline(at time.Time) error { return s.conn.SetWriteDeadline(at) }

// SetReadDeadline does nothing: there is no body to be read.
func (s *socketWriter) SetReadDeadline(time.Time) error { return nil }
