package certificate_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/credential"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/certificate"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

var (
	clientUsages  = []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageClientAuth}
	servingUsages = []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageKeyEncipherment, certificatesv1.UsageServerAuth}
	node          = x509.CertificateRequest{Subject: pkix.Name{CommonName: "system:node:n1", Organization: []string{"system:nodes"}}}
	server        = x509.CertificateRequest{Subject: node.Subject, DNSNames: []string{"n1"}, IPAddresses: []net.IP{net.IPv4(10, 0, 0, 1)}}
)

// request is a request that was made an hour ago.
func request(
	t *testing.T, signer string, asked x509.CertificateRequest, usages []certificatesv1.KeyUsage,
	changes ...func(*certificatesv1.CertificateSigningRequest),
) *certificatesv1.CertificateSigningRequest {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &asked, key)
	if err != nil {
		t.Fatal(err)
	}
	r := &certificatesv1.CertificateSigningRequest{
		ObjectMeta: metav1.ObjectMeta{Name: "r", UID: "r-uid", CreationTimestamp: metav1.NewTime(now.Add(-time.Hour))},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}), SignerName: signer, Usages: usages, Username: "system:node:n1",
		},
	}
	for _, change := range changes {
		change(r)
	}
	return r
}

// condition adds a condition set this long ago.
func condition(t certificatesv1.RequestConditionType, ago time.Duration) func(*certificatesv1.CertificateSigningRequest) {
	return func(r *certificatesv1.CertificateSigningRequest) {
		at := metav1.NewTime(now.Add(-ago))
		r.Status.Conditions = append(r.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{Type: t, Status: corev1.ConditionTrue, LastUpdateTime: at, LastTransitionTime: at})
	}
}

func newAuthority(t *testing.T) *certificate.Authority {
	t.Helper()
	cert, key, err := credential.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	a := new(certificate.Authority)
	if a.Certificate, a.Key, err = credential.ParseAuthority(cert, key); err != nil {
		t.Fatal(err)
	}
	return a
}

// summary is a plan in one line: the conditions that it adds and whether it issues.
func summary(p plan.Plan) string {
	var out strings.Builder
	for _, d := range p.Deletes {
		fmt.Fprintf(&out, "delete %s ", d.Propagation)
	}
	for _, u := range p.Updates {
		status := u.Object.(*certificatesv1.CertificateSigningRequest).Status
		fmt.Fprintf(&out, "%s:", u.Subresource)
		for _, c := range status.Conditions {
			fmt.Fprintf(&out, " %s=%s %s %q", c.Type, c.Status, c.Reason, c.Message)
		}
		if status.Certificate != nil {
			out.WriteString(" issued")
		}
		out.WriteString(" ")
	}
	if !p.WakeAt.IsZero() {
		fmt.Fprintf(&out, "in %s", p.WakeAt.Sub(now))
	}
	return strings.TrimSpace(out.String())
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	approved := condition(certificatesv1.CertificateApproved, time.Minute)
	type snapshot = certificate.Snapshot
	self, others := func(s *snapshot) { s.SelfNodeClient = true }, func(s *snapshot) { s.NodeClient = true }
	const kubelet, serving, client = certificatesv1.KubeAPIServerClientKubeletSignerName, certificatesv1.KubeletServingSignerName, certificatesv1.KubeAPIServerClientSignerName
	const is, rest, pending, waiting = `approval: Approved=True AutoApproved "Auto approving `, `kubelet client certificate after SubjectAccessReview." in 23h0m0s`, "in 23h0m0s", "in 23h59m0s"
	failed := func(why string) string {
		return `status: Approved=True  "" Failed=True SignerValidationFailure "` + why + `" ` + waiting
	}
	from := func(name string) func(*certificatesv1.CertificateSigningRequest) {
		return func(r *certificatesv1.CertificateSigningRequest) { r.Spec.Username = name }
	}
	emails := node
	emails.EmailAddresses = []string{"a@b.c"}
	plain := x509.CertificateRequest{Subject: pkix.Name{CommonName: "jane"}}
	tests := []struct {
		name string
		r    *certificatesv1.CertificateSigningRequest
		with func(*snapshot)
		want string
	}{
		{"a kubelet's own", request(t, kubelet, node, clientUsages), self, is + "self " + rest},
		{"a kubelet's by somebody else", request(t, kubelet, node, clientUsages, from("bootstrap")), others, is + rest},
		{"who may not for others", request(t, kubelet, node, clientUsages, from("bootstrap")), self, pending},
		{"who may not", request(t, kubelet, node, clientUsages), nil, pending},
		{"a kubelet's server", request(t, serving, server, servingUsages), self, pending},
		{"another client", request(t, client, plain, clientUsages), others, pending},
		{"not a kubelet's", request(t, kubelet, plain, clientUsages), others, pending},
		{"approved for a kubelet", request(t, kubelet, node, clientUsages, approved), nil, `status: Approved=True  "" issued ` + waiting},
		{"for a kubelet's server", request(t, serving, server, servingUsages, approved), nil, `status: Approved=True  "" issued ` + waiting},
		{"for a client", request(t, client, plain, clientUsages, approved), nil, `status: Approved=True  "" issued ` + waiting},
		{"for another signer", request(t, "example.com/own", plain, clientUsages, approved), nil, waiting},
		{"denied", request(t, client, plain, clientUsages, condition(certificatesv1.CertificateDenied, time.Minute)), nil, "in 59m0s"},
		{"failed", request(t, client, plain, clientUsages, approved, condition(certificatesv1.CertificateFailed, time.Minute)), nil, "in 59m0s"},
		{"a client for servers", request(t, client, plain, servingUsages, approved), nil, failed("invalid usage for client certificate: server auth")},
		{"a client for nothing", request(t, client, plain, clientUsages[:1], approved), nil, failed("missing required usage for client certificate: client auth")},
		{"no node", request(t, kubelet, plain, clientUsages, approved), nil, failed("subject organization is not system:nodes")},
		{"a kubelet with names", request(t, kubelet, server, clientUsages, approved), nil, failed("DNS subjectAltNames are not allowed")},
		{"a kubelet with an email", request(t, kubelet, emails, clientUsages, approved), nil, failed("Email subjectAltNames are not allowed")},
		{"a kubelet for servers", request(t, kubelet, node, servingUsages, approved), nil, failed("usages did not match [client auth digital signature key encipherment]")},
		{"a server without names", request(t, serving, node, servingUsages, approved), nil, failed("DNS or IP subjectAltName is required")},
		{"a server for clients", request(t, serving, server, clientUsages, approved), nil, failed("usages did not match [digital signature key encipherment server auth]")},

		{"long pending", request(t, client, plain, clientUsages, func(r *certificatesv1.CertificateSigningRequest) {
			r.CreationTimestamp = metav1.NewTime(now.Add(-24 * time.Hour))
		}), nil, "delete Background"},
		{"long denied", request(t, client, plain, clientUsages, condition(certificatesv1.CertificateDenied, time.Hour)), nil, "delete Background"},
		{"long failed", request(t, client, plain, clientUsages, approved, condition(certificatesv1.CertificateFailed, time.Hour)), nil, "delete Background"},
		{"long approved", request(t, "example.com/own", plain, clientUsages, condition(certificatesv1.CertificateApproved, 24*time.Hour)), nil, "delete Background"},
		{"something else", request(t, "example.com/own", plain, clientUsages, condition("Seen", 99*time.Hour)), nil, ""},
		{"going", request(t, kubelet, node, clientUsages, func(r *certificatesv1.CertificateSigningRequest) { r.DeletionTimestamp = &metav1.Time{Time: now} }), others, ""},
	}
	a := newAuthority(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, before := snapshot{Request: tt.r, Authority: a, Now: now}, tt.r.DeepCopy()
			if tt.with != nil {
				tt.with(&s)
			}
			first, second := certificate.Reconcile(s), certificate.Reconcile(s)
			if got := summary(first); got != tt.want {
				t.Errorf("the plan is\n%s, want\n%s", got, tt.want)
			}
			if first.String() != second.String() {
				t.Errorf("the same input gave two plans:\n%s\n%s", first, second)
			}
			if tt.r.String() != before.String() {
				t.Error("the request was changed")
			}
		})
	}
}

