package plan

import "fmt"

// Traffic is the outcomes of requests of the planned object, a Pod, since its last plan. It is
// written in the same transaction, under the same condition as Memory.
type Traffic struct {
	Service string // the Service that they were sent to, as namespace/name; empty for none
	Callee  string // the Pod that they reached, as namespace/name; empty for none
	Counts
}

// Counts are numbers of requests by outcome. A connection that is opened counts as answered.
type Counts struct {
	Answered int64
	Failed   int64 // answered with an HTTP status of 500 or more
	Refused  int64 // nothing listened
	Lost     int64 // no answer in time
}

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Answered, c.Failed, c.Refused, c.Lost = c.Answered+o.Answered, c.Failed+o.Failed, c.Refused+o.Refused, c.Lost+o.Lost
}

// String describes the requests in a plan.
func (t Traffic) String() string {
	return fmt.Sprintf("tally service %q pod %q: %d answered, %d failed, %d refused, %d lost", t.Service, t.Callee, t.Answered, t.Failed, t.Refused, t.Lost)
}
