package cronjob

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/types"
)

// memory is what a sync stores for the next one: the schedule it saw, and when that schedule took
// effect.
type memory struct {
	Schedule string    `json:"schedule"` // a hash of the schedule and its time zone
	Since    time.Time `json:"since"`
}

// scheduleSince is when the CronJob's current schedule took effect: at its creation, or at the
// first sync that found it changed. It is stored.
func (l *look) scheduleSince() time.Time {
	spec := &l.CronJob.Spec
	is := memory{Schedule: spec.Schedule, Since: l.CronJob.CreationTimestamp.UTC()}
	if spec.TimeZone != nil {
		is.Schedule += "\n" + *spec.TimeZone
	}
	sum := sha256.Sum256([]byte(is.Schedule))
	is.Schedule = hex.EncodeToString(sum[:8])

	var was memory
	if json.Unmarshal(l.Memory, &was) == nil { // a memory that does not parse is not ours
		if was.Schedule == is.Schedule {
			return was.Since
		}
		is.Since = l.Now.UTC()
	}
	if encoded, err := json.Marshal(is); err == nil { // it fails only for years after 9999, which need not be stored
		l.plan.Memory = encoded
	}
	return is.Since
}

// uidOf is the uid of a CronJob's Job. The CronJob's version changes with each Job that it starts,
// so no two Jobs get the same uid.
func uidOf(cj *batchv1.CronJob, name string) types.UID {
	sum := sha256.Sum256([]byte(string(cj.UID) + "/" + name + "/" + cj.ResourceVersion))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made by a custom rule
	sum[8] = sum[8]&0x3f | 0x80
	text := hex.EncodeToString(sum[:16])
	return types.UID(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:])
}
