package auth

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccounttoken"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// mostOrphans bounds how many Secrets one sync of a namespace deletes.
const mostOrphans = 100

// NewServiceAccountToken makes the controller that fills the Secrets that must hold a
// ServiceAccount's token, and deletes those whose account is gone. It syncs the Secret, the account
// of a token Secret that is gone, and the namespace of an account that is gone.
//
// Cost: the Secret and its account; or the account and the Secrets that it names; or 100 Secrets
// without their account.
func NewServiceAccountToken(w world.World) engine.Controller {
	return engine.Controller{
		Name: names.ServiceAccountToken, UserAgent: "tokens-controller", Primary: core.Secret.Resource(),
		Others: []string{"namespaces", "serviceaccounts"}, Batch: 16,
		Reconcile: gather.Each(controllers(w).syncTokenSecret),
		Sources: []wakeup.Source{
			wakeup.For(&core.Secret.Type, holdsToken),
			wakeup.Watches(&core.Secret.Type, accountOfGoneToken),
			wakeup.Watches(&core.ServiceAccount.Type, namespaceOfGoneAccount),
		},
	}
}

// holdsToken holds for token Secrets that another writer has changed.
func holdsToken(d wakeup.Diff) bool {
	secret, _ := d.New.(*corev1.Secret)
	return secret != nil && secret.Type == corev1.SecretTypeServiceAccountToken && d.Controller != names.ServiceAccountToken
}

func accountOfGoneToken(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	secret, _ := d.Old.(*corev1.Secret)
	if d.New != nil || secret == nil || secret.Type != corev1.SecretTypeServiceAccountToken || secret.Annotations[corev1.ServiceAccountNameKey] == "" {
		return wakes
	}
	return append(wakes, wakeup.Wake{
		Resource: core.ServiceAccount.Resource(), Namespace: secret.Namespace,
		Name: secret.Annotations[corev1.ServiceAccountNameKey],
	})
}

func namespaceOfGoneAccount(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New != nil {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: "namespaces", Name: d.Old.GetNamespace()})
}

func (w controllers) syncTokenSecret(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) (p plan.Plan) {
	switch of := o.Object().(type) {
	case *corev1.Secret:
		return w.fillSecret(v, of)
	case *corev1.ServiceAccount:
		return serviceaccounttoken.Forget(of, func(secret string) bool {
			return v.Get(object.Key{Resource: core.Secret.Resource(), Namespace: of.Namespace, Name: secret}) == nil
		})
	case *corev1.Namespace:
		if w.Tokens == nil || of.DeletionTimestamp != nil {
			return p // all of it is deleted anyway
		}
		orphans, more := w.Tokens.Orphans(of.Name, mostOrphans)
		for _, uid := range orphans {
			if o := v.UID(uid); o != nil {
				p.Deletes = append(p.Deletes, w.fillSecret(v, o.Object().(*corev1.Secret)).Deletes...)
			}
		}
		if more {
			p.WakeAt = now
		}
	}
	return p
}

func (w controllers) fillSecret(v mirror.View, secret *corev1.Secret) plan.Plan {
	s := serviceaccounttoken.Snapshot{Secret: secret, CABundle: w.CABundle, Sign: w.Sign}
	account := object.Key{
		Resource: core.ServiceAccount.Resource(), Namespace: secret.Namespace,
		Name: secret.Annotations[corev1.ServiceAccountNameKey],
	}
	if o := v.Get(account); o != nil {
		s.Account = o.Object().(*corev1.ServiceAccount)
	}
	return serviceaccounttoken.Reconcile(s)
}
