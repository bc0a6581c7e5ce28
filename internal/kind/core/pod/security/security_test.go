package security_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// labeled returns a namespace with labels of the Pod Security Standards: "enforce=baseline
// warn-version=v1.20".
func labeled(name, labels string) *corev1.Namespace {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	for label := range strings.FieldsSeq(labels) {
		key, value, _ := strings.Cut(label, "=")
		ns.Labels["pod-security.kubernetes.io/"+key] = value
	}
	return ns
}

// podSecurity returns the plugin of a kind.
func podSecurity(t *testing.T, plugins []kind.Plugin) kind.Plugin {
	t.Helper()
	for _, p := range plugins {
		if p.Name == "PodSecurity" {
			return p
		}
	}
	t.Fatal("the kind has no PodSecurity")
	return kind.Plugin{}
}

func judgedPod(shape ...func(*corev1.PodSpec)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx"}}}}
	for _, f := range shape {
		f(&p.Spec)
	}
	return p
}

func onHost(s *corev1.PodSpec) { s.HostNetwork = true }

func TestPodSecurity_OfPods(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		labels          string
		next, old       *corev1.Pod
		refused, warned string // prefixes
	}{
		"no labels":         {"", judgedPod(onHost), nil, "", ""},
		"enforced":          {"enforce=baseline", judgedPod(onHost), nil, `violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)`, `would violate PodSecurity "baseline:latest"`},
		"met":               {"enforce=baseline", judgedPod(), nil, "", ""},
		"another version":   {"enforce=restricted enforce-version=v1.7", judgedPod(), nil, `violates PodSecurity "restricted:v1.7": runAsNonRoot`, `would violate PodSecurity "restricted:v1.7"`},
		"only warned":       {"warn=restricted", judgedPod(), nil, "", `would violate PodSecurity "restricted:latest": allowPrivilegeEscalation`},
		"only in the audit": {"audit=restricted", judgedPod(onHost), nil, "", ""},
		"warned of less":    {"enforce=restricted warn=privileged", judgedPod(), nil, `violates PodSecurity "restricted:latest"`, ""},
		"no such level":     {"enforce=strict", judgedPod(), nil, `violates PodSecurity "restricted:latest"`, ""},
		"the same image":    {"enforce=baseline", judgedPod(onHost), judgedPod(onHost), "", ""},
		"another image": {"enforce=baseline", judgedPod(onHost, func(s *corev1.PodSpec) { s.Containers[0].Image = "httpd" }), judgedPod(onHost),
			`violates PodSecurity "baseline:latest"`, `would violate`},
		"an ephemeral container": {"enforce=baseline", judgedPod(func(s *corev1.PodSpec) {
			s.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
				Name: "e", Image: "busybox", SecurityContext: &corev1.SecurityContext{Privileged: new(true)},
			}}}
		}), judgedPod(), `violates PodSecurity "baseline:latest": privileged (container "e" must not set securityContext.privileged=true)`, "would violate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, plugin := kindtest.Cluster(labeled("shop", tt.labels)), podSecurity(t, podkind.Kind.Admission)
			var err error
			var old object.Object
			if tt.old == nil {
				err = plugin.Validate(tt.next, in)
			} else {
				old = tt.old
				err = plugin.ValidateUpdate(tt.next, tt.old, in)
			}
			if got := kindtest.Refusal(err); !strings.HasPrefix(got, tt.refused) || (got == "") != (tt.refused == "") {
				t.Errorf("refused: %q, want %q…", got, tt.refused)
			}
			if got := strings.Join(plugin.Warn(tt.next, old, in), "\n"); !strings.HasPrefix(got, tt.warned) || (got == "") != (tt.warned == "") {
				t.Errorf("warned: %q, want %q…", got, tt.warned)
			}
		})
	}
}

// Workloads cause warnings only; their Pods are rejected.
func TestPodSecurity_OfWorkloads(t *testing.T) {
	t.Parallel()
	in := kindtest.Cluster(labeled("shop", "enforce=baseline"))
	meta, pods := metav1.ObjectMeta{Namespace: "shop", Name: "w"}, corev1.PodTemplateSpec{Spec: judgedPod(onHost).Spec}
	for _, tt := range []struct {
		kind *kind.Kind
		o    object.Object
	}{
		{core.PodTemplate, &corev1.PodTemplate{ObjectMeta: meta, Template: pods}},
		{core.ReplicationController, &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Template: &pods}}},
		{apps.ReplicaSet, &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Template: pods}}},
		{apps.Deployment, &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Template: pods}}},
		{apps.StatefulSet, &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Template: pods}}},
		{apps.DaemonSet, &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Template: pods}}},
		{batch.Job, &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Template: pods}}},
		{batch.CronJob, &batchv1.CronJob{ObjectMeta: meta, Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: pods}}}}},
	} {
		plugin := podSecurity(t, tt.kind.Admission)
		if got := plugin.Warn(tt.o, nil, in); len(got) != 1 || plugin.Validate != nil {
			t.Errorf("%s: warned of %q", tt.kind.Kind, got)
		}
	}
	if got := podSecurity(t, core.ReplicationController.Admission).Warn(&corev1.ReplicationController{ObjectMeta: meta}, nil, in); got != nil {
		t.Errorf("without a template: warned of %q", got)
	}
}

