package application

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

const (
	// accountDir holds the files that a program in a Pod needs to talk to the API server.
	// Source: kubernetes v1.36 staging/src/k8s.io/client-go/rest/config.go, InClusterConfig
	accountDir = "/var/run/secrets/kubernetes.io/serviceaccount/"

	issuerPath = "/.well-known/openid-configuration"
	// issuerWait is how long it waits for a document.
	issuerWait = 30 * time.Second
	// mostModulus bounds the size of a key, in bytes, because checking a larger one takes longer.
	mostModulus = 512
)

// Issuer is agnhost's test-service-account-issuer-discovery: it validates its own token with the
// documents that the token's issuer publishes. It first trusts the cluster's authority and shows
// its token, then trusts the system's authorities, without a token.
//
// Source: kubernetes v1.36 test/images/agnhost/openidmetadata/openidmetadata.go
//
// Differs: it does not check when the token expires, which is in real time.
type Issuer struct {
	Begun    bool           `json:",omitempty"`
	External bool           `json:",omitempty"` // the second attempt
	Keys     bool           `json:",omitempty"` // it is getting the keys, after the other document
	Token    kernel.Text    `json:",omitempty"`
	Bearer   kernel.Text    `json:",omitempty"`
	Roots    kernel.Text    `json:",omitempty"`
	Get      *program.GoGet `json:",omitempty"`
}

// issuerClaims are the token's claims that matter here. Its audience may be one text or several.
type issuerClaims struct {
	Issuer   string          `json:"iss"`
	Subject  string          `json:"sub"`
	Audience json.RawMessage `json:"aud"`
}

// Step implements kernel.Program.
func (i *Issuer) Step(p *kernel.Process) kernel.Wait {
	if !i.Begun {
		i.Begun = true
		if err := i.begin(p); err != nil {
			logGo(p, err.Error())
			return kernel.Done(1)
		}
	}
	for {
		body, failure, wait, done := i.Get.Next(p)
		if !done {
			return wait
		}
		finished, err := i.got(p, body, failure)
		switch {
		case err == nil && finished:
			return kernel.Done(0)
		case err == nil:
		case i.External:
			logGo(p, err.Error())
			return kernel.Done(1)
		default:
			logGo(p, "failed to validate with in-cluster discovery: "+err.Error())
			logGo(p, "falling back to validating with external discovery")
			i.External, i.Keys, i.Bearer, i.Roots = true, false, "", ""
			i.get(i.claims().Issuer + issuerPath)
		}
	}
}

// begin reads the token and the Pod's credentials for the API server, and requests the first
// document.
func (i *Issuer) begin(p *kernel.Process) error {
	read := func(path string) (kernel.Text, error) {
		b, err := p.FS().ReadFile(p.Path(path))
		if err != nil {
			return "", fmt.Errorf("open %s: no such file or directory", path)
		}
		return kernel.Text(b), nil
	}
	var err error
	if i.Token, err = read(flag(p.Args, "token-path", "")); err != nil {
		return err
	}
	logGo(p, "OK: Got token")
	logGo(p, "validating with in-cluster discovery")
	if p.Getenv("KUBERNETES_SERVICE_HOST") == "" || p.Getenv("KUBERNETES_SERVICE_PORT") == "" {
		return errors.New("unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined")
	}
	if i.Bearer, err = read(accountDir + "token"); err != nil {
		return err
	}
	if i.Roots, err = read(accountDir + "ca.crt"); err != nil {
		i.Roots = "" // as upstream, which then trusts the system's authorities
	}
	c := i.claims()
	if c.Issuer == "" {
		return errors.New("go-jose/go-jose/jwt: invalid token")
	}
	logGo(p, "OK: got issuer "+c.Issuer)
	i.get(c.Issuer + issuerPath)
	return nil
}

func (i *Issuer) get(url string) {
	i.Get = program.NewGoGet(url, issuerWait)
	i.Get.Verify, i.Get.Roots = true, i.Roots
	if i.Bearer != "" {
		i.Get.Header = append(i.Get.Header, "Authorization: Bearer "+string(i.Bearer))
	}
}

// claims returns the token's claims; zero if it is not a token.
func (i *Issuer) claims() (c issuerClaims) {
	parts := strings.Split(strings.TrimSpace(string(i.Token)), ".")
	if len(parts) != 3 {
		return c
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(payload, &c) != nil {
		return issuerClaims{}
	}
	return c
}

// got takes a document. After the second one it validates the token.
func (i *Issuer) got(p *kernel.Process, body, failure string) (finished bool, err error) {
	c := i.claims()
	switch {
	case failure != "":
		return false, errors.New(failure)
	case i.Get.Answer.Status != 200:
		return false, fmt.Errorf("%d: %s", i.Get.Answer.Status, body)
	case i.Keys:
		return true, i.judge(p, c, body)
	}
	var document struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		return false, fmt.Errorf("oidc: failed to decode provider discovery object: %w", err)
	}
	if document.Issuer != c.Issuer {
		return false, fmt.Errorf("oidc: issuer did not match the issuer returned by provider, expected %q got %q", c.Issuer, document.Issuer)
	}
	logGo(p, "OK: Constructed OIDC provider for issuer "+c.Issuer)
	i.Keys = true
	i.get(document.Keys)
	return false, nil
}

// judge validates the token with the issuer's keys.
func (i *Issuer) judge(p *kernel.Process, c issuerClaims, keys string) error {
	audience := flag(p.Args, "audience", "")
	var several []string
	var single string
	if json.Unmarshal(c.Audience, &several) != nil && json.Unmarshal(c.Audience, &single) == nil {
		several = []string{single}
	}
	if !slices.Contains(several, audience) {
		return fmt.Errorf("oidc: expected audience %q got %q", audience, several)
	}
	token := strings.TrimSpace(string(i.Token))
	end := max(strings.LastIndex(token, "."), 0)
	given, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token[end:], "."))
	if err != nil || !signedBy(keys, token[:end], given) {
		return errors.New("failed to verify signature: failed to verify id token signature")
	}
	logGo(p, "OK: Validated signature on JWT")
	logGo(p, "OK: Got valid claims from token!")
	logGo(p, fmt.Sprintf("Full, validated claims: \n%s for %v", c.Subject, several))
	return nil
}

// signedBy reports whether one of the keys has signed a text, by RS256.
func signedBy(keys, text string, signature []byte) bool {
	var set struct {
		Keys []struct {
			Kind     string `json:"kty"`
			Modulus  string `json:"n"`
			Exponent string `json:"e"`
		} `json:"keys"`
	}
	if json.Unmarshal([]byte(keys), &set) != nil {
		return false
	}
	sum := sha256.Sum256([]byte(text))
	for _, k := range set.Keys[:min(len(set.Keys), 4)] {
		n, badN := base64.RawURLEncoding.DecodeString(k.Modulus)
		e, badE := base64.RawURLEncoding.DecodeString(k.Exponent)
		if k.Kind != "RSA" || badN != nil || badE != nil || len(n) > mostModulus || len(e) > 4 {
			continue
		}
		public := rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
		if rsa.VerifyPKCS1v15(&public, crypto.SHA256, sum[:], signature) == nil {
			return true
		}
	}
	return false
}

func init() { kernel.Register("agnhost-issuer", &Issuer{}) }
