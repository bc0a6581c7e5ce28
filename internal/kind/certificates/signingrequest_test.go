package certificates_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/certificates"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// certificateRequest returns a valid request for an organisation.
func certificateRequest(t *testing.T, organisation string, changes ...func(*certificatesv1.CertificateSigningRequest)) *certificatesv1.CertificateSigningRequest {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "jane", Organization: []string{organisation}}}, key)
	if err != nil {
		t.Fatal(err)
	}
	r := &certificatesv1.CertificateSigningRequest{
		ObjectMeta: metav1.ObjectMeta{Name: "jane", ResourceVersion: "1"},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request:    pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}),
			SignerName: certificatesv1.KubeAPIServerClientSignerName, Usages: []certificatesv1.KeyUsage{certificatesv1.UsageClientAuth},
		},
	}
	for _, change := range changes {
		change(r)
	}
	return r
}

// isCondition adds a condition.
func isCondition(t certificatesv1.RequestConditionType, s corev1.ConditionStatus) func(*certificatesv1.CertificateSigningRequest) {
	return func(r *certificatesv1.CertificateSigningRequest) {
		r.Status.Conditions = append(r.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{Type: t, Status: s})
	}
}

func TestCertificateSigningRequest_Validate(t *testing.T) {
	t.Parallel()
	signer := func(name string) func(*certificatesv1.CertificateSigningRequest) {
		return func(r *certificatesv1.CertificateSigningRequest) { r.Spec.SignerName = name }
	}
	tests := []struct {
		name   string
		change func(*certificatesv1.CertificateSigningRequest)
		want   []string
	}{
		{"good", func(*certificatesv1.CertificateSigningRequest) {}, nil},
		{"any name", func(r *certificatesv1.CertificateSigningRequest) { r.Name = "Jane Doe" }, nil},
		{"no request", func(r *certificatesv1.CertificateSigningRequest) { r.Spec.Request = nil }, []string{`spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST`}},
		{"usages", func(r *certificatesv1.CertificateSigningRequest) { r.Spec.Usages = nil }, []string{"spec.usages: Required value"}},
		{"a usage twice", func(r *certificatesv1.CertificateSigningRequest) {
			r.Spec.Usages = append(r.Spec.Usages, "client auth")
		}, []string{`spec.usages[1]: Duplicate value: "client auth"`}},
		{"too short", func(r *certificatesv1.CertificateSigningRequest) { r.Spec.ExpirationSeconds = new(int32(599)) }, []string{
			"spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)"}},
		{"no signer", signer(""), []string{"spec.signerName: Required value"}},
		{"the legacy signer", signer("kubernetes.io/legacy-unknown"), []string{`spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version`}},
		{"a signer without a path", signer("example.com"), []string{`spec.signerName: Invalid value: "example.com": must be a fully qualified domain and path of the form 'example.com/signer-name'`}},
		{"a signer without a domain", signer("example/x"), []string{`spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots`}},
		{"a signer in capitals", signer("example.com/X"), []string{`spec.signerName: Invalid value: "X": validating label "X": ` + kindtest.NotSubdomain}},
		{"a long signer", signer("a.b/" + strings.Repeat("a.", 290) + "a"), []string{"spec.signerName: Too long: may not be more than 571 bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(certificates.CertificateSigningRequest.Validate(certificateRequest(t, "dev", tt.change))))
		})
	}
	unknown := kindtest.Texts(certificates.CertificateSigningRequest.Validate(certificateRequest(t, "dev", func(r *certificatesv1.CertificateSigningRequest) { r.Spec.Usages[0] = "tea" })))
	if len(unknown) != 1 || !strings.HasPrefix(unknown[0], `spec.usages[0]: Unsupported value: "tea": supported values: "any", "cert sign", "client auth",`) {
		t.Error(unknown)
	}
	forged := certificateRequest(t, "dev")
	block, _ := pem.Decode(forged.Spec.Request)
	block.Bytes[len(block.Bytes)-1] ^= 1
	forged.Spec.Request = pem.EncodeToMemory(block)
	if errs := kindtest.Texts(certificates.CertificateSigningRequest.Validate(forged)); len(errs) != 1 || !strings.Contains(errs[0], "x509: ECDSA verification failure") {
		t.Error(errs)
	}
}

