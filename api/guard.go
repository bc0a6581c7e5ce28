package api

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// guard protects a server from web pages, because a browser lets a page send requests to any
// server.
//
// Without a login, the Host of a request must name this machine, so that no foreign name can
// resolve to it (DNS rebinding), and the request must not come from another origin.
//
// With a login, the Host does not matter: a page can be made to send requests under its own name,
// but it has no token, and with TLS the browser rejects the certificate of another name. The origin
// does matter, because browsers send client certificates by themselves, whichever page makes the
// request. They do not send tokens by themselves, and a page of another origin cannot set that
// header, so a request with a token does not come from such a page.
//
// Links to the dashboard work from anywhere, such as a mail or another page, because following one
// does no more than typing its address. So do links to the pages that Pods serve, if a person
// follows them. Each of these pages has an origin of its own, so even the links between them cross
// origins. Whatever such a page loads carries its pass: see pages.
func guard(hosts, origins bool, ofPods *pages, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case auth.FromPod(req.Context()): // not a browser, and it uses another name of the server
			next.ServeHTTP(w, req)
		case hosts && !loopback(hostOf(req.Host)):
			writeError(w, req, forbidden("the Host header does not name this machine: use localhost or a loopback address"))
		case ofPods.serve(w, req, next):
		case origins && crossOrigin(req) && !followsLink(req) && !showsToken(req):
			writeError(w, req, forbidden("requests from web pages of other origins are refused"))
		default:
			next.ServeHTTP(w, req)
		}
	})
}

// hostOf returns a host without its port and without the brackets of an IPv6 address.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// loopback reports whether a host is a name of this machine that cannot resolve elsewhere.
func loopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// crossOrigin reports whether a browser sent the request on behalf of a page of another origin.
// Other clients send neither header.
func crossOrigin(req *http.Request) bool {
	switch req.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		return true
	}
	origin := req.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host != req.Host
}

// followsLink reports whether a browser opens a page of the dashboard or, because a person asks for
// it, one that a Pod serves: in a window and not in a frame. Such a request has no effect except
// that the page is shown.
func followsLink(req *http.Request) bool {
	h := req.Header
	return (req.Method == http.MethodGet || req.Method == http.MethodHead) &&
		(dashboardPage(req) || servedPage(req) && h.Get("Sec-Fetch-User") == "?1") &&
		h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document" && h.Get("Origin") == ""
}

// servedPage reports whether a request goes through the proxy of a Pod, Service or node. It reads
// the path as it is: a later step rejects ambiguous paths.
func servedPage(req *http.Request) bool {
	return auth.Proxied(strings.Split(strings.TrimPrefix(req.URL.Path, "/"), "/")) > 0
}

// showsToken reports whether a request has a bearer token, valid or not. Before a browser lets a
// page of another origin set that header, it asks the server, and ours never agrees. A page can
// never set it for a websocket.
func showsToken(req *http.Request) bool {
	return strings.HasPrefix(strings.ToLower(req.Header.Get("Authorization")), "bearer ")
}

func forbidden(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: message,
	}}
}
