package rbac

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// RoleBinding is rbac.authorization.k8s.io/v1 RoleBinding: it grants the rights of a Role or a
// ClusterRole in its namespace.
//
// Source: kubernetes v1.36 pkg/registry/rbac/rolebinding/strategy.go
var RoleBinding = kind.Define(kind.Kind{
	Type: object.Type{
		Group: rbacv1.GroupName, Version: "v1", Kind: "RoleBinding", Plural: "rolebindings", Namespaced: true,
		New: func() object.Object { return &rbacv1.RoleBinding{} },
	},
	Singular: "rolebinding",
	NewList:  func() runtime.Object { return &rbacv1.RoleBindingList{} },

	Columns:             bindingColumns("roleBinding", rbacv1.RoleBinding{}.SwaggerDoc()["roleRef"]),
	Admission:           bindingEscalation,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*rbacv1.RoleBinding]{
	Default: func(b *rbacv1.RoleBinding) {
		defaultBinding(&b.RoleRef, b.Subjects)
	},
	PrepareCreate: func(*rbacv1.RoleBinding) {},
	Validate:      validateRoleBinding,
	ValidateUpdate: func(b, was *rbacv1.RoleBinding) field.ErrorList {
		errs := append(validateRoleBinding(b), check.MetaUpdate(&b.ObjectMeta, &was.ObjectMeta)...)
		return append(errs, validateSameRole(b.RoleRef, was.RoleRef)...)
	},
	Row: func(b *rbacv1.RoleBinding, now time.Time) []any {
		return bindingRow(&b.ObjectMeta, b.RoleRef, b.Subjects, now)
	},
})

// ClusterRoleBinding is rbac.authorization.k8s.io/v1 ClusterRoleBinding: it grants the rights of a
// ClusterRole cluster-wide.
//
// Source: kubernetes v1.36 pkg/registry/rbac/clusterrolebinding/strategy.go
var ClusterRoleBinding = kind.Define(kind.Kind{
	Type: object.Type{
		Group: rbacv1.GroupName, Version: "v1", Kind: "ClusterRoleBinding", Plural: "clusterrolebindings",
		New: func() object.Object { return &rbacv1.ClusterRoleBinding{} },
	},
	Singular: "clusterrolebinding",
	NewList:  func() runtime.Object { return &rbacv1.ClusterRoleBindingList{} },

	Columns:             bindingColumns("clusterRoleBinding", rbacv1.ClusterRoleBinding{}.SwaggerDoc()["roleRef"]),
	Admission:           bindingEscalation,
	UpdateCreates:       true,
	UnconditionalUpdate: true,
}, kind.Functions[*rbacv1.ClusterRoleBinding]{
	Default: func(b *rbacv1.ClusterRoleBinding) {
		defaultBinding(&b.RoleRef, b.Subjects)
	},
	PrepareCreate: func(*rbacv1.ClusterRoleBinding) {},
	Validate:      validateClusterRoleBinding,
	ValidateUpdate: func(b, was *rbacv1.ClusterRoleBinding) field.ErrorList {
		errs := append(validateClusterRoleBinding(b), check.MetaUpdate(&b.ObjectMeta, &was.ObjectMeta)...)
		return append(errs, validateSameRole(b.RoleRef, was.RoleRef)...)
	},
	Row: func(b *rbacv1.ClusterRoleBinding, now time.Time) []any {
		return bindingRow(&b.ObjectMeta, b.RoleRef, b.Subjects, now)
	},
})

