// Package schedule reads the schedules of CronJobs and says when they are due. It is the one place that knows of
// robfig/cron: validation refuses what it cannot read, and the CronJob reconciler asks it for the times.
//
// Everything here is bounded, whatever a client wrote: the parser's panics are errors, dates that never come (30
// February) are never due, and counting stops at a limit. Time zones come with the binary, so that every replica has the
// same ones.
package schedule

import (
	"fmt"
	"sync"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"github.com/robfig/cron/v3"
)

// Many is how many missed times are too many to count. See Due.Missed.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, mostRecentScheduleTime
const Many = 100

// begin is before what no schedule is looked up. On 30 December 2011 and on a few dates before, a zone moved across the
// date line and left out a day, which the library, adding one day to another, never gets past. No zone has since.
var begin = time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)

// end is after what no schedule is looked up: the last year that an object can name.
var end = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Schedule says when something is due. The zero Schedule never is.
type Schedule struct{ cron cron.Schedule }

// Parse reads five fields ("*/5 * * * *") or a macro ("@hourly", "@every 90m"), whose times are in the zone; nil stands
// for UTC.
//
// Source: kubernetes v1.36 pkg/util/parsers/parsers.go, ParseCronScheduleWithPanicRecovery
//
// Differs: without a zone upstream takes that of the controller's machine. Replicas may stand in several.
func Parse(text string, zone *time.Location) (s Schedule, err error) {
	defer func() {
		if r := recover(); r != nil { // "TZ=0" is one that the library panics on
			s, err = Schedule{}, fmt.Errorf("invalid schedule format: %v", r)
		}
	}()
	parsed, err := cron.ParseStandard(text)
	if err != nil {
		return Schedule{}, err //nolint:wrapcheck // its text is what clients of Kubernetes know
	}
	if fields, ok := parsed.(*cron.SpecSchedule); ok {
		fields.Location = time.UTC
		if zone != nil {
			fields.Location = zone
		}
	}
	return Schedule{parsed}, nil
}

// zones are those that have been read, by name. There are as many as the zone database has.
var zones sync.Map

// Zone finds a time zone by its name, "Europe/Lisbon".
func Zone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, err //nolint:wrapcheck // its text is what clients of Kubernetes know
	}
	zones.Store(name, zone)
	return zone, nil
}

// Due is what a schedule comes to in a span of time.
type Due struct {
	Latest time.Time // the last time in the span; zero if there is none
	Missed int       // how many times there are in the span, Many+1 for all numbers above Many
	Next   time.Time // the first time after the span; zero if none comes within five years
}

// Between looks at the times after one moment, up to another and with it. since is when the schedule last ran or began:
// what is due "@every 90m" is so from then. after is not before it.
//
// A worked example: "0 * * * *" after 08:29 up to 10:21 was due twice, at 10:00 last, and is next at 11:00.
//
// Differs: upstream guesses how many times there are from the distance of the first two, and takes the limits of
// startingDeadlineSeconds for the beginning of "@every".
func (s Schedule) Between(since, after, now time.Time) Due {
	since, after, now = within(since), within(after), within(now)
	switch times := s.cron.(type) {
	case nil:
		return Due{}
	case cron.ConstantDelaySchedule:
		return every(times.Delay, since, after, now)
	}
	return s.fields(after, now)
}

// fields is Between for five fields.
func (s Schedule) fields(after, now time.Time) Due {
	var d Due
	for d.Next = s.cron.Next(after); !d.Next.IsZero() && !d.Next.After(now); d.Next = s.cron.Next(d.Next) {
		d.Latest = d.Next
		if d.Missed++; d.Missed > Many {
			d.Latest = s.latest(d.Latest, now)
			d.Next = s.cron.Next(d.Latest)
			return d
		}
	}
	return d
}

// latest is the last time up to now, where due is one. It halves the span in between until that is short.
func (s Schedule) latest(due, now time.Time) time.Time {
	for end := now; end.Sub(due) > time.Minute; {
		middle := due.Add(end.Sub(due) / 2)
		if next := s.cron.Next(middle); !next.IsZero() && !next.After(now) {
			due = next
		} else {
			end = middle
		}
	}
	for next := s.cron.Next(due); !next.IsZero() && !next.After(now); next = s.cron.Next(due) {
		due = next
	}
	return due
}

// every is Between for a constant distance of times.
func every(delay time.Duration, since, after, now time.Time) Due {
	number := func(t time.Time) int64 { return max(0, int64(t.Sub(since)/delay)) }
	last, before := number(now), number(after)
	latest := since.Add(time.Duration(last) * delay)
	d := Due{Missed: int(min(last-before, Many+1)), Next: latest.Add(delay)}
	if last > before {
		d.Latest = latest
	}
	return d
}

// within is the time of all that can be looked up which is nearest to t.
func within(t time.Time) time.Time {
	switch {
	case t.Before(begin):
		return begin
	case t.After(end):
		return end
	}
	return t
}
