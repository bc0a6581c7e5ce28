package kubelet

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
)

// A request to another Pod is a call. The caller's sync posts it, and the caller's machine pauses
// at its question. The callee's next sync answers it after everything that its machine has done by
// then, in the order of the calls' times. Both Pods see the effects: the callee's log has the
// request, and what the request changes stays changed. The caller's next sync takes the answer, and
// the machine continues from its question. Whether a port accepts a connection, or an address
// answers a ping, leaves no trace and is answered at once.
//
// A server that makes calls while it serves answers later. The callee records that it has taken the
// call, and answers it in the sync in which its server does. Its machine does not pause at the
// questions of the server, so that two Pods, or a cycle of Pods, can call each other. A caller
// pauses for at most callCheck once its call is taken, and for at most callPause before; then its
// machine continues, and the process gets the answer when it arrives.

const (
	// callCheck is how often a caller checks whether its callee still exists. callPause is how long
	// its machine pauses for a callee that has not taken the call: if a replica dies, another finds
	// its work within a second, and needs time to do it. callWait is how long the caller waits for
	// an answer: a machine that computes without end may never answer.
	callCheck = time.Second
	callPause = 5 * time.Second
	callWait  = time.Minute

	// serveAhead is how far beyond the cluster's time a machine may run to serve requests, as long
	// as its programs compute.
	serveAhead = time.Second

	// mostMade is the maximum number of a Pod's unanswered calls. Further calls time out.
	mostMade = 100

	// callLatency is how long a call takes to reach its callee, and an answer to reach its caller.
	// So all calls made at the same instant have arrived when the first of them is answered,
	// regardless of who posted first.
	callLatency = time.Millisecond

	// serveSteps is how many steps answering a call costs.
	serveSteps = 100

	// mostQuery and mostAnswer are the maximum sizes of a question to another Pod and of its
	// answer, in encoded bytes.
	mostQuery  = 256 << 10
	mostAnswer = 2 << 20
)

// taken is the provisional answer to a call that a server holds: another will follow.
var taken = []byte{0}

// isTaken reports whether an answer is the provisional one.
func isTaken(answer []byte) bool { return bytes.Equal(answer, taken) }

// pending is the call that was made for a question; nil if none exists.
func (k *sync) pending(query int) *memory.Call {
	i := slices.IndexFunc(k.memory.Calls, func(c memory.Call) bool { return c.ID == query })
	if i < 0 {
		return nil
	}
	return &k.memory.Calls[i]
}

// callPeer posts the question to another Pod. known is true if it can be answered without that.
func (k *sync) callPeer(peer *corev1.Pod, q emulator.Query) (a emulator.Answer, known bool) {
	q.Told, q.Held = false, false
	encoded, err := json.Marshal(q)
	if err != nil {
		return emulator.Answer{Outcome: emulator.OutcomeRefused}, true // texts and numbers
	}
	if len(encoded) > mostQuery {
		return emulator.Answer{Status: 413, Header: []string{"Content-Type: text/plain", "Content-Length: 0"}}, true
	}
	if len(k.memory.Calls) >= mostMade {
		return emulator.Answer{Outcome: emulator.OutcomeTimeout}, true
	}
	c := memory.Call{
		ID: q.ID, Callee: peer.UID, At: k.runtime.Now().Truncate(time.Microsecond).UTC(), Posted: k.Now,
		Route: k.traffic.Route(q.ID), Port: q.Port, From: q.From,
	}
	k.memory.Calls = append(k.memory.Calls, c)
	k.calls = append(k.calls, plan.Call{Caller: k.Pod.UID, Callee: c.Callee, Number: c.ID, At: c.At, Due: k.arrival(), Query: encoded})
	return a, false
}

// patience returns how long the machine pauses for the answer to a call.
func (k *sync) patience(c *memory.Call) time.Duration {
	if posted := k.posted(c); posted != nil && isTaken(posted.Answer) {
		return callCheck
	}
	return callPause
}

// posted returns the stored call; nil if it no longer exists.
func (k *sync) posted(c *memory.Call) *plan.Call {
	i := slices.IndexFunc(k.Calls, func(posted plan.Call) bool {
		return posted.Caller == k.Pod.UID && posted.Number == c.ID && posted.At.Equal(c.At)
	})
	if i < 0 {
		return nil
	}
	return &k.Calls[i]
}

