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

// openAuthority is the authority by which the cluster signs certificates. The first process of a database makes it; all others, and
// all that come later, read the same one.
func openAuthority(ctx context.Context, pool *pgxpool.Pool) (*certificate.Authority, error) {
	a, err := readAuthority(ctx, pool)
	if !errors.Is(err, pgx.ErrNoRows) {
		return a, err
	}
	cert, key, err := credential.NewAuthority()
	if err != nil {
		return nil, fmt.Errorf("make the cluster's authority: %w", err)
	}
	if _, err := pool.Exec(ctx, sqlAuthorityCreate, cert, key); err != nil {
		return nil, fmt.Errorf("keep the cluster's authority: %w", err)
	}
	return readAuthority(ctx, pool)
}

// readAuthority is the authority that the database has. Its error wraps pgx.ErrNoRows if there is none.
func readAuthority(ctx context.Context, pool *pgxpool.Pool) (*certificate.Authority, error) {
	var cert, key []byte
	if err := pool.QueryRow(ctx, sqlAuthorityRead).Scan(&cert, &key); err != nil {
		return nil, fmt.Errorf("read the cluster's authority: %w", err)
	}
	a := new(certificate.Authority)
	var err error
	if a.Certificate, a.Key, err = credential.ParseAuthority(cert, key); err != nil {
		return nil, fmt.Errorf("the cluster's authority: %w", err)
	}
	return a, nil
}
