package definition

import (
	"context"
	"fmt"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// kindsOf returns the kinds of a definition: of its storage version, and of its other served
// versions, which are views of that.
func kindsOf(d *defined) []*kind.Kind {
	v, s := d.version, d.summary
	c := &compiled{get: sync.OnceValue(func() *customresource.Definition {
		d, err := customresource.Compile(v.Object().(*apiextensionsv1.CustomResourceDefinition))
		if err != nil {
			panic(fmt.Sprintf("definition: %s at revision %d does not compile: %v", v.Key(), v.Revision, err))
		}
		return d
	})}
	var stored *kind.Kind
	for i := range s.Spec.Versions {
		if s.Spec.Versions[i].Storage {
			c.storage = s.Spec.Versions[i].Name
			stored = c.kind(d, &s.Spec.Versions[i])
			stored.Internal = !s.Spec.Versions[i].Served
		}
	}
	if stored == nil {
		return nil // not a valid definition
	}
	stored.Custom.Restore = c.restore(d.since)
	kinds := []*kind.Kind{stored}
	for i := range s.Spec.Versions {
		if one := &s.Spec.Versions[i]; one.Served && !one.Storage {
			view := c.kind(d, one)
			view.Stored = &kind.Conversion{Kind: stored, From: c.to(one.Name), To: c.to(c.storage)}
			kinds = append(kinds, view)
		}
	}
	return kinds
}

// kind returns the kind of one version.
func (c *compiled) kind(d *defined, one *Version) *kind.Kind {
	v, s, since := d.version, d.summary, d.since
	names, name := s.Status.AcceptedNames, one.Name
	version := sync.OnceValue(func() *customresource.Version { return c.version(name) })
	k := &kind.Kind{
		Deprecated: s.deprecation(one),
		Type: object.Type{
			Group: s.Spec.Group, Version: name, Kind: names.Kind, Plural: names.Plural, Namespaced: s.Spec.Scope == apiextensionsv1.NamespaceScoped,
			New: object.NewCustom, Custom: c.customType(s, one),
		},
		Singular: names.Singular, ShortNames: names.ShortNames, Categories: names.Categories,
		NewList: func() runtime.Object { return &unstructured.UnstructuredList{Object: map[string]any{}} },
		Custom: &kind.Custom{
			Established: s.Is(apiextensionsv1.Established), Terminating: s.Metadata.DeletionTimestamp != nil, Since: since, Life: d.life, Definition: v,
			Documented: &kind.Documented{
				Key: fmt.Sprintf("%s/%d/%s/%t", v.UID, since, name, s.Metadata.DeletionTimestamp == nil), ListKind: names.ListKind,
				Models: func(f customresource.Format) (*spec.Schema, *spec.Schema, error) {
					object, err := version().Model(f)
					return object, version().ListModel(f), err
				},
			},
			Columns:       func() []metav1.TableColumnDefinition { return version().Columns() },
			Admit:         func(o object.Object, report bool) ([]string, error) { return version().Admit(content(o), report) },
			DefaultStatus: func(o object.Object) { _ = version().DefaultStatus(content(o)) }, // as Default, below
			Reread:        func(o object.Object) { _ = version().Restore(content(o)) },       // as Default, below
			ValidateUpdate: func(next, old object.Object, status bool) (field.ErrorList, []string) {
				return version().JudgeUpdate(content(next), content(old), status)
			},
		},
		Default:       func(o object.Object) { _ = version().Default(content(o)) }, // a schema that does not compile is in no valid definition
		PrepareCreate: func(o object.Object) { version().PrepareCreate(content(o)) },
		PrepareUpdate: func(next, old object.Object) { version().PrepareUpdate(content(next), content(old)) },
		Validate: func(o object.Object) field.ErrorList {
			return version().Validate(context.Background(), content(o))
		},
		Warnings: func(next, old object.Object) []string {
			was, _ := old.(*unstructured.Unstructured)
			return customresource.Warnings(content(next), was)
		},
		Row:                 func(o object.Object, now time.Time) []any { return version().Row(content(o), now) },
		SelectableFields:    selectable(version, one),
		UpdateCreates:       false,
		UnconditionalUpdate: false,
	}
	if sub := one.Subresources; sub != nil && sub.Status != nil {
		k.Status = &kind.Subresource{
			Prepare: func(next, old object.Object) { version().PrepareStatusUpdate(content(next), content(old)) },
		}
	}
	if sub := one.Subresources; sub != nil && sub.Scale != nil {
		k.Scale = scale(version)
		k.Custom.CheckScale = func(o object.Object) error {
			_, err := version().Scale.Get(content(o))
			return err
		}
	}
	return k
}
