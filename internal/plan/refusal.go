package plan

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Refusal is the applier's answer to a plan that it may not apply completely: a create (or a
// delete) was refused by quota, by admission, because its name is taken, or because its namespace
// is being terminated. The reconciler is called once more with the same snapshot and the Refusal in
// it. Its second plan replaces the first: it holds no more creates than were admitted, and reports
// in status and events what was refused. The next attempt, after a back-off, is made without a
// Refusal.
type Refusal struct {
	// Admitted counts the creates of the refused plan (or, if a delete was refused, the deletes)
	// that would have succeeded, from the first on.
	Admitted int

	Reason               metav1.StatusReason // as in the Status a client would get: Forbidden, AlreadyExists, Invalid, …
	NamespaceTerminating bool                // the Status has the cause NamespaceTerminating
	Message              string              // the Status' message, as kubectl prints it after "Error from server (…): "
}
