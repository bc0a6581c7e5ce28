package plan

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// APIServer stands for the API server in calls by Pods. No object has this uid.
const APIServer types.UID = "00000000-0000-0000-0000-0000000000a9"

// Call is a request of a process in one Pod to another Pod, or to the API server. A plan for the
// caller posts it, or removes it once it is answered or nothing waits for the answer; a plan for
// the callee answers it. The Pod at the other end is woken, but not by a removal.
type Call struct {
	Caller, Callee types.UID

	Number int       // the request's number in the caller's machine
	At     time.Time // when it was made, in microseconds

	// Query and Answer are as the kubelet encodes them. Answer is nil while there is none; empty
	// but not nil means that there will be none.
	Query, Answer []byte

	// Due is when the call reaches the other end: the callee until it is answered, then the caller.
	Due time.Time

	Removed bool
}

// String describes what a plan does with the call.
func (c Call) String() string {
	switch {
	case c.Removed:
		return fmt.Sprintf("remove call %d to %s", c.Number, c.Callee)
	case c.Answer != nil:
		return fmt.Sprintf("answer call %d of %s", c.Number, c.Caller)
	}
	return fmt.Sprintf("post call %d to %s", c.Number, c.Callee)
}
