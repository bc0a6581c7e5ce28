package connect

import (
	"context"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
)

// Inside gives access to the programs in Pods from outside the cluster. It is safe for concurrent
// use.
type Inside interface {
	// Serve passes a query to the Pod's programs and returns their answer. If nothing listens, or
	// the Pod is deleted, the outcome is emulator.OutcomeRefused. It returns errors of the database
	// and of the context.
	Serve(ctx context.Context, pod *object.Version, q emulator.Query) (emulator.Answer, error)
}

type baseKey struct{}

// Below returns a context for requests to a cluster whose API is below a path, such as
// "/forks/one". Addresses in answers start with the path.
func Below(ctx context.Context, base string) context.Context {
	return context.WithValue(ctx, baseKey{}, base)
}

// baseOf returns the path of the API as the client sees it; "" for the root.
func baseOf(ctx context.Context) string {
	base, _ := ctx.Value(baseKey{}).(string)
	return base
}
