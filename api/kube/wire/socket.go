package wire

import (
	"net/http"
	"strings"
)

// WantsSocket says whether a client asks for a websocket, which only HTTP/1.1 can become.
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

// Hijackable hands out a connection through the writers that are wrapped around it.
type Hijackable struct {
	http.ResponseWriter
	*http.ResponseController
}
