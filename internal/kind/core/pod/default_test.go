package pod_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func printYAML(t *testing.T, value any) string {
	t.Helper()
	body, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestPod_Default(t *testing.T) {
	testPodCases(t, "default.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		p := c.given(t)
		pod.Kind.Default(p)
		return printYAML(t, map[string]any{"spec": p.Spec, "status": p.Status})
	})
}

func TestPod_PrepareCreate(t *testing.T) {
	testPodCases(t, "create.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		return printYAML(t, created(c.given(t)))
	})
}

func TestPod_QOSClass(t *testing.T) {
	testPodCases(t, "qos.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		return string(created(c.given(t)).Status.QOSClass) + "\n"
	})
}

// templateOf converts the case's Pod to a template.
func templateOf(t *testing.T, c podCase) *corev1.PodTemplateSpec {
	t.Helper()
	p := c.given(t)
	meta := metav1.ObjectMeta{Labels: p.Labels, Annotations: p.Annotations}
	return &corev1.PodTemplateSpec{ObjectMeta: meta, Spec: p.Spec}
}

func TestPodTemplate_Default(t *testing.T) {
	testPodCases(t, "template.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		template := templateOf(t, c)
		podspec.DefaultTemplate(template)
		return printYAML(t, template)
	})
}

// A template is validated as part of a workload that selects its labels.
func TestPodTemplate_Validate(t *testing.T) {
	testPodCases(t, "templatevalidation.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		template := templateOf(t, c)
		app := map[string]string{"app": "web"}
		if template.Labels == nil {
			template.Labels = app
		}
		rs := &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
			Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: app}, Template: *template},
		}
		apps.ReplicaSet.Default(rs)
		return lines(kindtest.Texts(apps.ReplicaSet.Validate(rs)))
	})
}

func TestPod_DefaultDropsOldInitContainers(t *testing.T) {
	t.Parallel()
	given := map[string]string{"pod.beta.kubernetes.io/init-containers": "[]", "pod.alpha.kubernetes.io/init-containers": "[]", "a": "b"}
	p := kindtest.BarePod()
	p.Annotations = given
	pod.Kind.Default(p)
	kindtest.Diff(t, map[string]string{"a": "b"}, p.Annotations)
	kindtest.Diff(t, 3, len(given)) // the client's map may be shared
}
