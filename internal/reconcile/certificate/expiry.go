package certificate

import (
	"crypto/x509"
	"encoding/pem"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
)

// How long requests stay: those not yet decided on or signed, and those that are complete.
//
// Source: kubernetes v1.36 pkg/controller/certificates/cleaner/cleaner.go, pendingExpiration, approvedExpiration and deniedExpiration
const (
	openFor    = 24 * time.Hour
	decidedFor = time.Hour
)

// expiry is when a request must be deleted; zero if it stays, which includes a request that only
// has conditions of other types.
//
// Source: kubernetes v1.36 pkg/controller/certificates/cleaner/cleaner.go, handle
//
// Differs: it is exact to the second, while upstream checks once an hour. It counts from the time
// that the server set rather than from the client's, because clients' clocks may differ from the
// cluster's.
func expiry(r *certificatesv1.CertificateSigningRequest) (first time.Time) {
	earlier := func(t time.Time) {
		if first.IsZero() || t.Before(first) {
			first = t
		}
	}
	if len(r.Status.Conditions) == 0 && r.CreationTimestamp.IsZero() {
		return time.Time{}
	}
	if len(r.Status.Conditions) == 0 {
		return r.CreationTimestamp.Add(openFor)
	}
	for i := range r.Status.Conditions {
		c := &r.Status.Conditions[i]
		since := c.LastTransitionTime.Time
		if since.IsZero() {
			since = c.LastUpdateTime.Time
		}
		switch {
		case c.Type == certificatesv1.CertificateApproved && len(r.Status.Certificate) > 0:
			if end := notAfter(r.Status.Certificate); !end.IsZero() {
				earlier(end)
			}
			if !since.IsZero() {
				earlier(since.Add(decidedFor))
			}
		case since.IsZero():
		case c.Type == certificatesv1.CertificateApproved:
			earlier(since.Add(openFor))
		case c.Type == certificatesv1.CertificateDenied, c.Type == certificatesv1.CertificateFailed:
			earlier(since.Add(decidedFor))
		}
	}
	return first
}

// notAfter is when the first certificate in PEM expires; zero if it cannot be parsed.
func notAfter(text []byte) time.Time {
	block, _ := pem.Decode(text)
	if block == nil {
		return time.Time{}
	}
	certs, err := x509.ParseCertificates(block.Bytes)
	if err != nil || len(certs) == 0 {
		return time.Time{}
	}
	return certs[0].NotAfter
}
