package control_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/v1"
)

func TestSchedule_ListsTimes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, tt := range []struct {
		name  string
		query url.Values
		want  []string
	}{
		{"from now on", url.Values{"schedule": {"*/20 * * * *"}, "count": {"3"}}, []string{"2100-01-01T00:20:00Z", "2100-01-01T00:40:00Z", "2100-01-01T01:00:00Z"}},
		{
			"a zone, and its change of the clocks",
			url.Values{
				"schedule": {"0 3 * * *"}, "timeZone": {"Europe/Lisbon"}, "after": {"2026-03-27T12:00:00Z"}, "count": {"2"},
			},
			[]string{"2026-03-28T03:00:00Z", "2026-03-29T02:00:00Z"},
		},
		{
			"every so often since the last",
			url.Values{
				"schedule": {"@every 90m"}, "since": {"2026-01-01T00:00:00Z"}, "after": {"2026-01-01T02:00:00Z"}, "count": {"2"},
			},
			[]string{"2026-01-01T03:00:00Z", "2026-01-01T04:30:00Z"},
		},
		{"a day that never comes", url.Values{"schedule": {"0 0 30 2 *"}}, []string{}},
		{"none", url.Values{"schedule": {"* * * * *"}, "count": {"0"}}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answer := s.do(t, "GET /schedule?"+tt.query.Encode(), "")
			var got v1.Schedule
			if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil || answer.Code != http.StatusOK {
				t.Fatalf("%d %v: %s", answer.Code, err, answer.Body)
			}
			times := []string{}
			for _, at := range got.Times {
				times = append(times, at.Format(time.RFC3339))
			}
			if diff := cmp.Diff(tt.want, times); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSchedule_RejectsInvalid(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for query, want := range map[string][]string{
		"":                                    {"schedule"},
		"schedule=often&timeZone=Mars":        {"timeZone"},
		"schedule=61+*+*+*+*&after=yesterday": {"schedule", "after"},
		"schedule=@daily&count=101":           {"count"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			answer := s.do(t, "GET /schedule?"+query, "")
			var got metav1.Status
			if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil || answer.Code != http.StatusUnprocessableEntity {
				t.Fatalf("%d %v: %s", answer.Code, err, answer.Body)
			}
			fields := []string{}
			for _, cause := range got.Details.Causes {
				fields = append(fields, cause.Field)
			}
			if diff := cmp.Diff(want, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}
