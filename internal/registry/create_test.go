package registry_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/registry"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	terminating := active("default")
	terminating.namespaces["default"].Status.Phase = corev1.NamespaceTerminating
	late, gone, unreachable := active("default"), active(), active()
	late.late, unreachable.unreachable = true, true
	pod := func(edit func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1.14.2"}}},
		}
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
		{
			"a resourceVersion, after the namespace", gone, pod(func(p *corev1.Pod) { p.ResourceVersion = "7" }),
			`NamespaceError: namespaces "default" not found`, metav1.StatusReasonNotFound,
		},
		{
			"a resourceVersion, after validation", active("default"),
			pod(func(p *corev1.Pod) { p.ResourceVersion, p.Spec.Containers = "7", nil }),
			`Invalid: Pod "web" is invalid: spec.containers: Required value`, metav1.StatusReasonInvalid,
		},
		{"an invalid resourceVersion", active("default"), pod(func(p *corev1.Pod) { p.ResourceVersion = "x" }), "", ""},
		{
			"no namespace, before validation", gone, pod(func(p *corev1.Pod) { p.Spec.Containers = nil }),
			`NamespaceError: namespaces "default" not found`, metav1.StatusReasonNotFound,
		},
		{"a namespace that cannot be looked up", unreachable, pod(func(*corev1.Pod) {}), "errors.errorString: unreachable", metav1.StatusReasonUnknown},
		{
			"a namespace that is terminating", terminating, pod(func(*corev1.Pod) {}),
			`NamespaceError: pods "web" is forbidden: unable to create new content in namespace default because it is being terminated`,
			metav1.StatusReasonForbidden,
		},
		{
			"terminating, without a name yet", terminating, pod(func(p *corev1.Pod) { p.Name, p.GenerateName = "", "web-" }),
			`NamespaceError: pods "web-" is forbidden: unable to create new content in namespace default because it is being terminated`,
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
		t.Fatalf("the field owners are %+v", owned)
	}
	fields := owned[0].FieldsV1.GetRawString()
	if !strings.Contains(fields, "f:persistentVolumeReclaimPolicy") || strings.Contains(fields, "finalizers") {
		t.Errorf("the field owners are %+v", owned)
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
