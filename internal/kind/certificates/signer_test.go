package certificates_test

import (
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	certificatesv1 "k8s.io/api/certificates/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/certificates"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// signerHolder is a user with one right for one signer.
type signerHolder struct {
	kindtest.Holder

	verb, name string
}

func (s signerHolder) Allows(a authorizationv1.ResourceAttributes) bool {
	return a.Group == "certificates.k8s.io" && a.Resource == "signers" && a.Verb == s.verb && a.Name == s.name
}

// Approving and signing require the right for the signer.
func TestCertificateSigningRequest_NeedsRightsForItsSigner(t *testing.T) {
	t.Parallel()
	const signer = "example.com/serving"
	old := &certificatesv1.CertificateSigningRequest{Spec: certificatesv1.CertificateSigningRequestSpec{SignerName: signer}}
	signed := old.DeepCopy()
	signed.Status.Certificate = []byte("c")
	renamed := old.DeepCopy() // the stored signer counts, not the one in the request
	renamed.Spec.SignerName = "example.org/mine"
	renamed.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved}}
	status, approval := certificates.CertificateSigningRequest.Status, certificates.CertificateSigningRequest.Subresources["approval"]
	const noApproval, noSigning = `user not permitted to approve requests with signerName "example.com/serving"`, `user not permitted to sign requests with signerName "example.com/serving"`
	for name, c := range map[string]struct {
		by   signerHolder
		sub  *kind.Subresource
		next *certificatesv1.CertificateSigningRequest
		want string
	}{
		"approves":                      {signerHolder{verb: "approve", name: signer}, approval, renamed, ""},
		"approves for the whole domain": {signerHolder{verb: "approve", name: "example.com/*"}, approval, renamed, ""},
		"approves for another":          {signerHolder{verb: "approve", name: "example.org/mine"}, approval, renamed, noApproval},
		"signs only":                    {signerHolder{verb: "sign", name: signer}, approval, renamed, noApproval},
		"signs":                         {signerHolder{verb: "sign", name: signer}, status, signed, ""},
		"signs for the whole domain":    {signerHolder{verb: "sign", name: "example.com/*"}, status, signed, ""},
		"approves only":                 {signerHolder{verb: "approve", name: signer}, status, signed, noSigning},
		"says nothing about it":         {signerHolder{}, status, old.DeepCopy(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, p := range c.sub.Admission {
				if err := p.Authorize(c.next, old, c.by); err != nil {
					got = err.Error()
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
