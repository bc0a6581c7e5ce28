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

// Authenticator finds out who sends a request, by what it was made with. It is safe for concurrent
// use.
type Authenticator struct {
	// Tokens gives the tokens as they are now; nil for none.
	Tokens func() *Tokens
	// Accounts knows the tokens of service accounts; nil knows none.
	Accounts *Accounts
	// ClientCAs gives the authorities of clients' certificates as they are now; nil for none.
	ClientCAs func() *x509.CertPool
	// Issued is the authority of the certificates that the cluster itself has signed; nil for none.
	// They are judged by cluster time, and make nobody a master.
	Issued *x509.Certificate
	// Now is cluster time; it is needed where Issued is given.
	Now func() time.Time
}

// ErrNoCredentials says that a request has none, neither good nor bad.
var ErrNoCredentials = errors.New("the request has no credentials")

var (
	errBadToken     = errors.New("invalid bearer token")
	errForeign      = errors.New("the certificate is of no authority that the server knows, or it has expired")
	errIssuedMaster = errors.New("the certificate is for " + Masters + ", for which the cluster signs none")
)

// Authenticate finds out who sends the request. It reads headers alone, and takes a good token out
// of a websocket's protocols. A token that is good makes up for a certificate that is not. Errors
// are ErrNoCredentials and others, which say what is wrong with those that were given and are not
// for the client.
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

// byProtocol is who offers a token as a protocol. A token that is good is taken out of the request:
// the protocol that is agreed on is one of the others.
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

// bearer is the token of the Authorization header; false if there is none.
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

// byCertificate is the user that the client's certificate names: its common name, and its
// organisations as groups. Nobody, without an error, where the client shows none or no authorities
// are known.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go, AuthenticateRequest and
// CommonNameUserConversion
func (a *Authenticator) byCertificate(req *http.Request) (*User, error) {
	if a.ClientCAs == nil && a.Issued == nil || req.TLS == nil || len(req.TLS.PeerCertificates) == 0 {
		return nil, nil //nolint:nilnil // there is no certificate, which is no failure
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

// verify says what keeps a client's certificate from being good.
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
