package registry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// cluster is the namespaces of a cluster as a write sees them. It records what it is asked.
type cluster struct {
	namespaces  map[string]*corev1.Namespace
	unreachable bool // no consistent read is possible
	late        bool // nothing is known before a consistent read
	trace       *[]string
}

func (c *cluster) note(what string) {
	if c.trace != nil {
		*c.trace = append(*c.trace, what)
	}
}

func (c *cluster) Get(key object.Key) *object.Version {
	ns := c.namespaces[key.Name]
	if ns == nil || c.late {
		return nil
	}
	body, err := object.Encode(&core.Namespace.Type, ns.DeepCopy()) // tests share it, and Encode sets its kind
	if err != nil {
		panic(err)
	}
	v := &object.Version{Type: &core.Namespace.Type, Name: ns.Name, UID: ns.UID, Revision: 1}
	v.SetBody(body)
	return v
}

func (c *cluster) Fresh() error {
	c.note("wait")
	c.late = false
	if c.unreachable {
		return errors.New("unreachable")
	}
	return nil
}

func (c *cluster) Read(f func(kind.Cluster)) {
	c.note("read")
	f(nothing{})
}

type nothing struct{}

func (nothing) Get(object.Key) *object.Version                  { return nil }
func (nothing) Each(string, string, func(*object.Version) bool) {}

func active(names ...string) *cluster {
	c := &cluster{namespaces: map[string]*corev1.Namespace{}}
	for _, name := range names {
		c.namespaces[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	return c
}

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

func configMap(name, rev string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: rev}}
}

// said returns an error with its type, without the package's name.
func said(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprintf("%T: %v", err, err), "*registry.")
}

// TestWrites_RunTheirStepsInOrder: the steps of a write run in the order of doc.go, and the first
// that fails ends it.
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
		{"a later plugin refuses", "create", "mutate Second", "default wait allocate mutate First, read mutate Second", `Forbidden: configmaps "a" is forbidden: no mutate Second`},
		{"not valid", "create", "validate", "default wait allocate mutate First, read mutate Second, prepare validate", `Invalid: ConfigMap "a" is invalid: data: Forbidden: no validate`},
		{
			"not approved", "create", "approve Second",
			"default wait allocate mutate First, read mutate Second, prepare validate, read approve Second",
			`Forbidden: configmaps "a" is forbidden: no approve Second`,
		},
		{"completion judges nothing", "complete", "validate", "default wait allocate mutate First, read mutate Second, prepare", ""},

		{"update", "update", "", update, ""},
		{"update that is not valid", "update", "validate", "default wait allocate prepare validate", `Invalid: ConfigMap "a" is invalid: data: Forbidden: no validate`},
		{"update that is not approved", "update", "approve Second", "default wait allocate prepare validate, read approve Second", `Forbidden: configmaps "a" is forbidden: no approve Second`},
		{"subresource", "status", "", status, ""},
		{"subresource that is not valid", "status", "validate status", "default prepare status, validate status", `Invalid: ConfigMap "a" is invalid: status: Forbidden: no`},
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

