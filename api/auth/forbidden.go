package auth

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// plain escapes client input, so that it does not look like HTML in an error message.
var plain = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// forbidden returns the Status for a request that is not allowed. reason may be empty.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go, ForbiddenStatusError
func forbidden(u *User, a Attributes, reason string) error {
	var text string
	resource := a.Resource
	if a.Subresource != "" {
		resource += "/" + a.Subresource
	}
	switch {
	case a.Resource == "":
		text = fmt.Sprintf("User %q cannot %s path %q", u.Name, a.Verb, a.Path)
	case a.Namespace != "":
		text = fmt.Sprintf("User %q cannot %s resource %q in API group %q in the namespace %q", u.Name, a.Verb, resource, a.Group, a.Namespace)
	default:
		text = fmt.Sprintf("User %q cannot %s resource %q in API group %q at the cluster scope", u.Name, a.Verb, resource, a.Group)
	}
	text = plain.Replace(text)
	if reason != "" {
		text += ": " + reason
	}
	return apierrors.NewForbidden(schema.GroupResource{Group: a.Group, Resource: a.Resource}, a.Name, errors.New(text))
}
