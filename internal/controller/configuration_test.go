package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/object"
)

// TestConfiguration_WakesTheKubeletsOfItsReaders: it wakes unfinished Pods on nodes, whether they
// mount it, have a variable from it, or wait for it.
func TestConfiguration_WakesTheKubeletsOfItsReaders(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	pod := func(name string, change func(*corev1.Pod)) {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		pod.Spec.NodeName = "node-1"
		pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "nginx"}}
		change(pod)
		r.Create(pod)
	}
	named := corev1.LocalObjectReference{Name: "settings"}
	mount := func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: named}}}}
	}
	pod("mounts", mount)
	pod("waits", func(p *corev1.Pod) {
		p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: named}}}
	})
	pod("projects", func(p *corev1.Pod) {
		source := corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: named}}
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{source}}}}}
	})
	pod("secret", func(p *corev1.Pod) {
		ref := &corev1.SecretKeySelector{LocalObjectReference: named, Key: "k"}
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "K", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: ref}}}
	})
	pod("pending", func(p *corev1.Pod) { mount(p); p.Spec.NodeName = "" })
	pod("finished", func(p *corev1.Pod) { mount(p); p.Status.Phase = corev1.PodSucceeded })
	pod("stranger", func(*corev1.Pod) {})

	w := engine.New(r.Deps, controllerNamed(t, world.World{Kinds: r.Kinds}, names.Configuration))
	woken := func() []string {
		r.Exec("DELETE FROM wakeups WHERE controller = 'kubelet'")
		r.Turn(w)
		rows, err := r.Pool.Query(t.Context(), `SELECT o.name FROM wakeups w JOIN objects o ON o.uid = w.uid
			WHERE w.controller = 'kubelet' ORDER BY o.name`)
		if err != nil {
			t.Fatal(err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	readers := []string{"mounts", "projects", "waits"}
	var settings *object.Version
	for _, step := range []struct {
		what string
		do   func()
		want []string
	}{
		{"the ConfigMap comes", func() { settings = r.ConfigMap("settings") }, readers},
		{"another comes", func() { r.ConfigMap("other") }, nil},
		{"its data change", func() { settings = r.Touch(settings, "new") }, readers},
		{"it is written as it was", func() { settings = r.Touch(settings, "new") }, nil},
		{"a Secret of that name comes", func() { r.Create(&corev1.Secret{ObjectMeta: configMap("settings").ObjectMeta}) }, []string{"secret"}},
		{"the ConfigMap goes", func() { r.Remove(settings) }, nil},
	} {
		step.do()
		if err := r.Mirror.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, woken(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: looks of kubelets (-want +got):\n%s", step.what, diff)
		}
	}
}

// controllerNamed returns a controller by name.
func controllerNamed(t testing.TB, world world.World, name string) engine.Controller {
	t.Helper()
	for _, c := range controller.Controllers(world) {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no controller %s", name)
	return engine.Controller{}
}
