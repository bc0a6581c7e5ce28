package credential

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"time"
)

// clusterAuthorityName is the common name of the authorities that NewAuthority makes. The authority
// of a Dir has another, so that no certificate of one is accepted as the other's.
const clusterAuthorityName = "rowlock-cluster-ca"

// NewAuthority makes an authority that signs a cluster's certificates, and returns its certificate
// in DER and its key in DER of PKCS #8. It is valid at any time, because a cluster's clock can be
// set to any.
func NewAuthority() (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: clusterAuthorityName, Organization: []string{"rowlock"}},
		NotBefore:    time.Unix(0, 0).UTC(),
		NotAfter:     time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), // RFC 5280, 4.1.2.5: no end
		IsCA:         true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature | x509.KeyUsageCRLSign,
	}
	if cert, err = x509.CreateCertificate(rand.Reader, template, template, private.Public(), private); err != nil {
		return nil, nil, err
	}
	key, err = x509.MarshalPKCS8PrivateKey(private)
	return cert, key, err
}

// ParseAuthority parses the output of NewAuthority. It returns an error if that did not make it, or
// if the two do not belong together.
func ParseAuthority(cert, key []byte) (*x509.Certificate, crypto.Signer, error) {
	c, err := x509.ParseCertificate(cert)
	if err != nil {
		return nil, nil, err
	}
	k, err := x509.ParsePKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	private, ok := k.(*ecdsa.PrivateKey)
	if !ok || !private.PublicKey.Equal(c.PublicKey) {
		return nil, nil, errors.New("the key is not that of the certificate")
	}
	return c, private, nil
}
