package certificate

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Snapshot is the input of Reconcile. The Request and the Authority are shared and never modified.
type Snapshot struct {
	Request   *certificatesv1.CertificateSigningRequest
	Authority *Authority // if nil, nothing is signed
	// SelfNodeClient is true if the author of the request may create
	// certificatesigningrequests/selfnodeclient, NodeClient if the author may create
	// certificatesigningrequests/nodeclient.
	SelfNodeClient, NodeClient bool
	Now                        time.Time
}

// has reports whether a request has a condition of the type, regardless of its status: for the
// decisive types, validation admits only true.
//
// Source: kubernetes v1.36 pkg/controller/certificates/certificate_controller_utils.go, GetCertApprovalCondition
func has(r *certificatesv1.CertificateSigningRequest, t certificatesv1.RequestConditionType) bool {
	for i := range r.Status.Conditions {
		if r.Status.Conditions[i].Type == t {
			return true
		}
	}
	return false
}

// with is a copy of the request with one more condition.
func with(s Snapshot, t certificatesv1.RequestConditionType, reason, message string) *certificatesv1.CertificateSigningRequest {
	next, now := s.Request.DeepCopy(), metav1.Time{Time: s.Now.Truncate(time.Second)}
	next.Status.Conditions = append(next.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
		Type: t, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now,
	})
	return next
}

var errNoRequest = errors.New("PEM block type must be CERTIFICATE REQUEST")

// parse parses the request in a spec.
//
// Source: kubernetes v1.36 pkg/apis/certificates/helpers.go, ParseCSR
func parse(text []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errNoRequest
	}
	return x509.ParseCertificateRequest(block.Bytes)
}
