package api

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
)

// HTTPServer serves a handler within limits.
type HTTPServer struct {
	http.Server
	limits Limits
}

// NewHTTPServer returns a server for HTTP/1.1 and HTTP/2, over TLS if encrypt is not nil.
func NewHTTPServer(h http.Handler, l Limits, encrypt *tls.Config, log *slog.Logger) *HTTPServer {
	l = l.WithDefaults()
	s := &HTTPServer{limits: l, Server: http.Server{
		Handler:           h,
		ReadHeaderTimeout: l.HeaderTimeout,
		IdleTimeout:       l.IdleTimeout,
		MaxHeaderBytes:    l.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		Protocols:         new(http.Protocols),
		TLSConfig:         encrypt,
		ConnContext:       withConnection,
		// A client that accepts nothing does not keep its connection, and the server chooses the
		// size of frames.
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: l.Streams, WriteByteTimeout: l.WriteTimeout},
	}}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetHTTP2(encrypt != nil)
	s.Protocols.SetUnencryptedHTTP2(encrypt == nil)
	return s
}

// Serve serves the listener's connections until it fails or the server is shut down. The limits
// bound the number of connections.
func (s *HTTPServer) Serve(l net.Listener) error {
	l = newConnections(l, s.limits.Connections)
	if s.TLSConfig != nil {
		return s.ServeTLS(l, "", "") // TLSConfig has the certificates
	}
	return s.Server.Serve(l)
}
