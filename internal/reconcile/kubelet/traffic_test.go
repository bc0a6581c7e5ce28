package kubelet

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// tally adds up what the Pod's plans count, by Service and Pod.
func (w *world) tally(t plan.Traffic) {
	if w.traffic == nil {
		w.traffic = map[string]plan.Counts{}
	}
	sum := w.traffic[t.Service+" "+t.Callee]
	sum.Add(t.Counts)
	w.traffic[t.Service+" "+t.Callee] = sum
}

// TestTraffic_IsCounted where the answer arrives: by whom it was asked through, who answered, and
// how; pings and names are not.
func TestTraffic_IsCounted(t *testing.T) {
	t.Parallel()
	peer := callee(t, bound(nginx()))
	peer.Pod.Labels = map[string]string{"app": "web"}
	w := &world{t: t, now: noon.Add(time.Minute), others: []*network.Peer{peer}, services: []*corev1.Service{
		service("default", "web", "10.96.0.20", nil),
		service("default", "empty", "10.96.0.21", func(s *corev1.Service) { s.Spec.Selector = map[string]string{"app": "nobody"} }),
	}}
	w.pod = bound(sh(`for i in 1 2 3; do wget -qO /dev/null http://10.96.0.20:8080/; done
wget -qO /dev/null http://10.96.0.20:8080/none
wget -T 1 -qO /dev/null http://10.96.0.20:9/
wget -qO /dev/null http://10.96.0.21:8080/
wget -qO /dev/null http://10.244.0.9/; nc -z 10.244.0.9 80; nc -z 10.244.0.9 81
ping -c 1 10.244.0.9 >/dev/null; nslookup web >/dev/null; wget -T 1 -qO /dev/null http://10.1.2.3/
sleep infinity`))
	w.live(5 * time.Minute)
	name := peer.Pod.Namespace + "/callee"
	want := map[string]plan.Counts{
		"default/web " + name: {Answered: 4}, // one of them with 404
		"default/web ":        {Lost: 1},     // a port that the Service does not have
		"default/empty ":      {Refused: 1},
		" " + name:            {Answered: 2, Refused: 1},
	}
	if diff := cmp.Diff(want, w.traffic); diff != "" {
		t.Errorf("the traffic (-want +got):\n%s", diff)
	}
}
