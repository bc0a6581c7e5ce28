package imagepull_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/imagepull"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// decided is the decision in one line: the reason to wait, the reasons of the events, and in how
// many seconds more happens.
func decided(q imagepull.Request) string {
	r := imagepull.Decide(&q)
	var events []string
	for _, e := range r.Events() {
		events = append(events, e.Reason)
	}
	line := fmt.Sprintf("%s [%s]", r.Reason, strings.Join(events, " "))
	if r.OK {
		line = "OK" + line
	}
	if !r.Wake.IsZero() {
		line += fmt.Sprint(" in ", r.Wake.Sub(q.Now))
	}
	return line
}

func TestDecide(t *testing.T) {
	t.Parallel()
	present, missing := &emulator.Image{}, &emulator.Image{PullError: "it is not there"}
	for name, test := range map[string]struct {
		request imagepull.Request
		want    string
	}{
		"present":                 {imagepull.Request{Image: present, Policy: corev1.PullIfNotPresent}, "OK [Pulled]"},
		"present, always pulled":  {imagepull.Request{Image: present, Policy: corev1.PullAlways}, "OK [Pulling Pulled]"},
		"present, never pulled":   {imagepull.Request{Image: present, Policy: corev1.PullNever}, "OK [Pulled]"},
		"missing, never pulled":   {imagepull.Request{Image: missing, Policy: corev1.PullNever}, "ErrImageNeverPull [ErrImageNeverPull Failed]"},
		"an invalid name":         {imagepull.Request{Invalid: errors.New("why")}, "InvalidImageName [InspectFailed Failed]"},
		"missing":                 {imagepull.Request{Image: missing}, "ErrImagePull [Pulling Failed Failed] in 1s"},
		"present, but for faults": {imagepull.Request{Image: present, Refused: &imagepull.Failure{Reason: "RegistryUnavailable"}}, "RegistryUnavailable [Pulling Failed Failed] in 1s"},
	} {
		test.request.Name, test.request.First, test.request.Now = "example.com/a", noon, noon
		if diff := cmp.Diff(test.want, decided(test.request)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestDecide_BacksOff: between the attempts the container shows ImagePullBackOff, and each attempt
// for a second.
func TestDecide_BacksOff(t *testing.T) {
	t.Parallel()
	waiting := func(reason string) *corev1.ContainerStateWaiting {
		return &corev1.ContainerStateWaiting{Reason: reason}
	}
	for _, test := range []struct {
		after   time.Duration
		waiting *corev1.ContainerStateWaiting
		want    string
	}{
		{0, nil, "ErrImagePull [Pulling Failed Failed] in 1s"},
		{time.Second, waiting("ErrImagePull"), "ImagePullBackOff [BackOff Failed] in 9s"},
		{10 * time.Second, waiting("ImagePullBackOff"), "ErrImagePull [Pulling Failed Failed] in 1s"},
		{11 * time.Second, waiting("ErrImagePull"), "ImagePullBackOff [BackOff Failed] in 19s"},
		{15 * time.Second, waiting("PodInitializing"), "ErrImagePull [Pulling Failed Failed] in 1s"},
		{time.Hour, waiting("ImagePullBackOff"), "ImagePullBackOff [BackOff Failed] in 10s"},
	} {
		got := decided(imagepull.Request{
			Name: "example.com/a", Image: &emulator.Image{PullError: "it is not there"}, Waiting: test.waiting, First: noon, Now: noon.Add(test.after),
		})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", test.after, diff)
		}
	}
}
