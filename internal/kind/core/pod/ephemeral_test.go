package pod_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// throughSubresource writes the case's update to a subresource of a Pod. It returns the errors, or
// else the generation and what shown returns.
func throughSubresource(name string, shown func(*corev1.Pod) string) func(t *testing.T, c podCase) string {
	return func(t *testing.T, c podCase) string {
		t.Helper()
		sub := pod.Kind.Subresources[name]
		old := created(c.given(t))
		next := c.updated(t, old)
		pod.Kind.Default(next)
		sub.Prepare(next, old)
		if errs := sub.Validate(next, old); len(errs) > 0 {
			return lines(kindtest.Texts(errs))
		}
		return fmt.Sprintf("generation %d\n%s", next.Generation, shown(next))
	}
}

func TestPod_EphemeralContainers(t *testing.T) {
	testPodCases(t, "ephemeral.txt", throughSubresource("ephemeralcontainers", func(p *corev1.Pod) string {
		s := fmt.Sprintf("labels %v, finalizers %v, deadline %v, image %s", p.Labels, p.Finalizers, p.Spec.ActiveDeadlineSeconds, p.Spec.Containers[0].Image)
		for _, e := range p.Spec.EphemeralContainers {
			s += fmt.Sprintf("\n%s %s %s %s stdin=%t tty=%t target=%q", e.Name, e.Image, e.ImagePullPolicy, e.TerminationMessagePolicy, e.Stdin, e.TTY, e.TargetContainerName)
		}
		return s
	}))
}
