package certificate

import (
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
)

// signers are the built-in signers by name. Their functions say why a request is invalid; nil if it
// is valid.
//
// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, getCSRVerificationFuncForSignerName
var signers = map[string]func(*x509.CertificateRequest, []certificatesv1.KeyUsage) error{
	certificatesv1.KubeAPIServerClientSignerName:        checkClient,
	certificatesv1.KubeAPIServerClientKubeletSignerName: checkKubeletClient,
	certificatesv1.KubeletServingSignerName:             checkKubeletServing,
}

// Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go, validAPIServerClientUsages
func checkClient(_ *x509.CertificateRequest, usages []certificatesv1.KeyUsage) error {
	for _, u := range usages {
		if u != certificatesv1.UsageDigitalSignature && u != certificatesv1.UsageKeyEncipherment && u != certificatesv1.UsageClientAuth {
			return fmt.Errorf("invalid usage for client certificate: %s", u)
		}
	}
	if !slices.Contains(usages, certificatesv1.UsageClientAuth) {
		return fmt.Errorf("missing required usage for client certificate: %s", certificatesv1.UsageClientAuth)
	}
	return nil
}

// Source: kubernetes v1.36 pkg/apis/certificates/helpers.go, ValidateKubeletClientCSR
func checkKubeletClient(asked *x509.CertificateRequest, usages []certificatesv1.KeyUsage) error {
	switch {
	case !ofNodes(asked):
		return errNotOfNodes
	case len(asked.DNSNames) > 0:
		return errors.New("DNS subjectAltNames are not allowed")
	case len(asked.EmailAddresses) > 0:
		return errEmail
	case len(asked.IPAddresses) > 0:
		return errors.New("IP subjectAltNames are not allowed")
	case len(asked.URIs) > 0:
		return errURI
	case !namesNode(asked):
		return errNoNode
	}
	return checkUsages(usages, certificatesv1.UsageClientAuth)
}

// Source: kubernetes v1.36 pkg/apis/certificates/helpers.go, ValidateKubeletServingCSR
func checkKubeletServing(asked *x509.CertificateRequest, usages []certificatesv1.KeyUsage) error {
	switch {
	case !ofNodes(asked):
		return errNotOfNodes
	case len(asked.DNSNames) == 0 && len(asked.IPAddresses) == 0:
		return errors.New("DNS or IP subjectAltName is required")
	case len(asked.EmailAddresses) > 0:
		return errEmail
	case len(asked.URIs) > 0:
		return errURI
	}
	if err := checkUsages(usages, certificatesv1.UsageServerAuth); err != nil {
		return err
	}
	if !namesNode(asked) {
		return errNoNode
	}
	return nil
}

var (
	errNotOfNodes = errors.New("subject organization is not system:nodes")
	errNoNode     = errors.New("subject common name does not begin with system:node:") //nolint:revive,staticcheck // upstream's text, which clients see
	errEmail      = errors.New("Email subjectAltNames are not allowed")                //nolint:staticcheck // upstream's text, which clients see
	errURI        = errors.New("URI subjectAltNames are not allowed")
)

func ofNodes(asked *x509.CertificateRequest) bool {
	return slices.Equal(asked.Subject.Organization, []string{"system:nodes"})
}

func namesNode(asked *x509.CertificateRequest) bool {
	return strings.HasPrefix(asked.Subject.CommonName, "system:node:")
}

// checkUsages requires the usages of a kubelet's certificate: its purpose and digital signature,
// with or without key encipherment, which only RSA keys use.
func checkUsages(usages []certificatesv1.KeyUsage, purpose certificatesv1.KeyUsage) error {
	given := map[certificatesv1.KeyUsage]bool{}
	for _, u := range usages {
		given[u] = true
	}
	want := map[certificatesv1.KeyUsage]bool{certificatesv1.UsageDigitalSignature: true, purpose: true}
	if maps.Equal(given, want) {
		return nil
	}
	want[certificatesv1.UsageKeyEncipherment] = true
	if maps.Equal(given, want) {
		return nil
	}
	return fmt.Errorf("usages did not match %v", slices.Sorted(maps.Keys(want)))
}

// keyUsages are the usages as certificates encode them: the key usages, and the extended ones in
// numerical order. Validation admits no other usages.
//
// Source: kubernetes v1.36 pkg/controller/certificates/authority/policies.go, keyUsagesFromStrings
func keyUsages(usages []certificatesv1.KeyUsage) (key x509.KeyUsage, extended []x509.ExtKeyUsage) {
	for _, u := range usages {
		if bit, ok := keyUsage[u]; ok {
			key |= bit
		} else if e, ok := extendedUsage[u]; ok && !slices.Contains(extended, e) {
			extended = append(extended, e)
		}
	}
	slices.Sort(extended)
	return key, extended
}

var keyUsage = map[certificatesv1.KeyUsage]x509.KeyUsage{
	certificatesv1.UsageSigning:           x509.KeyUsageDigitalSignature,
	certificatesv1.UsageDigitalSignature:  x509.KeyUsageDigitalSignature,
	certificatesv1.UsageContentCommitment: x509.KeyUsageContentCommitment,
	certificatesv1.UsageKeyEncipherment:   x509.KeyUsageKeyEncipherment,
	certificatesv1.UsageKeyAgreement:      x509.KeyUsageKeyAgreement,
	certificatesv1.UsageDataEncipherment:  x509.KeyUsageDataEncipherment,
	certificatesv1.UsageCertSign:          x509.KeyUsageCertSign,
	certificatesv1.UsageCRLSign:           x509.KeyUsageCRLSign,
	certificatesv1.UsageEncipherOnly:      x509.KeyUsageEncipherOnly,
	certificatesv1.UsageDecipherOnly:      x509.KeyUsageDecipherOnly,
}

var extendedUsage = map[certificatesv1.KeyUsage]x509.ExtKeyUsage{
	certificatesv1.UsageAny:             x509.ExtKeyUsageAny,
	certificatesv1.UsageServerAuth:      x509.ExtKeyUsageServerAuth,
	certificatesv1.UsageClientAuth:      x509.ExtKeyUsageClientAuth,
	certificatesv1.UsageCodeSigning:     x509.ExtKeyUsageCodeSigning,
	certificatesv1.UsageEmailProtection: x509.ExtKeyUsageEmailProtection,
	certificatesv1.UsageSMIME:           x509.ExtKeyUsageEmailProtection,
	certificatesv1.UsageIPsecEndSystem:  x509.ExtKeyUsageIPSECEndSystem,
	certificatesv1.UsageIPsecTunnel:     x509.ExtKeyUsageIPSECTunnel,
	certificatesv1.UsageIPsecUser:       x509.ExtKeyUsageIPSECUser,
	certificatesv1.UsageTimestamping:    x509.ExtKeyUsageTimeStamping,
	certificatesv1.UsageOCSPSigning:     x509.ExtKeyUsageOCSPSigning,
	certificatesv1.UsageMicrosoftSGC:    x509.ExtKeyUsageMicrosoftServerGatedCrypto,
	certificatesv1.UsageNetscapeSGC:     x509.ExtKeyUsageNetscapeServerGatedCrypto,
}
