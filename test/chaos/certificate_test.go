package chaos_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"testing"

	"github.com/jackc/pgx/v5"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// certificateRequest makes a request for a client's certificate in PEM.
func certificateRequest(t *testing.T, name string) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}}, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})
}

// approve requests a certificate and approves the request.
func (c *clients) approve(name string, request []byte) {
	const resource = "certificatesigningrequests.certificates.k8s.io"
	do(c, resource, func(ctx context.Context, client kubernetes.Interface) (*certificatesv1.CertificateSigningRequest, error) {
		requests := client.CertificatesV1().CertificateSigningRequests()
		created, err := requests.Create(ctx, &certificatesv1.CertificateSigningRequest{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: certificatesv1.CertificateSigningRequestSpec{
				Request: request, SignerName: certificatesv1.KubeAPIServerClientSignerName,
				Usages: []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageClientAuth},
			},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return requests.Get(ctx, name, metav1.GetOptions{})
		}
		return created, err
	})
	do(c, resource, func(ctx context.Context, client kubernetes.Interface) (*certificatesv1.CertificateSigningRequest, error) {
		requests := client.CertificatesV1().CertificateSigningRequests()
		r, err := requests.Get(ctx, name, metav1.GetOptions{})
		if err != nil || len(r.Status.Conditions) > 0 {
			return r, err
		}
		r.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "Tested"}}
		return requests.UpdateApproval(ctx, name, r, metav1.UpdateOptions{})
	})
}

// authority returns the cluster's authority.
func (c *clients) authority() *x509.Certificate {
	c.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.database)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // nothing was written
	var der []byte
	if err := conn.QueryRow(context.Background(), "SELECT certificate FROM authority").Scan(&der); err != nil {
		c.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		c.t.Fatal(err)
	}
	return cert
}

// Two processes sign certificates and are killed one after the other: each approved request gets
// one certificate in the end, signed by the cluster's authority, and never another.
func TestKill_CertificatesAreIssuedOnce(t *testing.T) {
	c := newClients(newFleet(t, pgtest.NewURL(t), 2))
	asked := names("client", 24)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range asked {
			c.approve(name, certificateRequest(t, name))
		}
	}()
	c.killOneAtATime(kills(t) / 4)
	<-done
	pool := x509.NewCertPool()
	pool.AddCert(c.authority())
	eventually(t, "all have certificates", func() bool {
		all, err := c.any().CertificatesV1().CertificateSigningRequests().List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return false
		}
		issued := 0
		for i := range all.Items {
			block, _ := pem.Decode(all.Items[i].Status.Certificate)
			if block == nil {
				continue
			}
			cert, err := x509.ParseCertificate(block.Bytes)
			if err != nil || cert.Subject.CommonName != all.Items[i].Name {
				t.Fatalf("%s has %v, %v", all.Items[i].Name, cert, err)
			}
			if _, err := cert.Verify(x509.VerifyOptions{Roots: pool, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
				t.Fatal(err)
			}
			issued++
		}
		return issued == len(asked)
	})
	issued := map[string]string{}
	for _, v := range c.judge() {
		r, ok := v.Object.(*certificatesv1.CertificateSigningRequest)
		if !ok {
			continue
		}
		if was := issued[r.Name]; was != "" && was != string(r.Status.Certificate) {
			t.Errorf("%s had a certificate, and then %q", r.Name, r.Status.Certificate)
		}
		issued[r.Name] = string(r.Status.Certificate)
	}
	if len(issued) != len(asked) {
		t.Errorf("the log has %d requests", len(issued))
	}
}