// TestSteps_OfKinds: a step declares what doc.go says about it.
func TestSteps_OfKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind                        *kind.Kind
		create, update, subresource string
	}{
		{
			podkind.Kind,
			"Lifecycle NamespaceLifecycle waits; Completion Name, Default, FieldOwners, Identity; " +
				"Mutation LimitRanger waits, ServiceAccount waits, Priority waits, DefaultTolerationSeconds, RuntimeClass waits; " +
				"Preparation Preparation; Validation Validation; Approval LimitRanger waits, PodSecurity waits, RuntimeClass waits, ResourceQuota waits, Warnings, PodSecurity, ResourceVersion",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; Preparation Preparation; Validation Validation; Approval PodSecurity waits, ResourceQuota waits, Warnings, PodSecurity",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; Preparation Preparation; Validation Validation; Approval Warnings",
		},
		{
			service.Kind,
			"Lifecycle NamespaceLifecycle waits; Completion Name, Default, FieldOwners, Identity, Allocation waits; Preparation Preparation; Validation Validation; Approval Warnings, ResourceVersion",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners, Allocation waits; Preparation Preparation; Validation Validation; Approval Warnings",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; Preparation Preparation; Validation Validation; Approval Warnings",
		},
		{
			core.PersistentVolume,
			"Completion Name, Default, FieldOwners, Identity; Mutation StorageObjectInUseProtection; Preparation Preparation; Validation Validation; Approval Warnings, ResourceVersion",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; Preparation Preparation; Validation Validation; Approval Warnings",
			"Lifecycle ResourceVersion; Completion Default, FieldOwners; Preparation Preparation; Validation Validation; Approval Warnings",
		},
	} {
		create, update := registry.Steps(tt.kind)
		subresource := registry.SubresourceSteps(tt.kind, tt.kind.Status)
		diff(t, tt.create, described(create))
		diff(t, tt.update, described(update))
		diff(t, tt.subresource, described(subresource))
	}
	diff(t, "Lifecycle ResourceVersion; Completion Default, FieldOwners; Mutation LimitRanger waits; Preparation Preparation; Validation Validation; "+
		"Approval LimitRanger waits, ResourceQuota waits, Warnings", described(registry.SubresourceSteps(podkind.Kind, podkind.Kind.Subresources["resize"])))
}

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
		"LimitRanger", "ServiceAccount", "PodSecurity", "Priority", "DefaultTolerationSeconds", "DefaultStorageClass", "StorageObjectInUseProtection",
		"PersistentVolumeClaimResize", "RuntimeClass", "CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction", "DefaultIngressClass",
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
					t.Errorf("%s: %s (%s) comes before %s (%s)", k.Kind, steps[i].Name, steps[i].Stage, steps[i+1].Name, steps[i+1].Stage)
				}
			}
		}
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	terminating := active("default")
	terminating.namespaces["default"].Status.Phase = corev1.NamespaceTerminating
	late, gone, unreachable := active("default"), active(), active()
	late.late, unreachable.unreachable = true, true
	pod := func(edit func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1.14.2"}}}}
		edit(p)
		return p
	}
	for _, tt := range []struct {
		name   string
		state  *cluster
		object *corev1.Pod
		err    string
		reason metav1.StatusReason
	}{
		{"as sent", active("default"), pod(func(*corev1.Pod) {}), "", ""},
		{"a namespace that is not known yet", late, pod(func(*corev1.Pod) {}), "", ""},
		{
			"a resourceVersion", active("default"), pod(func(p *corev1.Pod) { p.ResourceVersion = "7" }),
			"Unclassified: resourceVersion should not be set on objects to be created", metav1.StatusReasonUnknown,
		},
		{"a resourceVersion, after the namespace", gone, pod(func(p *corev1.Pod) { p.ResourceVersion = "7" }), `NamespaceError: namespaces "default" not found`, metav1.StatusReasonNotFound},
		{
			"a resourceVersion, after validation", active("default"),
			pod(func(p *corev1.Pod) { p.ResourceVersion, p.Spec.Containers = "7", nil }),
			`Invalid: Pod "web" is invalid: spec.containers: Required value`, metav1.StatusReasonInvalid,
		},
		{"an invalid resourceVersion", active("default"), pod(func(p *corev1.Pod) { p.ResourceVersion = "x" }), "", ""},
		{"no namespace, before validation", gone, pod(func(p *corev1.Pod) { p.Spec.Containers = nil }), `NamespaceError: namespaces "default" not found`, metav1.StatusReasonNotFound},
		{"a namespace that cannot be looked up", unreachable, pod(func(*corev1.Pod) {}), "errors.errorString: unreachable", metav1.StatusReasonUnknown},
		{
			"a namespace that is terminating", terminating, pod(func(*corev1.Pod) {}),
			`NamespaceError: pods "web" is forbidden: unable to create new content in namespace default because it is ` +
				`being terminated`,
			metav1.StatusReasonForbidden,
		},
		{
			"terminating, without a name yet", terminating, pod(func(p *corev1.Pod) { p.Name, p.GenerateName = "", "web-" }),
			`NamespaceError: pods "web-" is forbidden: unable to create new content in namespace default because it is ` +
				`being terminated`,
			metav1.StatusReasonForbidden,
		},
		{
			"a plugin's refusal, before validation", active("default"),
			pod(func(p *corev1.Pod) { p.Spec.PriorityClassName, p.Spec.Containers = "high", nil }),
			`Forbidden: pods "web" is forbidden: no PriorityClass with name high was found`, metav1.StatusReasonForbidden,
		},
		{
			"admission goes by the generateName", active("default"),
			pod(func(p *corev1.Pod) { p.Name, p.GenerateName, p.Spec.PriorityClassName = "", "web-", "high" }),
			`Forbidden: pods "web-" is forbidden: no PriorityClass with name high was found`, metav1.StatusReasonForbidden,
		},
		{
			"validation goes by the name that was drawn", active("default"),
			pod(func(p *corev1.Pod) { p.Name, p.GenerateName, p.Spec.Containers = "", "web-", nil }),
			`Invalid: Pod "web-abcde" is invalid: spec.containers: Required value`, metav1.StatusReasonInvalid,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := registry.Create(podkind.Kind, tt.object, registry.Input{State: tt.state, Now: now, UID: "u-1", NameSuffix: "abcde"})
			diff(t, tt.err, strings.TrimPrefix(said(err), "*"))
			diff(t, tt.reason, apierrors.ReasonForError(err))
			if err != nil {
				return
			}
			p := got.Object.(*corev1.Pod)
			diff(t, "web u-1 2026-01-02T03:04:05Z default 1 Pending",
				fmt.Sprint(p.Name, " ", p.UID, " ", p.CreationTimestamp.UTC().Format("2006-01-02T15:04:05Z"), " ",
					p.Spec.ServiceAccountName, " ", p.Generation, " ", p.Status.Phase))
		})
	}
}

