package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// inPieces is a fault of Pods. A sync sees at most three of them.
type inPieces struct {
	fault  *fault.Fault
	pods   []*corev1.Pod
	memory []byte
	woken  map[types.UID]bool // since the stage began
	gone   bool
}

// sync syncs once, and returns when the next sync is due. If lost is true, the plan is not applied,
// as after a kill.
func (w *inPieces) sync(t rapid.TB, lost bool) (at time.Time, told string) {
	t.Helper()
	s := Snapshot{Fault: w.fault, Now: noon, Memory: w.memory}
	after := After("default", w.memory).Name
	for _, p := range w.pods {
		if p.Name > after && len(s.Pods) < 3 {
			s.Pods = append(s.Pods, p)
			s.Last = object.Key{Namespace: "default", Name: p.Name}
		}
	}
	s.More = len(s.Pods) == 3
	p := laws.Check(t, Reconcile, s)
	if len(p.Wakes) > 3 {
		t.Fatalf("one sync wakes %d", len(p.Wakes))
	}
	if lost {
		return noon, ""
	}
	w.apply(p)
	for _, e := range p.Events {
		told += e.Reason + " " + e.Message + "\n"
	}
	return p.WakeAt, told
}

func (w *inPieces) apply(p plan.Plan) {
	if p.Memory != nil {
		w.memory = p.Memory
	}
	for _, u := range p.Updates {
		w.fault = u.Object.(*fault.Fault)
	}
	for _, wake := range p.Wakes {
		w.woken[wake.Object.GetUID()] = true
	}
	w.gone = w.gone || len(p.Deletes) > 0
}

// settle syncs until no other sync is scheduled.
func (w *inPieces) settle(t *rapid.T) (told string) {
	clear(w.woken)
	for turn := 0; !w.gone; turn++ {
		if turn > 200 {
			t.Fatal("it does not settle")
		}
		at, said := w.sync(t, turn < 30 && rapid.IntRange(0, 4).Draw(t, "lost") == 0)
		told += said
		if at.IsZero() || at.After(noon) {
			break
		}
	}
	return told
}

func (w *inPieces) allWoken(t *rapid.T, when string) {
	for _, p := range w.pods {
		if !w.woken[p.UID] {
			t.Fatalf("%s: %s is not woken", when, p.Name)
		}
	}
}

// TestLaw_AFaultInPieces: regardless of how many Pods a fault affects and of what is lost, all
// their kubelets sync when it begins and when it ends, both are reported once for each Pod, and a
// one-time fault ends when it has happened to all, and not before.
func TestLaw_AFaultInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		action := rapid.SampledFrom([]string{fault.Exit, fault.CrashLoop}).Draw(t, "action")
		spec := fault.Spec{Pod: &fault.Pod{Namespace: "default", Selector: "app=web", Action: action}}
		w := &inPieces{fault: made(spec, false), woken: map[types.UID]bool{}}
		n := rapid.IntRange(1, 11).Draw(t, "pods")
		for i := range n {
			p := pod(fmt.Sprintf("web-%02d", i), -time.Minute)
			p.UID = types.UID(p.Name)
			w.pods = append(w.pods, p)
		}
		told := w.settle(t)
		w.allWoken(t, "it begins")
		if action == fault.Exit {
			for len(w.pods) > 0 && !w.gone {
				var waits []int
				for i, p := range w.pods {
					if p.Status.ContainerStatuses[0].State.Running != nil {
						waits = append(waits, i)
					}
				}
				if len(waits) == 0 {
					t.Fatal("it has happened to all, and does not end")
				}
				i := rapid.SampledFrom(waits).Draw(t, "hit")
				hit := w.pods[i].DeepCopy()
				hit.Status.ContainerStatuses[0].State = corev1.ContainerState{}
				w.pods[i] = hit
				told += w.settle(t)
				if w.gone && len(waits) > 1 {
					t.Fatalf("it ends, and %d are left", len(waits)-1)
				}
			}
		} else {
			w.fault = deleted(w.fault.DeepCopyObject().(*fault.Fault))
			told += w.settle(t)
		}
		w.allWoken(t, "it ends")
		if !w.gone || strings.Count(told, fault.ReasonInjected) != 1 || strings.Count(told, fault.ReasonEnded) != 1 {
			t.Fatalf("gone: %t; told:\n%s", w.gone, told)
		}
	})
}
