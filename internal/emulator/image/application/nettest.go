package application

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/program"
)

const (
	// nettestRounds is how often all peers are contacted, nettestPause the least time between two
	// rounds, and nettestWait how long to wait for the peers.
	nettestRounds = 15
	nettestPause  = 5 * time.Second
	nettestWait   = 5 * time.Minute

	// mostNoted bounds what it keeps of each sort.
	mostNoted = 500
)

// Nettest is agnhost's nettest: a server that reports which peers have contacted it, and contacts
// all Pods of its Service.
//
// Source: kubernetes v1.36 test/images/agnhost/nettest/nettest.go
// Differs: it learns its peers without permissions in the API, and does not ask for the API's
// version. It keeps mostNoted hosts and errors.
type Nettest struct {
	Begun  bool    `json:",omitempty"`
	Ending *Ending `json:",omitempty"`
	State  NettestState

	Start  time.Duration  `json:",omitempty"` // in kernel time, like the next ones
	Again  time.Duration  `json:",omitempty"`
	Asked  bool           `json:",omitempty"` // the query for the peers is under way
	Rounds int            `json:",omitempty"` // started rounds
	Peers  kernel.Texts   `json:",omitempty"` // still to be contacted in this round
	Post   *program.GoGet `json:",omitempty"`
}

// NettestState is nettest's report.
type NettestState struct {
	Hostname             string
	Sent, Received       map[string]int
	Errors, Log          kernel.Texts
	StillContactingPeers bool
}

// Step implements kernel.Program.
func (n *Nettest) Step(p *kernel.Process) kernel.Wait {
	if !n.Begun {
		n.Begun, n.Start = true, p.Since()
		n.State.Hostname, n.State.StillContactingPeers = p.Hostname(), true
		p.Handle(kernel.SIGTERM)
	}
	if _, ok := p.TakeSignal(); ok && n.Ending == nil {
		delay := number(p.Args, "delay-shutdown", 0)
		if delay <= 0 {
			return kernel.Done(goTermCode)
		}
		logGo(p, fmt.Sprintf("Sleeping %d seconds before exit ...", delay))
		n.Ending = &Ending{At: p.In(time.Duration(min(delay, 1<<20)) * time.Second)}
	}
	if n.Ending != nil && n.Ending.At <= p.Since() {
		return kernel.Done(n.Ending.Code)
	}
	w := kernel.Wait{For: kernel.Signals}
	if n.State.StillContactingPeers {
		w = n.contact(p)
	}
	if w.Interruptible = true; n.Ending != nil && (w.Until == 0 || n.Ending.At < w.Until) {
		w.Until = n.Ending.At
	}
	return w
}

func (*Nettest) service(p *kernel.Process) string {
	return flag(p.Args, "namespace", "default") + "/" + flag(p.Args, "service", "nettest")
}

// contact continues with the peers: it waits until there are enough, and then posts to each of
// them, round by round.
func (n *Nettest) contact(p *kernel.Process) kernel.Wait {
	for {
		if len(n.Peers) > 0 {
			if w, done := n.post(p); !done {
				return w
			}
			continue
		}
		if p.Since() < n.Again {
			return kernel.Wait{For: kernel.Time, Until: n.Again}
		}
		if n.Rounds == nettestRounds {
			n.State.StillContactingPeers = false
			return kernel.Wait{For: kernel.Signals}
		}
		if !n.Asked {
			n.Asked = true
			return p.Ask(kernel.Query{Kind: kernel.QueryPeers, Name: kernel.Text(n.service(p))})
		}
		a := p.Answer()
		if a == nil {
			return kernel.Wait{For: kernel.Answered}
		}
		n.found(p, a)
	}
}

