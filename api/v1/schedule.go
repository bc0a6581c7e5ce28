package v1

import "time"

// SchedulePath returns the times of a CronJob's schedule.
const SchedulePath = Root + "/schedule"

// Schedule is the next times of a schedule.
type Schedule struct {
	Times []time.Time `json:"times" doc:"The next times, in order; fewer than requested if no more follow within five years."`
}
