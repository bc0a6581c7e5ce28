package certificates

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/diff"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// conditionsOf returns the conditions of one type, in order.
func conditionsOf(r *certificatesv1.CertificateSigningRequest, t certificatesv1.RequestConditionType) (of []certificatesv1.CertificateSigningRequestCondition) {
	for _, c := range r.Status.Conditions {
		if c.Type == t {
			of = append(of, c)
		}
	}
	return of
}

var approvalConditions = []certificatesv1.RequestConditionType{certificatesv1.CertificateApproved, certificatesv1.CertificateDenied}

// finalConditions cannot be removed, and must be true.
var finalConditions = append(slices.Clip(approvalConditions), certificatesv1.CertificateFailed)

var certificateUsages = slices.Sorted(slices.Values([]certificatesv1.KeyUsage{
	certificatesv1.UsageSigning, certificatesv1.UsageDigitalSignature, certificatesv1.UsageContentCommitment, certificatesv1.UsageKeyEncipherment,
	certificatesv1.UsageKeyAgreement, certificatesv1.UsageDataEncipherment, certificatesv1.UsageCertSign, certificatesv1.UsageCRLSign,
	certificatesv1.UsageEncipherOnly, certificatesv1.UsageDecipherOnly, certificatesv1.UsageAny, certificatesv1.UsageServerAuth,
	certificatesv1.UsageClientAuth, certificatesv1.UsageCodeSigning, certificatesv1.UsageEmailProtection, certificatesv1.UsageSMIME,
	certificatesv1.UsageIPsecEndSystem, certificatesv1.UsageIPsecTunnel, certificatesv1.UsageIPsecUser, certificatesv1.UsageTimestamping,
	certificatesv1.UsageOCSPSigning, certificatesv1.UsageMicrosoftSGC, certificatesv1.UsageNetscapeSGC,
}))

// anyName allows every name; those that cannot be in a path are rejected for all kinds.
func anyName(string, bool) []string { return nil }

// Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go, ValidateCertificateSigningRequestCreate
func validateCertificateRequest(r *certificatesv1.CertificateSigningRequest) field.ErrorList {
	return append(validateCertificateSpec(r), validateCertificateStatus(r, nil)...)
}

// may is what an update of a request may set.
type may int

const (
	nothing  may = iota // except metadata
	approval            // approval conditions
	issuing             // the certificate
)

// validateCertificateUpdate validates an update. What upstream tolerates in requests stored by
// older API versions is an error here, because there are no such versions.
//
// Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go, validateCertificateSigningRequestUpdate
func validateCertificateUpdate(set may) func(next, old object.Object) field.ErrorList {
	return func(next, old object.Object) field.ErrorList {
		r, was := next.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
		errs := append(validateCertificateSpec(r), validateCertificateStatus(r, was)...)
		path := field.NewPath("status", "conditions")
		for _, t := range finalConditions {
			if len(conditionsOf(r, t)) < len(conditionsOf(was, t)) {
				errs = append(errs, field.Forbidden(path, fmt.Sprintf("updates may not remove a condition of type %q", t)))
			}
		}
		if set != approval {
			errs = append(errs, validateApprovalKept(r, was, path)...)
		}
		if !bytes.Equal(r.Status.Certificate, was.Status.Certificate) {
			path := field.NewPath("status", "certificate")
			if set != issuing {
				errs = append(errs, field.Forbidden(path, "updates may not set certificate content"))
			} else if len(was.Status.Certificate) > 0 {
				errs = append(errs, field.Forbidden(path, "updates may not modify existing certificate content"))
			}
		}
		return append(errs, check.MetaUpdate(&r.ObjectMeta, &was.ObjectMeta)...)
	}
}

