package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	apiendpoint "github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// choose asks the first of the hosts that listens on its port.
func (k *sync) choose(among []network.Destination, q emulator.Query) (a emulator.Answer, known bool) {
	ping := q.Kind == emulator.QueryPing
	for i, d := range among {
		q.Port = d.Port
		if i < len(among)-1 && !ping {
			knock := q
			knock.Kind = emulator.QueryTCP
			if network.ProtocolOf(q) == corev1.ProtocolUDP {
				knock.Kind = network.QueryKnock
			}
			if a, known = k.reach(d.Host, knock); !known {
				return a, false
			}
			if a.Outcome != emulator.OutcomeOK {
				continue
			}
		}
		return k.reach(d.Host, q)
	}
	return emulator.Answer{Outcome: emulator.OutcomeRefused}, true
}

// knock sends a datagram to a copy of a peer's machine: the outcome is OutcomeOK if a program
// listens.
func (k *sync) knock(peer *network.Peer, q emulator.Query) emulator.Answer {
	q.Kind = emulator.QueryUDP
	if a := k.machineOf(peer).Serve(q); a.Outcome == emulator.OutcomeRefused {
		return a
	}
	return emulator.Answer{}
}

// reach asks the Pod at a host: by a call if that may leave a trace, else in a copy of its machine.
func (k *sync) reach(h network.Host, q emulator.Query) (a emulator.Answer, known bool) {
	if h.Address == apiendpoint.APIAddress {
		return k.askAPI(q)
	}
	peer, known := k.Outside.Peers[h]
	if peer != nil {
		k.traffic.Note(q.ID, "", peer.Pod.Namespace+"/"+peer.Pod.Name)
	}
	switch {
	case !known:
		return a, false
	case peer == nil || k.Outside.Silent[peer.Pod.Spec.NodeName]:
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, true
	case peer.Pod.UID == k.Pod.UID && q.Kind != emulator.QueryPing:
		return k.runtime.Serve(q), true // through a Service back to itself
	case !k.Outside.Passes(network.Sender{Pod: k.Pod, Address: k.status.PodIP, NodeAddress: k.status.HostIP}, h, peer, q):
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, true
	case q.Kind == emulator.QueryPing:
		return emulator.Answer{}, true
	case q.Kind == network.QueryKnock:
		return k.knock(peer, q), true
	case q.Kind != emulator.QueryTCP:
		return k.callPeer(peer.Pod, q)
	}
	return k.machineOf(peer).Serve(q), true
}

// machineOf is a copy of a peer's machine in its present state. It is made once per sync, and run
// for at most derivedSteps, which count as the sync's own. A machine with more to do answers from
// the state it has reached by then.
func (k *sync) machineOf(peer *network.Peer) emulator.Machine {
	if m := k.reached[peer.Pod.UID]; m != nil {
		return m
	}
	m := Machine(Snapshot{Pod: peer.Pod, Node: peer.Node, Images: k.Images, Now: k.Now, Real: k.Real, Sign: k.signer.TrySign, Memory: peer.Memory,
		Around: peer.Around, Claims: peer.Claims, Files: peer.Files})
	until := k.Now.Add(instant) // otherwise a Pod that became ready in this second would not listen yet
	for steps := int64(derivedSteps); steps > 0; m.Take() {
		stop := m.Run(until, steps)
		k.spent += stop.Steps
		if stop.Kind != emulator.StopNews {
			break
		}
		steps -= max(stop.Steps, 1)
	}
	if k.reached == nil {
		k.reached = map[types.UID]emulator.Machine{}
	}
	k.reached[peer.Pod.UID] = m
	return m
}
