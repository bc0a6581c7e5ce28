package plan

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Refusal is how the applier answers a plan that it may not apply whole: a create (or a delete) was turned down by
// quota, by admission, because its name is taken, or because its namespace is being terminated. The reconciler is
// asked once more with the same snapshot and the Refusal in it. The plan it then gives stands in for the first one:
// it holds no more creates than were admitted, and says in status and events what was refused. The next attempt,
// after a back-off, is made without a Refusal.
type Refusal struct {
	// Admitted counts the creates of the refused plan (or, where a delete was refused, the deletes) that would
	// have gone through, from the first on.
	Admitted int

	Reason               metav1.StatusReason // as in the Status a client would get: Forbidden, AlreadyExists, Invalid, …
	NamespaceTerminating bool                // the Status has the cause NamespaceTerminating
	Message              string              // the Status' message, as kubectl prints it behind "Error from server (…): "
}
