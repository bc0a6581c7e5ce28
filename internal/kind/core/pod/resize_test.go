package pod_test

import (
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestPod_Resize(t *testing.T) {
	testPodCases(t, "resize.txt", throughSubresource("resize", func(p *corev1.Pod) string {
		text := func(v any) string {
			b, err := json.Marshal(v)
			if err != nil {
				t.Error(err)
			}
			return string(b)
		}
		s := fmt.Sprintf("labels %v, deadline %v, resources %s", p.Labels, p.Spec.ActiveDeadlineSeconds, text(p.Spec.Resources))
		for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
			for i := range list {
				s += fmt.Sprintf("\n%s %s %s", list[i].Name, list[i].Image, text(list[i].Resources))
			}
		}
		return s
	}))
}
