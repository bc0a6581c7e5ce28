package certificate

import (
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Authority signs certificates. It is immutable.
type Authority struct {
	Certificate *x509.Certificate
	Key         crypto.Signer // an ECDSA key
}

// PEM is the authority's certificate; empty for a nil Authority.
func (a *Authority) PEM() string {
	if a == nil {
		return ""
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate.Raw}))
}

// longest is the maximum validity of a certificate, and the default if the request does not specify
// one.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/config/v1alpha1/defaults.go, ClusterSigningDuration
const longest = 365 * 24 * time.Hour

// The dates of certificates: they begin a little in the past, and their end is also moved back
// unless they are short-lived.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, sign and duration
const (
	shortest = 10 * time.Minute
	backdate = 5 * time.Minute
	short    = 8 * time.Hour
)

// sign is the requested certificate, in DER: with the names of the request and the usages of its
// spec, but with none of the extensions in the request.
//
// Source: kubernetes v1.36 pkg/controller/certificates/authority/authority.go, Sign, and policies.go, apply
//
// Differs: the authority never expires, so no request is refused because of that.
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

// serial is the serial number of a request's certificate: 127 bits of a hash of its uid, which is
// unique.
func serial(uid types.UID) *big.Int {
	sum := sha256.Sum256([]byte(uid))
	sum[0] = sum[0]&0x7f | 0x40 // positive, and 16 bytes in DER
	return new(big.Int).SetBytes(sum[:16])
}

// lifetime is the validity of a certificate for which this number of seconds is requested.
func lifetime(asked *int32) time.Duration {
	if asked == nil {
		return longest
	}
	return min(max(time.Duration(*asked)*time.Second, shortest), longest)
}
