package certificates

import (
	"fmt"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// approvesForSigner and signsForSigner check that a user may approve requests for the signer, or
// sign for it.
//
// Source: kubernetes v1.36 plugin/pkg/admission/certificates/approval/admission.go and plugin/pkg/admission/certificates/signing/admission.go, Validate
var (
	approvesForSigner = kind.Plugin{Name: "CertificateApproval", Authorize: func(_, old object.Object, by kind.Rights) error {
		return mayForSigner(old, "approve", by)
	}}
	signsForSigner = kind.Plugin{Name: "CertificateSigning", Authorize: func(next, old object.Object, by kind.Rights) error {
		is, was := &next.(*certificatesv1.CertificateSigningRequest).Status, &old.(*certificatesv1.CertificateSigningRequest).Status
		if string(is.Certificate) == string(was.Certificate) && equality.Semantic.DeepEqual(is.Conditions, was.Conditions) {
			return nil
		}
		return mayForSigner(old, "sign", by)
	}}
)

// mayForSigner rejects a user who may do it neither for the signer of a request nor for all signers
// of its domain.
//
// Source: kubernetes v1.36 pkg/certauthorization/certauthorization.go, IsAuthorizedForSignerName
func mayForSigner(o object.Object, verb string, by kind.Rights) error {
	signer := o.(*certificatesv1.CertificateSigningRequest).Spec.SignerName
	domain, _, _ := strings.Cut(signer, "/")
	for _, name := range []string{signer, domain + "/*"} {
		if by.Allows(authorizationv1.ResourceAttributes{Verb: verb, Group: certificatesv1.GroupName, Version: "*", Resource: "signers", Name: name}) {
			return nil
		}
	}
	return fmt.Errorf("user not permitted to %s requests with signerName %q", verb, signer)
}
