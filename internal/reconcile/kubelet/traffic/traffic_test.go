package traffic_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// TestTraffic_IsCounted where the answer arrives: by whom it was asked through, who answered, and
// how; pings and names are not.
func TestTraffic_IsCounted(t *testing.T) {
	t.Parallel()
	peer := podtest.Callee(t, podtest.Bound(podtest.Nginx()))
	peer.Pod.Labels = map[string]string{"app": "web"}
	w := &podtest.World{T: t, Now: podtest.Noon.Add(time.Minute), Others: []*network.Peer{peer}, Services: []*corev1.Service{
		podtest.Service("default", "web", "10.96.0.20", nil),
		podtest.Service("default", "empty", "10.96.0.21", func(s *corev1.Service) { s.Spec.Selector = map[string]string{"app": "nobody"} }),
	}}
	w.Pod = podtest.Bound(podtest.Sh(`for i in 1 2 3; do wget -qO /dev/null http://10.96.0.20:8080/; done
wget -qO /dev/null http://10.96.0.20:8080/none
wget -T 1 -qO /dev/null http://10.96.0.20:9/
wget -qO /dev/null http://10.96.0.21:8080/
wget -qO /dev/null http://10.244.0.9/; nc -z 10.244.0.9 80; nc -z 10.244.0.9 81
ping -c 1 10.244.0.9 >/dev/null; nslookup web >/dev/null; wget -T 1 -qO /dev/null http://10.1.2.3/
sleep infinity`))
	w.Live(5 * time.Minute)
	name := peer.Pod.Namespace + "/callee"
	want := map[string]plan.Counts{
		"default/web " + name: {Answered: 4}, // one of them with 404
		"default/web ":        {Lost: 1},     // a port that the Service does not have
		"default/empty ":      {Refused: 1},
		" " + name:            {Answered: 2, Refused: 1},
	}
	if diff := cmp.Diff(want, w.Traffic); diff != "" {
		t.Errorf("the traffic (-want +got):\n%s", diff)
	}
}