// found takes the list of peers.
func (n *Nettest) found(p *kernel.Process, a *kernel.Answer) {
	want := number(p.Args, "peers", 8)
	n.Asked, n.Again = false, p.In(max(nettestPause, time.Duration(min(want, 1<<20)/10)*time.Second))
	switch {
	case a.Outcome != kernel.OutcomeOK:
		n.log("Unable to read the endpoints for %s: endpoints %q not found.", n.service(p), flag(p.Args, "service", "nettest"))
	case n.Rounds == 0 && len(a.Addresses) < want:
		n.log("%s has %d endpoints (%v), which is less than %d as expected. Waiting for all endpoints to come up.", n.service(p), len(a.Addresses), a.Addresses, want)
	}
	if n.Rounds == 0 && len(a.Addresses) < want && p.Since() < n.Start+nettestWait {
		return
	}
	n.Rounds++
	n.Peers = a.Addresses
}

// post posts to the first of the peers. Until that has an answer, done is false and w is what to
// wait for.
func (n *Nettest) post(p *kernel.Process) (w kernel.Wait, done bool) {
	to := "http://" + n.Peers[0]
	if n.Post == nil {
		n.log("Attempting to contact %s", to)
		text, _ := json.Marshal(map[string]string{"Dest": to, "Source": n.State.Hostname}) // strings are always valid
		n.Post = program.NewGoGet(to+"/write", dialTimeout)
		n.Post.Method, n.Post.Body = "POST", kernel.Text(text)
		n.Post.Header = append(n.Post.Header, "Content-Type: application/json")
	}
	body, failure, w, done := n.Post.Next(p)
	if !done {
		return w, false
	}
	n.Peers, n.Post = n.Peers[1:], nil
	if failure != "" {
		n.log("Warning: unable to contact the endpoint %q: %s", to, failure)
		return w, true
	}
	var answer struct{ Hostname string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		n.log("Warning: unable to unmarshal response (%v) from '%v': '%v'", body, to, err)
		return w, true
	}
	count(&n.State.Sent, answer.Hostname)
	return w, true
}

// count adds one under a name. It keeps at most mostNoted names.
func count(names *map[string]int, name string) {
	if *names == nil {
		*names = map[string]int{}
	}
	if _, known := (*names)[name]; known || len(*names) < mostNoted {
		(*names)[name]++
	}
}

func (n *Nettest) log(format string, args ...any) {
	n.State.Log = append(n.State.Log, fmt.Sprintf(format, args...))
	if len(n.State.Log) > mostNoted {
		n.State.Log = n.State.Log[1:]
	}
}

func (n *Nettest) failed(why string) {
	if len(n.State.Errors) < mostNoted {
		n.State.Errors = append(n.State.Errors, why)
	}
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (n *Nettest) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	if !n.Begun || q.Port != number(p.Args, "port", 8080) {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	if a, done := connected(q, false); done {
		return a
	}
	path, _, _ := strings.Cut(string(q.Path), "?")
	switch path {
	case "/quit":
		n.Ending = &Ending{At: p.Since()}
		return kernel.Answer{Outcome: kernel.OutcomeReset}
	case "/read":
		text, _ := json.MarshalIndent(n.State, "", "\t") // strings and numbers are always valid
		return respond(200, "", string(text))
	case "/write":
		return n.write(q)
	case "/status":
		return respond(200, "", n.status(p))
	}
	return respond(404, "", "404 page not found\n")
}

// write records the peer that has posted.
func (n *Nettest) write(q kernel.Query) kernel.Answer {
	var word struct{ Source string }
	if err := json.NewDecoder(strings.NewReader(string(q.Body))).Decode(&word); err != nil {
		n.failed(err.Error())
	}
	if word.Source == "" {
		n.failed(n.State.Hostname + ": Got request with no source")
	} else {
		count(&n.State.Received, word.Source)
	}
	text, _ := json.Marshal(map[string]string{"Hostname": n.State.Hostname}) // strings are always valid
	return respond(200, "", string(text)+"\n")
}

func (n *Nettest) status(p *kernel.Process) string {
	want := number(p.Args, "peers", 8)
	switch {
	case len(n.State.Sent) >= want && len(n.State.Received) >= want:
		return "pass"
	case n.State.StillContactingPeers:
		return "running"
	}
	n.log("Declaring failure for %s with %d sent and %d received and %d peers", n.service(p), len(n.State.Sent), len(n.State.Received), want)
	return "fail"
}

func init() {
	kernel.Register("nettest", &Nettest{})
}
