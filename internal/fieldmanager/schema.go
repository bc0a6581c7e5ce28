package fieldmanager

import (
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"

	"github.com/rowlock/rowlock/internal/object"
)

// ScaleType is the type of the subresource scale.
var ScaleType = &object.Type{
	Group: autoscalingv1.GroupName, Version: "v1", Kind: "Scale", Plural: "scales", Namespaced: true,
	New: func() object.Object { return &autoscalingv1.Scale{} },
}

// tracked says whether the owners of a type's fields are recorded: of every type of Kubernetes'.
func tracked(t *object.Type) bool { return t.Group != "rowlock.io" && !strings.HasSuffix(t.Group, ".rowlock.io") }

// converters has the type converter of each type that was written.
var converters sync.Map // schema.GroupVersionKind to managedfields.TypeConverter

// typesOf knows the schema of a type. The first call of all takes a tenth of a second.
func typesOf(t *object.Type) managedfields.TypeConverter {
	gvk := t.GroupVersionKind()
	if tc, ok := converters.Load(gvk); ok {
		return tc.(managedfields.TypeConverter)
	}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(gvk, t.New())
	tc := applyconfigurations.NewTypeConverter(scheme)
	converters.Store(gvk, tc)
	return tc
}
