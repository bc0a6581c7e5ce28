package core_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// secret returns the Secret "login" of a type with data, as stored.
func secret(of corev1.SecretType, data map[string][]byte) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Name: "login", Namespace: "default", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-time.Minute)),
		},
		Type: of,
		Data: data,
	}
}

func TestSecret_Default(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ given, want *corev1.Secret }{
		"a type":     {&corev1.Secret{}, &corev1.Secret{Type: "Opaque"}},
		"stringData": {&corev1.Secret{StringData: map[string]string{"a": "b"}}, &corev1.Secret{Type: "Opaque", Data: map[string][]byte{"a": []byte("b")}}},
		"stringData wins over data": {
			&corev1.Secret{Type: "a.io/b", StringData: map[string]string{"a": "new"}, Data: map[string][]byte{"a": []byte("old"), "c": nil}},
			&corev1.Secret{Type: "a.io/b", Data: map[string][]byte{"a": []byte("new"), "c": nil}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			core.Secret.Default(tt.given)
			kindtest.Diff(t, tt.want, tt.given)
		})
	}
}

func TestSecret_Validate(t *testing.T) {
	t.Parallel()
	type data = map[string][]byte
	object, text := []byte(`{"auths":{}}`), []byte("plain text")
	account := secret(corev1.SecretTypeServiceAccountToken, nil)
	account.Annotations = map[string]string{"kubernetes.io/service-account.name": "robot"}
	tests := []struct {
		name   string
		secret *corev1.Secret
		want   []string
	}{
		{"opaque", secret("Opaque", data{"a": text}), nil},
		{"a type of one's own", secret("a.io/b", nil), nil},
		{"keys", secret("Opaque", data{".": nil}), []string{"data[.]: Invalid value: \".\": must not be '.'"}},
		{"as much as fits", secret("Opaque", data{"a": make([]byte, 1<<20)}), nil},
		{"too much", secret("Opaque", data{"a": make([]byte, 1<<19), "b": make([]byte, 1<<19+1)}), []string{
			"data: Too long: may not be more than 1048576 bytes",
		}},
		{"token", account, nil},
		{"token of nobody", secret(corev1.SecretTypeServiceAccountToken, nil), []string{
			"metadata.annotations[kubernetes.io/service-account.name]: Required value",
		}},
		{"dockercfg", secret(corev1.SecretTypeDockercfg, data{".dockercfg": object}), nil},
		{"dockercfg without the key", secret(corev1.SecretTypeDockercfg, nil), []string{"data[.dockercfg]: Required value"}},
		{"dockerconfigjson", secret(corev1.SecretTypeDockerConfigJson, data{".dockerconfigjson": object}), nil},
		{"malformed dockerconfigjson", secret(corev1.SecretTypeDockerConfigJson, data{".dockerconfigjson": text}), []string{
			`data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'p' looking for beginning of value`,
		}},
		{"basic auth with a password", secret(corev1.SecretTypeBasicAuth, data{"password": nil}), nil},
		{"basic auth with nothing", secret(corev1.SecretTypeBasicAuth, nil), []string{
			"data[username]: Required value", "data[password]: Required value",
		}},
		{"ssh", secret(corev1.SecretTypeSSHAuth, data{"ssh-privatekey": text}), nil},
		{"ssh with an empty key", secret(corev1.SecretTypeSSHAuth, data{"ssh-privatekey": nil}), []string{"data[ssh-privatekey]: Required value"}},
		{"tls", secret(corev1.SecretTypeTLS, data{"tls.crt": nil, "tls.key": nil}), nil},
		{"tls without keys", secret(corev1.SecretTypeTLS, nil), []string{"data[tls.crt]: Required value", "data[tls.key]: Required value"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Secret.Validate(tt.secret)))
		})
	}
}

func TestSecret_Update(t *testing.T) {
	t.Parallel()
	type data = map[string][]byte
	fixed := secret("Opaque", data{"a": nil})
	fixed.Immutable = new(true)
	tests := []struct {
		name      string
		next, old *corev1.Secret
		want      []string
	}{
		{"data", secret("Opaque", data{"a": {2}}), secret("Opaque", data{"a": {1}}), nil},
		{"the type may be left out", secret("", nil), secret("a.io/b", nil), nil},
		{"the type stays", secret("a.io/c", nil), secret("a.io/b", nil), []string{
			`type: Invalid value: "a.io/c": field is immutable`,
		}},
		{"immutable", secret("Opaque", data{"a": {1}}), fixed, []string{
			"immutable: Forbidden: field is immutable when `immutable` is set",
			"data: Forbidden: field is immutable when `immutable` is set",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			core.Secret.PrepareUpdate(tt.next, tt.old)
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Secret.ValidateUpdate(tt.next, tt.old)))
		})
	}
}

func TestSecret_WarnsOfBrokenCertificates(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []string{"tls: failed to find any PEM data in certificate input"}, core.Secret.Warnings(secret(corev1.SecretTypeTLS, nil), nil))
	kindtest.Diff(t, []string(nil), core.Secret.Warnings(secret("Opaque", nil), nil))
}

func TestSecret_Row(t *testing.T) {
	t.Parallel()
	s := secret("Opaque", map[string][]byte{"a": nil, "b": nil})
	kindtest.Diff(t, []any{"login", "Opaque", int64(2), "60s"}, core.Secret.Row(s, kindtest.Now))
	kindtest.Diff(t, fields.Set{"type": "Opaque"}, core.Secret.SelectableFields(s))
}
