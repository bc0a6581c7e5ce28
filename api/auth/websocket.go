package auth

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"
)

const (
	protocolHeader = "Sec-Websocket-Protocol" // in its canonical form
	tokenProtocol  = "base64url.bearer.authorization.k8s.io."
)

// offered is the token that a websocket's client offers as one of its protocols, which is how a
// page in a browser can: it has no say in other headers. Without a token, others is nil; else it is
// the protocols that are left to agree on, of which there must be one.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/websocket/protocol.go, AuthenticateRequest
func offered(req *http.Request) (token string, others []string, err error) {
	if !strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		return "", nil, nil
	}
	seen := false
	for _, header := range req.Header[protocolHeader] {
		for protocol := range strings.SplitSeq(header, ",") {
			protocol = strings.TrimSpace(protocol)
			encoded, is := strings.CutPrefix(protocol, tokenProtocol)
			if !is {
				others = append(others, protocol)
				continue
			}
			decoded, err := base64.RawURLEncoding.DecodeString(encoded)
			switch {
			case seen:
				return "", nil, errors.New("more than one token is offered as a protocol")
			case err != nil || !utf8.Valid(decoded):
				return "", nil, errors.New("the token that is offered as a protocol is not encoded as it should be")
			}
			token, seen = string(decoded), true
		}
	}
	switch {
	case token == "":
		return "", nil, nil
	case len(others) == 0:
		return "", nil, errors.New("no protocol is offered beside the token")
	}
	return token, others, nil
}