// Signing again gives the same certificate. It has what was requested, and is valid for as long in
// cluster time.
func TestReconcile_Issues(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	for asked, want := range map[int32][2]time.Duration{
		0:        {-5 * time.Minute, 365*24*time.Hour - 5*time.Minute}, // not set
		3600:     {-5 * time.Minute, time.Hour},
		8 * 3600: {-5 * time.Minute, 8*time.Hour - 5*time.Minute},
		1 << 30:  {-5 * time.Minute, 365*24*time.Hour - 5*time.Minute},
	} {
		r := request(t, certificatesv1.KubeletServingSignerName, server, servingUsages, condition(certificatesv1.CertificateApproved, 0))
		if asked > 0 {
			r.Spec.ExpirationSeconds = &asked
		}
		s := certificate.Snapshot{Request: r, Authority: a, Now: now}
		issued := func() *certificatesv1.CertificateSigningRequest {
			return certificate.Reconcile(s).Updates[0].Object.(*certificatesv1.CertificateSigningRequest)
		}
		next := issued()
		if !bytes.Equal(next.Status.Certificate, issued().Status.Certificate) {
			t.Error("signing twice gave two certificates")
		}
		block, rest := pem.Decode(next.Status.Certificate)
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil || len(rest) > 0 {
			t.Fatal(err, len(rest))
		}
		pool := x509.NewCertPool()
		pool.AddCert(a.Certificate)
		if _, err := cert.Verify(x509.VerifyOptions{Roots: pool, DNSName: "n1", CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}); err != nil {
			t.Error(err)
		}
		got := [2]time.Duration{cert.NotBefore.Sub(now), cert.NotAfter.Sub(now)}
		if got != want {
			t.Errorf("asked for %d s it is valid from %s to %s", asked, got[0], got[1])
		}
		if cert.IsCA || cert.KeyUsage != x509.KeyUsageDigitalSignature|x509.KeyUsageKeyEncipherment || cert.Subject.CommonName != "system:node:n1" || len(cert.IPAddresses) != 1 {
			t.Errorf("the certificate is %+v", cert)
		}

		// Then it stays for an hour, or until it expires.
		s.Request = next
		if got := summary(certificate.Reconcile(s)); got != "in 1h0m0s" {
			t.Errorf("once it is issued, the plan is %q", got)
		}
		s.Now = now.Add(time.Hour)
		if got := summary(certificate.Reconcile(s)); got != "delete Background" {
			t.Errorf("after an hour the plan is %q", got)
		}
	}
}

// A certificate that expires earlier takes its request along.
func TestReconcile_Expired(t *testing.T) {
	t.Parallel()
	r := request(t, certificatesv1.KubeletServingSignerName, server, servingUsages, condition(certificatesv1.CertificateApproved, 0))
	r.Spec.ExpirationSeconds = new(int32(600))
	s := certificate.Snapshot{Request: r, Authority: newAuthority(t), Now: now}
	s.Request = certificate.Reconcile(s).Updates[0].Object.(*certificatesv1.CertificateSigningRequest)
	if got := summary(certificate.Reconcile(s)); got != "in 10m0s" {
		t.Errorf("the plan is %q", got)
	}
}
