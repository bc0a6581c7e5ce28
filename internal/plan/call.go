package plan

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// APIServer stands for the API server where a Pod calls it. No object has this uid.
const APIServer types.UID = "00000000-0000-0000-0000-0000000000a9"

// Call is a request of a process in one Pod to another Pod, or to the API server. A plan for the
// caller posts it, or removes it once there is an answer or nobody waits for one; a plan for the
// callee answers it. Whoever is at the other end is woken, but not by a removal.
type Call struct {
	Caller, Callee types.UID

	Number int       // of the question in the caller's machine
	At     time.Time // when it was asked, in microseconds

	// Query and Answer are as the kubelet encodes them. An Answer is nil as long as there is none; one that is empty, but not nil, says
	// that there will be none.
	Query, Answer []byte

	// Due is when it reaches the other end: the callee as long as there is no answer, then the caller.
	Due time.Time

	Removed bool
}

// String says what a plan does with the call.
func (c Call) String() string {
	switch {
	case c.Removed:
		return fmt.Sprintf("remove call %d to %s", c.Number, c.Callee)
	case c.Answer != nil:
		return fmt.Sprintf("answer call %d of %s", c.Number, c.Caller)
	}
	return fmt.Sprintf("post call %d to %s", c.Number, c.Callee)
}
