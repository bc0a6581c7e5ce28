// Package certificates has CertificateSigningRequest. Begin with signingrequest.go.
package certificates
