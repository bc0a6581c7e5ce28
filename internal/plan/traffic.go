package plan

import "fmt"

// Traffic is how requests of the planned object, a Pod, have gone since its last plan. It is
// written in the same transaction, under the same condition as Memory.
type Traffic struct {
	Service string // whom they were sent to, as namespace/name; empty where it was no Service
	Callee  string // the Pod that they came to, as namespace/name; empty for none
	Counts
}

// Counts are numbers of requests, by how they went. A connection that is opened counts as answered.
type Counts struct {
	Answered int64
	Failed   int64 // answered with an HTTP status of 500 or more
	Refused  int64 // nobody listened
	Lost     int64 // without an answer in time
}

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Answered, c.Failed, c.Refused, c.Lost = c.Answered+o.Answered, c.Failed+o.Failed, c.Refused+o.Refused, c.Lost+o.Lost
}

// String is what a plan says about the requests.
func (t Traffic) String() string {
	return fmt.Sprintf("tally service %q pod %q: %d answered, %d failed, %d refused, %d lost", t.Service, t.Callee, t.Answered, t.Failed, t.Refused, t.Lost)
}
