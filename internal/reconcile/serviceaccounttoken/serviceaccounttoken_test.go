package serviceaccounttoken_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccounttoken"
)

func secret(options ...func(*corev1.Secret)) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "s", UID: "s", Annotations: map[string]string{corev1.ServiceAccountNameKey: "till"}},
		Type: corev1.SecretTypeServiceAccountToken}
	for _, o := range options {
		o(s)
	}
	return s
}

func with(key, value string) func(*corev1.Secret) {
	return func(s *corev1.Secret) {
		if s.Data == nil {
			s.Data = map[string][]byte{}
		}
		s.Data[key] = []byte(value)
	}
}

func till() *corev1.ServiceAccount {
	return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "till", UID: "t"}}
}

func sign(payload []byte) ([]byte, bool) { return fmt.Appendf(nil, "signed(%d)", len(payload)), true }

// outcome tells what a plan does.
func outcome(p plan.Plan) string {
	var got []string
	for _, u := range p.Updates {
		s := u.Object.(*corev1.Secret)
		for key, value := range s.Data {
			got = append(got, key+"="+string(value))
		}
		got = append(got, "of="+s.Annotations[corev1.ServiceAccountNameKey]+"/"+s.Annotations[corev1.ServiceAccountUIDKey])
	}
	for _, d := range p.Deletes {
		got = append(got, "delete "+d.Object.GetName())
	}
	if p.Retry {
		got = append(got, "retry")
	}
	slices.Sort(got)
	return strings.Join(got, " ")
}

// Source: kubernetes v1.36 pkg/controller/serviceaccount/tokens_controller_test.go, TestTokenCreation
func TestReconcile(t *testing.T) {
	t.Parallel()
	other := func(s *corev1.Secret) { s.Annotations[corev1.ServiceAccountUIDKey] = "another" }
	whole := []func(*corev1.Secret){with("ca.crt", "CA"), with("namespace", "shop"), with("token", "mine")}
	for _, tt := range []struct {
		name string
		s    serviceaccounttoken.Snapshot
		want string
	}{
		{"it is filled", serviceaccounttoken.Snapshot{Secret: secret(), Account: till(), CABundle: "CA"}, "ca.crt=CA namespace=shop of=till/t token=signed(284)"},
		{"it has all", serviceaccounttoken.Snapshot{Secret: secret(whole...), Account: till(), CABundle: "CA"}, ""},
		{"a token stays", serviceaccounttoken.Snapshot{Secret: secret(with("token", "mine")), Account: till()}, "namespace=shop of=till/t token=mine"},
		{"a namespace stays", serviceaccounttoken.Snapshot{Secret: secret(with("namespace", "elsewhere")), Account: till()}, "namespace=elsewhere of=till/t token=signed(284)"},
		{"another authority", serviceaccounttoken.Snapshot{Secret: secret(whole...), Account: till(), CABundle: "new"}, "ca.crt=new namespace=shop of=till/t token=mine"},
		{"plain HTTP", serviceaccounttoken.Snapshot{Secret: secret(whole...), Account: till()}, ""},
		{"no account", serviceaccounttoken.Snapshot{Secret: secret(whole...)}, "delete s"},
		{"another account of that name", serviceaccounttoken.Snapshot{Secret: secret(other), Account: till()}, "delete s"},
		{"it is being deleted", serviceaccounttoken.Snapshot{Secret: secret(func(s *corev1.Secret) { s.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} })}, ""},
		{"another type", serviceaccounttoken.Snapshot{Secret: secret(func(s *corev1.Secret) { s.Type = corev1.SecretTypeOpaque })}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.s.Sign = sign
			before := tt.s.Secret.DeepCopy()
			if diff := cmp.Diff(tt.want, outcome(serviceaccounttoken.Reconcile(tt.s))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, tt.s.Secret); diff != "" {
				t.Errorf("the Secret was changed (-want +got):\n%s", diff)
			}
		})
	}
	unready := serviceaccounttoken.Snapshot{Secret: secret(), Account: till(), Sign: func([]byte) ([]byte, bool) { return nil, false }}
	if got := outcome(serviceaccounttoken.Reconcile(unready)); got != "retry" {
		t.Errorf("without a key: %s", got)
	}
}

// References to Secrets that are gone go, and others stay.
func TestForget(t *testing.T) {
	t.Parallel()
	a := till()
	a.Secrets = []corev1.ObjectReference{{Name: "gone"}, {Name: "there"}}
	p := serviceaccounttoken.Forget(a, func(s string) bool { return s == "gone" })
	if len(p.Updates) != 1 || len(a.Secrets) != 2 {
		t.Fatalf("%s, and the account has %v", p, a.Secrets)
	}
	if left := p.Updates[0].Object.(*corev1.ServiceAccount).Secrets; len(left) != 1 || left[0].Name != "there" {
		t.Errorf("left are %v", left)
	}
	if p := serviceaccounttoken.Forget(a, func(string) bool { return false }); len(p.Updates) > 0 {
		t.Errorf("with all there: %s", p)
	}
}