// pickUp is the answer to a call. It is unknown until the answer exists; if the call no longer
// exists, it is posted again.
func (k *sync) pickUp(c *memory.Call, q emulator.Query) (a emulator.Answer, known bool) {
	posted := k.posted(c)
	k.traffic.Note(q.ID, c.Route.Service, c.Route.Pod)
	var answer []byte
	if posted != nil {
		answer = posted.Answer
	}
	a.Outcome = emulator.OutcomeTimeout
	switch {
	case answer != nil && posted.Due.After(k.moment()):
		return emulator.Answer{}, false // it is on its way
	case len(answer) > 0 && !isTaken(answer):
		a = emulator.Answer{}
		if json.Unmarshal(answer, &a) != nil {
			a = emulator.Answer{Outcome: emulator.OutcomeTimeout}
		}
	case answer != nil && len(answer) == 0, k.Outside.Cut[c.Callee], !k.Now.Before(c.Posted.Add(callWait)):
	case k.Outside.Gone[c.Callee]:
		if isTaken(answer) {
			a.Outcome = emulator.OutcomeReset
		}
	case posted == nil:
		return k.callAgain(*c, q)
	default:
		return emulator.Answer{}, false
	}
	k.forgetCall(q.ID)
	return a, true
}

// callAgain posts a call that no longer exists, for example after a snapshot was loaded. It has the
// same time, so that a callee that holds it recognizes it.
func (k *sync) callAgain(c memory.Call, q emulator.Query) (a emulator.Answer, known bool) {
	callee := &corev1.Pod{}
	callee.UID = c.Callee
	k.forgetCall(q.ID)
	if c.Port != 0 {
		q.Port, q.From = c.Port, c.From
	}
	if a, known = k.callPeer(callee, q); !known {
		k.memory.Calls[len(k.memory.Calls)-1].At, k.calls[len(k.calls)-1].At = c.At, c.At
	}
	return a, known
}

func (k *sync) forgetCall(query int) {
	k.memory.Calls = slices.DeleteFunc(k.memory.Calls, func(c memory.Call) bool { return c.ID == query })
	k.touched = true
}

// receive takes the answers to calls whose questions no longer pause the machine, and forgets calls
// that no process waits for.
func (k *sync) receive() {
	received := false
	if k.behind {
		return
	}
	for _, c := range slices.Clone(k.memory.Calls) {
		q, asked := k.runtime.Query(c.ID)
		switch {
		case !asked:
			k.forgetCall(c.ID)
		case q.Held && k.Outside != nil:
			if a, known := k.pickUp(&c, q); known {
				k.traffic.Count(q, a)
				_ = k.runtime.Answer(later(k.now.Time, k.runtime.Now()), q.ID, a) // the question is waiting for it
				received = true
			}
		}
	}
	if received {
		k.carryOn()
	}
}

// serve answers the calls that wait for the Pod. It does so even if the Pod's own machine is paused
// at a question to another Pod, because that Pod may be waiting for this one, and if the machine's
// programs compute without end. If the machine lags behind for another reason, a later sync answers
// them.
func (k *sync) serve() {
	if k.behind && !k.awaiting && k.share() < memory.BacklogSteps || !slices.ContainsFunc(k.Calls, k.isToAnswer) {
		return
	}
	server := k.server()
	for _, c := range k.Calls {
		if !k.isToAnswer(c) {
			continue
		}
		if k.holds(c) {
			k.noteTaken(c)
			continue
		}
		var q emulator.Query
		a := emulator.Answer{Outcome: emulator.OutcomeRefused}
		if json.Unmarshal(c.Query, &q) == nil {
			at := c.At
			if latest := k.now.Add(instant); at.After(latest) {
				at = latest
			}
			if k.behind {
				at = server.Now() // what is due in it comes first, when it continues
			}
			a = server.Receive(at, q) // now, if the machine is already beyond that time
		}
		k.spent += serveSteps
		if a.Later != 0 && server == k.runtime {
			k.take(c, a.Later)
			continue
		} else if a.Later != 0 {
			a = emulator.Answer{Outcome: emulator.OutcomeReset} // the Pod is stopping
		}
		k.reply(c, a)
	}
	k.touched = true
	if !k.behind || k.awaiting {
		k.behind, k.awaiting = false, false
		k.carryOn()
	}
}

