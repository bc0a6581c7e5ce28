package openapi

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/common"
)

// The parameters that paths and operations share. Source: kubernetes v1.36
// staging/src/k8s.io/apiserver/pkg/endpoints/installer.go, registerResourceHandlers
var (
	prettyParameter = parameter{
		in: common.QueryParameterKind, name: "pretty", dataType: "string", optional: true,
		doc: "If 'true', then the output is pretty printed. Defaults to 'false' unless the user-agent indicates a browser or command-line HTTP tool (curl and wget).",
	}
	namespaceParameter = parameter{
		in: common.PathParameterKind, name: "namespace", dataType: "string",
		doc: "object name and auth scope, such as for teams and projects",
	}
	pathParameter = parameter{in: common.PathParameterKind, name: "path", dataType: "string", doc: "path to the resource"}
	bodyParameter = parameter{in: common.BodyParameterKind, name: "body"}
)

func nameParameter(kind string) parameter {
	return parameter{in: common.PathParameterKind, name: "name", dataType: "string", doc: "name of the " + kind}
}

// queryParameters returns the fields of an options struct, given by pointer, as query parameters:
// fields with a JSON name that are not structs. Descriptions come from the struct's SwaggerDoc.
// excluded lists JSON names to leave out.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/installer.go, AddObjectParams
func queryParameters(options any, excluded ...string) []common.Parameter {
	var docs map[string]string
	if d, ok := options.(interface{ SwaggerDoc() map[string]string }); ok {
		docs = d.SwaggerDoc()
	}
	var parameters []common.Parameter
	for _, f := range reflect.VisibleFields(reflect.TypeOf(options).Elem()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		dataType := dataTypeOf(f.Type)
		if len(f.Index) > 1 || name == "" || dataType == "" || slices.Contains(excluded, name) {
			continue
		}
		parameters = append(parameters, parameter{
			in: common.QueryParameterKind, name: name, doc: docs[name], dataType: dataType, optional: true,
		})
	}
	return parameters
}

// dataTypeOf returns the JSON type of a query parameter, or "" if it has none. The type of a list
// is that of its elements, because lists are sent as repeated parameters.
func dataTypeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer"
	case reflect.String:
		return "string"
	case reflect.Pointer, reflect.Slice:
		return dataTypeOf(t.Elem())
	default:
		return ""
	}
}
