package openapi

import "k8s.io/kube-openapi/pkg/common"

// route is one operation in the form that kube-openapi's builders read. It is immutable once built.
type route struct {
	method, path string
	id, tag      string // operation ID and tag
	doc          string

	parameters         []common.Parameter
	consumes, produces []string
	body               model // "" for no body
	responses          []common.StatusCodeResponse
	extensions         map[string]any
}

var _ common.Route = (*route)(nil)

func (r *route) Method() string                                   { return r.method }
func (r *route) Path() string                                     { return r.path }
func (r *route) OperationName() string                            { return r.id }
func (r *route) Parameters() []common.Parameter                   { return r.parameters }
func (r *route) Description() string                              { return r.doc }
func (r *route) Consumes() []string                               { return r.consumes }
func (r *route) Produces() []string                               { return r.produces }
func (r *route) Metadata() map[string]any                         { return r.extensions }
func (r *route) ResponsePayloadSample() any                       { return nil }
func (r *route) StatusCodeResponses() []common.StatusCodeResponse { return r.responses }

func (r *route) RequestPayloadSample() any {
	if r.body == "" {
		return nil
	}
	return r.body
}

// routes is a list of routes without a common root or parameters.
type routes []common.Route

var _ common.RouteContainer = routes(nil)

func (r routes) RootPath() string                   { return "" }
func (r routes) PathParameters() []common.Parameter { return nil }
func (r routes) Routes() []common.Route             { return r }

// model is the name of a schema, "io.k8s.api.core.v1.Pod", or the simple type "string".
type model string

// OpenAPIModelName makes the builders use the name unchanged.
func (m model) OpenAPIModelName() string { return string(m) }

// response is the answer with one status code.
type response struct {
	code    int
	message string
	model   model
}

var _ common.StatusCodeResponse = response{}

func (r response) Code() int       { return r.code }
func (r response) Message() string { return r.message }
func (r response) Model() any      { return r.model }

// parameter is a path, query or body parameter.
type parameter struct {
	in       common.ParameterKind
	name     string
	doc      string
	dataType string // "string", "integer" or "boolean"
	optional bool
}

var _ common.Parameter = parameter{}

func (p parameter) Name() string               { return p.name }
func (p parameter) Description() string        { return p.doc }
func (p parameter) Required() bool             { return !p.optional }
func (p parameter) Kind() common.ParameterKind { return p.in }
func (p parameter) DataType() string           { return p.dataType }
func (p parameter) AllowMultiple() bool        { return false }
