package customresource

import (
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// DefinitionTypes returns the type converter that server-side apply uses for
// CustomResourceDefinitions themselves. client-go's converter does not know this kind. It is built
// at the first call.
var DefinitionTypes = sync.OnceValue(func() managedfields.TypeConverter {
	const model = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"
	models := map[string]*spec.Schema{}
	addStandard(models, model)
	named := *models[model]
	named.Extensions = spec.Extensions{gvkExtension: []any{map[string]any{
		"group": apiextensionsv1.GroupName, "version": apiextensionsv1.SchemeGroupVersion.Version, "kind": "CustomResourceDefinition",
	}}}
	models[model] = &named
	types, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		panic(fmt.Sprintf("customresource: the types of definitions: %v", err))
	}
	return types
})
