package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/v1"
)

// login authenticates and authorizes the requests of a server.
type login struct {
	authenticator *auth.Authenticator // nil: every caller is auth.Local; in a fork, the user that the server authenticated
	pods          *auth.Authenticator // of requests from Pods; nil: every Pod is auth.Anonymous
	authorizer    auth.Authorizer     // auth.AllowAll without a login
	fresh         func(context.Context) error
	log           *slog.Logger
}

// newLogin returns the login of a server. If there is no authorizer, only masters may do anything;
// without an authenticator either, every caller may do everything.
func newLogin(d *Deps) login {
	l := login{d.Authenticator, d.Kube.Login, d.Authorizer, d.Fresh, d.Log}
	switch {
	case l.authorizer != nil:
	case l.authenticator != nil:
		l.authorizer = auth.OnlyMasters
	default:
		l.authorizer = auth.AllowAll
	}
	return l
}

// authenticate puts the user into the request's context, or answers 401, before anything reads the
// body.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go, withAuthentication
//
// Differs: a request without credentials gets 401, not 403, for what system:anonymous may not do,
// so that browsers and people see that a login is missing. Programs in Pods get 403.
func (l login) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user := auth.Known(req.Context())
		if user == nil || l.authenticator != nil { // otherwise the server has authenticated a request to its fork
			var err error
			if user, err = l.user(req); err == nil {
				user, err = l.impersonate(req, user)
			}
			if err != nil {
				writeError(w, req, err)
				return
			}
		}
		noteUser(req.Context(), user)
		if user != auth.Anonymous {
			noteKnown(req.Context())
		}
		next.ServeHTTP(w, req.WithContext(auth.NewContext(req.Context(), user)))
	})
}

// user identifies the sender of the request.
func (l login) user(req *http.Request) (*auth.User, error) {
	by := l.authenticator
	if auth.FromPod(req.Context()) {
		if by = l.pods; by == nil {
			by = &auth.Authenticator{}
		}
	}
	if by == nil {
		return auth.Local, nil
	}
	user, err := by.Authenticate(req)
	if errors.Is(err, auth.ErrNoCredentials) && (auth.FromPod(req.Context()) || l.authorizer.Allows(auth.Anonymous, auth.Describe(req))) {
		return auth.Anonymous, nil
	}
	if err != nil {
		l.log.DebugContext(req.Context(), "unauthorized", "remote", req.RemoteAddr, "path", req.URL.Path, "error", err)
		return nil, apierrors.NewUnauthorized("Unauthorized")
	}
	return user, nil
}

// impersonate returns the user on whose behalf the request runs: its sender, or the user that its
// headers name.
func (l login) impersonate(req *http.Request, user *auth.User) (as *auth.User, err error) {
	err = l.decide(req.Context(), user, func() error {
		as, err = auth.Impersonate(l.authorizer, user, req.Header, auth.Describe(req))
		return err
	})
	return as, err
}

// authorize answers 403 to requests that the user is not allowed to make.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/authorization.go, withAuthorization
func (l login) authorize(next http.Handler) http.Handler {
	if l.authorizer == auth.AllowAll {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user := auth.FromContext(req.Context())
		if !user.In(auth.Masters) && req.URL.Path != v1.StreamsPath { // each of the streams is authorized separately
			about := auth.Describe(req)
			if err := l.decide(req.Context(), user, func() error { return l.check(user, about) }); err != nil {
				writeError(w, req, err)
				return
			}
		}
		next.ServeHTTP(w, req)
	})
}

// decide checks a right of the user. Another replica may just have committed what grants it, so a
// refusal counts only when the mirror is up to date. Anonymous requests do not wait.
func (l login) decide(ctx context.Context, user *auth.User, ask func() error) error {
	err := ask()
	if apierrors.IsForbidden(err) && l.fresh != nil && user != auth.Anonymous && l.fresh(ctx) == nil {
		err = ask()
	}
	return err
}

func (l login) check(user *auth.User, about auth.Attributes) error {
	err := auth.Check(l.authorizer, user, about)
	if err == nil && entersPod(about) {
		about.Verb = "create"
		err = auth.Check(l.authorizer, user, about)
	}
	return err
}

// entersPod reports whether a request opens a session in a Pod. That requires the right to create
// one, whatever the method: websocket requests use GET.
//
// Source: kubernetes v1.36 pkg/registry/core/pod/rest/subresources.go, AttachREST.Connect, ExecREST.Connect and PortForwardREST.Connect
// (AuthorizePodWebsocketUpgradeCreatePermission)
func entersPod(a auth.Attributes) bool {
	if a.Group != "" || a.Resource != "pods" {
		return false
	}
	return a.Subresource == "exec" || a.Subresource == "attach" || a.Subresource == "portforward"
}

// plainPath rejects ambiguous paths, which readers could interpret differently: those with empty
// segments, "." or "..", a slash within a segment, NUL, or invalid UTF-8. No served path looks like
// that, but the part that a proxy forwards may be any text.
func plainPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		path := req.URL.Path
		switch {
		case !utf8.ValidString(path) || strings.ContainsRune(path, 0):
			writeError(w, req, apierrors.NewBadRequest("the path must be UTF-8 text without NUL"))
		case ambiguous(req):
			writeError(w, req, errNotFound)
		case req.URL.RawPath != "":
			plain := *req
			plain.URL = new(url.URL)
			*plain.URL = *req.URL
			plain.URL.RawPath = "" // nothing in it needs escaping
			next.ServeHTTP(w, &plain)
		default:
			next.ServeHTTP(w, req)
		}
	})
}

func ambiguous(req *http.Request) bool {
	path := req.URL.Path
	if path == "" || path[0] != '/' {
		return true
	}
	if req.URL.RawPath == "" && !strings.Contains(path, "/.") && !strings.Contains(path, "//") {
		return false
	}
	parts := auth.Segments(req.URL)
	if n := auth.Proxied(parts); n > 0 {
		return strings.HasPrefix(path, "//") || slices.ContainsFunc(parts[:n], ambiguousPart)
	}
	return strings.Contains(path, "//") || slices.ContainsFunc(parts, ambiguousPart)
}

func ambiguousPart(part string) bool {
	return part == "." || part == ".." || strings.Contains(part, "/")
}
