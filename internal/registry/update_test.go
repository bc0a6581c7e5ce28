package registry_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

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
		{
			"that is not valid",
			&corev1.ConfigMap{ObjectMeta: configMap("a", "7").ObjectMeta, Data: map[string]string{"/": ""}}, immutable,
			`Invalid: ConfigMap "a" is invalid: [immutable: Forbidden: field is immutable when ` + "`immutable`" +
				` is set, data: Forbidden: field is immutable when ` + "`immutable`" +
				` is set, data[/]: Invalid value: "/": a valid config key must consist of alphanumeric characters, '-', ` +
				`'_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')]`,
		},
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
