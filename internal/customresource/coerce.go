package customresource

import (
	"errors"
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Admit prepares, in place, an object that a client sent in this version: it decodes metadata as
// Kubernetes' types do, also in embedded resources, prunes unknown fields and meaningless nulls,
// and applies defaults.
//
// If report is set, it returns the pruned fields as errors of strict field validation: `unknown
// field "spec.foo"`. Errors: metadata that cannot be decoded, which the API answers with 400.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, schemaCoercingDecoder
func (v *Version) Admit(u *unstructured.Unstructured, report bool) (unknown []string, err error) {
	paths, err := v.coerce(u, report, false)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		unknown = append(unknown, fmt.Sprintf("unknown field %q", path))
	}
	return unknown, v.Default(u)
}

// Restore prepares, in place, a stored object of this version: it prunes fields that the schema has
// lost since, applies defaults that it has gained, and drops metadata that cannot be decoded.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, crdConversionRESTOptionsGetter
func (v *Version) Restore(u *unstructured.Unstructured) error {
	if _, err := v.coerce(u, false, true); err != nil {
		return err
	}
	return v.Default(u)
}

// Default applies defaults, in place. Errors: an object that defaults would make too large, and a
// schema that does not compile, which no valid definition has.
func (v *Version) Default(u *unstructured.Unstructured) error {
	p, err := v.program()
	if err != nil {
		return err
	}
	if err := p.checkCost(u); errors.Is(err, errAdded) {
		return err
	}
	ours, s, err := v.claimed(u.GetKind(), u.GetAPIVersion())
	if ours {
		structuraldefaulting.Default(u.Object, s)
	}
	return err
}

// DefaultStatus applies, in place, the default of a missing status. Errors: as Default.
func (v *Version) DefaultStatus(u *unstructured.Unstructured) error {
	p, err := v.program()
	if err != nil {
		return err
	}
	if _, ok := u.Object["status"]; ok || p.structural == nil || p.structural.Properties["status"].Default.Object == nil {
		return nil
	}
	return v.Default(u)
}

// CoerceMeta decodes an object's metadata, in place, as Kubernetes' types do, and drops what cannot
// be decoded. A null label becomes "". Errors: metadata that is not an object.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, unstructuredSchemaCoercer
func CoerceMeta(u *unstructured.Unstructured) error {
	meta, has, _, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{DropMalformedFields: true})
	if err != nil || !has {
		return err
	}
	return objectmeta.SetObjectMeta(u.Object, meta)
}

// coerce decodes metadata and prunes. For a stored object, it drops metadata that cannot be decoded
// and sets a missing generation to 1.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, unstructuredSchemaCoercer
func (v *Version) coerce(u *unstructured.Unstructured, report, stored bool) ([]string, error) {
	kind, hasKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return nil, err
	}
	ours, s, err := v.claimed(kind, apiVersion)
	if err != nil {
		return nil, err
	}
	meta, hasMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: stored, ReturnUnknownFieldPaths: report,
	})
	if err != nil {
		return nil, err
	}
	if ours {
		more, err := prune(u, s, report, stored)
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, more...)
		if stored && meta.Generation == 0 {
			meta.Generation = 1
		}
	}
	if hasKind {
		u.SetKind(kind)
	}
	if hasVersion {
		u.SetAPIVersion(apiVersion)
	}
	if hasMeta {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, err
		}
	}
	return unknown, nil
}

// claimed returns the schema of the version that an object's apiVersion names, nil if the
// definition does not have that version. ours is false for an object of another group or kind. It
// fails for a malformed apiVersion.
func (v *Version) claimed(kind, apiVersion string) (ours bool, s *structuralschema.Structural, err error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.Group != v.GVK.Group || kind != v.GVK.Kind {
		return false, nil, err
	}
	is := v
	if gv.Version != v.GVK.Version {
		is = v.definition.Version(gv.Version)
	}
	if is == nil {
		return true, nil, nil
	}
	p, err := is.program()
	if err != nil {
		return true, nil, err
	}
	return true, p.structural, nil
}

// prune removes, in place, fields that the schema does not specify, and decodes the metadata of
// embedded resources.
func prune(u *unstructured.Unstructured, s *structuralschema.Structural, report, stored bool) (unknown []string, err error) {
	unknown = pruning.PruneWithOptions(u.Object, s, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: report})
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s)
	fault, more := objectmeta.CoerceWithOptions(nil, u.Object, s, false, objectmeta.CoerceOptions{
		DropInvalidFields: stored, ReturnUnknownFieldPaths: report,
	})
	if fault != nil {
		return nil, fault
	}
	return append(unknown, more...), nil
}

// Convert converts u, in place, to another version with the strategy None: it changes the
// apiVersion and prunes fields that the schema of the other version does not specify. Errors:
// metadata that cannot be decoded.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go, schemaCoercingConverter
func (d *Definition) Convert(u *unstructured.Unstructured, to *Version) error {
	if u.GetAPIVersion() == to.gv() {
		return nil
	}
	u.SetAPIVersion(to.gv())
	_, err := to.coerce(u, false, false)
	return err
}
