package registry_test

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// traced returns a kind of ConfigMaps that records each step; the named step fails.
func traced(fails string, trace *[]string) *kind.Kind {
	step := func(name string) error {
		*trace = append(*trace, name)
		if name == fails {
			return errors.New("no " + name)
		}
		return nil
	}
	judge := func(name string) field.ErrorList {
		if err := step(name); err != nil {
			return field.ErrorList{field.Forbidden(field.NewPath("data"), err.Error())}
		}
		return nil
	}
	return &kind.Kind{
		Type:    core.ConfigMap.Type,
		Default: func(object.Object) { _ = step("default") },
		Allocate: func(_, _ object.Object, _ kind.Pool) (field.ErrorList, error) {
			return nil, step("allocate")
		},
		Admission: []kind.Plugin{
			{Name: "First", Mutate: func(object.Object, kind.Cluster) error { return step("mutate First") }},
			{
				Name: "Second", Waits: true,
				Mutate:         func(object.Object, kind.Cluster) error { return step("mutate Second") },
				Validate:       func(object.Object, kind.Cluster) error { return step("approve Second") },
				ValidateUpdate: func(_, _ object.Object, _ kind.Cluster) error { return step("approve Second") },
			},
			{Name: "Third", Validate: func(object.Object, kind.Cluster) error { return step("approve Third") }},
		},
		PrepareCreate:       func(object.Object) { _ = step("prepare") },
		PrepareUpdate:       func(_, _ object.Object) { _ = step("prepare") },
		Validate:            func(object.Object) field.ErrorList { return judge("validate") },
		ValidateUpdate:      func(_, _ object.Object) field.ErrorList { return judge("validate") },
		Warnings:            func(_, _ object.Object) []string { _ = step("warn"); return []string{"careful"} },
		UnconditionalUpdate: true,
	}
}

// TestWrites_RunTheirStepsInOrder: the steps of a write run in the order of doc.go, and the first one
// to fail ends it.
func TestWrites_RunTheirStepsInOrder(t *testing.T) {
	t.Parallel()
	const create = "default wait allocate mutate First, read mutate Second, prepare validate, read approve Second, approve Third, warn"
	const update = "default wait allocate prepare validate, read approve Second, warn"
	const status = "default prepare status, validate status, warn of status"
	for _, tt := range []struct{ name, verb, fails, trace, err string }{
		{"create", "create", "", create, ""},
		{"complete", "complete", "", "default wait allocate mutate First, read mutate Second, prepare", ""},
		{"nothing left to allocate", "create", "allocate", "default wait allocate", "Exhausted: Internal error occurred: no allocate"},
		{"a plugin refuses", "create", "mutate First", "default wait allocate mutate First", `Forbidden: configmaps "a" is forbidden: no mutate First`},
		{
			"a later plugin refuses", "create", "mutate Second",
			"default wait allocate mutate First, read mutate Second",
			`Forbidden: configmaps "a" is forbidden: no mutate Second`,
		},
		{
			"not valid", "create", "validate",
			"default wait allocate mutate First, read mutate Second, prepare validate",
			`Invalid: ConfigMap "a" is invalid: data: Forbidden: no validate`,
		},
		{
			"not approved", "create", "approve Second",
			"default wait allocate mutate First, read mutate Second, prepare validate, read approve Second",
			`Forbidden: configmaps "a" is forbidden: no approve Second`,
		},
		{"completion judges nothing", "complete", "validate", "default wait allocate mutate First, read mutate Second, prepare", ""},

		{"update", "update", "", update, ""},
		{
			"update that is not valid", "update", "validate", "default wait allocate prepare validate",
			`Invalid: ConfigMap "a" is invalid: data: Forbidden: no validate`,
		},
		{
			"update that is not approved", "update", "approve Second",
			"default wait allocate prepare validate, read approve Second",
			`Forbidden: configmaps "a" is forbidden: no approve Second`,
		},
		{"subresource", "status", "", status, ""},
		{
			"subresource that is not valid", "status", "validate status", "default prepare status, validate status",
			`Invalid: ConfigMap "a" is invalid: status: Forbidden: no`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var trace []string
			k, state := traced(tt.fails, &trace), active("default")
			state.trace = &trace
			in := registry.Input{State: state, Pool: &kind.Pool{}, Now: now, UID: "uid"}
			old := configMap("a", "7")
			old.UID = "uid"
			var got registry.Result
			var err error
			switch tt.verb {
			case "create":
				got, err = registry.Create(k, configMap("a", ""), in)
			case "complete":
				got, err = registry.Complete(k, configMap("a", ""), in)
			case "update":
				got, err = registry.Update(k, configMap("a", "7"), old, in)
			case "status":
				in.Subresource = &kind.Subresource{
					Prepare: func(_, _ object.Object) { trace = append(trace, "prepare status") },
					Validate: func(_, _ object.Object) (errs field.ErrorList) {
						if trace = append(trace, "validate status"); tt.fails == "validate status" {
							errs = append(errs, field.Forbidden(field.NewPath("status"), "no"))
						}
						return errs
					},
					Warnings: func(_, _ object.Object) []string { trace = append(trace, "warn of status"); return []string{"careful"} },
				}
				got, err = registry.Update(k, configMap("a", "7"), old, in)
			}
			diff(t, tt.err, said(err))
			diff(t, strings.ReplaceAll(tt.trace, ",", ""), strings.Join(trace, " "))
			if done := err == nil; done != (got.Object != nil) || done && tt.verb != "complete" != (len(got.Warnings) == 1) {
				t.Errorf("the result is %+v", got)
			}
		})
	}
}

