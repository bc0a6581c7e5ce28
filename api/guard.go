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

// guard protects a server from web pages, which a browser lets speak to any server.
//
// Without a login, a request must name this machine as its host, so that no foreign name can be
// pointed here (DNS rebinding), and must not come from another origin. With a login the name does
// not matter: a page can be brought to ask under its own name, but it has no token to show, and
// over TLS the browser finds that the certificate is for another name. The origin does matter:
// browsers show a client's certificate by themselves, whichever page asks. They show no token by
// themselves: a page of another origin may not set that header, so a request that has it is no
// page's. A link to the dashboard may be anywhere, in a mail or on a page: to follow it is no more
// than to type it. The same holds for the pages that Pods serve, whose own links come from another
// origin, as each of them has one to itself; there it takes a person who follows the link. What
// such a page loads has its pass: see pages.
func guard(hosts, origins bool, ofPods *pages, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case auth.FromPod(req.Context()): // no browser, and the host is another name of the server
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

// hostOf is a host without its port and without the brackets of an IPv6 address.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// loopback says whether a host is a name of this machine that cannot be pointed elsewhere.
func loopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// crossOrigin says whether a browser sent the request on behalf of a page from elsewhere. Clients
// that are no browsers send neither header.
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

// followsLink says whether a browser goes to a page of the dashboard or, because a person asks for
// it, to one that a Pod serves: in a window and not in a frame. Nothing happens by that but that it
// is shown.
func followsLink(req *http.Request) bool {
	h := req.Header
	return (req.Method == http.MethodGet || req.Method == http.MethodHead) &&
		(dashboardPage(req) || servedPage(req) && h.Get("Sec-Fetch-User") == "?1") &&
		h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document" && h.Get("Origin") == ""
}

// servedPage says whether a request goes through the proxy of a Pod, a Service or a node. Its path
// is taken as it is: what is not plain is refused later.
func servedPage(req *http.Request) bool {
	return auth.Proxied(strings.Split(strings.TrimPrefix(req.URL.Path, "/"), "/")) > 0
}

// showsToken says whether a request has a token in its header, good or bad. A browser asks the
// server before it lets a page of another origin set that header, and no server of ours agrees; and
// it lets no page do so for a websocket.
func showsToken(req *http.Request) bool {
	return strings.HasPrefix(strings.ToLower(req.Header.Get("Authorization")), "bearer ")
}

func forbidden(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: message,
	}}
}
