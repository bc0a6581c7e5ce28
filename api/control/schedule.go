package control

import (
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/schedule"
)

// shownTimes is how many times are said unless the client asks for another number; mostTimes is how many it may.
const shownTimes, mostTimes = 10, 100

func (s *Server) scheduleOperation() operation {
	text := &huma.Schema{Type: "string"}
	at := &huma.Schema{Type: "string", Format: "date-time"}
	return operation{
		method: http.MethodGet, path: v1.SchedulePath, id: "getRowlockV1Schedule", summary: "say when a CronJob's schedule is due next",
		description: "A calculation about what is asked, and about no object: what the controller of CronJobs would come to.",
		query: []*huma.Param{
			{Name: "schedule", In: "query", Required: true, Schema: text, Description: `As in a CronJob: "*/5 * * * *", "@hourly", "@every 90m".`},
			{Name: "timeZone", In: "query", Schema: text, Description: "As in a CronJob: Europe/Lisbon; UTC if not given."},
			{Name: "after", In: "query", Schema: at, Description: "The times after this one; the cluster's time if not given."},
			{Name: "since", In: "query", Schema: at, Description: `When it ran last or was created, from which "@every" counts; as after if not given.`},
			{Name: "count", In: "query", Schema: &huma.Schema{Type: "integer"}, Description: "How many times to say; 10 if not given, and up to 100."},
		},
		answer: v1.Schedule{},
		serve:  s.schedule,
	}
}

func (s *Server) schedule(_ http.ResponseWriter, req *http.Request) (any, error) {
	q := req.URL.Query()
	count, err := countOf(req, "count", shownTimes, mostTimes)
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	times := scheduleOf(q, &errs)
	after := timeOf(q, "after", s.now, &errs)
	since := timeOf(q, "since", func() time.Time { return after }, &errs)
	if len(errs) > 0 {
		return nil, invalid(errs...)
	}
	return v1.Schedule{Times: next(times, since, after, count)}, nil
}

// now is the cluster's time.
func (s *Server) now() time.Time { return s.Clock.Now() }

// scheduleOf reads the schedule that a request asks about.
func scheduleOf(q url.Values, errs *field.ErrorList) schedule.Schedule {
	zone := time.UTC
	if name := q.Get("timeZone"); name != "" {
		found, err := schedule.Zone(name)
		if err != nil {
			*errs = append(*errs, field.Invalid(field.NewPath("timeZone"), name, err.Error()))
			return schedule.Schedule{}
		}
		zone = found
	}
	times, err := schedule.Parse(q.Get("schedule"), zone)
	if err != nil {
		*errs = append(*errs, field.Invalid(field.NewPath("schedule"), q.Get("schedule"), err.Error()))
	}
	return times
}

// timeOf reads a time that a request gives in its query.
func timeOf(q url.Values, name string, unset func() time.Time, errs *field.ErrorList) time.Time {
	text := q.Get(name)
	if text == "" {
		return unset()
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		*errs = append(*errs, field.Invalid(field.NewPath(name), text, "must be a time as 2006-01-02T15:04:05Z"))
	}
	return t
}

// next are the first times of a schedule after a moment.
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
