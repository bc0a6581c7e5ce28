package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// ComponentStatus is v1 ComponentStatus: the health of the control plane's components. They are
// always healthy in an answer, because it comes from the process that runs the scheduler and the
// controllers, after a query of the database.
//
// Source: kubernetes v1.36 pkg/registry/core/componentstatus/rest.go, and pkg/registry/core/rest/storage_core.go, serversToValidate
//
// Differs: the list is sorted by name; upstream's order is random.
var ComponentStatus = kind.Define(kind.Kind{
	Type: object.Type{
		Version: "v1", Kind: "ComponentStatus", Plural: "componentstatuses",
		New: func() object.Object { return &corev1.ComponentStatus{} },
	},
	Singular:   "componentstatus",
	ShortNames: []string{"cs"},
	NewList:    func() runtime.Object { return &corev1.ComponentStatusList{} },
	Deprecated: "v1 ComponentStatus is deprecated in v1.19+",

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Status", Type: "string", Description: "Status of the component conditions"},
		{Name: "Message", Type: "string", Description: "Message of the component conditions"},
		{Name: "Error", Type: "string", Description: "Error of the component conditions"},
	},
	Derived: &kind.Derivation{
		Of: "componentstatuses", Singular: "componentstatus", Missing: "componentstatus",
		Objects: func(_ kind.Cluster, _, name string, _ time.Time) (all []object.Object) {
			for _, component := range []string{"controller-manager", "etcd-0", "scheduler"} {
				if name == "" || name == component {
					all = append(all, &corev1.ComponentStatus{
						ObjectMeta: metav1.ObjectMeta{Name: component},
						Conditions: []corev1.ComponentCondition{{Type: corev1.ComponentHealthy, Status: corev1.ConditionTrue, Message: "ok"}},
					})
				}
			}
			return all
		},
	},
}, kind.Functions[*corev1.ComponentStatus]{
	Row: func(o *corev1.ComponentStatus, _ time.Time) []any { return []any{o.GetName(), "Healthy", "ok", ""} },
})
