package need_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// configured is a container with a variable from a ConfigMap and one from a Secret.
func configured(c corev1.Container) corev1.Container {
	c.Env = []corev1.EnvVar{
		{Name: "A", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "conf"}, Key: "a"}}},
		{Name: "B", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "key"}, Key: "b"}}},
	}
	return c
}

// TestOf: a Pod in closed form needs what it refers to; one that runs in a machine also Services.
func TestOf(t *testing.T) {
	t.Parallel()
	ended := podtest.Bound(configured(podtest.Sh("true")))
	ended.Status.Phase = corev1.PodSucceeded
	going := ended.DeepCopy()
	going.DeletionTimestamp = &metav1.Time{Time: podtest.Noon}
	for name, test := range map[string]struct {
		pod      *corev1.Pod
		refers   bool
		services bool
	}{
		"a server":                           {podtest.Bound(podtest.Nginx()), false, false},
		"a server that refers to others":     {podtest.Bound(configured(podtest.Nginx())), true, false},
		"a script":                           {podtest.Bound(podtest.Sh("true")), false, true},
		"a script that refers to others":     {podtest.Bound(configured(podtest.Sh("true"))), true, true},
		"a script that has ended":            {ended, false, false},
		"one that has ended, and is deleted": {going, true, true},
	} {
		got := need.Of(test.pod, nil, podtest.Images)
		if test.refers != (cmp.Equal(got.ConfigMaps, []string{"conf"}) && cmp.Equal(got.Secrets, []string{"key"})) || !test.refers && len(got.ConfigMaps)+len(got.Secrets) > 0 {
			t.Errorf("%s needs the ConfigMaps %q and the Secrets %q", name, got.ConfigMaps, got.Secrets)
		}
		if got.Services != test.services || got.Asks() {
			t.Errorf("%s needs Services: %t, asks: %t", name, got.Services, got.Asks())
		}
	}
}

// TestOf_Questions: those that were posted to other Pods are not asked again, and a sync answers a
// hundred at most.
func TestOf_Questions(t *testing.T) {
	t.Parallel()
	remembered := memory.Memory{Machine: []byte{0}, Calls: []memory.Call{{ID: 3, Callee: "other"}}}
	for id := range 150 {
		remembered.Queries = append(remembered.Queries, emulator.Query{ID: id})
	}
	got := need.Of(podtest.Bound(podtest.Sh("true")), remembered.Encode(), podtest.Images)
	if !got.Asks() || !cmp.Equal(got.Callees, []types.UID{"other"}) || len(got.Queries) != need.MostAnswers-1 {
		t.Errorf("it asks %d questions, and has called %q", len(got.Queries), got.Callees)
	}
	for _, q := range got.Queries {
		if q.ID == 3 {
			t.Error("it asks again what it has posted")
		}
	}
}

// TestToRead: a stored machine needs nothing; nor does a peer whose command line and variables refer
// to no others need Services.
func TestToRead(t *testing.T) {
	t.Parallel()
	stored := (&memory.Memory{Machine: []byte{0}, Paid: time.Unix(0, 0)}).Encode()
	plain, expanding := podtest.Bound(configured(podtest.Nginx())), podtest.Bound(podtest.Sh("echo $(A)"))
	for name, test := range map[string]struct {
		got  need.Needs
		want need.Needs
	}{
		"a machine":                 {need.ToRead(plain, stored), need.Needs{}},
		"none":                      {need.ToRead(plain, nil), need.Needs{ConfigMaps: []string{"conf"}, Secrets: []string{"key"}, Services: true}},
		"none, to connect":          {need.ToConnect(plain, nil), need.Needs{ConfigMaps: []string{"conf"}, Secrets: []string{"key"}}},
		"none, that expands":        {need.ToConnect(expanding, nil), need.Needs{Services: true}},
		"a machine that is damaged": {need.ToRead(expanding, []byte{200, 200}), need.Needs{Services: true}},
	} {
		if diff := cmp.Diff(test.want, test.got, cmpopts.IgnoreUnexported(network.Client{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