// TestCreate_RecordsOwnersBeforeAdmission: owners are recorded for what was sent, with defaults and
// without what admission adds; an Input without an Owner leaves them unchanged.
func TestCreate_RecordsOwnersBeforeAdmission(t *testing.T) {
	t.Parallel()
	volume := func() *corev1.PersistentVolume {
		return &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	}
	in := registry.Input{State: active(), Now: now, UID: "u-1", Owner: &fieldmanager.Writer{Manager: "me", At: now}}
	got, err := registry.Complete(core.PersistentVolume, volume(), in)
	if err != nil || got.OwnerError != nil {
		t.Fatal(err, got.OwnerError)
	}
	diff(t, []string{core.VolumeProtection}, got.Object.GetFinalizers())
	owned := got.Object.GetManagedFields()
	if len(owned) != 1 || owned[0].Manager != "me" {
		t.Fatalf("the owners are %+v", owned)
	}
	fields := owned[0].FieldsV1.GetRawString()
	if !strings.Contains(fields, "f:persistentVolumeReclaimPolicy") || strings.Contains(fields, "finalizers") {
		t.Errorf("the owners are %+v", owned)
	}
	in.Owner = nil
	sent := volume()
	sent.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "other"}}
	got, err = registry.Complete(core.PersistentVolume, sent, in)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, []metav1.ManagedFieldsEntry{{Manager: "other"}}, got.Object.GetManagedFields())
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	old := configMap("a", "7")
	old.UID, old.CreationTimestamp, old.Generation = "u-1", metav1.NewTime(now), 3
	immutable := old.DeepCopy()
	immutable.Immutable = new(true)
	for _, tt := range []struct {
		name string
		next *corev1.ConfigMap
		old  *corev1.ConfigMap
		err  string
	}{
		{"of the version", configMap("a", "7"), old, ""},
		{"of any version", configMap("a", ""), old, ""},
		{
			"of an older version", configMap("a", "6"), old,
			`Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; ` +
				`please apply your changes to the latest version and try again`,
		},
		{"of no version", configMap("a", "x"), old, `Unclassified: strconv.ParseUint: parsing "x": invalid syntax`},
		{"that is not valid", &corev1.ConfigMap{ObjectMeta: configMap("a", "7").ObjectMeta, Data: map[string]string{"/": ""}}, immutable,
			`Invalid: ConfigMap "a" is invalid: [immutable: Forbidden: field is immutable when ` + "`immutable`" +
				` is set, data: Forbidden: field is immutable when ` + "`immutable`" +
				` is set, data[/]: Invalid value: "/": a valid config key must consist of alphanumeric characters, '-', ` +
				`'_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := tt.old.DeepCopy()
			got, err := registry.Update(core.ConfigMap, tt.next, tt.old, registry.Input{State: active("default")})
			diff(t, tt.err, said(err))
			diff(t, before, tt.old)
			if err == nil {
				want := old.DeepCopy()
				want.Data = map[string]string{} // a default
				diff(t, object.Object(want), got.Object)
			}
		})
	}
}

func TestUpdate_NeedsTheVersionOfSomeKinds(t *testing.T) {
	t.Parallel()
	k := traced("", new([]string))
	k.UnconditionalUpdate = false
	for _, rev := range []string{"", "0"} {
		_, err := registry.Update(k, configMap("a", rev), configMap("a", "7"), registry.Input{State: active()})
		diff(t, `Invalid: configmaps "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`, said(err))
	}
}

func TestCheckUID(t *testing.T) {
	t.Parallel()
	key := object.Key{Resource: "configmaps", Namespace: "default", Name: "a"}
	diff(t, "", said(registry.CheckUID(core.ConfigMap, key, "", "u-1", false)))
	diff(t, "", said(registry.CheckUID(core.ConfigMap, key, "u-1", "u-1", false)))
	diff(t, `Conflict: Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, `+
		`ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u-2, UID in object meta: u-1`,
		said(registry.CheckUID(core.ConfigMap, key, "u-2", "u-1", false)))
	diff(t, `Conflict: Operation cannot be fulfilled on services "a": StorageError: invalid object, Code: 4, Key: /services/specs/default/a, `+
		`ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u-2, UID in object meta: u-1`,
		said(registry.CheckUID(service.Kind, key, "u-2", "u-1", true)))
}

// TestSubresourceSteps_AreMadeOnce: the steps of a kind are made once, and so are those of a
// subresource with its own admission.
func TestSubresourceSteps_AreMadeOnce(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	resize := podkind.Kind.Subresources["resize"]
	registry.SubresourceSteps(podkind.Kind, resize)
	if made := testing.AllocsPerRun(10, func() { registry.SubresourceSteps(podkind.Kind, resize) }); made > 0 {
		t.Errorf("%v allocations", made)
	}
}
