package resource

import (
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// adminAccess rejects claims for admin access to devices in a namespace that is not labelled for
// it.
//
// Source: kubernetes v1.36 pkg/registry/resource/utils.go, AuthorizedForAdmin
//
// Differs: it is checked last, so only a claim without other errors gets this one.
func adminAccess(spec func(object.Object) *resourcev1.ResourceClaimSpec, path *field.Path) kind.Plugin {
	return kind.Plugin{
		Name: "DRAAdminAccess", Waits: true,
		Validate: func(next object.Object, c kind.Cluster) error {
			for i, r := range spec(next).Devices.Requests {
				if r.Exactly != nil && kind.IsTrue(r.Exactly.AdminAccess) {
					return labelledForAdmins(next, c, path.Child("devices", "requests").Index(i).Child("adminAccess"))
				}
			}
			return nil
		},
	}
}

// adminAllocation rejects an allocation with admin access in a namespace that is not labelled for
// it.
//
// Source: kubernetes v1.36 pkg/registry/resource/utils.go, AuthorizedForAdminStatus
var adminAllocation = kind.Plugin{
	Name: "DRAAdminAccess", Waits: true,
	ValidateUpdate: func(next, old object.Object, c kind.Cluster) error {
		if adminResult(old) >= 0 {
			return nil
		}
		if i := adminResult(next); i >= 0 {
			return labelledForAdmins(next, c, field.NewPath("status", "allocation", "devices", "results").Index(i).Child("adminAccess"))
		}
		return nil
	},
}

// adminResult returns the index of the first device of a claim with admin access; -1 if there is
// none.
func adminResult(o object.Object) int {
	if a := o.(*resourcev1.ResourceClaim).Status.Allocation; a != nil {
		for i := range a.Devices.Results {
			if kind.IsTrue(a.Devices.Results[i].AdminAccess) {
				return i
			}
		}
	}
	return -1
}

func labelledForAdmins(o object.Object, c kind.Cluster, path *field.Path) error {
	ns := c.Get(object.Key{Resource: "namespaces", Name: o.GetNamespace()})
	if ns != nil && ns.Object().GetLabels()[resourcev1.DRAAdminNamespaceLabelKey] == "true" {
		return nil
	}
	claimed := "ResourceClaim"
	if _, template := o.(*resourcev1.ResourceClaimTemplate); template {
		claimed = "ResourceClaimTemplate"
	}
	return kind.Invalid(schema.GroupKind{Group: resourceGroup, Kind: claimed}, o.GetName(), field.ErrorList{field.Forbidden(path,
		fmt.Sprintf("admin access to devices requires the `%s: true` label on the containing namespace", resourcev1.DRAAdminNamespaceLabelKey))})
}
