package apitest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"
)

// Authority signs certificates of clients. Its own certificate is Cert.
type Authority struct {
	Cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes an authority with a certificate that it signed itself.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	made := new(Authority).Issue(t, pkix.Name{CommonName: "ca"}, func(c *x509.Certificate) {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	})
	return &Authority{made.Leaf, made.PrivateKey.(*ecdsa.PrivateKey)}
}

// Issue returns the certificate of a client, valid for an hour, as changes make it. If the authority
// has no certificate, the new one is self-signed.
func (a *Authority) Issue(t testing.TB, subject pkix.Name, changes ...func(*x509.Certificate)) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: subject, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	for _, change := range changes {
		change(template)
	}
	parent, signer := template, key
	if a.Cert != nil {
		parent, signer = a.Cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}
