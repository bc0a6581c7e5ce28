package application

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Ending is an end that has begun.
type Ending struct {
	At   time.Duration // in kernel time
	Code int           `json:",omitempty"`
}

// badRequest is a Go server's answer to bytes that are not an HTTP request. The server then closes
// the connection.
//
// Source: Go 1.26 net/http/server.go, conn.serve
// Differs: servers in other languages use other words.
const badRequest = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"

// connected is the answer of a port that speaks HTTP over TCP to anything but a request that it
// takes; done says that the answer is complete. tls says that the port speaks TLS. A port without
// TLS answers a TLS client in plain text; a port with TLS tells a plain client to use it.
//
// Source: Go 1.26 net/http/server.go, conn.serve
func connected(q kernel.Query, tls bool) (a kernel.Answer, done bool) {
	switch {
	case q.Kind == kernel.QueryHTTP && q.TLS && !tls:
		return kernel.Answer{Outcome: kernel.OutcomePlain}, true
	case q.Kind == kernel.QueryHTTP && !q.TLS && tls:
		return respond(400, "", "Client sent an HTTP request to an HTTPS server.\n"), true
	}
	switch q.Kind {
	case kernel.QueryTCP:
		return kernel.Answer{}, true
	case kernel.QueryRaw:
		return kernel.Answer{Body: badRequest}, true
	case kernel.QueryUDP:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}, true // UDP ports are separate
	case kernel.QueryHTTP:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}, false
	}
	return kernel.Answer{Outcome: kernel.OutcomeTimeout}, true
}

// respond returns an HTTP answer.
func respond(status int, contentType, body string) kernel.Answer {
	if contentType == "" {
		contentType = "text/plain; charset=utf-8"
	}
	return kernel.Answer{
		Status: status, Body: kernel.Text(body),
		Header: kernel.Texts{"Content-Type: " + contentType, "Content-Length: " + strconv.Itoa(len(body))},
	}
}

// Silent reports whether a request leaves no trace in a program's log: a request of a probe,
// because there are so many.
//
// Differs: on a real node, servers that log also log these requests.
func Silent(q kernel.Query) bool {
	return slices.ContainsFunc(q.Header, func(h string) bool { return strings.HasPrefix(strings.ToLower(h), "user-agent: kube-probe/") })
}

// peer returns the sender of a request; for a proxied request, a header names it.
func peer(q kernel.Query) string {
	if q.From != "" {
		return q.From
	}
	for _, h := range q.Header {
		if name, value, ok := strings.Cut(h, ":"); ok && strings.EqualFold(name, "X-Forwarded-For") {
			return strings.TrimSpace(value)
		}
	}
	return "127.0.0.1"
}

// contentType returns the type for the extension of a file's name.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html", ".htm":
		return "text/html"
	case ".css":
		return "text/css"
	case ".js":
		return "application/javascript"
	case ".json":
		return "application/json"
	case ".txt":
		return "text/plain"
	case ".svg":
		return "image/svg+xml"
	case ".xml":
		return "text/xml"
	}
	return "application/octet-stream"
}