func TestPodSecurity_OfNamespaces(t *testing.T) {
	t.Parallel()
	plugin := podSecurity(t, core.Namespace.Admission)
	const invalid = `Namespace "shop" is invalid: metadata.labels[pod-security.kubernetes.io/`
	for name, tt := range map[string]struct {
		next, old string // labels; an old "-" is for a new namespace
		want      string
	}{
		"without":            {"", "-", ""},
		"right":              {"enforce=baseline enforce-version=v1.30 warn=restricted audit=privileged warn-version=latest", "-", ""},
		"no level":           {"enforce=strict", "-", invalid + `enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted`},
		"no version":         {"warn-version=1.30", "-", invalid + `warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"`},
		"became wrong":       {"audit=x", "audit=baseline", invalid + `audit]: Invalid value: "x": must be one of privileged, baseline, restricted`},
		"stays wrong":        {"audit=x enforce=baseline", "audit=x", ""},
		"differently wrong":  {"audit=y", "audit=x", invalid + `audit]: Invalid value: "y": must be one of privileged, baseline, restricted`},
		"right after wrong":  {"audit=baseline", "audit=x", ""},
		"without them again": {"", "enforce=x", ""},
	} {
		var err error
		if tt.old == "-" {
			err = plugin.Validate(labeled("shop", tt.next), nil)
		} else {
			err = plugin.ValidateUpdate(labeled("shop", tt.next), labeled("shop", tt.old), nil)
		}
		if got := kindtest.Refusal(err); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A namespace that enforces a stricter level warns about its Pods that violate it.
func TestPodSecurity_OfPodsWithin(t *testing.T) {
	t.Parallel()
	var objects []object.Object
	pod := func(name, owner string, shape ...func(*corev1.PodSpec)) {
		p := judgedPod(shape...)
		p.Name = name
		if owner != "" {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", UID: "rs", Name: owner, Controller: new(true)}}
		}
		objects = append(objects, p)
	}
	pod("b", "rs", onHost)
	pod("a", "rs", onHost)
	pod("c", "", onHost)
	pod("d", "", func(s *corev1.PodSpec) { s.HostPID = true; s.HostIPC = true })
	pod("e", "")
	plugin := podSecurity(t, core.Namespace.Admission)
	for name, tt := range map[string]struct {
		next, old string
		want      int // warnings
	}{
		"more":                {"enforce=baseline", "", 2},
		"as much":             {"enforce=baseline warn=restricted", "enforce=baseline", 0},
		"less":                {"enforce=baseline", "enforce=restricted", 0},
		"nothing":             {"", "enforce=restricted", 0},
		"of another version":  {"enforce=baseline enforce-version=v1.20", "enforce=restricted", 2},
		"nothing enforced":    {"warn=restricted", "", 0},
		"all but one of them": {"enforce=restricted", "enforce=baseline", 3},
	} {
		got := plugin.Warn(labeled("shop", tt.next), labeled("shop", tt.old), kindtest.Cluster(objects...))
		if len(got) != tt.want {
			t.Errorf("%s: %q, want %d", name, got, tt.want)
		}
	}
	got := plugin.Warn(labeled("shop", "enforce=baseline"), labeled("shop", ""), kindtest.Cluster(objects...))
	kindtest.Diff(t, []string{`existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"`, "a (and 3 other pods): host namespaces"}, got)
	if got := plugin.Warn(labeled("shop", "enforce=baseline"), nil, kindtest.Cluster(objects...)); got != nil {
		t.Errorf("a new namespace: %q", got)
	}

	objects = nil
	for i := range 3001 {
		pod(fmt.Sprintf("p%04d", i), "rs", onHost)
	}
	pod("z", "", onHost)
	got = plugin.Warn(labeled("shop", "enforce=baseline"), labeled("shop", ""), kindtest.Cluster(objects...))
	kindtest.Diff(t, []string{"new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods",
		`existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"`, "p0000 (and 2999 other pods): host namespaces"}, got)
}
