package pgtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// exec runs one statement on a connection of its own: no test is to hold a session that another does not know of.
func exec(ctx context.Context, base, statement string) (err error) {
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
