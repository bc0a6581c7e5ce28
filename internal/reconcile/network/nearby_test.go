package network

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// TestNearby: whom the connections of a node reach. An endpoint is named after the node and the
// zone that it is meant for.
func TestNearby(t *testing.T) {
	t.Parallel()
	s := service("default", "web", "10.96.0.20", func(s *corev1.Service) { s.Spec.Ports[0].NodePort = nodePort })
	local := s.DeepCopy()
	local.Spec.InternalTrafficPolicy = new(corev1.ServiceInternalTrafficPolicyLocal)
	type end struct {
		node, zone string // that it is meant for; "" for none
		gone       bool   // not ready
	}
	near, beside, far := end{"node-1", "east", false}, end{"node-2", "east", false}, end{"node-3", "west", false}
	const own, next, away = "node-1/east", "node-2/east", "node-3/west"
	unready := func(e end) end { e.gone = true; return e }
	zonal := func(e end) end { e.node = ""; return e }
	for name, tt := range map[string]struct {
		service *corev1.Service
		ends    []end
		address string // "" is that of the Service
		want    []string
	}{
		"the own node":                        {ends: []end{near, beside, far}, want: []string{own}},
		"nobody on the node: its zone":        {ends: []end{beside, far}, want: []string{next}},
		"the one on the node is not ready":    {ends: []end{unready(near), beside, far}, want: []string{next}},
		"nobody in the zone":                  {ends: []end{far}, want: []string{away}},
		"nobody is ready in the zone":         {ends: []end{unready(near), unready(beside), far}, want: []string{away}},
		"one is not for a node":               {ends: []end{near, zonal(beside), far}, want: []string{"/east", own}},
		"only zones":                          {ends: []end{zonal(near), zonal(far)}, want: []string{"/east"}},
		"one is for nobody":                   {ends: []end{zonal(near), zonal(far), {}}, want: []string{"/", "/east", "/west"}},
		"one that is not ready is for nobody": {ends: []end{zonal(near), zonal(far), {gone: true}}, want: []string{"/east"}},
		"no hints":                            {ends: []end{{}, {}}, want: []string{"/"}},
		"a policy goes before":                {service: local, ends: []end{{"node-2", "east", false}, {"", "west", false}}, want: []string{"/west"}},
		"by a port of another node":           {ends: []end{near, beside, far}, address: nodeTwo, want: []string{next}},
	} {
		slice := sliceOf()
		for _, e := range tt.ends {
			ready := !e.gone
			next := discoveryv1.Endpoint{
				Addresses: []string{"10.244.0.9"}, Conditions: discoveryv1.EndpointConditions{Ready: &ready}, NodeName: new("node-1"),
				TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: e.node + "/" + e.zone},
			}
			if e.node != "" || e.zone != "" {
				next.Hints = &discoveryv1.EndpointHints{}
			}
			if e.node != "" {
				next.NodeName, next.Hints.ForNodes = new(e.node), []discoveryv1.ForNode{{Name: e.node}}
			}
			if e.zone != "" {
				next.Hints.ForZones = []discoveryv1.ForZone{{Name: e.zone}}
			}
			slice.Endpoints = append(slice.Endpoints, next)
		}
		if tt.service == nil {
			tt.service = s
		}
		l := Lookup{
			Service: func(at Subject) *corev1.Service {
				if at.Address == s.Spec.ClusterIP || at.NodePort == nodePort {
					return tt.service
				}
				return nil
			},
			Slices: func(string) []*discoveryv1.EndpointSlice { return []*discoveryv1.EndpointSlice{slice} },
			Node:   func(address string) string { return map[string]string{nodeTwo: "node-2"}[address] },
			OnNode: func(NodePort) []*corev1.Pod { return nil },
			Zone: func(node string) string {
				return map[string]string{"node-1": "east", "node-2": "east", "node-3": "west"}[node]
			},
			Peer:   func(Host) (*Peer, bool) { return nil, true },
			Silent: func(string) bool { return false },
		}
		q := kernel.Query{Kind: kernel.QueryTCP, Address: s.Spec.ClusterIP, Port: 8080}
		if tt.address != "" {
			q.Address, q.Port = tt.address, nodePort
		}
		client := Client{UID: "client", Address: podAddress, Node: "node-1", NodeAddress: nodeOne}
		o := Look([]kernel.Query{q}, client, l)
		var got []string
		for n := range 60 {
			client.number = n
			w, known := o.way(client, q)
			if !known || len(w.To) != 1 {
				t.Fatalf("%s: the way is %+v, known %v", name, w, known)
			}
			got = append(got, w.To[0].Host.Pod)
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, slices.Compact(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNearby_WaitsForTheZone: what was looked up by name alone does not tell the zone of the
// client's node.
func TestNearby_WaitsForTheZone(t *testing.T) {
	t.Parallel()
	slice := sliceOf("a")
	slice.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "east"}}}
	o := behindServices(service("default", "web", "10.96.0.20", nil), slice)
	q := kernel.Query{Kind: kernel.QueryTCP, Address: "10.96.0.20", Port: 8080}
	if w, known := o.way(Client{Node: "node-1"}, q); known {
		t.Errorf("the way is known: %+v", w)
	}
	o.Zones = map[string]string{"node-1": ""}
	if w, known := o.way(Client{Node: "node-1"}, q); !known || len(w.To) != 1 {
		t.Errorf("the way is %+v, known %v", w, known)
	}
}
