package cronjob

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	CronJob *batchv1.CronJob

	// Jobs are, in any order, the Jobs that the CronJob controls. Others are ignored.
	Jobs []*batchv1.Job

	// Memory is what the last sync stored, see Plan.Memory; nil if nothing.
	Memory []byte

	// StartLate starts the latest run even if more than 100 were missed, as upstream does.
	// Otherwise no run is started then.
	StartLate bool

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}
