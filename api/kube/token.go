package kube

import (
	"context"
	"net/http"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/access"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// requestToken serves POST on a ServiceAccount's /token: it signs a token. r is the resource of
// ServiceAccounts.
//
// Source: kubernetes v1.36 pkg/registry/core/serviceaccount/storage/token.go, TokenREST.Create
func (r *resource) requestToken(w http.ResponseWriter, req *http.Request) error {
	asked := new(authenticationv1.TokenRequest)
	rep, _, err := r.receive(w, req, expected{nil, createOptions, wire.TokenRequestKind}, asked)
	if err != nil {
		return err
	}
	if err := access.MatchToken(asked, wire.PathValue(req, "namespace"), wire.PathValue(req, "name")); err != nil {
		return err
	}
	account, err := r.current(req.Context(), "create", wire.PathValue(req, "namespace"), wire.PathValue(req, "name"))
	if err != nil {
		return err
	}
	if err := access.CompleteToken(asked, account, time.Now()); err != nil {
		return err
	}
	claims, err := access.Claims(req.Context(), bindable{r.Server}, asked)
	if err != nil {
		return err
	}
	if asked.Status.Token, err = r.Login.Accounts.Sign(req.Context(), claims); err != nil {
		return r.failure("create", asked.Namespace, asked.Name, err)
	}
	asked.Status.ExpirationTimestamp = metav1.NewTime(asked.CreationTimestamp.Add(time.Duration(*asked.Spec.ExpirationSeconds) * time.Second))
	asked.SetGroupVersionKind(wire.TokenRequestKind)
	return wire.WriteValue(w, rep, http.StatusCreated, asked)
}

// bindable implements access.Objects.
type bindable struct{ *Server }

// Current implements access.Objects.
func (b bindable) Current(ctx context.Context, resource, namespace, name string) (*object.Version, error) {
	return b.resource(b.Catalogue.ByResource(resource)).current(ctx, "get", namespace, name)
}

// Get implements access.Objects.
func (b bindable) Get(key object.Key) *object.Version { return b.Reader.Get(key) }
