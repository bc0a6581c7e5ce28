package apiextensions_test

import (
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// cronTabs returns a definition with the version v1, with a change applied, as it is stored.
func cronTabs(change func(*apiextensionsv1.CustomResourceDefinition)) *apiextensionsv1.CustomResourceDefinition {
	d := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{
			Name: "crontabs.example.com", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-time.Hour)),
		},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "crontabs", Kind: "CronTab"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", true)},
		},
	}
	kind := apiextensions.CustomResourceDefinition
	kind.Default(d)
	kind.PrepareCreate(d)
	if change != nil {
		change(d)
	}
	return d
}

func version(name string, storage bool) apiextensionsv1.CustomResourceDefinitionVersion {
	return apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Storage: storage,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}},
	}
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go
func TestCustomResourceDefinition_Writes(t *testing.T) {
	t.Parallel()
	kind := apiextensions.CustomResourceDefinition
	established := apiextensionsv1.CustomResourceDefinitionCondition{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue}
	withStatus := func(d *apiextensionsv1.CustomResourceDefinition) {
		d.Status.Conditions = append(d.Status.Conditions, established)
	}

	t.Run("a new definition has its own status and the first generation", func(t *testing.T) {
		t.Parallel()
		d := cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) { withStatus(d); d.Generation = 7 })
		kind.PrepareCreate(d)
		kindtest.Diff(t, apiextensionsv1.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}}, d.Status)
		kindtest.Diff(t, int64(1), d.Generation)
		kindtest.Diff(t, []string(nil), kindtest.Texts(kind.Validate(d)))
	})
	t.Run("an update of the spec keeps the status and remembers another stored version", func(t *testing.T) {
		t.Parallel()
		next := cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) {
			d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{version("v2", true), version("v1", false)}
		})
		old := cronTabs(withStatus)
		kind.PrepareUpdate(next, old)
		kindtest.Diff(t, apiextensionsv1.CustomResourceDefinitionStatus{
			StoredVersions: []string{"v1", "v2"}, Conditions: old.Status.Conditions,
		}, next.Status)
		kindtest.Diff(t, int64(2), next.Generation)
		kindtest.Diff(t, []string(nil), kindtest.Texts(kind.ValidateUpdate(next, old)))
	})
	t.Run("a stored version cannot be removed", func(t *testing.T) {
		t.Parallel()
		next := cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) {
			d.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{version("v2", true)}
		})
		old := cronTabs(nil)
		kind.PrepareUpdate(next, old)
		kindtest.Diff(t, []string{`status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; ` +
			"v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains " +
			"persisted in v1 and removes v1 from status.storedVersions"}, kindtest.Texts(kind.ValidateUpdate(next, old)))
	})
	t.Run("an update of the status keeps the spec, but takes the metadata", func(t *testing.T) {
		t.Parallel()
		next := cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) {
			withStatus(d)
			d.Spec.Group, d.Labels = "other.example.com", map[string]string{"a": "b"}
		})
		kind.Status.Prepare(next, cronTabs(nil))
		kindtest.Diff(t, cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) {
			withStatus(d)
			d.Labels = map[string]string{"a": "b"}
		}), next)
	})
}

// The deletion of a definition starts with a finalizer, which stays until its objects are deleted.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/etcd.go, Delete
func TestCustomResourceDefinition_PrepareDelete(t *testing.T) {
	t.Parallel()
	const cleanup = "customresourcecleanup.apiextensions.k8s.io"
	d := cronTabs(func(d *apiextensionsv1.CustomResourceDefinition) { d.Finalizers = []string{"example.com/a"} })
	for range 2 {
		apiextensions.CustomResourceDefinition.PrepareDelete(d, kindtest.Now)
		kindtest.Diff(t, []string{"example.com/a", cleanup}, d.Finalizers)
		kindtest.Diff(t, []apiextensionsv1.CustomResourceDefinitionCondition{{
			Type: apiextensionsv1.Terminating, Status: apiextensionsv1.ConditionTrue, LastTransitionTime: metav1.NewTime(kindtest.Now),
			Reason: "InstanceDeletionPending", Message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
		}}, d.Status.Conditions)
	}
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go, SetCRDCondition
func TestSetDefinitionCondition(t *testing.T) {
	t.Parallel()
	type condition = apiextensionsv1.CustomResourceDefinitionCondition
	before := metav1.NewTime(kindtest.Now.Add(-time.Minute))
	now := metav1.NewTime(kindtest.Now)
	other := condition{Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionTrue, LastTransitionTime: before}
	tests := []struct {
		name      string
		old, want condition
		set       condition
	}{
		{"a new one", condition{}, condition{Type: "A", Status: "True", LastTransitionTime: now}, condition{Status: "True"}},
		{
			"the same status for another reason", condition{Type: "A", Status: "True", Reason: "R", Message: "m", LastTransitionTime: before},
			condition{Type: "A", Status: "True", Reason: "S", LastTransitionTime: before}, condition{Status: "True", Reason: "S"},
		},
		{
			"another status", condition{Type: "A", Status: "True", LastTransitionTime: before},
			condition{Type: "A", Status: "False", LastTransitionTime: now}, condition{Status: "False"},
		},
		{
			"the same status at an unknown time", condition{Type: "A", Status: "True"},
			condition{Type: "A", Status: "True", LastTransitionTime: now}, condition{Status: "True"},
		},
		{
			"the observed generation of a client", condition{Type: "A", Status: "True", ObservedGeneration: 3, LastTransitionTime: before},
			condition{Type: "A", Status: "False", ObservedGeneration: 3, LastTransitionTime: now}, condition{Status: "False"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := cronTabs(nil)
			d.Status.Conditions = []condition{other}
			if tt.old.Type != "" {
				d.Status.Conditions = append(d.Status.Conditions, tt.old)
			}
			tt.set.Type = "A"
			apiextensions.SetDefinitionCondition(d, tt.set, kindtest.Now.Add(time.Millisecond))
			kindtest.Diff(t, []condition{other, tt.want}, d.Status.Conditions)
		})
	}
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/table.go, defaultTableConvertor.ConvertToTable
func TestCustomResourceDefinition_Row(t *testing.T) {
	t.Parallel()
	kind := apiextensions.CustomResourceDefinition
	kindtest.Diff(t, []any{"crontabs.example.com", "2026-01-02T02:04:05Z"}, kind.Row(cronTabs(nil), kindtest.Now))
	kindtest.Diff(t, []string{"Name", "Created At"}, []string{kind.Columns[0].Name, kind.Columns[1].Name})
}