// TestSteps_OfKinds: the steps of a kind are in the order of doc.go, and declare whether they wait.
func TestSteps_OfKinds(t *testing.T) {
	t.Parallel()
	const (
		judged = "Preparation Preparation; Validation Validation; Approval "
		simple = "Lifecycle ResourceVersion; Completion Default, FieldOwners; " + judged + "Warnings"
	)
	for _, tt := range []struct {
		kind                        *kind.Kind
		create, update, subresource string
	}{
		{
			podkind.Kind,
			"Lifecycle NamespaceLifecycle waits; Completion Name, Default, FieldOwners, Identity; " +
				"Mutation LimitRanger waits, ServiceAccount waits, Priority waits, DefaultTolerationSeconds, RuntimeClass waits; " +
				judged + "LimitRanger waits, PodSecurity waits, RuntimeClass waits, ResourceQuota waits, Warnings, PodSecurity, " +
				"ResourceVersion",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; " +
				judged + "PodSecurity waits, ResourceQuota waits, Warnings, PodSecurity",
			simple,
		},
		{
			service.Kind,
			"Lifecycle NamespaceLifecycle waits; Completion Name, Default, FieldOwners, Identity, Allocation waits; " +
				judged + "Warnings, ResourceVersion",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners, Allocation waits; " + judged + "Warnings",
			simple,
		},
		{
			core.PersistentVolume,
			"Completion Name, Default, FieldOwners, Identity; Mutation StorageObjectInUseProtection; " +
				judged + "Warnings, ResourceVersion",
			simple,
			simple,
		},
	} {
		create, update := registry.Steps(tt.kind)
		subresource := registry.SubresourceSteps(tt.kind, tt.kind.Status)
		diff(t, tt.create, described(create))
		diff(t, tt.update, described(update))
		diff(t, tt.subresource, described(subresource))
	}
	resize := registry.SubresourceSteps(podkind.Kind, podkind.Kind.Subresources["resize"])
	diff(t, "Lifecycle ResourceVersion; Completion Default, FieldOwners; Mutation LimitRanger waits; "+
		judged+"LimitRanger waits, ResourceQuota waits, Warnings", described(resize))
}

// described lists steps by stage.
func described(steps []registry.Step) string {
	var b strings.Builder
	stage := registry.Stage(-1)
	for _, s := range steps {
		switch {
		case s.Stage != stage:
			if stage >= 0 {
				b.WriteString("; ")
			}
			stage = s.Stage
			b.WriteString(stage.String() + " ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(s.Name)
		if s.Waits {
			b.WriteString(" waits")
		}
	}
	return b.String()
}

// TestSteps_AreInTheOrderOfStages: stages follow each other, and plugins are in upstream's order,
// for every kind.
func TestSteps_AreInTheOrderOfStages(t *testing.T) {
	t.Parallel()
	// Source: kubernetes v1.36 pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins
	order := []string{
		"RoleEscalation", "BindingEscalation", // in upstream's storage, between those that complete and those that approve
		"LimitRanger", "ServiceAccount", "PodSecurity", "Priority", "DefaultTolerationSeconds", "DefaultStorageClass",
		"StorageObjectInUseProtection", "PersistentVolumeClaimResize", "RuntimeClass", "CertificateApproval",
		"CertificateSigning", "CertificateSubjectRestriction", "DefaultIngressClass",
		"DRAAdminAccess", // upstream judges it in the strategy
		"ResourceQuota",
	}
	place := map[string]int{}
	for i, name := range order {
		place[name] = i + 1
	}
	for _, k := range builtin.Catalogue().All() {
		if k.Derived != nil || k.Answer != nil {
			continue
		}
		for i, p := range k.Admission {
			if place[p.Name] == 0 || i > 0 && place[k.Admission[i-1].Name] >= place[p.Name] {
				t.Errorf("%s: the plugin %s is out of order", k.Kind, p.Name)
			}
		}
		create, update := registry.Steps(k)
		all := [][]registry.Step{create, update}
		for _, sub := range k.Subresources {
			all = append(all, registry.SubresourceSteps(k, sub))
		}
		if k.Status != nil {
			all = append(all, registry.SubresourceSteps(k, k.Status))
		}
		for _, steps := range all {
			for i := range steps[1:] {
				if steps[i].Stage > steps[i+1].Stage {
					t.Errorf("%s: %s (%s) comes before %s (%s)",
						k.Kind, steps[i].Name, steps[i].Stage, steps[i+1].Name, steps[i+1].Stage)
				}
			}
		}
	}
}

// TestSubresourceSteps_AreMadeOnce: the steps of a subresource with its own admission are made once,
// like those of a kind.
func TestSubresourceSteps_AreMadeOnce(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	resize := podkind.Kind.Subresources["resize"]
	registry.SubresourceSteps(podkind.Kind, resize)
	if made := testing.AllocsPerRun(10, func() { registry.SubresourceSteps(podkind.Kind, resize) }); made > 0 {
		t.Errorf("%v allocations", made)
	}
}