// take records that a server holds the call.
func (k *sync) take(c plan.Call, request int) {
	k.memory.Served = append(k.memory.Served, memory.Held{Request: request, Caller: c.Caller, Number: c.Number, At: c.At})
	k.noteTaken(c)
}

func (k *sync) noteTaken(c plan.Call) {
	c.Query, c.Answer, c.Due = nil, taken, k.arrival()
	k.calls = append(k.calls, c)
}

// holds reports whether a server has already taken the call, which was then posted again.
func (k *sync) holds(c plan.Call) bool {
	return slices.ContainsFunc(k.memory.Served, func(h memory.Held) bool { return h.Caller == c.Caller && h.Number == c.Number && h.At.Equal(c.At) })
}

// respond answers the calls that servers held and have now answered.
func (k *sync) respond() {
	k.memory.Served = slices.DeleteFunc(k.memory.Served, func(h memory.Held) bool {
		a, done := k.runtime.Reply(h.Request)
		if done {
			k.touched = true
			k.reply(plan.Call{Caller: h.Caller, Callee: k.Pod.UID, Number: h.Number, At: h.At}, a)
		}
		return done
	})
}

// arrival is when what this sync posts or answers reaches the other end. It is at once while the
// clock is stopped, because otherwise nothing would arrive.
func (k *sync) arrival() time.Time {
	if k.Still {
		return k.moment()
	}
	return k.moment().Add(callLatency)
}

// moment is the time of the sync, in microseconds.
func (k *sync) moment() time.Time { return later(k.Now, k.Moment) }

// isToAnswer reports whether a call has reached the Pod and its query is complete.
func (k *sync) isToAnswer(c plan.Call) bool {
	return c.Callee == k.Pod.UID && c.Answer == nil && len(c.Query) > 0 && !c.Due.After(k.moment())
}

func (k *sync) reply(c plan.Call, a emulator.Answer) {
	encoded, err := json.Marshal(a)
	if err != nil || len(encoded) > mostAnswer {
		encoded = []byte{} // there is no answer
	}
	c.Query, c.Answer, c.Due = nil, encoded, k.arrival()
	k.calls = slices.DeleteFunc(k.calls, func(o plan.Call) bool { return o.Caller == c.Caller && o.Number == c.Number && isTaken(o.Answer) })
	k.calls = append(k.calls, c)
}

// server is the machine that answers calls: the Pod's. A Pod in closed form gets one that is
// derived from its status and kept from then on. Differs: while the Pod stops, a copy answers, so
// that its log lacks the requests of that time.
func (k *sync) server() emulator.Runtime {
	if m, ok := k.runtime.(emulator.Machine); ok {
		return m
	}
	m := Machine(k.Snapshot)
	m.SetMaker(k.signer.Sign)
	until := k.now.Add(instant)
	for steps := int64(derivedSteps); steps > 0; m.Take() { // the closed form has already reported what has happened by now
		stop := m.Run(until, steps)
		k.spent += stop.Steps
		if stop.Kind != emulator.StopNews {
			break
		}
		steps -= max(stop.Steps, 1)
	}
	if k.todo.Kind == action.Run && !k.restartsToResize() {
		k.runtime = m
	}
	return m
}

// restartsToResize reports whether a container must be restarted for other resources.
func (k *sync) restartsToResize() bool {
	for i := range k.containers {
		if k.awaitsRestart(&k.containers[i]) {
			return true
		}
	}
	return false
}

// hangUp removes the calls that the Pod has made and no longer waits for.
func (k *sync) hangUp() {
	for _, c := range k.Calls {
		if c.Caller != k.Pod.UID {
			continue
		}
		if p := k.pending(c.Number); p == nil || !p.At.Equal(c.At) {
			k.calls = append(k.calls, plan.Call{Caller: c.Caller, Callee: c.Callee, Number: c.Number, At: c.At, Removed: true})
		}
	}
}

// refuseAll refuses calls to a Pod that has ended.
func refuseAll(s Snapshot) plan.Plan {
	k := sync{Snapshot: s}
	for _, c := range s.Calls {
		if k.isToAnswer(c) {
			k.reply(c, emulator.Answer{Outcome: emulator.OutcomeRefused})
		}
	}
	p := plan.Plan{Calls: k.calls}
	if s.MoreCalls && len(p.Calls) > 0 {
		p.WakeAt = s.Now
	}
	return p
}
