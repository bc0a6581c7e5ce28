package serviceaccount

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/go-jose/go-jose/v4"
)

// Issuer is the issuer of tokens, and the audience of those for the API server itself.
//
// Source: kubernetes v1.36 cmd/kubeadm/app/phases/controlplane/manifests.go, getAPIServerCommand: service-account-issuer
const Issuer = "https://kubernetes.default.svc.cluster.local"

// keyBits is the length of the keys that NewKey makes.
const keyBits = 2048

// NewKey makes a key, and returns it in DER of PKCS #8. It takes a fraction of a second of
// processor time.
func NewKey() ([]byte, error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKCS8PrivateKey(private)
}

// Key signs tokens. It never changes.
type Key struct {
	id      string
	private *rsa.PrivateKey
	signer  jose.Signer
}

// ParseKey parses the output of NewKey.
func ParseKey(der []byte) (*Key, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("the key is not one of RSA")
	}
	k := &Key{private: private}
	if k.id, err = keyID(private.Public()); err != nil {
		return nil, err
	}
	k.signer, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: private, KeyID: k.id}}, nil)
	return k, err
}

// keyID returns the name of a key.
//
// Source: kubernetes v1.36 pkg/serviceaccount/jwt.go, keyIDFromPublicKey
func keyID(public crypto.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(der)
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// JWKSPath is where the server publishes its public keys.
//
// Source: kubernetes v1.36 pkg/serviceaccount/openidmetadata.go
const JWKSPath = "/openid/v1/jwks"

// KeySet returns the JSON document of the public key, by which others verify tokens.
//
// Source: kubernetes v1.36 pkg/serviceaccount/openidmetadata.go, openIDKeysetJSON
func (k *Key) KeySet() ([]byte, error) {
	return json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: k.private.Public(), KeyID: k.id, Algorithm: string(jose.RS256), Use: "sig"}}})
}

// Configuration returns the JSON document that describes the issuer to others. The keys are at the
// address jwksURI.
//
// Source: kubernetes v1.36 pkg/serviceaccount/openidmetadata.go, openIDConfigJSON
func Configuration(jwksURI string) ([]byte, error) {
	return json.Marshal(struct {
		Issuer        string   `json:"issuer"`
		JWKSURI       string   `json:"jwks_uri"`
		ResponseTypes []string `json:"response_types_supported"`
		SubjectTypes  []string `json:"subject_types_supported"`
		Algorithms    []string `json:"id_token_signing_alg_values_supported"`
	}{Issuer, jwksURI, []string{"id_token"}, []string{"public"}, []string{string(jose.RS256)}})
}
