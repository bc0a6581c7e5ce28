package world

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

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
