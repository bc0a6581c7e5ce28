package api

import (
	"errors"
	"log/slog"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/auth"
)

// authenticated puts the user into the request's context, or answers 401, before anything of the body is read. Without an authenticator
// everybody is auth.Local.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/authentication.go, withAuthentication
//
// Differs: who shows no credentials gets 401 everywhere but at the paths that everybody may read, rather than 403 as system:anonymous,
// because nobody can grant that user anything.
func authenticated(a *auth.Authenticator, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user := auth.Local
		if a != nil {
			var err error
			user, err = a.Authenticate(req)
			if errors.Is(err, auth.ErrNoCredentials) && auth.Public(req.Method, req.URL.Path) {
				user, err = auth.Anonymous, nil
			}
			if err != nil {
				log.DebugContext(req.Context(), "unauthorized", "remote", req.RemoteAddr, "path", req.URL.Path, "error", err)
				writeError(w, req, apierrors.NewUnauthorized("Unauthorized"))
				return
			}
		}
		next.ServeHTTP(w, req.WithContext(auth.NewContext(req.Context(), user)))
	})
}
