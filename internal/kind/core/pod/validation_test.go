package pod_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// judgeCreate returns the errors of creating the case's Pod.
func judgeCreate(t *testing.T, c podCase) string {
	t.Helper()
	return lines(kindtest.Texts(pod.Kind.Validate(created(c.given(t)))))
}

func TestPod_ValidateContainers(t *testing.T) { testPodCases(t, "container.txt", judgeCreate) }

func TestPod_ValidateResources(t *testing.T) { testPodCases(t, "resource.txt", judgeCreate) }

func TestPod_ValidateVolumes(t *testing.T) { testPodCases(t, "volume.txt", judgeCreate) }

func TestPod_ValidateSpec(t *testing.T) { testPodCases(t, "spec.txt", judgeCreate) }

func TestPod_ValidateUpdate(t *testing.T) {
	testPodCases(t, "update.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		old := created(c.given(t))
		next := c.updated(t, old)
		pod.Kind.PrepareUpdate(next, old)
		return lines(kindtest.Texts(pod.Kind.ValidateUpdate(next, old)))
	})
}

func TestPod_ValidateStatus(t *testing.T) {
	testPodCases(t, "status.txt", func(t *testing.T, c podCase) string {
		t.Helper()
		old := c.given(t)
		status := old.Status
		old = created(old)
		old.Status.ContainerStatuses, old.Status.InitContainerStatuses = status.ContainerStatuses, status.InitContainerStatuses
		next := c.updated(t, old)
		pod.Kind.Status.Prepare(next, old)
		return lines(kindtest.Texts(pod.Kind.Status.Validate(next, old)))
	})
}
