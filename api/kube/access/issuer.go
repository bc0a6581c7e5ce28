package access

import (
	"net/http"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// issuer serves the documents of the issuer of service account tokens.
type issuer struct{ login *auth.Authenticator }

// IssuerRoutes lists the documents with which clients verify the tokens of service accounts.
//
// Source: kubernetes v1.36 pkg/routes/openidmetadata.go
func IssuerRoutes(login *auth.Authenticator) []route.Route {
	s := issuer{login}
	return []route.Route{
		{
			Method: http.MethodGet, Path: "/.well-known/openid-configuration", Verb: "getServiceAccountIssuerOpenIDConfiguration",
			Summary: "get the OpenID configuration of the issuer of service account tokens",
			Any:     true, Serve: s.configuration,
		},
		{
			Method: http.MethodGet, Path: serviceaccount.JWKSPath, Verb: "getServiceAccountIssuerOpenIDKeyset",
			Summary: "get the keys of the issuer of service account tokens, as a JSON Web Key Set",
			Any:     true, Serve: s.keySet,
		},
	}
}

// configuration serves the OpenID configuration of the issuer, whose URLs have the host that the
// client used.
//
// Differs: upstream uses the server's configured address, and always https.
func (s issuer) configuration(w http.ResponseWriter, req *http.Request) error {
	scheme := "https"
	if req.TLS == nil {
		scheme = "http"
	}
	doc, err := serviceaccount.Configuration(scheme + "://" + req.Host + serviceaccount.JWKSPath)
	if err != nil {
		return err
	}
	return writeIssued(w, wire.MediaJSON, doc)
}

// keySet serves the public keys.
func (s issuer) keySet(w http.ResponseWriter, req *http.Request) error {
	doc, err := s.login.Accounts.KeySet(req.Context())
	if err != nil {
		return err
	}
	return writeIssued(w, "application/jwk-set+json", doc)
}

// writeIssued sends a document that clients may cache for an hour.
func writeIssued(w http.ResponseWriter, media string, doc []byte) error {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, err := w.Write(doc)
	return err
}
