package fieldmanager

import (
	"fmt"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/object"
)

// ScaleType is the type of the subresource scale.
var ScaleType = &object.Type{
	Group: autoscalingv1.GroupName, Version: "v1", Kind: "Scale", Plural: "scales", Namespaced: true,
	New: func() object.Object { return &autoscalingv1.Scale{} },
}

// tracked reports whether the owners of a type's fields are recorded: for every type of Kubernetes.
func tracked(t *object.Type) bool {
	return t.Group != "rowlock.io" && !strings.HasSuffix(t.Group, ".rowlock.io")
}

// definitions are kinds that clients define. client-go does not know how their fields are owned.
const definitions = "customresourcedefinitions.apiextensions.k8s.io"

// converters holds the type converter of each type written so far.
var converters sync.Map // schema.GroupVersionKind to managedfields.TypeConverter

// typesOf returns the schema of a type. The very first call takes a tenth of a second.
func typesOf(t *object.Type) managedfields.TypeConverter {
	if t.Custom != nil {
		return t.Custom.Converter()
	}
	gvk := t.GroupVersionKind()
	if tc, ok := converters.Load(gvk); ok {
		return tc.(managedfields.TypeConverter)
	}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(gvk, t.New())
	tc := applyconfigurations.NewTypeConverter(scheme)
	switch {
	case t.Resource() == definitions:
		tc = customresource.DefinitionTypes()
	case t == ScaleType:
		tc = managedfields.NewSchemeTypeConverter(scheme, scaleParser())
	}
	converters.Store(gvk, tc)
	return tc
}

// scaleParser has the schema of a Scale, which cannot be applied with client-go. Only its replicas
// matter.
var scaleParser = sync.OnceValue(func() *typed.Parser {
	parser, err := typed.NewParser(scaleSchema)
	if err != nil {
		panic(fmt.Sprintf("fieldmanager: the schema of Scale: %v", err))
	}
	return parser
})

const scaleSchema typed.YAMLObject = `types:
- name: io.k8s.api.autoscaling.v1.Scale
  map:
    fields:
    - name: apiVersion
      type: {scalar: string}
    - name: kind
      type: {scalar: string}
    - name: metadata
      type: {namedType: any}
    - name: spec
      type:
        map:
          fields:
          - name: replicas
            type: {scalar: numeric}
    - name: status
      type:
        map:
          fields:
          - name: replicas
            type: {scalar: numeric}
          - name: selector
            type: {scalar: string}
- name: any
  scalar: untyped
  list:
    elementType: {namedType: any}
    elementRelationship: atomic
  map:
    elementType: {namedType: any}
    elementRelationship: separable
`
