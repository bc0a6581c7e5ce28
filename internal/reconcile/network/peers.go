package network

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// mostPeers is the maximum number of addresses in an answer of peers.
const mostPeers = 1000

// behind is the Service whose peers are requested.
func behind(q emulator.Query) Subject {
	namespace, name, _ := strings.Cut(string(q.Name), "/")
	return Subject{Namespace: namespace, Name: name}
}

// AnswerPeers returns the ready endpoints of a Service, each with each of its ports, in order. If
// there is no such Service, the outcome is OutcomeNoName. The answer is unknown if the Service was
// not looked up.
func (o *Outside) AnswerPeers(q emulator.Query) (a emulator.Answer, known bool) {
	s, known := o.Services[behind(q)]
	if s == nil {
		return emulator.Answer{Outcome: emulator.OutcomeNoName}, known
	}
	for _, slice := range o.Slices[key(s)] {
		if slice.AddressType != discoveryv1.AddressTypeIPv4 {
			continue
		}
		for _, e := range publishedIn(slice) {
			for _, p := range slice.Ports {
				if p.Port != nil && len(a.Addresses) < mostPeers {
					a.Addresses = append(a.Addresses, emulator.HostPort(e.address(), int(*p.Port)))
				}
			}
		}
	}
	slices.Sort(a.Addresses)
	return a, true
}
