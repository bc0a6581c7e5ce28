package connect

import (
	"context"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
)

// Inside is the inside of Pods, as it is reached from outside the cluster. It is safe for
// concurrent use.
type Inside interface {
	// Serve gives a query to the Pod's programs and returns their answer. Where nothing listens, or
	// the Pod has gone, the outcome is emulator.OutcomeRefused. The errors are those of the
	// database and the context's.
	Serve(ctx context.Context, pod *object.Version, q emulator.Query) (emulator.Answer, error)
}

type baseKey struct{}

// Below is a context for requests of a cluster whose API clients find below a path, such as
// "/forks/one". Addresses in answers begin with it.
func Below(ctx context.Context, base string) context.Context {
	return context.WithValue(ctx, baseKey{}, base)
}

// baseOf is the path below which the client of a request finds the API; "" for the root.
func baseOf(ctx context.Context) string {
	base, _ := ctx.Value(baseKey{}).(string)
	return base
}
