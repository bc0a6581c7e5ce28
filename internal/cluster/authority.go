package cluster

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/credential"
	"github.com/rowlock/rowlock/internal/reconcile/certificate"
)

var (
	//go:embed authority_read.sql
	sqlAuthorityRead string
	//go:embed authority_create.sql
	sqlAuthorityCreate string
)

// openAuthority returns the authority that signs the cluster's certificates. The first process of a
// database creates it; all others, and all later ones, read the same one.
func openAuthority(ctx context.Context, pool *pgxpool.Pool) (*certificate.Authority, error) {
	return firstMade(ctx, pool, readAuthority, func() error {
		cert, key, err := credential.NewAuthority()
		if err != nil {
			return fmt.Errorf("create the cluster's certificate authority: %w", err)
		}
		if _, err := pool.Exec(ctx, sqlAuthorityCreate, cert, key); err != nil {
			return fmt.Errorf("store the cluster's certificate authority: %w", err)
		}
		return nil
	})
}

// firstMade reads something that a database has one of, and makes it if there is none. The error of
// read wraps pgx.ErrNoRows if there is none. If another process makes it meanwhile, that one stays
// and is returned.
func firstMade[T any](ctx context.Context, pool *pgxpool.Pool, read func(context.Context, *pgxpool.Pool) (T, error), make func() error) (T, error) {
	v, err := read(ctx, pool)
	if !errors.Is(err, pgx.ErrNoRows) {
		return v, err
	}
	if err := make(); err != nil {
		return v, err
	}
	return read(ctx, pool)
}

// readAuthority returns the authority in the database. Its error wraps pgx.ErrNoRows if there is
// none.
func readAuthority(ctx context.Context, pool *pgxpool.Pool) (*certificate.Authority, error) {
	var cert, key []byte
	if err := pool.QueryRow(ctx, sqlAuthorityRead).Scan(&cert, &key); err != nil {
		return nil, fmt.Errorf("read the cluster's certificate authority: %w", err)
	}
	a := new(certificate.Authority)
	var err error
	if a.Certificate, a.Key, err = credential.ParseAuthority(cert, key); err != nil {
		return nil, fmt.Errorf("parse the cluster's certificate authority: %w", err)
	}
	return a, nil
}
