package core_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// serviceAccount returns the ServiceAccount "robot" with annotations and references to Secrets.
func serviceAccount(annotations map[string]string, secrets ...corev1.ObjectReference) *corev1.ServiceAccount {
	return &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: "robot", Namespace: "default", ResourceVersion: "1", Annotations: annotations},
		Secrets:    secrets,
	}
}

func TestServiceAccount_ReferencesAreReducedToNames(t *testing.T) {
	t.Parallel()
	long := corev1.ObjectReference{Kind: "Secret", Namespace: "other", Name: "token", UID: "u1"}
	want := serviceAccount(nil, corev1.ObjectReference{Name: "token"})

	created := serviceAccount(nil, long)
	core.ServiceAccount.PrepareCreate(created)
	kindtest.Diff(t, want, created)

	updated := serviceAccount(nil, long)
	core.ServiceAccount.PrepareUpdate(updated, serviceAccount(nil))
	kindtest.Diff(t, want, updated)
}

func TestServiceAccount_Validate(t *testing.T) {
	t.Parallel()
	bad := serviceAccount(nil)
	bad.Name = "-robot"
	message := `metadata.name: Invalid value: "-robot": ` + kindtest.NotSubdomain
	kindtest.Diff(t, []string(nil), kindtest.Texts(core.ServiceAccount.Validate(serviceAccount(nil))))
	kindtest.Diff(t, []string{message}, kindtest.Texts(core.ServiceAccount.Validate(bad)))
	kindtest.Diff(t, []string{message}, kindtest.Texts(core.ServiceAccount.ValidateUpdate(bad, bad)))
}

func TestServiceAccount_Warnings(t *testing.T) {
	t.Parallel()
	enforcing := serviceAccount(map[string]string{"kubernetes.io/enforce-mountable-secrets": "true"})
	warning := []string{"metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}
	kindtest.Diff(t, warning, core.ServiceAccount.Warnings(enforcing, nil))
	kindtest.Diff(t, warning, core.ServiceAccount.Warnings(enforcing, serviceAccount(nil)))
	kindtest.Diff(t, []string(nil), core.ServiceAccount.Warnings(enforcing, enforcing))
	kindtest.Diff(t, []string(nil), core.ServiceAccount.Warnings(serviceAccount(nil), nil))
}

func TestServiceAccount_Row(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []any{"robot", "<unknown>"}, core.ServiceAccount.Row(serviceAccount(nil), kindtest.Now))
}
