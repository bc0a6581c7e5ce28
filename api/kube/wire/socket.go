package wire

import (
	"net/http"
	"strings"
)

// WantsSocket reports whether a client requests a websocket, which is possible only in HTTP/1.1.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/httpstream/wsstream/conn.go, IsWebSocketRequest
func WantsSocket(req *http.Request) bool {
	if req.ProtoMajor != 1 || !strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		return false
	}
	for part := range strings.SplitSeq(req.Header.Get("Connection"), ",") {
		if strings.EqualFold(strings.TrimSpace(part), "upgrade") {
			return true
		}
	}
	return false
}

// Hijackable hijacks a connection through the writers that wrap it.
type Hijackable struct {
	http.ResponseWriter
	*http.ResponseController
}
