package auth_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/api/auth"
)

// A browser page sends its token as a websocket protocol. The token takes no part in protocol
// negotiation.
func TestAuthenticate_TokenAsAProtocol(t *testing.T) {
	t.Parallel()
	known, err := auth.ReadTokens(strings.NewReader("s3cret,jane,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := &auth.Authenticator{Tokens: func() *auth.Tokens { return known }}
	token := func(s string) string {
		return "base64url.bearer.authorization.k8s.io." + base64.RawURLEncoding.EncodeToString([]byte(s))
	}
	for _, test := range []struct {
		name      string
		upgrade   string
		protocols []string
		who, left string
	}{
		{"good", "websocket", []string{"v5.channel.k8s.io, " + token("s3cret"), "v4.channel.k8s.io"}, "jane", "v5.channel.k8s.io,v4.channel.k8s.io"},
		{"nobody's", "WebSocket", []string{"v5.channel.k8s.io," + token("other")}, "", ""},
		{"alone", "websocket", []string{token("s3cret")}, "", ""},
		{"twice", "websocket", []string{"v5.channel.k8s.io", token("s3cret"), token("s3cret")}, "", ""},
		{"with padding", "websocket", []string{"v5.channel.k8s.io", token("s3cre") + "="}, "", ""},
		{"no text", "websocket", []string{"v5.channel.k8s.io", token("\xff")}, "", ""},
		{"empty", "websocket", []string{"v5.channel.k8s.io", token("")}, "", ""},
		{"without a websocket", "", []string{"v5.channel.k8s.io", token("s3cret")}, "", ""},
	} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("Upgrade", test.upgrade)
		req.Header["Sec-Websocket-Protocol"] = test.protocols
		u, err := a.Authenticate(req)
		if (u == nil) == (err == nil) {
			t.Fatalf("%s: %+v, %v", test.name, u, err)
		}
		who := ""
		if u != nil {
			who = u.Name
		}
		if who != test.who {
			t.Errorf("%s: it is %q, want %q", test.name, who, test.who)
		}
		if left := req.Header.Get("Sec-Websocket-Protocol"); who != "" && left != test.left {
			t.Errorf("%s: %q is left to agree on, want %q", test.name, left, test.left)
		}
	}
}
