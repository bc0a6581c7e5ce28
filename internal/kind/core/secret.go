package core

import (
	"crypto/tls"
	"encoding/json"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// Secret is core/v1 Secret. A client's stringData is stored and returned as data.
//
// Source: kubernetes v1.36 pkg/registry/core/secret/strategy.go
var Secret = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "Secret", Plural: "secrets", Namespaced: true,
		New: func() object.Object { return &corev1.Secret{} },
	},
	Singular: "secret",
	NewList:  func() runtime.Object { return &corev1.SecretList{} },

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Type", Type: "string", Description: corev1.Secret{}.SwaggerDoc()["type"]},
		{Name: "Data", Type: "string", Description: corev1.Secret{}.SwaggerDoc()["data"]},
		kind.AgeColumn,
	},
	UnconditionalUpdate: true,
	Quota:               kind.CountedAs(corev1.ResourceSecrets),
}, kind.Functions[*corev1.Secret]{
	Default:        defaultSecret,
	PrepareUpdate:  prepareSecretUpdate,
	Validate:       validateSecret,
	ValidateUpdate: validateSecretUpdate,
	Warnings:       warnOfSecret,
	Row: func(s *corev1.Secret, now time.Time) []any {
		return []any{s.Name, string(s.Type), int64(len(s.Data)), kind.Age(s.CreationTimestamp, now)}
	},
	SelectableFields: func(o *corev1.Secret) fields.Set {
		return fields.Set{"type": string(o.Type)}
	},
})

// defaultSecret sets the type and moves stringData into data, where it overrides existing values.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/conversion.go, Convert_v1_Secret_To_core_Secret
func defaultSecret(s *corev1.Secret) {
	if s.Type == "" {
		s.Type = corev1.SecretTypeOpaque
	}
	if len(s.StringData) > 0 && s.Data == nil {
		s.Data = make(map[string][]byte, len(s.StringData))
	}
	for key, value := range s.StringData {
		s.Data[key] = []byte(value)
	}
	s.StringData = nil
}

func prepareSecretUpdate(next, old *corev1.Secret) {
	if s := next; s.Type == "" {
		s.Type = old.Type
	}
}

// validateSecret validates keys, size and the requirements of the type.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecret
func validateSecret(s *corev1.Secret) field.ErrorList {
	errs := check.NamespacedMeta(&s.ObjectMeta)
	path := field.NewPath("data")
	size := 0
	for _, key := range slices.Sorted(maps.Keys(s.Data)) {
		errs = append(errs, validateDataKey(key, path.Key(key))...)
		size += len(s.Data[key])
	}
	if size > corev1.MaxSecretSize {
		errs = append(errs, field.TooLong(path, "", corev1.MaxSecretSize))
	}
	return append(errs, validateSecretType(s, path)...)
}

// validateSecretType checks that a Secret of a known type has the keys of that type. Other types
// may have any data.
func validateSecretType(s *corev1.Secret, path *field.Path) field.ErrorList {
	has := func(key string) bool { _, ok := s.Data[key]; return ok }
	var errs field.ErrorList
	require := func(key string) { errs = append(errs, field.Required(path.Key(key), "")) }

	switch s.Type {
	case corev1.SecretTypeServiceAccountToken:
		if s.Annotations[corev1.ServiceAccountNameKey] == "" {
			at := field.NewPath("metadata", "annotations").Key(corev1.ServiceAccountNameKey)
			errs = append(errs, field.Required(at, ""))
		}
	case corev1.SecretTypeDockercfg:
		return validateJSONKey(s, corev1.DockerConfigKey, path)
	case corev1.SecretTypeDockerConfigJson:
		return validateJSONKey(s, corev1.DockerConfigJsonKey, path)
	case corev1.SecretTypeBasicAuth:
		if !has(corev1.BasicAuthUsernameKey) && !has(corev1.BasicAuthPasswordKey) {
			require(corev1.BasicAuthUsernameKey)
			require(corev1.BasicAuthPasswordKey)
		}
	case corev1.SecretTypeSSHAuth:
		if len(s.Data[corev1.SSHAuthPrivateKey]) == 0 {
			require(corev1.SSHAuthPrivateKey)
		}
	case corev1.SecretTypeTLS:
		for _, key := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey} {
			if !has(key) {
				require(key)
			}
		}
	}
	return errs
}

// validateJSONKey checks that the key exists and holds a JSON object. Errors never contain the
// value.
func validateJSONKey(s *corev1.Secret, key string, path *field.Path) field.ErrorList {
	value, ok := s.Data[key]
	if !ok {
		return field.ErrorList{field.Required(path.Key(key), "")}
	}
	if err := json.Unmarshal(value, &map[string]any{}); err != nil {
		return field.ErrorList{field.Invalid(path.Key(key), "<secret contents redacted>", err.Error())}
	}
	return nil
}

func validateSecretUpdate(s, was *corev1.Secret) field.ErrorList {
	errs := check.MetaUpdate(&s.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validation.ValidateImmutableField(s.Type, was.Type, field.NewPath("type"))...)
	if kind.IsTrue(was.Immutable) {
		if !kind.IsTrue(s.Immutable) {
			errs = append(errs, field.Forbidden(field.NewPath("immutable"), immutableData))
		}
		if !equality.Semantic.DeepEqual(s.Data, was.Data) {
			errs = append(errs, field.Forbidden(field.NewPath("data"), immutableData))
		}
	}
	return append(errs, validateSecret(s)...)
}

// warnOfSecret warns about a TLS Secret whose key does not match its certificate.
func warnOfSecret(s, _ *corev1.Secret) []string {
	if s.Type != corev1.SecretTypeTLS {
		return nil
	}
	if _, err := tls.X509KeyPair(s.Data[corev1.TLSCertKey], s.Data[corev1.TLSPrivateKeyKey]); err != nil {
		return []string{err.Error()}
	}
	return nil
}
