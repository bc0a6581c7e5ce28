package kube

import (
	"net/http"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// issuerRoutes list the documents by which others verify the tokens of service accounts.
//
// Source: kubernetes v1.36 pkg/routes/openidmetadata.go
func (s *Server) issuerRoutes() []route {
	return []route{
		{method: http.MethodGet, path: "/.well-known/openid-configuration", verb: "getServiceAccountIssuerOpenIDConfiguration", summary: "get the OpenID configuration of the issuer of service account tokens", any: true, serve: s.issuer},
		{method: http.MethodGet, path: serviceaccount.JWKSPath, verb: "getServiceAccountIssuerOpenIDKeyset", summary: "get the keys of the issuer of service account tokens, as a JSON Web Key Set", any: true, serve: s.keySet},
	}
}

// issuer tells about the issuer. It names the address that the client has asked.
//
// Differs: upstream names the address under which the server is known, and always https.
func (s *Server) issuer(w http.ResponseWriter, req *http.Request) error {
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

// keySet shows the public keys.
func (s *Server) keySet(w http.ResponseWriter, req *http.Request) error {
	doc, err := s.Login.Accounts.KeySet(req.Context())
	if err != nil {
		return err
	}
	return writeIssued(w, "application/jwk-set+json", doc)
}

// writeIssued answers with a document that clients may keep for an hour.
func writeIssued(w http.ResponseWriter, media string, doc []byte) error {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "public, max-age=3600")
	_, err := w.Write(doc)
	return err
}
