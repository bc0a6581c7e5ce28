// Package certificates defines CertificateSigningRequest. Start with signingrequest.go.
package certificates
