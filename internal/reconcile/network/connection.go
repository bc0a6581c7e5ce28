package network

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// Client is a Pod as it opens a connection. No two connections of a Pod have the same number.
type Client struct {
	UID, Address, Node string
	NodeAddress        string
	OnHost             bool // it uses its node's network

	// Affinity are the endpoints that its connections stay with, the most recently used last.
	Affinity []Affinity

	number int
}

// ClientOf is the Pod as a client.
func ClientOf(pod *corev1.Pod) Client {
	return Client{UID: string(pod.UID), Address: pod.Status.PodIP, Node: pod.Spec.NodeName, NodeAddress: pod.Status.HostIP, OnHost: pod.Spec.HostNetwork}
}

// IsElsewhere reports whether the host in a probe or a hook of the Pod is not the Pod. The node
// makes the request, so localhost is the Pod only if the Pod uses the node's network.
func (c Client) IsElsewhere(host string) bool {
	if c.OnHost && (host == "localhost" || IsLoopback(host) || host == c.NodeAddress) {
		return false
	}
	return host != c.Address
}

// Opens is the client, or its node, as it opens the connection of a question.
func (c Client) Opens(q emulator.Query) Client {
	if c.number = q.ID; q.Node {
		c.Address, c.OnHost, c.Affinity = c.NodeAddress, true, nil
	}
	return c
}

// Affinity means that a client's connections to a port of a Service go to an endpoint.
type Affinity struct {
	Port string    `json:"port"` // NAMESPACE/SERVICE:NAME
	Host Host      `json:"host"`
	Last time.Time `json:"last"` // when the last connection was opened
}

// mostAffinities is the maximum number of Service ports for which a client keeps an affinity.
const mostAffinities = 32

// alone is the client without affinities.
func (c Client) alone() Client {
	c.Affinity = nil
	return c
}

// stuck is the endpoint of the client's affinity; false if it has none or the endpoint is gone.
func (c Client) stuck(port string, among []Destination) (Destination, bool) {
	for _, a := range c.Affinity {
		if i := slices.IndexFunc(among, func(d Destination) bool { return d.Host == a.Host }); a.Port == port && i >= 0 {
			return among[i], true
		}
	}
	return Destination{}, false
}

// loosen ends the affinity that leads a connection this way, if its last connection was too long
// ago. It reports whether it did.
func (c *Client) loosen(w Way, now time.Time) (loosened bool) {
	old := now.Add(-time.Duration(w.until) * time.Second)
	before := len(c.Affinity)
	c.Affinity = slices.DeleteFunc(c.Affinity, func(a Affinity) bool { return a.Port == w.Sticks && a.Last.Before(old) })
	return len(c.Affinity) < before
}

// stick records the client's affinity to an endpoint.
func (c *Client) stick(w Way, now time.Time) {
	c.Affinity = slices.DeleteFunc(c.Affinity, func(a Affinity) bool { return a.Port == w.Sticks })
	c.Affinity = append(c.Affinity, Affinity{Port: w.Sticks, Host: w.To[0].Host, Last: now})
	c.Affinity = c.Affinity[max(0, len(c.Affinity)-mostAffinities):]
}

// Way is the route of a connection, by its address and port.
type Way struct {
	To      []Destination    // the candidates: the first that listens takes it
	Outcome emulator.Outcome // why it fails; OutcomeOK if a host may take it
	Own     *emulator.Answer // the answer of a node itself; nil if it does not answer
	Service string           // the Service whose address or port it is, as namespace/name; "" if none

	From   string // the address that the connection appears to come from; "" for the client's
	Sticks string // the port of a Service with session affinity for this client; "" if none

	until int32 // how many seconds without a connection end the affinity
}

// Destination is a host and its port.
type Destination struct {
	Host Host
	Port int
}

func nowhere(why emulator.Outcome) (Way, bool) { return Way{Outcome: why}, true }
