package serviceaccount

import (
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// leeway is how much clocks may differ, and how long a token outlives the deletion of what it is
// bound to.
//
// Source: github.com/go-jose/go-jose/v4 jwt/validation.go, DefaultLeeway
const leeway = time.Minute

var errInvalidated = errors.New("service account token has been invalidated")

// Judge returns why a token is invalid at a moment of real time; clusterNow is the same in cluster
// time, in which objects are deleted. It is nil for a valid token.
//
// Source: kubernetes v1.36 pkg/serviceaccount/claims.go, validator.Validate
func (c *Claims) Judge(now, clusterNow time.Time, objects Objects) error {
	switch {
	case c.Legacy != "":
		return c.judgeLegacy(objects)
	case now.Add(-leeway).After(c.Expires):
		return errors.New("service account token has expired")
	case now.Add(leeway).Before(c.Issued):
		return errors.New("service account token is not valid yet")
	}
	account := objects("serviceaccounts", c.Namespace, c.Account.Name)
	switch {
	case account == nil:
		return fmt.Errorf("serviceaccounts %q not found", c.Account.Name)
	case account.GetUID() != c.Account.UID:
		return fmt.Errorf("service account UID (%s) does not match claim (%s)", account.GetUID(), c.Account.UID)
	case gone(account, clusterNow):
		return fmt.Errorf("service account %s/%s has been deleted", c.Namespace, c.Account.Name)
	}
	if err := c.Secret.judge("secrets", c.Namespace, "secret UID (%s) does not match service account secret ref claim (%s)", clusterNow, objects); err != nil {
		return err
	}
	if c.Pod != nil { // the node is reported, not judged
		return c.Pod.judge("pods", c.Namespace, "pod UID (%s) does not match service account pod ref claim (%s)", clusterNow, objects)
	}
	return c.Node.judge("nodes", "", "node UID (%s) does not match service account node ref claim (%s)", clusterNow, objects)
}

// judge returns why an object does not back a token; other formats the error for another object of
// the same name, with its uid and the token's. A nil Ref needs no object.
func (r *Ref) judge(resource, namespace, other string, now time.Time, objects Objects) error {
	if r == nil {
		return nil
	}
	o := objects(resource, namespace, r.Name)
	switch {
	case o == nil:
		return errInvalidated
	case o.GetUID() != r.UID:
		return fmt.Errorf(other, o.GetUID(), r.UID)
	case gone(o, now):
		return errInvalidated
	}
	return nil
}

// gone reports whether an object was deleted so long ago that nothing bound to it is valid any
// more.
func gone(o metav1.Object, now time.Time) bool {
	at := o.GetDeletionTimestamp()
	return at != nil && at.Time.Before(now.Add(-leeway))
}

// CredentialID is the extra of a user that says which credential was presented.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/user/user.go, CredentialIDKey
const CredentialID = "authentication.kubernetes.io/credential-id"

// ExtraNodeName is the extra with the node of the Pod that a token is bound to.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, NodeNameKey
const ExtraNodeName = "authentication.kubernetes.io/node-name"

// The further extras of a user who has presented a token.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go
const (
	extraPodName = "authentication.kubernetes.io/pod-name"
	extraPodUID  = "authentication.kubernetes.io/pod-uid"
	extraNodeUID = "authentication.kubernetes.io/node-uid"
)

// Identity is who presents a valid token.
type Identity struct {
	Name   string
	UID    types.UID
	Groups []string
	Extra  map[string][]string
}

// Identity returns who presents the token.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, ServiceAccountInfo.UserInfo
func (c *Claims) Identity() Identity {
	i := Identity{
		Name: Subject(c.Namespace, c.Account.Name), UID: c.Account.UID,
		Groups: Groups(c.Namespace), Extra: map[string][]string{},
	}
	note := func(key, value string) {
		if value != "" {
			i.Extra[key] = []string{value}
		}
	}
	if c.ID != "" {
		note(CredentialID, "JTI="+c.ID)
	}
	if c.Pod != nil {
		note(extraPodName, c.Pod.Name)
		note(extraPodUID, string(c.Pod.UID))
	}
	if c.Node != nil {
		note(ExtraNodeName, c.Node.Name)
		note(extraNodeUID, string(c.Node.UID))
	}
	return i
}
