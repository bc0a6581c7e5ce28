package pod_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

func TestPod_AppliesRuntimeClass(t *testing.T) {
	t.Parallel()
	cost := corev1.ResourceList{"cpu": resource.MustParse("250m")}
	heavy := &nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: "heavy"}, Handler: "h", Overhead: &nodev1.Overhead{PodFixed: cost},
		Scheduling: &nodev1.Scheduling{
			NodeSelector: map[string]string{"runs": "heavy"}, Tolerations: []corev1.Toleration{{Key: "heavy", Operator: corev1.TolerationOpExists}},
		},
	}
	light := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "light"}, Handler: "l"}
	in := kindtest.Cluster(kindtest.Account("default"), heavy, light)
	for name, c := range map[string]struct {
		spec        corev1.PodSpec
		refused     string
		selector    map[string]string
		overhead    corev1.ResourceList
		tolerations []string
	}{
		"no class": {spec: corev1.PodSpec{}},
		"missing":  {spec: corev1.PodSpec{RuntimeClassName: new("none")}, refused: `pod rejected: RuntimeClass "none" not found`},
		"light":    {spec: corev1.PodSpec{RuntimeClassName: new("light")}},
		"heavy":    {spec: corev1.PodSpec{RuntimeClassName: new("heavy")}, selector: heavy.Scheduling.NodeSelector, overhead: cost, tolerations: []string{"heavy"}},
		"merged": {
			spec: corev1.PodSpec{
				RuntimeClassName: new("heavy"), NodeSelector: map[string]string{"a": "b"},
				Tolerations: []corev1.Toleration{
					{Key: "heavy", Operator: corev1.TolerationOpEqual, Value: "x"}, {Key: "k", Operator: corev1.TolerationOpExists},
				},
			},
			selector: map[string]string{"a": "b", "runs": "heavy"}, overhead: cost, tolerations: []string{"k", "heavy"},
		},
		"same overhead": {
			spec: corev1.PodSpec{
				RuntimeClassName: new("heavy"), Overhead: corev1.ResourceList{"cpu": resource.MustParse("0.25")},
			},
			selector: heavy.Scheduling.NodeSelector, overhead: cost, tolerations: []string{"heavy"},
		},
		"other overhead": {
			spec:    corev1.PodSpec{RuntimeClassName: new("heavy"), Overhead: corev1.ResourceList{"cpu": resource.MustParse("1")}},
			refused: "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
		},
		"only overhead": {spec: corev1.PodSpec{Overhead: cost}, refused: "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"},
		"other node": {
			spec:    corev1.PodSpec{RuntimeClassName: new("heavy"), NodeSelector: map[string]string{"runs": "light"}},
			refused: "conflict: runtimeClass.scheduling.nodeSelector[runs] = heavy; pod.spec.nodeSelector[runs] = light",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default"}, Spec: c.spec}
			err := kindtest.Admit(pod.Kind, p, in)
			if err == nil {
				err = kindtest.Deny(pod.Kind, p, in)
			}
			if c.refused != "" {
				if err == nil || err.Error() != c.refused {
					t.Errorf("got %v, want %s", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var tolerations []string
			for _, have := range p.Spec.Tolerations {
				if have.Key != corev1.TaintNodeNotReady && have.Key != corev1.TaintNodeUnreachable {
					tolerations = append(tolerations, have.Key)
				}
			}
			kindtest.Diff(t, c.selector, p.Spec.NodeSelector)
			kindtest.Diff(t, c.tolerations, tolerations)
			if q, want := p.Spec.Overhead.Cpu(), c.overhead.Cpu(); q.Cmp(*want) != 0 {
				t.Errorf("overhead %v, want %v", q, want)
			}
		})
	}
}
