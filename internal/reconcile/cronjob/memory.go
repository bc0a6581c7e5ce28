package cronjob

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/types"
)

// memory is what a look leaves to the next one: which schedule it saw, and since when that holds.
type memory struct {
	Schedule string    `json:"schedule"` // a hash of it and its time zone
	Since    time.Time `json:"since"`
}

// scheduleSince is when the CronJob's schedule became what it is: its creation, or the first look at which it was
// another than before. It is remembered.
func (l *look) scheduleSince() time.Time {
	spec := &l.CronJob.Spec
	is := memory{Schedule: spec.Schedule, Since: l.CronJob.CreationTimestamp.UTC()}
	if spec.TimeZone != nil {
		is.Schedule += "\n" + *spec.TimeZone
	}
	sum := sha256.Sum256([]byte(is.Schedule))
	is.Schedule = hex.EncodeToString(sum[:8])

	var was memory
	if json.Unmarshal(l.Memory, &was) == nil { // what does not parse was left by no look of ours
		if was.Schedule == is.Schedule {
			return was.Since
		}
		is.Since = l.Now.UTC()
	}
	if encoded, err := json.Marshal(is); err == nil { // it fails for years after 9999, which nobody needs to remember
		l.plan.Memory = encoded
	}
	return is.Since
}

// uidOf is the uid of a CronJob's Job. As the CronJob's version changes with each Job that it starts, no two Jobs get the
// same.
func uidOf(cj *batchv1.CronJob, name string) types.UID {
	sum := sha256.Sum256([]byte(string(cj.UID) + "/" + name + "/" + cj.ResourceVersion))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made by a rule of its own
	sum[8] = sum[8]&0x3f | 0x80
	text := hex.EncodeToString(sum[:16])
	return types.UID(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:])
}
