package certificate

import (
	"crypto/x509"

	certificatesv1 "k8s.io/api/certificates/v1"
)

// approved is the approved request of a kubelet for its client certificate; nil if it is another
// request, or if its author may not have one.
//
// Source: kubernetes v1.36 pkg/controller/certificates/approver/sarapprove.go, recognizers and handle
func approved(s Snapshot) *certificatesv1.CertificateSigningRequest {
	r := s.Request
	if r.Spec.SignerName != certificatesv1.KubeAPIServerClientKubeletSignerName {
		return nil
	}
	asked, err := parse(r.Spec.Request)
	if err != nil || checkKubeletClient(asked, r.Spec.Usages) != nil {
		return nil
	}
	switch {
	case s.SelfNodeClient && isOwn(r, asked):
		return with(s, certificatesv1.CertificateApproved, "AutoApproved", "Auto approving self kubelet client certificate after SubjectAccessReview.")
	case s.NodeClient:
		return with(s, certificatesv1.CertificateApproved, "AutoApproved", "Auto approving kubelet client certificate after SubjectAccessReview.")
	}
	return nil
}

// isOwn reports whether a node requests a certificate for its own name.
func isOwn(r *certificatesv1.CertificateSigningRequest, asked *x509.CertificateRequest) bool {
	return r.Spec.Username == asked.Subject.CommonName
}
