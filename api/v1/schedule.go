package v1

import "time"

// SchedulePath is where it is said when a CronJob's schedule is due.
const SchedulePath = Root + "/schedule"

// Schedule is when a schedule is due next.
type Schedule struct {
	Times []time.Time `json:"times" doc:"The next times, in order; fewer than asked for where no more come within five years."`
}
