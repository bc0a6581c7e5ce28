package customresource

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TypeConverter returns the type converter for server-side apply to objects of all versions. It
// uses the merge keys and types of the schemas; lists and maps without them are atomic. It is built
// at the first call and kept as long as the Definition. Errors: a schema that does not compile, for
// which upstream uses managedfields.NewDeducedTypeConverter.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, buildOpenAPIModelsForApply
func (d *Definition) TypeConverter() (managedfields.TypeConverter, error) { return d.converter() }

func newTypeConverter(d *Definition) (managedfields.TypeConverter, error) {
	models := map[string]*spec.Schema{}
	for _, v := range d.Versions {
		model, err := v.Model(OpenAPIV3)
		if err != nil {
			return nil, err
		}
		models[ModelName(v.GVK)] = model
	}
	addStandard(models, objectMeta)
	converter, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		return nil, fmt.Errorf("make the type converter of %s: %w", d.GroupResource(), err)
	}
	return converter, nil
}

// addStandard adds a model of Kubernetes and the models that it references.
func addStandard(models map[string]*spec.Schema, name string) {
	if models[name] != nil {
		return
	}
	model := standard(name)
	models[name] = &model
	for _, other := range standards()[name].Dependencies {
		addStandard(models, other)
	}
}

// ReplicasPaths returns the path of the scale subresource's spec.replicas for each version, keyed
// by group and version. Versions without the subresource are missing.
func (d *Definition) ReplicasPaths() managedfields.ResourcePathMappings {
	paths := managedfields.ResourcePathMappings{}
	for _, v := range d.Versions {
		paths[v.gv()] = nil
		if v.Scale != nil {
			paths[v.gv()] = v.Scale.ReplicasPath()
		}
	}
	return paths
}
