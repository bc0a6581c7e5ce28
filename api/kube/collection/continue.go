package collection

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/object"
)

// Latest is the revision of a continue token with which a list continues at the newest revision,
// because that of its first pages has been compacted.
const Latest object.Revision = -1

// Continue is a continue token: the start of the next page of a list, and the list's revision.
// Start is the smallest key that has not been sent, relative to the list: "name\x00", preceded by
// "namespace/" in a list of all namespaces. Exact says that the client has asked for the list's
// revision itself, and so can continue as long as it is retained; upstream has no such field.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/continue.go, continueToken
type Continue struct {
	Version  string          `json:"v"`
	Revision object.Revision `json:"rv"`
	Start    string          `json:"start"`
	Exact    bool            `json:"exact,omitempty"`
}

const continueVersion = "meta.k8s.io/v1"

// EncodeContinue returns the token for a list that continues after the key.
func EncodeContinue(after object.Key, allNamespaces bool, rev object.Revision, exact bool) string {
	start := after.Name + "\x00"
	if allNamespaces && after.Namespace != "" {
		start = after.Namespace + "/" + start
	}
	doc, err := json.Marshal(Continue{continueVersion, rev, start, exact})
	if err != nil {
		panic("kube: a continue token does not encode: " + err.Error()) // cannot happen: only strings and numbers
	}
	return base64.RawURLEncoding.EncodeToString(doc)
}

// DecodeContinue decodes a token, whose revision may be Latest, and returns the key at which the
// page starts, in this namespace or in all namespaces.
func DecodeContinue(token, namespace string, namespaced bool) (object.Key, Continue, error) {
	t, err := ParseContinue(token)
	if err != nil {
		return object.Key{}, Continue{}, apierrors.NewBadRequest("invalid continue token: " + err.Error())
	}
	key := object.Key{Namespace: namespace, Name: t.Start}
	if namespaced && namespace == "" {
		key.Namespace, key.Name, _ = strings.Cut(t.Start, "/")
	}
	return key, t, nil
}

var errContinue = errors.New("continue key is not valid")

// ParseContinue parses a continue token as clients send it. Its errors wrap errContinue.
func ParseContinue(token string) (t Continue, err error) {
	doc, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return t, fmt.Errorf("%w: %w", errContinue, err)
	}
	if err := json.Unmarshal(doc, &t); err != nil {
		return t, fmt.Errorf("%w: %w", errContinue, err)
	}
	switch {
	case t.Version != continueVersion:
		return t, fmt.Errorf("%w: server does not recognize this encoded version %s", errContinue, t.Version)
	case t.Revision == 0:
		return t, fmt.Errorf("%w: incorrect encoded start resourceVersion (version %s)", errContinue, continueVersion)
	case t.Start == "":
		return t, fmt.Errorf("%w: encoded start key empty (version %s)", errContinue, continueVersion)
	}
	t.Start = strings.TrimPrefix(t.Start, "/")
	if rooted := "/" + t.Start; path.Clean(rooted) != rooted {
		return t, fmt.Errorf("%w: %s", errContinue, t.Start)
	}
	return t, nil
}
