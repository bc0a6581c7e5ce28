// Package schedule parses the schedules of CronJobs and computes when they are due. Only this
// package uses robfig/cron: validation refuses what it cannot parse, and the CronJob reconciler
// gets the times from it.
//
// All work is bounded, whatever a client wrote: the parser's panics become errors, dates that never
// come (30 February) are never due, and counting stops at a limit. The time zone database is
// compiled in, so that every replica has the same one.
package schedule

import (
	"fmt"
	"sync"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"github.com/robfig/cron/v3"
)

// Many is the number of missed times above which Between stops counting. See Due.Missed.
//
// Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, mostRecentScheduleTime
const Many = 100

// begin is the earliest time for which Between evaluates a schedule. On 30 December 2011 and on a
// few earlier dates, a zone moved across the date line and skipped a day; the library, which adds
// one day to another, never gets past it. No zone has done so since.
var begin = time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)

// end is the latest time for which Between evaluates a schedule: the last year that an object can
// name.
var end = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Schedule says when something is due. The zero Schedule is never due.
type Schedule struct{ cron cron.Schedule }

// Parse parses five fields ("*/5 * * * *") or a macro ("@hourly", "@every 90m"). Times are in the
// zone; nil means UTC.
//
// Source: kubernetes v1.36 pkg/util/parsers/parsers.go, ParseCronScheduleWithPanicRecovery
//
// Differs: without a zone, upstream uses that of the controller's machine. Rowlock's replicas may
// run in several zones.
func Parse(text string, zone *time.Location) (s Schedule, err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on "TZ=0"
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

// zones caches loaded zones by name. It holds at most as many as the zone database.
var zones sync.Map

// Zone returns the time zone of a name such as "Europe/Lisbon".
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

// Due describes when a schedule is due in and after a span of time.
type Due struct {
	Latest time.Time // the last time in the span; zero for none
	Missed int       // how many times there are in the span; Many+1 if more than Many
	Next   time.Time // the first time after the span; zero if none comes within five years
}

// Between describes the times after one moment, up to and including another. since is when the
// schedule last ran or began: "@every 90m" counts from it. after must not be before since.
//
// A worked example: "0 * * * *" after 08:29 up to 10:21 was due twice, at 10:00 last, and is next
// at 11:00.
//
// Differs: upstream estimates the number of times from the distance of the first two, and counts
// "@every" from the start of the startingDeadlineSeconds window.
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

// fields implements Between for a schedule of five fields.
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

// latest returns the last time up to now; due is a time known to be one. It bisects the span in
// between until that is short.
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

// every implements Between for a constant delay.
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

// within returns the time between begin and end that is nearest to t.
func within(t time.Time) time.Time {
	switch {
	case t.Before(begin):
		return begin
	case t.After(end):
		return end
	}
	return t
}
