package certificate

import (
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Authority signs certificates. It never changes.
type Authority struct {
	Certificate *x509.Certificate
	Key         crypto.Signer // of ECDSA
}

// PEM is the authority's certificate, empty for a nil Authority.
func (a *Authority) PEM() string {
	if a == nil {
		return ""
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate.Raw}))
}

// longest is how long a certificate is valid at most, and where the request does not say.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/config/v1alpha1/defaults.go, ClusterSigningDuration
const longest = 365 * 24 * time.Hour

// How certificates are dated: their begin is a little in the past, and so is their end unless they are short-lived.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, sign and duration
const (
	shortest = 10 * time.Minute
	backdate = 5 * time.Minute
	short    = 8 * time.Hour
)

// signed is the approved request with its certificate, or with the condition that says why it gets none; nil if no built-in signer
// is asked, or it has failed already. No request names the signer kubernetes.io/legacy-unknown: this version of the API does not
// admit it.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, handle
//
// Differs: a request whose key cannot be certified fails, because it would fail each time that upstream tries again.
func signed(s Snapshot) *certificatesv1.CertificateSigningRequest {
	r := s.Request
	check := signers[r.Spec.SignerName]
	if check == nil || s.Authority == nil || has(r, certificatesv1.CertificateFailed) {
		return nil
	}
	asked, err := parse(r.Spec.Request)
	if err != nil {
		return nil // it has passed validation, which parses it too
	}
	if err := check(asked, r.Spec.Usages); err != nil {
		return with(s, certificatesv1.CertificateFailed, "SignerValidationFailure", err.Error())
	}
	der, err := s.Authority.sign(asked, r, s.Now)
	if err != nil {
		return with(s, certificatesv1.CertificateFailed, "SigningFailure", err.Error())
	}
	next := r.DeepCopy()
	next.Status.Certificate = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return next
}

// sign is the certificate, in DER, that a request asks for: what it names, with the usages of its spec and none of the extensions that
// it brings.
//
// Source: kubernetes v1.36 pkg/controller/certificates/authority/authority.go, Sign, and policies.go, apply
//
// Differs: the authority never expires, so that none is refused for it.
func (a *Authority) sign(asked *x509.CertificateRequest, r *certificatesv1.CertificateSigningRequest, now time.Time) ([]byte, error) {
	life := lifetime(r.Spec.ExpirationSeconds)
	end := now.Add(life)
	if life >= short {
		end = end.Add(-backdate)
	}
	template := &x509.Certificate{
		SerialNumber: serial(r.UID),
		Subject:      asked.Subject, DNSNames: asked.DNSNames, IPAddresses: asked.IPAddresses, EmailAddresses: asked.EmailAddresses, URIs: asked.URIs,
		NotBefore: now.Add(-backdate), NotAfter: end, BasicConstraintsValid: true,
	}
	template.KeyUsage, template.ExtKeyUsage = keyUsages(r.Spec.Usages)
	// Without a source of randomness the signature is that of RFC 6979.
	return x509.CreateCertificate(nil, template, a.Certificate, asked.PublicKey, a.Key)
}

// serial is the number of the certificate of a request: 127 bits of a hash of its uid, as no two requests have the same.
func serial(uid types.UID) *big.Int {
	sum := sha256.Sum256([]byte(uid))
	sum[0] = sum[0]&0x7f | 0x40 // positive, and of 16 bytes in DER
	return new(big.Int).SetBytes(sum[:16])
}

// lifetime is how long a certificate is valid for which a request asks.
func lifetime(asked *int32) time.Duration {
	if asked == nil {
		return longest
	}
	return min(max(time.Duration(*asked)*time.Second, shortest), longest)
}

var errNoRequest = errors.New("PEM block type must be CERTIFICATE REQUEST")

// parse reads the request of a spec.
//
// Source: kubernetes v1.36 pkg/apis/certificates/helpers.go, ParseCSR
func parse(text []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errNoRequest
	}
	return x509.ParseCertificateRequest(block.Bytes)
}
