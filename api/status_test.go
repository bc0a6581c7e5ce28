package api_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/kube"
	"github.com/rowlock/rowlock/internal/store"
)

// TestStatus_OfTheDatabase: 503 promises that nothing was written, so a write of unknown outcome
// gets 500, even if the reason why it is unknown would have been 503 by itself.
func TestStatus_OfTheDatabase(t *testing.T) {
	t.Parallel()
	server := func(code, text string) error {
		return fmt.Errorf("write: %w", &pgconn.PgError{Code: code, Message: text})
	}
	full, gone := server("53100", "could not extend file"), server("42883", "function apply(integer) does not exist")
	const unmatched = "503 this replica does not match the database, which a newer Rowlock may have migrated: function apply(integer) does not exist"
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"unreachable", store.ErrUnavailable, "503 the database cannot be reached"},
		{"full disk", full, "503 the database has no resources left: could not extend file"},
		{"full disk, after a retry", fmt.Errorf("%w: %w", store.ErrUnavailable, full), "503 the database has no resources left: could not extend file"},
		{"migrated since", gone, unmatched},
		{"unknown outcome", store.ErrUnknownOutcome, "500 Internal error occurred: " + store.ErrUnknownOutcome.Error()},
		{"unknown outcome, and the disk is full", fmt.Errorf("%w: %w", store.ErrUnknownOutcome, errors.Join(errors.New("EOF"), full)),
			"500 Internal error occurred: " + store.ErrUnknownOutcome.Error() + ": EOF\nwrite: : could not extend file (SQLSTATE 53100)"},
		{"unknown outcome, and migrated since", fmt.Errorf("%w: %w", store.ErrUnknownOutcome, gone),
			"500 Internal error occurred: " + store.ErrUnknownOutcome.Error() + ": write: : function apply(integer) does not exist (SQLSTATE 42883)"},
		{"out of locks", server("53200", "out of shared memory"), "500 Internal error occurred: write: : out of shared memory (SQLSTATE 53200)"},
	} {
		status := api.Status(&kube.Failure{Verb: "update", Err: tt.err})
		if diff := cmp.Diff(tt.want, fmt.Sprintf("%d %s", status.Code, status.Message)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
