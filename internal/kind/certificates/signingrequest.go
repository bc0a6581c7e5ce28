package certificates

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// CertificateSigningRequest is certificates.k8s.io/v1 CertificateSigningRequest: a request for a
// certificate that a user approves or denies and a signer signs.
//
// Source: kubernetes v1.36 pkg/registry/certificates/certificates/strategy.go
var CertificateSigningRequest = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "certificates.k8s.io", Version: "v1", Kind: "CertificateSigningRequest", Plural: "certificatesigningrequests",
		New: func() object.Object { return &certificatesv1.CertificateSigningRequest{} },
	},
	Singular:   "certificatesigningrequest",
	ShortNames: []string{"csr"},
	NewList:    func() runtime.Object { return &certificatesv1.CertificateSigningRequestList{} },

	ValidateUpdate: validateCertificateUpdate(nothing),
	Admission:      []kind.Plugin{{Name: "CertificateSubjectRestriction", Validate: denyMasters}},

	Status: &kind.Subresource{
		Prepare:  prepareCertificateStatus,
		SetTimes: setConditionTimes,
		Validate: validateCertificateUpdate(issuing),

		Admission: []kind.Plugin{signsForSigner},
	},
	Subresources: map[string]*kind.Subresource{"approval": {
		Prepare: func(next, old object.Object) {
			r, was := next.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
			r.Spec, r.Status.Certificate = *was.Spec.DeepCopy(), slices.Clone(was.Status.Certificate)
		},
		SetTimes: setConditionTimes,
		Validate: validateCertificateUpdate(approval),

		Admission: []kind.Plugin{approvesForSigner},
	}},

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		kind.AgeColumn,
		{Name: "SignerName", Type: "string", Description: certificatesv1.CertificateSigningRequestSpec{}.SwaggerDoc()["signerName"]},
		{Name: "Requestor", Type: "string", Description: certificatesv1.CertificateSigningRequestSpec{}.SwaggerDoc()["request"]},
		{Name: "RequestedDuration", Type: "string", Description: certificatesv1.CertificateSigningRequestSpec{}.SwaggerDoc()["expirationSeconds"]},
		{Name: "Condition", Type: "string", Description: certificatesv1.CertificateSigningRequestStatus{}.SwaggerDoc()["conditions"]},
	},
	UnconditionalUpdate: true,
}, kind.Functions[*certificatesv1.CertificateSigningRequest]{
	Default: func(*certificatesv1.CertificateSigningRequest) {},
	PrepareCreate: func(o *certificatesv1.CertificateSigningRequest) {
		o.Status = certificatesv1.CertificateSigningRequestStatus{}
	},
	SetRequester: setRequester,
	PrepareUpdate: func(r, was *certificatesv1.CertificateSigningRequest) {
		r.Spec, r.Status = *was.Spec.DeepCopy(), *was.Status.DeepCopy()
	},
	Validate: validateCertificateRequest,
	Row:      certificateRequestRow,
	SelectableFields: func(o *certificatesv1.CertificateSigningRequest) fields.Set {
		return fields.Set{"spec.signerName": o.Spec.SignerName}
	},
})

// setRequester sets the fields that name the requester, whatever the request has in them.
//
// Source: kubernetes v1.36 pkg/registry/certificates/certificates/strategy.go, PrepareForCreate
func setRequester(o *certificatesv1.CertificateSigningRequest, by authenticationv1.UserInfo) {
	spec := &o.Spec
	spec.Username, spec.UID, spec.Groups, spec.Extra = by.Username, by.UID, slices.Clone(by.Groups), nil
	for key, values := range by.Extra {
		if spec.Extra == nil {
			spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		spec.Extra[key] = certificatesv1.ExtraValue(slices.Clone(values))
	}
}

// denyMasters rejects a request to the signer of client certificates for the group system:masters.
//
// Source: kubernetes v1.36 plugin/pkg/admission/certificates/subjectrestriction/admission.go, Validate
func denyMasters(o object.Object, _ kind.Cluster) error {
	spec := &o.(*certificatesv1.CertificateSigningRequest).Spec
	if spec.SignerName != certificatesv1.KubeAPIServerClientSignerName {
		return nil
	}
	asked, err := parseCertificateRequest(spec.Request)
	if err != nil {
		return fmt.Errorf("failed to parse CSR: %w", err)
	}
	if slices.Contains(asked.Subject.Organization, "system:masters") {
		return errors.New("use of " + spec.SignerName + " signer with system:masters group is not allowed")
	}
	return nil
}

// prepareCertificateStatus keeps the approval conditions if the update has the same number of them.
// Otherwise validation rejects the update.
//
// Source: kubernetes v1.36 pkg/registry/certificates/certificates/strategy.go, csrStatusStrategy.PrepareForUpdate
func prepareCertificateStatus(next, old object.Object) {
	r, was := next.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
	r.Spec = *was.Spec.DeepCopy()
	for _, t := range approvalConditions {
		keep, at := conditionsOf(was, t), 0
		if len(keep) != len(conditionsOf(r, t)) {
			continue
		}
		for i := range r.Status.Conditions {
			if r.Status.Conditions[i].Type == t {
				r.Status.Conditions[i] = keep[at]
				at++
			}
		}
	}
}

// setConditionTimes sets missing times of conditions. The transition time of an unchanged condition
// is the time when it was added.
//
// Source: kubernetes v1.36 pkg/registry/certificates/certificates/strategy.go, populateConditionTimestamps
func setConditionTimes(next, old object.Object, now time.Time) {
	was := old.(*certificatesv1.CertificateSigningRequest).Status.Conditions
	all := next.(*certificatesv1.CertificateSigningRequest).Status.Conditions
	at := metav1.Time{Time: now.Truncate(time.Second)}
	for i := range all {
		c := &all[i]
		if c.LastUpdateTime.IsZero() {
			c.LastUpdateTime = at
		}
		if !c.LastTransitionTime.IsZero() {
			continue
		}
		c.LastTransitionTime = at
		same := slices.IndexFunc(was, func(o certificatesv1.CertificateSigningRequestCondition) bool {
			return o.Type == c.Type && o.Status == c.Status && !o.LastTransitionTime.IsZero()
		})
		if same >= 0 {
			c.LastTransitionTime = was[same].LastTransitionTime
		}
	}
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printCertificateSigningRequest
func certificateRequestRow(r *certificatesv1.CertificateSigningRequest, now time.Time) []any {
	asked := "<none>"
	if s := r.Spec.ExpirationSeconds; s != nil {
		asked = duration.HumanDuration(time.Duration(*s) * time.Second)
	}
	return []any{r.Name, kind.Age(r.CreationTimestamp, now), r.Spec.SignerName, r.Spec.Username, asked, certificateState(r)}
}

// certificateState returns the state of a request: "Approved,Issued".
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, extractCSRStatus
func certificateState(r *certificatesv1.CertificateSigningRequest) string {
	var state strings.Builder
	switch {
	case len(conditionsOf(r, certificatesv1.CertificateDenied)) > 0:
		state.WriteString("Denied")
	case len(conditionsOf(r, certificatesv1.CertificateApproved)) > 0:
		state.WriteString("Approved")
	default:
		state.WriteString("Pending")
	}
	if len(conditionsOf(r, certificatesv1.CertificateFailed)) > 0 {
		state.WriteString(",Failed")
	}
	if len(r.Status.Certificate) > 0 {
		state.WriteString(",Issued")
	}
	return state.String()
}
