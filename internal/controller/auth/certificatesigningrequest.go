package auth

import (
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/certificates"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/certificate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewCertificateSigningRequest makes the controller that approves kubelets' requests for
// certificates, signs those that are approved, and deletes those that are old enough.
//
// Cost: the request.
func NewCertificateSigningRequest(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.CertificateSigningRequest, UserAgent: "certificate-controller", Primary: certificates.CertificateSigningRequest.Resource(), Batch: 16,
		Reconcile: gather.Each(controllers(w).syncCertificate),
		Sources:   []wakeup.Source{wakeup.For(&certificates.CertificateSigningRequest.Type, certificateChanged)},
	}
}

// certificateChanged holds for requests that are new or have progressed. The controller's own
// changes count too, because it takes one step after another.
func certificateChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*certificatesv1.CertificateSigningRequest)
	r, _ := d.New.(*certificatesv1.CertificateSigningRequest)
	return old == nil || !equality.Semantic.DeepEqual(old.Status, r.Status)
}

func (w controllers) syncCertificate(_ mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) plan.Plan {
	r := o.Object().(*certificatesv1.CertificateSigningRequest)
	return certificate.Reconcile(certificate.Snapshot{
		Request: r, Authority: w.Authority, Now: now,
		SelfNodeClient: w.mayRequest(r, "selfnodeclient"), NodeClient: w.mayRequest(r, "nodeclient"),
	})
}

// mayRequest reports whether the author of a request may have it approved automatically.
//
// Source: kubernetes v1.36 pkg/controller/certificates/approver/sarapprove.go, authorize
func (w controllers) mayRequest(r *certificatesv1.CertificateSigningRequest, subresource string) bool {
	return w.Allowed == nil || w.Allowed(authorizationv1.SubjectAccessReviewSpec{
		User: r.Spec.Username, UID: r.Spec.UID, Groups: r.Spec.Groups,
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Group: certificates.CertificateSigningRequest.Group, Version: "*",
			Resource: certificates.CertificateSigningRequest.Plural, Subresource: subresource, Verb: "create",
		},
	})
}
