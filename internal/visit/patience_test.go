package visit_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/visit"
)

// TestRun_VisitsThatAreAborted: they are repeated, and all input and output arrives exactly once.
func TestRun_VisitsThatAreAborted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, ends := newWorld(), 0
		w.aborts = func() bool { ends++; return ends%3 != 0 }
		in := strings.Repeat("0123456789abcde\n", 20_000)
		start := sh("echo begun >>/tmp/f; cat; cat /tmp/f; exit 3")
		start.Stdin = true
		var out bytes.Buffer
		var exit *visit.ExitError
		if err := w.Run(t.Context(), "box", start, visit.Streams{Stdin: strings.NewReader(in), Stdout: &out}); !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("the command has ended with %v", err)
		}
		if want := in + "begun\n"; out.String() != want {
			t.Errorf("%d bytes have arrived, want %d", out.Len(), len(want))
		}
		w.aborts = nil
		if n := w.joined(t); len(n)+w.noted() != 0 {
			t.Errorf("sessions are left: %v, and %d are noted", n, w.noted())
		}
	})
}

// TestRun_TheDatabaseIsLost: a session ends when the database was unreachable for ten seconds.
func TestRun_TheDatabaseIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, from := newWorld(), time.Now()
		w.aborts = func() bool { return true }
		err := w.Run(t.Context(), "box", sh("true"), visit.Streams{})
		if took := time.Since(from); !errors.Is(err, store.ErrUnavailable) || took < 10*time.Second || took > 11*time.Second || w.visited() > 30 {
			t.Errorf("it has ended after %s and %d visits: %v", took, w.visited(), err)
		}
	})
}

// TestServe_AVisitIsAborted: the server still gets the request exactly once.
func TestServe_AVisitIsAborted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, ends := newWorld(), 0
		w.aborts = func() bool { ends++; return ends == 1 }
		a, err := w.Serve(t.Context(), "box", emulator.Query{Kind: emulator.QueryTCP, Port: 80}, func(context.Context) (func(), error) { return func() {}, nil })
		if err != nil || a.Outcome != emulator.OutcomeRefused || w.visited() != 2 {
			t.Errorf("%d visits, %v, %v", w.visited(), a.Outcome, err)
		}
	})
}

// TestRun_ATokenCannotBeSignedYet: the command waits until it can.
func TestRun_ATokenCannotBeSignedYet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, from := newWorld(), time.Now()
		snapshot := w.Snapshot
		w.Snapshot = func(pod types.UID, memory []byte, now time.Time) kubelet.Snapshot {
			s := snapshot(pod, memory, now)
			s.Pod, s.Around.Account = withToken(s.Pod), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{UID: "account"}}
			s.Sign = func([]byte) ([]byte, bool) { return []byte("signed\n"), time.Since(from) > 3*time.Second }
			return s
		}
		var out bytes.Buffer
		if err := w.Run(t.Context(), "box", sh("cat /api/token"), visit.Streams{Stdout: &out}); err != nil || out.String() != "signed\n" {
			t.Errorf("the command has written %q and ended with %v", out.String(), err)
		}
		if took := time.Since(from); took > 4*time.Second || w.visited() > 20 {
			t.Errorf("it has taken %s and %d visits", took, w.visited())
		}
	})
}

// withToken is the Pod with a token of its ServiceAccount.
func withToken(pod *corev1.Pod) *corev1.Pod {
	with := pod.DeepCopy()
	with.Spec.Volumes = []corev1.Volume{{Name: "api", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
		Sources: []corev1.VolumeProjection{{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}}}}}}}
	with.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "api", MountPath: "/api"}}
	return with
}
