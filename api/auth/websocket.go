package auth

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"
)

const (
	protocolHeader = "Sec-Websocket-Protocol" // in canonical form
	tokenProtocol  = "base64url.bearer.authorization.k8s.io."
)

// offered returns the token that a websocket client offers as one of its protocols. Pages in
// browsers do so, because they cannot set other headers. others is the remaining protocols, of
// which there must be one; it is nil if there is no token.
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
				return "", nil, errors.New("the client offers more than one token as a protocol")
			case err != nil || !utf8.Valid(decoded):
				return "", nil, errors.New("the token among the protocols is not valid base64url")
			}
			token, seen = string(decoded), true
		}
	}
	switch {
	case token == "":
		return "", nil, nil
	case len(others) == 0:
		return "", nil, errors.New("the client offers no protocol besides the token")
	}
	return token, others, nil
}
