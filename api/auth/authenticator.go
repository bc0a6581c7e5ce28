package auth

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Authenticator identifies the user who sends a request, from its credentials. It is safe for
// concurrent use.
type Authenticator struct {
	// Tokens returns the current static tokens; nil if there are none.
	Tokens func() *Tokens
	// Accounts verifies tokens of service accounts; nil accepts none.
	Accounts *Accounts
	// ClientCAs returns the current certificate authorities for client certificates; nil if the
	// server has none.
	ClientCAs func() *x509.CertPool
	// Issued is the certificate authority with which the cluster signs CertificateSigningRequests;
	// nil if there is none. Its certificates expire in cluster time and may not grant
	// system:masters.
	Issued *x509.Certificate
	// Now returns cluster time. It is required with Issued.
	Now func() time.Time
}

// ErrNoCredentials reports a request without any credentials.
var ErrNoCredentials = errors.New("the request has no credentials")

var (
	errBadToken     = errors.New("invalid bearer token")
	errForeign      = errors.New("the certificate has expired, or its authority is unknown to the server")
	errIssuedMaster = errors.New("the cluster does not issue certificates for " + Masters)
)

// Authenticate identifies the user who sends the request. It reads only headers, and removes a
// valid token from a websocket's protocols. A valid token makes up for an invalid certificate. It
// returns ErrNoCredentials if there are no credentials; other errors describe invalid ones and must
// not be sent to the client.
//
// Source: kubernetes v1.36 pkg/kubeapiserver/authenticator/config.go, Config.New
func (a *Authenticator) Authenticate(req *http.Request) (*User, error) {
	u, err := a.byCertificate(req)
	if u != nil {
		return u, nil
	}
	token, given := bearer(req)
	if !given {
		return a.byProtocol(req, err)
	}
	u, _, err = a.byToken(req.Context(), token, APIAudiences)
	return u, err
}

// byProtocol authenticates by a token offered as a websocket protocol. It removes a valid token
// from the request, so that another protocol is negotiated.
func (a *Authenticator) byProtocol(req *http.Request, wrong error) (*User, error) {
	token, others, err := offered(req)
	switch {
	case err != nil:
		return nil, err
	case others == nil:
		return nil, cmp.Or(wrong, ErrNoCredentials)
	}
	u, _, err := a.byToken(req.Context(), token, APIAudiences)
	if err != nil {
		return nil, err
	}
	req.Header.Set(protocolHeader, strings.Join(others, ","))
	return u, nil
}

// bearer returns the token of the Authorization header; false if there is none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go, AuthenticateRequest
func bearer(req *http.Request) (string, bool) {
	scheme, rest, found := strings.Cut(strings.TrimSpace(req.Header.Get("Authorization")), " ")
	if !found || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	token, _, _ := strings.Cut(rest, " ")
	return token, token != ""
}

// byCertificate returns the user that the client certificate names: its common name is the user
// name, its organisations are the groups. It returns nil without an error if there is no
// certificate, or no authority to verify it with.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go, AuthenticateRequest and
// CommonNameUserConversion
func (a *Authenticator) byCertificate(req *http.Request) (*User, error) {
	if a.ClientCAs == nil && a.Issued == nil || req.TLS == nil || len(req.TLS.PeerCertificates) == 0 {
		return nil, nil //nolint:nilnil // a missing certificate is not an error
	}
	leaf := req.TLS.PeerCertificates[0]
	if err := a.verify(leaf, req.TLS.PeerCertificates[1:]); err != nil {
		return nil, err
	}
	if leaf.Subject.CommonName == "" {
		return nil, errors.New("the certificate has no common name")
	}
	sum := sha256.Sum256(leaf.Raw)
	return authenticated(&User{
		Name: leaf.Subject.CommonName, Groups: leaf.Subject.Organization,
		Extra: map[string][]string{serviceaccount.CredentialID: {"X509SHA256=" + hex.EncodeToString(sum[:])}},
	}), nil
}

// verify checks a client certificate.
func (a *Authenticator) verify(leaf *x509.Certificate, rest []*x509.Certificate) error {
	options := x509.VerifyOptions{Intermediates: x509.NewCertPool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	if a.Issued != nil && bytes.Equal(leaf.RawIssuer, a.Issued.RawSubject) {
		options.Roots, options.CurrentTime = x509.NewCertPool(), a.Now()
		options.Roots.AddCert(a.Issued)
		if _, err := leaf.Verify(options); err == nil {
			if slices.Contains(leaf.Subject.Organization, Masters) {
				return errIssuedMaster
			}
			return nil
		}
	}
	if a.ClientCAs == nil {
		return errForeign
	}
	options.Roots, options.CurrentTime = a.ClientCAs(), time.Time{} // real time
	for _, c := range rest {
		options.Intermediates.AddCert(c)
	}
	_, err := leaf.Verify(options)
	return err
}