// Source: kubernetes v1.36 pkg/apis/rbac/v1/defaults.go
func defaultBinding(ref *rbacv1.RoleRef, subjects []rbacv1.Subject) {
	ref.APIGroup = cmp.Or(ref.APIGroup, rbacv1.GroupName)
	for i := range subjects {
		if kind := subjects[i].Kind; kind == rbacv1.UserKind || kind == rbacv1.GroupKind {
			subjects[i].APIGroup = cmp.Or(subjects[i].APIGroup, rbacv1.GroupName)
		}
	}
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, AddHandlers
func bindingColumns(in, roleRef string) []metav1.TableColumnDefinition {
	return []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Role", Type: "string", Description: roleRef},
		kind.AgeColumn,
		{Name: "Users", Type: "string", Priority: 1, Description: "Users in the " + in},
		{Name: "Groups", Type: "string", Priority: 1, Description: "Groups in the " + in},
		{Name: "ServiceAccounts", Type: "string", Priority: 1, Description: "ServiceAccounts in the " + in},
	}
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printRoleBinding and printClusterRoleBinding
func bindingRow(m *metav1.ObjectMeta, ref rbacv1.RoleRef, subjects []rbacv1.Subject, now time.Time) []any {
	var users, groups, accounts []string
	for _, s := range subjects {
		switch s.Kind {
		case rbacv1.UserKind:
			users = append(users, s.Name)
		case rbacv1.GroupKind:
			groups = append(groups, s.Name)
		case rbacv1.ServiceAccountKind:
			accounts = append(accounts, s.Namespace+"/"+s.Name)
		}
	}
	return []any{m.Name, ref.Kind + "/" + ref.Name, kind.Age(m.CreationTimestamp, now),
		strings.Join(users, ", "), strings.Join(groups, ", "), strings.Join(accounts, ", ")}
}

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRoleBinding
func validateRoleBinding(b *rbacv1.RoleBinding) field.ErrorList {
	errs := check.Meta(&b.ObjectMeta, true, roleName)
	errs = append(errs, validateRoleRef(&b.RoleRef, "Role", "ClusterRole")...)
	return append(errs, validateRoleSubjects(b.Subjects, true)...)
}

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateClusterRoleBinding
func validateClusterRoleBinding(b *rbacv1.ClusterRoleBinding) field.ErrorList {
	errs := check.Meta(&b.ObjectMeta, false, roleName)
	errs = append(errs, validateRoleRef(&b.RoleRef, "ClusterRole")...)
	return append(errs, validateRoleSubjects(b.Subjects, false)...)
}

// validateRoleRef validates the reference to a role, which need not exist.
func validateRoleRef(ref *rbacv1.RoleRef, kinds ...string) (errs field.ErrorList) {
	path := field.NewPath("roleRef")
	if ref.APIGroup != rbacv1.GroupName {
		errs = append(errs, field.NotSupported(path.Child("apiGroup"), ref.APIGroup, []string{rbacv1.GroupName}))
	}
	if !slices.Contains(kinds, ref.Kind) {
		errs = append(errs, field.NotSupported(path.Child("kind"), ref.Kind, kinds))
	}
	if ref.Name == "" {
		return append(errs, field.Required(path.Child("name"), ""))
	}
	return append(errs, check.Invalid(path.Child("name"), ref.Name, roleName(ref.Name, false))...)
}

// validateSameRole checks that a binding's role does not change.
//
// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRoleBindingUpdate and ValidateClusterRoleBindingUpdate
func validateSameRole(next, old rbacv1.RoleRef) field.ErrorList {
	if next == old {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("roleRef"), check.Untagged(next), "cannot change roleRef")}
}

// Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRoleBindingSubject
func validateRoleSubjects(subjects []rbacv1.Subject, namespaced bool) (errs field.ErrorList) {
	for i := range subjects {
		s, path := &subjects[i], field.NewPath("subjects").Index(i)
		if s.Name == "" {
			errs = append(errs, field.Required(path.Child("name"), ""))
		}
		group := rbacv1.GroupName
		switch s.Kind {
		case rbacv1.ServiceAccountKind:
			group = ""
			if s.Name != "" {
				errs = append(errs, check.Invalid(path.Child("name"), s.Name, validation.ValidateServiceAccountName(s.Name, false))...)
			}
		case rbacv1.UserKind, rbacv1.GroupKind:
		default:
			errs = append(errs, field.NotSupported(path.Child("kind"), s.Kind, []string{rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind}))
			continue
		}
		if s.APIGroup != group {
			errs = append(errs, field.NotSupported(path.Child("apiGroup"), s.APIGroup, []string{group}))
		}
		if s.Kind == rbacv1.ServiceAccountKind && !namespaced && s.Namespace == "" {
			errs = append(errs, field.Required(path.Child("namespace"), ""))
		}
	}
	return errs
}

// bindingEscalation keeps users from giving more rights, to themselves or others, than they have.
var bindingEscalation = []kind.Plugin{{Name: "BindingEscalation", Grant: mayBind}}

// mayBind rejects a binding to a role with rules that the user does not have, unless they have the
// verb bind for it.
//
// Source: kubernetes v1.36 pkg/registry/rbac/rolebinding/policybased/storage.go and pkg/registry/rbac/clusterrolebinding/policybased/storage.go,
// Create and Update; pkg/registry/rbac/escalation_check.go, BindingAuthorized
func mayBind(next, old object.Object, by kind.Rights) error {
	if old != nil && onlyForCollector(next, old) {
		return nil
	}
	var ref rbacv1.RoleRef
	switch b := next.(type) {
	case *rbacv1.RoleBinding:
		ref = b.RoleRef
	case *rbacv1.ClusterRoleBinding:
		ref = b.RoleRef
	}
	namespace, plural := next.GetNamespace(), map[string]string{Role.Kind: Role.Plural, ClusterRole.Kind: ClusterRole.Plural}[ref.Kind]
	if plural == "" {
		return fmt.Errorf("unsupported role reference kind: %q", ref.Kind)
	}
	if by.Allows(authorizationv1.ResourceAttributes{Verb: "bind", Group: ref.APIGroup, Version: "*", Resource: plural, Namespace: namespace, Name: ref.Name}) {
		return nil
	}
	rules, ok := by.RoleRules(ref, namespace)
	if !ok {
		return apierrors.NewNotFound(rbacv1.Resource(plural), ref.Name)
	}
	return confirmHeld(rules, namespace, by)
}
