package cronjob

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// memory is what a sync stores for the next one: the schedule it saw, and when that schedule took
// effect.
type memory struct {
	Schedule string    `json:"schedule"` // a hash of the schedule and its time zone
	Since    time.Time `json:"since"`
}

// scheduleSince is when the CronJob's current schedule took effect: at its creation, or at the
// first sync that found it changed. It is stored.
func (y *sync) scheduleSince() time.Time {
	spec := &y.CronJob.Spec
	is := memory{Schedule: spec.Schedule, Since: y.CronJob.CreationTimestamp.UTC()}
	if spec.TimeZone != nil {
		is.Schedule += "\n" + *spec.TimeZone
	}
	sum := sha256.Sum256([]byte(is.Schedule))
	is.Schedule = hex.EncodeToString(sum[:8])

	var was memory
	if json.Unmarshal(y.Memory, &was) == nil { // a memory that does not parse is not ours
		if was.Schedule == is.Schedule {
			return was.Since
		}
		is.Since = y.Now.UTC()
	}
	if encoded, err := json.Marshal(is); err == nil { // it fails only for years after 9999, which need not be stored
		y.plan.Memory = encoded
	}
	return is.Since
}
