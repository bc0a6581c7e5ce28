package credential

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"time"
)

const (
	authorityLife = 10 * 365 * 24 * time.Hour
	serverLife    = 365 * 24 * time.Hour
	// renewBefore is how long before its expiry a server's certificate is renewed, if a server
	// starts then.
	renewBefore = 90 * 24 * time.Hour
	// skew is how much earlier than now certificates begin, for clients whose clocks are slow.
	skew = time.Hour
)

// The subjects' names. They differ, because OpenSSL takes a certificate for self-signed if its
// issuer has its own name.
const (
	authorityName = "rowlock-ca"
	serverName    = "rowlock"
)

// pair is a certificate with its key.
type pair struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// authority reads the directory's authority, or creates it. The key is written first: a certificate
// without its key would be useless.
func (d Dir) authority() (pair, error) {
	key, err := d.key(d.caKeyFile())
	if err != nil {
		return pair{}, err
	}
	text, err := os.ReadFile(d.CAFile())
	if err == nil {
		cert, err := parseCertificate(text)
		if err != nil {
			return pair{}, fmt.Errorf("%s: %w", d.CAFile(), err)
		}
		if public, ok := cert.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(key.Public()) {
			return pair{}, fmt.Errorf("%s does not belong to %s: remove both, and have clients trust the new one", d.CAFile(), d.caKeyFile())
		}
		return pair{cert, key}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return pair{}, err
	}
	template := certificate(authorityName, authorityLife)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature | x509.KeyUsageCRLSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return pair{}, err
	}
	if err := WriteFile(d.CAFile(), encodeCertificate(der), 0o644); err != nil {
		return pair{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return pair{cert, key}, err
}

// server creates the server's certificate, unless the existing one has all the names and time left.
// A new one keeps the names of the old one, which another server may use.
func (d Dir) server(authority pair, names []string) error {
	key, err := d.key(d.KeyFile())
	if err != nil {
		return err
	}
	old, err := tls.LoadX509KeyPair(d.CertFile(), d.KeyFile())
	if err == nil {
		kept := namesOf(old.Leaf)
		missing := slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(kept, n) })
		ours := old.Leaf.CheckSignatureFrom(authority.cert) == nil
		if ours && !missing && time.Until(old.Leaf.NotAfter) > renewBefore {
			return nil
		}
		if ours {
			names = append(slices.Clone(names), kept...)
		}
	}
	template := certificate(serverName, serverLife)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, name := range names {
		if ip := net.ParseIP(name); ip == nil && !slices.Contains(template.DNSNames, name) {
			template.DNSNames = append(template.DNSNames, name)
		} else if ip != nil && !slices.ContainsFunc(template.IPAddresses, ip.Equal) {
			template.IPAddresses = append(template.IPAddresses, ip)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, authority.cert, key.Public(), authority.key)
	if err != nil {
		return err
	}
	chain := append(encodeCertificate(der), encodeCertificate(authority.cert.Raw)...)
	return WriteFile(d.CertFile(), chain, 0o600)
}

// namesOf returns the names and addresses that a certificate is valid for.
func namesOf(cert *x509.Certificate) []string {
	names := slices.Clone(cert.DNSNames)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// certificate returns what all certificates have in common.
func certificate(name string, life time.Duration) *x509.Certificate {
	now := time.Now() // real time: clients check it by their own clocks
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name, Organization: []string{"rowlock"}},
		NotBefore: now.Add(-skew), NotAfter: now.Add(life),
	}
}

// key reads a key, or creates it.
func (d Dir) key(path string) (crypto.Signer, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: no key in PEM is in it", path)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("%s: the key cannot sign", path)
	}
	return signer, nil
}

func makeKey(path string) (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}

func parseCertificate(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errNoCertificate
	}
	return x509.ParseCertificate(block.Bytes)
}

func encodeCertificate(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
