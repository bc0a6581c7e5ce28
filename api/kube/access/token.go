package access

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// Objects looks up the objects that tokens are bound to.
type Objects interface {
	// Current finds an object of a resource. Its errors are those of a read.
	Current(ctx context.Context, resource, namespace, name string) (*object.Version, error)
	// Get returns the newest known version of an object, or nil.
	Get(key object.Key) *object.Version
}

// MatchToken validates the names in a token request.
func MatchToken(asked *authenticationv1.TokenRequest, namespace, name string) error {
	meta := field.NewPath("metadata")
	var errs field.ErrorList
	switch {
	case asked.Name != "" && asked.Name != name:
		errs = append(errs, field.Invalid(meta.Child("name"), asked.Name, "must match the service account name if specified"))
	case asked.Namespace != "" && asked.Namespace != namespace:
		errs = append(errs, field.Invalid(meta.Child("namespace"), asked.Namespace, "must match the service account namespace if specified"))
	default:
		return nil
	}
	return &registry.Invalid{Kind: wire.TokenRequestKind.GroupKind(), Name: name, Errors: errs}
}

// CompleteToken applies defaults to a token request, in place, and validates it.
func CompleteToken(asked *authenticationv1.TokenRequest, account *object.Version, now time.Time) error {
	if asked.UID != "" && asked.UID != account.UID {
		return apierrors.NewConflict(schema.GroupResource{Group: wire.TokenRequestKind.Group, Resource: wire.TokenRequestKind.Kind}, account.Name,
			fmt.Errorf("the UID in the token request (%s) does not match the UID of the service account (%s)", asked.UID, account.UID))
	}
	asked.Name, asked.Namespace, asked.UID = account.Name, account.Namespace, account.UID
	asked.CreationTimestamp, asked.Status = metav1.NewTime(now.Truncate(time.Second)), authenticationv1.TokenRequestStatus{}
	if len(asked.Spec.Audiences) == 0 {
		asked.Spec.Audiences = slices.Clone(auth.APIAudiences)
	}
	if asked.Spec.ExpirationSeconds == nil {
		asked.Spec.ExpirationSeconds = new(int64(serviceaccount.UsualSeconds))
	}
	at, seconds := field.NewPath("spec", "expirationSeconds"), *asked.Spec.ExpirationSeconds
	var errs field.ErrorList
	if seconds < serviceaccount.MinSeconds {
		errs = append(errs, field.Invalid(at, seconds, "may not specify a duration less than 10 minutes"))
	}
	if seconds > serviceaccount.MaxSeconds {
		errs = append(errs, field.Invalid(at, seconds, "may not specify a duration larger than 2^32 seconds"))
	}
	if len(errs) > 0 {
		return &registry.Invalid{Kind: wire.TokenRequestKind.GroupKind(), Errors: errs}
	}
	return nil
}

// Claims returns the claims of the requested token. CompleteToken must have completed the request.
func Claims(ctx context.Context, of Objects, asked *authenticationv1.TokenRequest) (serviceaccount.Claims, error) {
	begin, seconds := asked.CreationTimestamp.Time, *asked.Spec.ExpirationSeconds
	c := serviceaccount.Claims{
		ID: uuid.NewString(), Namespace: asked.Namespace, Account: serviceaccount.Ref{Name: asked.Name, UID: asked.UID},
		Audiences: asked.Spec.Audiences, Issued: begin,
	}
	if err := bindToken(ctx, of, asked, &c); err != nil {
		return c, err
	}
	if c.Pod != nil && seconds == serviceaccount.WarnOnlySeconds && len(serviceaccount.Shared(c.Audiences, auth.APIAudiences)) == len(c.Audiences) {
		c.WarnFrom = begin.Add(serviceaccount.WarnOnlySeconds * time.Second)
		seconds = serviceaccount.ExtendedSeconds
	}
	c.Expires = begin.Add(time.Duration(seconds) * time.Second)
	return c, nil
}

// bindToken adds to the claims the object that the request binds the token to.
func bindToken(ctx context.Context, of Objects, asked *authenticationv1.TokenRequest, c *serviceaccount.Claims) error {
	ref := asked.Spec.BoundObjectRef
	if ref == nil {
		return nil
	}
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	resources := map[schema.GroupKind]string{{Kind: "Pod"}: "pods", {Kind: "Node"}: "nodes", {Kind: "Secret"}: "secrets"}
	resource := resources[gvk.GroupKind()]
	if resource == "" {
		return apierrors.NewBadRequest("cannot bind token to object of type " + gvk.String())
	}
	namespace := asked.Namespace
	if resource == "nodes" {
		namespace = ""
	}
	found, err := of.Current(ctx, resource, namespace, ref.Name)
	if err != nil {
		return err
	}
	bound := &serviceaccount.Ref{Name: found.Name, UID: found.UID}
	switch resource {
	case "pods":
		pod := found.Object().(*corev1.Pod)
		if pod.Spec.ServiceAccountName != asked.Name {
			return apierrors.NewBadRequest(fmt.Sprintf("cannot bind token for serviceaccount %q to pod running with different serviceaccount name.", asked.Name))
		}
		c.Pod, c.Node = bound, nodeOf(of, pod)
	case "nodes":
		c.Node = bound
	case "secrets":
		c.Secret = bound
	}
	if ref.UID != "" && ref.UID != found.UID {
		return apierrors.NewConflict(schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind}, ref.Name,
			fmt.Errorf("the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated", ref.UID))
	}
	return nil
}

// nodeOf returns the node of a Pod, with only its name if the node is unknown; nil if it has none.
func nodeOf(of Objects, pod *corev1.Pod) *serviceaccount.Ref {
	if pod.Spec.NodeName == "" {
		return nil
	}
	ref := &serviceaccount.Ref{Name: pod.Spec.NodeName}
	if node := of.Get(object.Key{Resource: "nodes", Name: ref.Name}); node != nil {
		ref.UID = node.UID
	}
	return ref
}