// validateApprovalKept rejects an update that adds, removes or changes approval conditions.
func validateApprovalKept(r, was *certificatesv1.CertificateSigningRequest, path *field.Path) (errs field.ErrorList) {
	for _, t := range approvalConditions {
		have, had := conditionsOf(r, t), conditionsOf(was, t)
		switch {
		case len(have) > len(had):
			errs = append(errs, field.Forbidden(path, fmt.Sprintf("updates may not add a condition of type %q", t)))
		case len(have) == len(had) && !equality.Semantic.DeepEqual(had, have):
			errs = append(errs, field.Forbidden(path, fmt.Sprintf("updates may not modify a condition of type %q\n%v", t, diff.Diff(had, have))))
		}
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go, validateCertificateSigningRequest
func validateCertificateSpec(r *certificatesv1.CertificateSigningRequest) field.ErrorList {
	errs, path := check.Meta(&r.ObjectMeta, false, anyName), field.NewPath("spec")
	asked, err := parseCertificateRequest(r.Spec.Request)
	if err == nil {
		err = asked.CheckSignature()
	}
	if err != nil {
		errs = append(errs, field.Invalid(path.Child("request"), r.Spec.Request, err.Error()))
	}
	usages := path.Child("usages")
	if len(r.Spec.Usages) == 0 {
		errs = append(errs, field.Required(usages, ""))
	}
	for i, u := range r.Spec.Usages {
		errs = append(errs, check.Enum(u, certificateUsages, usages.Index(i))...)
	}
	for i, u := range r.Spec.Usages {
		if slices.Contains(r.Spec.Usages[:i], u) {
			errs = append(errs, field.Duplicate(usages.Index(i), u))
		}
	}
	if name := r.Spec.SignerName; name == certificatesv1beta1.LegacyUnknownSignerName {
		errs = append(errs, field.Invalid(path.Child("signerName"), name, "the legacy signerName is not allowed via this API version"))
	} else {
		errs = append(errs, validateSignerName(name, path.Child("signerName"))...)
	}
	if s := r.Spec.ExpirationSeconds; s != nil && *s < 600 {
		errs = append(errs, field.Invalid(path.Child("expirationSeconds"), *s, "may not specify a duration less than 600 seconds (10 minutes)"))
	}
	return errs
}

// validateCertificateStatus validates the conditions, and the certificate if it differs from that
// of was, which may be nil.
//
// Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go, validateConditions and validateCertificate
func validateCertificateStatus(r, was *certificatesv1.CertificateSigningRequest) (errs field.ErrorList) {
	path := field.NewPath("status")
	conditions, seen := path.Child("conditions"), map[certificatesv1.RequestConditionType]bool{}
	for i, c := range r.Status.Conditions {
		at := conditions.Index(i)
		if c.Type == "" {
			errs = append(errs, field.Required(at.Child("type"), ""))
		}
		allowed := []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionTrue, corev1.ConditionUnknown}
		if slices.Contains(finalConditions, c.Type) {
			allowed = []corev1.ConditionStatus{corev1.ConditionTrue}
		}
		errs = append(errs, check.RequiredEnum(c.Status, allowed, at.Child("status"))...)
		if c.Type == certificatesv1.CertificateApproved && seen[certificatesv1.CertificateDenied] ||
			c.Type == certificatesv1.CertificateDenied && seen[certificatesv1.CertificateApproved] {
			errs = append(errs, field.Invalid(conditions, c.Type, "Approved and Denied conditions are mutually exclusive"))
		}
		if seen[c.Type] {
			errs = append(errs, field.Duplicate(at.Child("type"), c.Type))
		}
		seen[c.Type] = true
	}
	if was == nil || !bytes.Equal(r.Status.Certificate, was.Status.Certificate) {
		if err := checkCertificates(r.Status.Certificate); err != nil {
			errs = append(errs, field.Invalid(path.Child("certificate"), "<certificate data>", err.Error()))
		}
	}
	return errs
}

// checkCertificates checks that a text is PEM certificates; empty text is valid too.
func checkCertificates(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	blocks := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return fmt.Errorf("only CERTIFICATE PEM blocks are allowed, found %q", block.Type)
		}
		if len(block.Headers) != 0 {
			return errors.New("no PEM block headers are permitted")
		}
		certs, err := x509.ParseCertificates(block.Bytes)
		if err != nil {
			return err
		}
		if len(certs) == 0 {
			return errors.New("found CERTIFICATE PEM block containing 0 certificates")
		}
		blocks++
	}
	if blocks == 0 {
		return errors.New("must contain at least one CERTIFICATE PEM block")
	}
	return nil
}

// parseCertificateRequest parses a PEM request.
//
// Source: kubernetes v1.36 pkg/apis/certificates/helpers.go, ParseCSR
func parseCertificateRequest(text []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	return x509.ParseCertificateRequest(block.Bytes)
}

// Source: kubernetes v1.36 pkg/apis/core/validation/names.go, ValidateSignerName
func validateSignerName(name string, path *field.Path) (errs field.ErrorList) {
	if name == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	domain, rest, slash := strings.Cut(name, "/")
	if !slash || strings.Contains(rest, "/") {
		return field.ErrorList{field.Invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")}
	}
	if len(domain) > utilvalidation.DNS1123SubdomainMaxLength {
		errs = append(errs, field.TooLong(path, "", utilvalidation.DNS1123SubdomainMaxLength))
	}
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if wrong := utilvalidation.IsDNS1123Label(label); len(wrong) > 0 {
			for _, w := range wrong {
				errs = append(errs, field.Invalid(path, domain, fmt.Sprintf("validating label %q: %s", label, w)))
			}
			break
		}
	}
	if len(labels) < 2 {
		errs = append(errs, field.Invalid(path, domain, "should be a domain with at least two segments separated by dots"))
	}
	errs = append(errs, validateSignerPath(rest, path)...)
	const longest = 2*utilvalidation.DNS1123SubdomainMaxLength + utilvalidation.DNS1123LabelMaxLength + 2 // a path holds a label, a dot and a subdomain
	if len(name) > longest {
		errs = append(errs, field.TooLong(path, "", longest))
	}
	return errs
}

// validateSignerPath validates the part of a signer's name after its domain.
func validateSignerPath(rest string, path *field.Path) (errs field.ErrorList) {
	for label := range strings.SplitSeq(rest, ".") {
		if wrong := utilvalidation.IsDNS1123Subdomain(label); len(wrong) > 0 {
			for _, w := range wrong {
				errs = append(errs, field.Invalid(path, rest, fmt.Sprintf("validating label %q: %s", label, w)))
			}
			break
		}
	}
	return errs
}
