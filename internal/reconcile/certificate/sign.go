package certificate

import (
	"encoding/pem"

	certificatesv1 "k8s.io/api/certificates/v1"
)

// signed is the approved request with its certificate, or with the condition that says why it gets
// none; nil if it is not for a built-in signer, or has already failed. No request names the signer
// kubernetes.io/legacy-unknown: this version of the API does not admit it.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, handle
//
// Differs: a request whose key cannot be certified fails, because each of upstream's retries would
// fail too.
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
