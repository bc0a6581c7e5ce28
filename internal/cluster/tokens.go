package cluster

import (
	"context"
	_ "embed"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

var (
	//go:embed token_key_read.sql
	sqlTokenKeyRead string
	//go:embed token_key_create.sql
	sqlTokenKeyCreate string
)

// openTokenKey is the key of service account tokens. The first process of a database that needs it makes it; all others, and all that come
// later, read the same one.
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

// readTokenKey reads the key from the database. Its error wraps pgx.ErrNoRows if the database has none yet.
func readTokenKey(ctx context.Context, pool *pgxpool.Pool) (*serviceaccount.Key, error) {
	var der []byte
	if err := pool.QueryRow(ctx, sqlTokenKeyRead).Scan(&der); err != nil {
		return nil, err
	}
	return serviceaccount.ParseKey(der)
}

// keyWait is how long a visit, which holds a transaction open, and a reader of a log wait for the key.
const keyWait = 1500 * time.Millisecond

// newTokenKeys is the key of service account tokens, which is opened when it is first needed.
func (r *Cluster) newTokenKeys() *serviceaccount.Keys {
	return serviceaccount.NewKeys(func(ctx context.Context) (*serviceaccount.Key, error) { return openTokenKey(ctx, r.pool) })
}

// accounts are the tokens of service accounts.
func (p parts) accounts() *auth.Accounts {
	return &auth.Accounts{
		Keys:    p.tokenKeys,
		Objects: p.bound, Fresh: p.mirror.Fresh, Real: time.Now, Now: p.clock.Now,
	}
}

// bound finds what a token is bound to; nil if that is not there.
func (p parts) bound(resource, namespace, name string) (found metav1.Object) {
	p.mirror.Read(func(v mirror.View) {
		if o := v.Get(object.Key{Resource: resource, Namespace: namespace, Name: name}); o != nil {
			found = o.Object()
		}
	})
	return found
}
