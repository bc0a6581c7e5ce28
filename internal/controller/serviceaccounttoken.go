package controller

import (
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/serviceaccounttoken"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// ServiceAccountToken fills the Secrets that must hold a ServiceAccount's token, and deletes those
// whose account is gone. It syncs the Secret, the account of a token Secret that is gone, and the
// namespace of an account that is gone.
//
// Cost: the Secret and its account; or the account and the Secrets that it names; or 100 Secrets
// without their account.
const ServiceAccountToken = "serviceaccounttoken"

// mostOrphans bounds how many Secrets one sync of a namespace deletes.
const mostOrphans = 100

func newServiceAccountToken(w World) engine.Controller {
	return engine.Controller{
		Name: ServiceAccountToken, UserAgent: "tokens-controller", Primary: core.Secret.Resource(), Others: []string{"namespaces", "serviceaccounts"}, Batch: 16,
		Reconcile: each(w.syncTokenSecret),
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
	return secret != nil && secret.Type == corev1.SecretTypeServiceAccountToken && d.Controller != ServiceAccountToken
}

func accountOfGoneToken(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	secret, _ := d.Old.(*corev1.Secret)
	if d.New != nil || secret == nil || secret.Type != corev1.SecretTypeServiceAccountToken || secret.Annotations[corev1.ServiceAccountNameKey] == "" {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: core.ServiceAccount.Resource(), Namespace: secret.Namespace, Name: secret.Annotations[corev1.ServiceAccountNameKey]})
}

func namespaceOfGoneAccount(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New != nil {
		return wakes
	}
	return append(wakes, wakeup.Wake{Resource: "namespaces", Name: d.Old.GetNamespace()})
}

func (w World) syncTokenSecret(v mirror.View, o *object.Version, _ *plan.Refusal, now time.Time) (p plan.Plan) {
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

func (w World) fillSecret(v mirror.View, secret *corev1.Secret) plan.Plan {
	s := serviceaccounttoken.Snapshot{Secret: secret, CABundle: w.CABundle, Sign: w.Sign}
	if o := v.Get(object.Key{Resource: core.ServiceAccount.Resource(), Namespace: secret.Namespace, Name: secret.Annotations[corev1.ServiceAccountNameKey]}); o != nil {
		s.Account = o.Object().(*corev1.ServiceAccount)
	}
	return serviceaccounttoken.Reconcile(s)
}

// Tokens tracks which token Secrets belong to accounts that do not exist. It observes the mirror,
// so that the deletion of an account costs only its own Secrets. It is safe for concurrent use.
type Tokens struct {
	mu       sync.Mutex
	accounts map[object.Key]types.UID
	secrets  map[types.UID]tokenSecret
	of       map[object.Key]map[types.UID]bool // the Secrets of an account
	orphans  map[string]map[types.UID]bool     // by namespace
}

// tokenSecret says whose token a Secret holds: of the account with that uid, or of any with that
// name.
type tokenSecret struct {
	account object.Key
	uid     types.UID
}

// NewTokens makes an empty Tokens, which must observe the mirror.
func NewTokens() *Tokens {
	t := &Tokens{}
	t.Reset()
	return t
}

var _ mirror.Observer = (*Tokens)(nil)

// Reset implements mirror.Observer.
func (t *Tokens) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.accounts, t.secrets = map[object.Key]types.UID{}, map[types.UID]tokenSecret{}
	t.of, t.orphans = map[object.Key]map[types.UID]bool{}, map[string]map[types.UID]bool{}
}

// Observe implements mirror.Observer.
func (t *Tokens) Observe(e mirror.Event) {
	switch e.New.Type.Plural {
	case "serviceaccounts":
		t.mu.Lock()
		defer t.mu.Unlock()
		key := object.Key{Resource: "serviceaccounts", Namespace: e.New.Namespace, Name: e.New.Name}
		if t.accounts[key] = e.New.UID; e.New.Verb == object.Deleted {
			delete(t.accounts, key)
		}
		for uid := range t.of[key] {
			t.judge(uid)
		}
	case "secrets":
		t.observeSecret(e)
	}
}

func (t *Tokens) observeSecret(e mirror.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was, known := t.secrets[e.New.UID]
	if isNew := e.Old == nil || e.Old.Verb == object.Deleted; !known && !isNew {
		return // a Secret keeps its type, so this one need not be decoded
	}
	if known {
		delete(t.secrets, e.New.UID)
		remove(t.of, was.account, e.New.UID)
		remove(t.orphans, was.account.Namespace, e.New.UID)
	}
	if e.New.Verb == object.Deleted {
		return
	}
	secret := e.New.Object().(*corev1.Secret)
	if secret.Type != corev1.SecretTypeServiceAccountToken {
		return
	}
	key := object.Key{Resource: "serviceaccounts", Namespace: secret.Namespace, Name: secret.Annotations[corev1.ServiceAccountNameKey]}
	t.secrets[secret.UID] = tokenSecret{key, types.UID(secret.Annotations[corev1.ServiceAccountUIDKey])}
	put(t.of, key, secret.UID)
	t.judge(secret.UID)
}

// judge records whether a Secret's account exists.
func (t *Tokens) judge(uid types.UID) {
	s := t.secrets[uid]
	if is, there := t.accounts[s.account]; there && (s.uid == "" || s.uid == is) {
		remove(t.orphans, s.account.Namespace, uid)
	} else {
		put(t.orphans, s.account.Namespace, uid)
	}
}

// Orphans returns at most this many Secrets of a namespace whose account does not exist, and
// whether there are more.
func (t *Tokens) Orphans(namespace string, most int) (orphans []types.UID, more bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for uid := range maps.Keys(t.orphans[namespace]) {
		if len(orphans) == most {
			more = true
			break
		}
		orphans = append(orphans, uid)
	}
	slices.Sort(orphans)
	return orphans, more
}

func put[K comparable](sets map[K]map[types.UID]bool, of K, uid types.UID) {
	if sets[of] == nil {
		sets[of] = map[types.UID]bool{}
	}
	sets[of][uid] = true
}

func remove[K comparable](sets map[K]map[types.UID]bool, of K, uid types.UID) {
	if delete(sets[of], uid); len(sets[of]) == 0 {
		delete(sets, of)
	}
}
