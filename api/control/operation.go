package control

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/rowlock/rowlock/api/kube"
)

// answer is what huma sends of an operation: its body.
type answer[T any] struct{ Body T }

// register mounts an operation. huma reads the request into I as its tags say, and describes I and
// T in the OpenAPI document.
func register[I, T any](a *typed, op huma.Operation, serve func(context.Context, *I) (T, error)) {
	op.Responses = map[string]*huma.Response{}
	huma.Register(a, op, func(ctx context.Context, in *I) (*answer[T], error) {
		body, err := serve(ctx, in)
		if err != nil {
			return nil, &failure{err}
		}
		return &answer[T]{body}, nil
	})
}

// registerWriter mounts an operation that writes its answer itself, which huma cannot describe: a
// file, or lines of JSON as they come.
func registerWriter[I any](a *typed, op huma.Operation, content map[string]*huma.MediaType, serve func(context.Context, *I) (writer, error)) {
	op.Responses = map[string]*huma.Response{"200": {Content: content}}
	huma.Register(a, op, func(ctx context.Context, in *I) (*answer[func(huma.Context)], error) {
		write, err := serve(ctx, in)
		if err != nil {
			return nil, &failure{err}
		}
		return &answer[func(huma.Context)]{func(c huma.Context) {
			_, w := humachi.Unwrap(c)
			write(w)
		}}, nil
	})
}

// writer writes an answer.
type writer func(http.ResponseWriter)

// writeJSON sends a whole answer, as huma would.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	writeIndented(w, v)
}

// jsonOf describes a body of JSON, fileContent a snapshot's file.
func jsonOf[T any](a *typed) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")}}
}

func fileContent() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/gzip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
}

// sender is part of the inputs of operations that change something: who sends the request, as the
// log names them.
type sender struct{ name string }

// Resolve implements huma.Resolver.
func (s *sender) Resolve(c huma.Context) []error {
	req, _ := humachi.Unwrap(c)
	s.name = kube.WriterOf(req)
	return nil
}

// Named is the input of an operation on something that has a name. huma reads embedded inputs only
// if they are exported.
type Named struct {
	Name string `path:"name"`
}
