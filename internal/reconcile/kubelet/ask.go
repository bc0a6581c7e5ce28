package kubelet

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	apiendpoint "github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// answer answers a question of one of the Pod's processes; the answer is unknown if what it refers
// to was not looked up.
func (k *sync) answer(q emulator.Query) (a emulator.Answer, known bool) {
	if q.Kind == emulator.QueryDNS {
		return k.answerName(q)
	}
	if c := k.pending(q.ID); c != nil {
		return k.pickUp(c, q)
	}
	if q.Kind == emulator.QueryPeers {
		return k.Outside.AnswerPeers(q)
	}
	switch {
	case !isAddress(q.Address) && q.Node:
		return emulator.Answer{Outcome: emulator.OutcomeNoName}, true // a node does not know the cluster's names
	case !isAddress(q.Address):
		return emulator.Answer{Outcome: emulator.OutcomeUnreachable}, true
	case q.Address == network.NameServer:
		return k.askNameServer(q), true
	case q.Address == apiendpoint.APIAddress:
		return k.askAPI(q)
	}
	return k.connect(q)
}

// answerName answers a name query: directly for the name servers of the cluster and of the nodes,
// by a call for one in a Pod.
func (k *sync) answerName(q emulator.Query) (a emulator.Answer, known bool) {
	switch c := k.pending(q.ID); {
	case c != nil:
		a, known = k.pickUp(c, q)
	case network.IsNameServer(q.Address):
		if !k.Outside.MayAskNames(q) {
			return emulator.Answer{Outcome: emulator.OutcomeNoServer}, true
		}
		return k.Outside.Resolve(q)
	case !isAddress(q.Address):
		return emulator.Answer{Outcome: emulator.OutcomeNoServer}, true
	default:
		a, known = k.connect(q)
	}
	return emulator.NameAnswer(a), known
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// connect answers a question to an address.
func (k *sync) connect(q emulator.Query) (a emulator.Answer, known bool) {
	client := network.ClientOf(k.podNow()).Opens(q)
	client.Affinity = k.memory.Affinity
	w, affinity, known := k.Outside.Connect(client, q, k.runtime.Now().UTC())
	k.memory.Affinity = affinity
	k.touched = k.touched || known && w.Sticks != ""
	k.traffic.Note(q.ID, w.Service, "")
	switch {
	case !known:
		return a, false
	case w.Own != nil:
		return *w.Own, true
	case w.Outcome != emulator.OutcomeOK:
		return emulator.Answer{Outcome: w.Outcome}, true
	}
	q.From = w.From
	if q.From == "" {
		q.From = client.Address
	}
	return k.choose(w.To, q)
}

// askNameServer answers questions to the name server that are not name queries.
func (k *sync) askNameServer(q emulator.Query) emulator.Answer {
	switch {
	case !k.Outside.MayAskNames(q):
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}
	case q.Kind == emulator.QueryPing, q.Kind == emulator.QueryTCP && q.Port == 53:
		return emulator.Answer{}
	}
	return emulator.Answer{Outcome: emulator.OutcomeRefused}
}

// askAPI answers questions to the API server; requests are calls that a replica answers.
func (k *sync) askAPI(q emulator.Query) (a emulator.Answer, known bool) {
	switch {
	case !k.Outside.MayAskAPI(q):
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, true
	case q.Kind == emulator.QueryPing:
		return emulator.Answer{}, true
	case q.Port != apiendpoint.APIPort, q.Kind == emulator.QueryUDP:
		return emulator.Answer{Outcome: emulator.OutcomeRefused}, true
	case q.Kind == emulator.QueryTCP:
		return emulator.Answer{}, true
	case q.Kind != emulator.QueryHTTP:
		return emulator.Answer{Outcome: emulator.OutcomeReset}, true // it only speaks HTTP over TLS
	case !q.TLS:
		return emulator.Answer{Status: 400, Header: []string{"Connection: close"}, Body: "Client sent an HTTP request to an HTTPS server.\n"}, true
	}
	if q.From == "" {
		q.From = network.ClientOf(k.podNow()).Opens(q).Address
	}
	server := &corev1.Pod{}
	server.UID = plan.APIServer
	return k.callPeer(server, q)
}
