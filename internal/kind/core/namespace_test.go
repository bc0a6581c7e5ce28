package core_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// namespace returns the Namespace "team-a" as stored, with a change applied.
func namespace(change func(*corev1.Namespace)) *corev1.Namespace {
	ns := &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{
			Name: "team-a", ResourceVersion: "1", CreationTimestamp: metav1.NewTime(kindtest.Now.Add(-3 * time.Minute)),
			Labels: map[string]string{"kubernetes.io/metadata.name": "team-a"},
		},
		Spec:   corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}},
		Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
	}
	if change != nil {
		change(ns)
	}
	return ns
}

func TestNamespace_IsCompletedAtCreation(t *testing.T) {
	t.Parallel()
	labelled := map[string]string{"kubernetes.io/metadata.name": "a"}
	for name, tt := range map[string]struct{ given, want *corev1.Namespace }{
		"a bare one": {
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "a"}},
			&corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: labelled},
				Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}},
				Status:     corev1.NamespaceStatus{Phase: "Active"},
			},
		},
		"one that says too much": {
			&corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"kubernetes.io/metadata.name": "b", "c": "d"}},
				Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"a.io/f"}},
				Status:     corev1.NamespaceStatus{Phase: "Terminating"},
			},
			&corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"kubernetes.io/metadata.name": "a", "c": "d"}},
				Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"a.io/f", "kubernetes"}},
				Status:     corev1.NamespaceStatus{Phase: "Active"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			core.Namespace.Default(tt.given)
			core.Namespace.PrepareCreate(tt.given)
			kindtest.Diff(t, tt.want, tt.given)
		})
	}
	t.Run("a name that is generated later", func(t *testing.T) {
		t.Parallel()
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}}
		core.Namespace.Default(ns)
		kindtest.Diff(t, map[string]string(nil), ns.Labels)
		ns.Name = "a-x7k2p"
		core.Namespace.PrepareCreate(ns)
		kindtest.Diff(t, map[string]string{"kubernetes.io/metadata.name": "a-x7k2p"}, ns.Labels)
	})
}

func TestNamespace_WhatEachWriteMayChange(t *testing.T) {
	t.Parallel()
	old := namespace(nil)
	changed := namespace(func(ns *corev1.Namespace) {
		ns.Labels, ns.Spec.Finalizers, ns.Status.Phase = map[string]string{"a": "b"}, nil, corev1.NamespaceTerminating
	})
	labels := map[string]string{"a": "b", "kubernetes.io/metadata.name": "team-a"}
	for name, tt := range map[string]struct {
		prepare func(next, old *corev1.Namespace)
		want    *corev1.Namespace
	}{
		"update": {
			func(next, old *corev1.Namespace) { core.Namespace.PrepareUpdate(next, old) },
			namespace(func(ns *corev1.Namespace) { ns.Labels = labels }),
		},
		"status": {
			func(next, old *corev1.Namespace) { core.Namespace.Status.Prepare(next, old) },
			namespace(func(ns *corev1.Namespace) { ns.Labels, ns.Status.Phase = labels, corev1.NamespaceTerminating }),
		},
		"finalize": {
			func(next, old *corev1.Namespace) { core.Namespace.Subresources["finalize"].Prepare(next, old) },
			namespace(func(ns *corev1.Namespace) { ns.Labels, ns.Spec.Finalizers = labels, nil }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next := changed.DeepCopy()
			tt.prepare(next, old)
			kindtest.Diff(t, tt.want, next)
		})
	}
}

func TestNamespace_Validate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*corev1.Namespace)
		want   []string
	}{
		{"valid", nil, nil},
		{"names are labels", func(ns *corev1.Namespace) { ns.Name = "team.a" }, []string{
			`metadata.name: Invalid value: "team.a": must not contain dots`,
		}},
		{"names are lower case", func(ns *corev1.Namespace) { ns.Name = "Team" }, []string{
			`metadata.name: Invalid value: "Team": ` + kindtest.NotLabel,
		}},
		{"namespaces have no namespace", func(ns *corev1.Namespace) { ns.Namespace = "default" }, []string{
			"metadata.namespace: Forbidden: not allowed on this type",
		}},
		{"finalizers of unknown origin", func(ns *corev1.Namespace) { ns.Spec.Finalizers = []corev1.FinalizerName{"mine", "a.io/f"} }, []string{
			`spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(core.Namespace.Validate(namespace(tt.change))))
		})
	}
}

func TestNamespace_ValidateStatusAndFinalize(t *testing.T) {
	t.Parallel()
	terminating := func(ns *corev1.Namespace) { ns.Status.Phase = corev1.NamespaceTerminating }
	gone := func(ns *corev1.Namespace) { ns.DeletionTimestamp = new(metav1.NewTime(kindtest.Now)) }
	tests := []struct {
		name        string
		subresource *kind.Subresource
		old         func(*corev1.Namespace)
		change      func(*corev1.Namespace)
		want        []string
	}{
		{"active", core.Namespace.Status, nil, nil, nil},
		{"terminating without being deleted", core.Namespace.Status, nil, terminating, []string{
			"status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
		}},
		{"active while being deleted", core.Namespace.Status, gone, gone, []string{
			"status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
		}},
		{"terminating", core.Namespace.Status, gone, func(ns *corev1.Namespace) { gone(ns); terminating(ns) }, nil},
		{"finalized", core.Namespace.Subresources["finalize"], nil, func(ns *corev1.Namespace) { ns.Spec.Finalizers = nil }, nil},
		{"finalizer without a domain", core.Namespace.Subresources["finalize"], nil, func(ns *corev1.Namespace) {
			ns.Spec.Finalizers = []corev1.FinalizerName{"kubernetes", "mine"}
		}, []string{
			`spec.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, tt.want, kindtest.Texts(tt.subresource.Validate(namespace(tt.change), namespace(tt.old))))
		})
	}
}

func TestNamespace_Row(t *testing.T) {
	t.Parallel()
	kindtest.Diff(t, []any{"team-a", "Active", "3m"}, core.Namespace.Row(namespace(nil), kindtest.Now))
	kindtest.Diff(t, fields.Set{"status.phase": "Active"}, core.Namespace.SelectableFields(namespace(nil)))
}

func TestNamespace_ValidateUpdate(t *testing.T) {
	t.Parallel()
	next := namespace(func(ns *corev1.Namespace) { ns.DeletionTimestamp, ns.UID = new(metav1.NewTime(kindtest.Now)), "other" })
	old := namespace(func(ns *corev1.Namespace) { ns.UID = "u1" })
	kindtest.Diff(t, []string{
		`metadata.uid: Invalid value: "other": field is immutable`,
		`metadata.deletionTimestamp: Invalid value: "2026-01-02T03:04:05Z": field is immutable`,
	}, kindtest.Texts(core.Namespace.ValidateUpdate(next, old)))
}
