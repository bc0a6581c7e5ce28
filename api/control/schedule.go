package control

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/schedule"
)

type askSchedule struct {
	Schedule string    `query:"schedule" required:"true" doc:"As in a CronJob: \"*/5 * * * *\", \"@hourly\", \"@every 90m\"."`
	TimeZone string    `query:"timeZone" doc:"As in a CronJob: Europe/Lisbon; default UTC."`
	After    time.Time `query:"after" doc:"Only times after this one; default is the cluster time."`
	Since    time.Time `query:"since" doc:"The last run or the creation time, from which \"@every\" counts; default is the value of after."`
	Count    int       `query:"count" default:"10" minimum:"0" maximum:"100" doc:"The number of times to return; default 10, at most 100."`
	times    schedule.Schedule
}

// Resolve implements huma.Resolver. It parses the schedule.
func (in *askSchedule) Resolve(huma.Context) []error {
	zone := time.UTC
	if in.TimeZone != "" {
		found, err := schedule.Zone(in.TimeZone)
		if err != nil {
			return []error{wrong(field.Invalid(field.NewPath("timeZone"), in.TimeZone, err.Error()))}
		}
		zone = found
	}
	var err error
	if in.times, err = schedule.Parse(in.Schedule, zone); err != nil {
		return []error{wrong(field.Invalid(field.NewPath("schedule"), in.Schedule, err.Error()))}
	}
	return nil
}

func (s *Server) scheduleOperation(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.SchedulePath, OperationID: "getRowlockV1Schedule", Summary: "Calculate the next times of a schedule",
		Description: "Calculates when a CronJob with this schedule would run. No CronJob is read or created.",
	}, s.schedule)
}

func (s *Server) schedule(_ context.Context, in *askSchedule) (v1.Schedule, error) {
	after := in.After
	if after.IsZero() {
		after = s.now()
	}
	since := in.Since
	if since.IsZero() {
		since = after
	}
	return v1.Schedule{Times: next(in.times, since, after, in.Count)}, nil
}

// next returns the first count times of a schedule after a given time.
func next(times schedule.Schedule, since, after time.Time, count int) []time.Time {
	out := []time.Time{}
	for t := after; len(out) < count; {
		due := times.Between(since, t, t)
		if due.Next.IsZero() || !due.Next.After(t) {
			break
		}
		t = due.Next
		out = append(out, t.UTC())
	}
	return out
}