// Each subresource changes only its own fields, and decisions are final.
func TestCertificateSigningRequest_Subresources(t *testing.T) {
	t.Parallel()
	k := certificates.CertificateSigningRequest
	sub := map[string]*kind.Subresource{"": {Prepare: k.PrepareUpdate, Validate: k.ValidateUpdate}, "status": k.Status, "approval": k.Subresources["approval"]}
	approved, denied, failed := isCondition("Approved", "True"), isCondition("Denied", "True"), isCondition("Failed", "True")
	certificate := func(text string) func(*certificatesv1.CertificateSigningRequest) {
		return func(r *certificatesv1.CertificateSigningRequest) { r.Status.Certificate = []byte(text) }
	}
	type changes = []func(*certificatesv1.CertificateSigningRequest)
	tests := []struct {
		name, through string
		old, next     changes
		want          []string
		state         string // the resulting state, as tables print it
	}{
		{"the object changes no status", "", nil, changes{approved}, nil, "Pending"},
		{"approve", "approval", nil, changes{approved}, nil, "Approved"},
		{"deny", "approval", nil, changes{denied}, nil, "Denied"},
		{"both", "approval", nil, changes{approved, denied}, []string{`status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive`}, ""},
		{"twice", "approval", nil, changes{approved, approved}, []string{`status.conditions[1].type: Duplicate value: "Approved"`}, ""},
		{"not quite", "approval", nil, changes{isCondition("Approved", "False")}, []string{`status.conditions[0].status: Unsupported value: "False": supported values: "True"`}, ""},
		{"without a type", "approval", nil, changes{isCondition("", "")}, []string{"status.conditions[0].type: Required value", "status.conditions[0].status: Required value"}, ""},
		{"no way back", "approval", changes{approved}, nil, []string{`status.conditions: Forbidden: updates may not remove a condition of type "Approved"`}, ""},
		{"approval issues nothing", "approval", nil, changes{certificate("x")}, nil, "Pending"},
		{"status does not approve", "status", nil, changes{approved}, []string{`status.conditions: Forbidden: updates may not add a condition of type "Approved"`}, ""},
		{"status fails", "status", changes{approved}, changes{approved, failed}, nil, "Approved,Failed"},
		{"and stays so", "status", changes{approved, failed}, changes{approved}, []string{`status.conditions: Forbidden: updates may not remove a condition of type "Failed"`}, ""},
		{"status issues certificates alone", "status", changes{approved}, changes{approved, certificate("x")}, []string{
			`status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block`}, ""},
		{"once", "status", changes{approved, certificate("x")}, changes{approved}, []string{"status.certificate: Forbidden: updates may not modify existing certificate content"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := certificateRequest(t, "dev", tt.old...)
			next := old.DeepCopy()
			next.Status, next.Spec.SignerName = certificatesv1.CertificateSigningRequestStatus{}, "example.com/other"
			for _, change := range tt.next {
				change(next)
			}
			sub[tt.through].Prepare(next, old)
			kindtest.Diff(t, tt.want, kindtest.Texts(sub[tt.through].Validate(next, old)))
			kindtest.Diff(t, old.Spec, next.Spec)
			if tt.want == nil {
				kindtest.Diff(t, []any{"jane", "<unknown>", certificatesv1.KubeAPIServerClientSignerName, "", "<none>", tt.state}, k.Row(next, kindtest.Now))
			}
		})
	}
}

// The server sets the requester and the times of conditions.
func TestCertificateSigningRequest_IsStamped(t *testing.T) {
	t.Parallel()
	k := certificates.CertificateSigningRequest
	r := certificateRequest(t, "dev", isCondition("Approved", "True"), func(r *certificatesv1.CertificateSigningRequest) {
		r.Spec.Username, r.Spec.Extra = "root", map[string]certificatesv1.ExtraValue{"a": {"b"}}
	})
	k.PrepareCreate(r)
	k.SetRequester(r, authenticationv1.UserInfo{Username: "jane", UID: "7", Groups: []string{"dev"}, Extra: map[string]authenticationv1.ExtraValue{"c": {"d"}}})
	want := r.DeepCopy()
	want.Spec.Username, want.Spec.UID, want.Spec.Groups = "jane", "7", []string{"dev"}
	want.Spec.Extra, want.Status = map[string]certificatesv1.ExtraValue{"c": {"d"}}, certificatesv1.CertificateSigningRequestStatus{}
	kindtest.Diff(t, want, r)

	old := certificateRequest(t, "dev", isCondition("Seen", "True"), isCondition("Read", "True"))
	before, at := metav1.NewTime(kindtest.Now.Add(-time.Hour)), metav1.NewTime(kindtest.Now)
	old.Status.Conditions[0].LastTransitionTime, old.Status.Conditions[1].LastTransitionTime = before, before
	next := certificateRequest(t, "dev", isCondition("Seen", "True"), isCondition("Read", "False"), isCondition("New", "True"))
	next.Status.Conditions[2].LastUpdateTime = before
	k.Status.SetTimes(next, old, kindtest.Now)
	kindtest.Diff(t, []certificatesv1.CertificateSigningRequestCondition{
		{Type: "Seen", Status: "True", LastUpdateTime: at, LastTransitionTime: before},
		{Type: "Read", Status: "False", LastUpdateTime: at, LastTransitionTime: at},
		{Type: "New", Status: "True", LastUpdateTime: before, LastTransitionTime: at},
	}, next.Status.Conditions)
}

func TestCertificateSigningRequest_NoMasters(t *testing.T) {
	t.Parallel()
	deny := certificates.CertificateSigningRequest.Admission[0].Validate
	if err := deny(certificateRequest(t, "dev"), nil); err != nil {
		t.Error(err)
	}
	masters := certificateRequest(t, "system:masters")
	if err := deny(masters, nil); err == nil || err.Error() != "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed" {
		t.Error(err)
	}
	masters.Spec.SignerName = "example.com/own"
	if err := deny(masters, nil); err != nil {
		t.Error(err)
	}
}
