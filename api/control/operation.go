package control

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"github.com/rowlock/rowlock/api/kube"
)

// answer is the output of an operation for huma: its body.
type answer[T any] struct{ Body T }

// register mounts an operation. huma reads the request into I according to its tags, and describes
// I and T in the OpenAPI document.
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

// registerWriter mounts an operation that writes its own answer, such as a file or a stream of JSON
// lines, which huma cannot describe.
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

// writeJSON sends a JSON answer as huma does.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	writeIndented(w, v)
}

// jsonOf describes a JSON body; fileContent describes a snapshot file.
func jsonOf[T any](a *typed) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")}}
}

func fileContent() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/gzip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
}

// sender is part of the inputs of operations that change something: the user as the log names them.
type sender struct{ name string }

// Resolve implements huma.Resolver.
func (s *sender) Resolve(c huma.Context) []error {
	req, _ := humachi.Unwrap(c)
	s.name = kube.WriterOf(req)
	return nil
}

// Named is the input of operations on a named thing. huma reads only exported embedded inputs.
type Named struct {
	Name string `path:"name"`
}
