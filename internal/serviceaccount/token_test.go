package serviceaccount_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// keys are two keys for all tests, because making one takes long.
var keys = sync.OnceValue(func() (both [2][]byte) {
	for i := range both {
		der, err := serviceaccount.NewKey()
		if err != nil {
			panic(err)
		}
		both[i] = der
	}
	return both
})

func key(t testing.TB, which int) *serviceaccount.Key {
	t.Helper()
	k, err := serviceaccount.ParseKey(keys()[which])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func claims() serviceaccount.Claims {
	return serviceaccount.Claims{
		ID: "7", Namespace: "shop", Account: serviceaccount.Ref{Name: "till", UID: "a"}, Pod: &serviceaccount.Ref{Name: "till-0", UID: "p"},
		Node: &serviceaccount.Ref{Name: "n1", UID: "n"}, Audiences: []string{serviceaccount.Issuer, "vault"},
		Issued: noon, Expires: noon.Add(time.Hour), WarnFrom: noon.Add(time.Minute),
	}
}

func sign(t testing.TB, k *serviceaccount.Key, c serviceaccount.Claims) string {
	t.Helper()
	token, err := k.Sign(c)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// TestKey_VerifiesWhatItSigned: a key verifies what it has signed, and the same claims give the
// same token.
func TestKey_VerifiesWhatItSigned(t *testing.T) {
	t.Parallel()
	k := key(t, 0)
	token := sign(t, k, claims())
	got, err := k.Verify(token)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(claims(), got, cmp.Transformer("UTC", func(at time.Time) string { return at.UTC().String() })); diff != "" {
		t.Errorf("claims (-signed +verified):\n%s", diff)
	}
	if sign(t, k, claims()) != token {
		t.Error("the same claims gave another token")
	}
}

// part returns a part of a token, decoded.
func part(t *testing.T, token string, which int) map[string]any {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[which])
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]any{}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	return said
}

// forge returns a token with one changed part and the old signature.
func forge(t *testing.T, token string, which int, name string, value any) string {
	t.Helper()
	said := part(t, token, which)
	said[name] = value
	text, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(token, ".")
	parts[which] = base64.RawURLEncoding.EncodeToString(text)
	return strings.Join(parts, ".")
}

// TestKey_RefusesForgeries: no token is accepted that the key has not signed.
func TestKey_RefusesForgeries(t *testing.T) {
	t.Parallel()
	k := key(t, 0)
	token, foreign := sign(t, k, claims()), sign(t, key(t, 1), claims())
	const header, payload = 0, 1
	none := forge(t, token, header, "alg", "none")
	for name, forged := range map[string]string{
		"unsigned":             none[:strings.LastIndex(none, ".")+1],
		"unsigned but for old": none,
		"signed symmetrically": forge(t, token, header, "alg", "HS256"),
		"another account":      forge(t, token, payload, "sub", "system:serviceaccount:kube-system:root"),
		"a longer life":        forge(t, token, payload, "exp", 1<<40),
		"without signature":    token[:strings.LastIndex(token, ".")+1],
		"another key":          foreign,
		"another key, our kid": forge(t, foreign, header, "kid", part(t, token, header)["kid"]),
		"two parts":            token[:strings.LastIndex(token, ".")],
		"five parts":           token + ".a.b",
		"JSON":                 `{"payload":"e30","signatures":[]}`,
		"nothing":              "",
		"long":                 token + strings.Repeat("A", 1<<20),
	} {
		if _, err := k.Verify(forged); !errors.Is(err, serviceaccount.ErrNotOurs) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzKey_Verify(f *testing.F) {
	k := key(f, 0)
	token := sign(f, k, claims())
	f.Add(token)
	f.Add("e30.e30.")
	f.Fuzz(func(t *testing.T, other string) {
		if _, err := k.Verify(other); err == nil && other != token {
			t.Errorf("%q was taken", other)
		}
	})
}

// TestKey_KeySet: others verify tokens by the published part of the key, which is not secret.
func TestKey_KeySet(t *testing.T) {
	t.Parallel()
	doc, err := key(t, 0).KeySet()
	if err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []map[string]any }
	if err := json.Unmarshal(doc, &set); err != nil {
		t.Fatal(err)
	}
	if len(set.Keys) != 1 || set.Keys[0]["kid"] != part(t, sign(t, key(t, 0), claims()), 0)["kid"] {
		t.Fatalf("the key is not the one that tokens name: %s", doc)
	}
	for name := range set.Keys[0] {
		if !strings.Contains(" alg e kid kty n use ", " "+name+" ") {
			t.Errorf("the key set shows %q", name)
		}
	}
}
