package cluster

import (
	"context"
	_ "embed"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/serviceaccount"
	"github.com/rowlock/rowlock/internal/store"
)

var (
	//go:embed token_key_read.sql
	sqlTokenKeyRead string
	//go:embed token_key_create.sql
	sqlTokenKeyCreate string
)

// openTokenKey returns the key of service account tokens. The first process of a database that
// needs it creates it; all others, and all later ones, read the same one.
func openTokenKey(ctx context.Context, pool *pgxpool.Pool) (*serviceaccount.Key, error) {
	return firstMade(ctx, pool, readTokenKey, func() error {
		key, err := serviceaccount.NewKey()
		if err != nil {
			return err
		}
		_, err = pool.Exec(ctx, sqlTokenKeyCreate, key)
		return err
	})
}

// readTokenKey reads the key from the database. Its error wraps pgx.ErrNoRows if the database has
// none yet.
func readTokenKey(ctx context.Context, pool *pgxpool.Pool) (*serviceaccount.Key, error) {
	var der []byte
	if err := pool.QueryRow(ctx, sqlTokenKeyRead).Scan(&der); err != nil {
		return nil, err
	}
	return serviceaccount.ParseKey(der)
}

// keyWait is how long a reader of a log waits for the key.
const keyWait = 10 * time.Second

// newTokenKeys returns the key of service account tokens, which is opened when it is first needed.
func (r *Cluster) newTokenKeys() *serviceaccount.Keys {
	return serviceaccount.NewKeys(func(ctx context.Context) (*serviceaccount.Key, error) { return openTokenKey(ctx, r.pool) })
}

// accounts returns the tokens of service accounts.
func (p parts) accounts() *auth.Accounts {
	return &auth.Accounts{
		Keys:    p.tokenKeys,
		Objects: p.bound, Fresh: p.mirror.Fresh, Real: time.Now, Now: p.clock.Now, Used: p.noteUse,
	}
}

// noteUse labels a Secret with the day on which its token was used. Of several at a time, one
// succeeds; a failure is left to the next use, because the token is valid all the same.
func (p parts) noteUse(ctx context.Context, namespace, name string) {
	v := p.mirror.Get(object.Key{Resource: core.Secret.Resource(), Namespace: namespace, Name: name})
	if v == nil {
		return
	}
	now := p.clock.Now()
	old := v.Object().(*corev1.Secret)
	day := serviceaccount.LastUsedOn(old, now)
	if day == "" {
		return
	}
	next := old.DeepCopy()
	metav1.SetMetaDataLabel(&next.ObjectMeta, serviceaccount.LastUsed, day)
	err := fieldmanager.Updated(&core.Secret.Type, next, old, fieldmanager.Writer{Manager: "kube-apiserver", At: now})
	if err == nil {
		_, err = p.Store.Write(ctx, store.Change{Verb: object.Updated, Type: &core.Secret.Type, Old: v, New: next, Writer: "rowlock", Cause: object.NoRequest})
	}
	if conflict := new(store.ConflictError); err != nil && !errors.As(err, &conflict) {
		p.Log.WarnContext(ctx, "could not record the use of a token", "namespace", namespace, "secret", name, "error", err)
	}
}

// bound finds the object that a token is bound to; nil if it does not exist.
func (p parts) bound(resource, namespace, name string) (found metav1.Object) {
	p.mirror.Read(func(v mirror.View) {
		if o := v.Get(object.Key{Resource: resource, Namespace: namespace, Name: name}); o != nil {
			found = o.Object()
		}
	})
	return found
}
