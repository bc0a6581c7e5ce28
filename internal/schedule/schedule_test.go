package schedule_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/schedule"
)

// at parses "2026-01-02 03:04" as UTC; seconds are optional.
func at(t rapid.TB, text string) time.Time {
	t.Helper()
	layout := "2006-01-02 15:04:05"
	if len(text) == len("2006-01-02 15:04") {
		text += ":00"
	}
	when, err := time.Parse(layout, text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func parse(t rapid.TB, text, zone string) schedule.Schedule {
	t.Helper()
	location, err := schedule.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Parse(text, location)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, zone, after string
		want                    []string
	}{
		{"CJ-003 minutes", "*/20 * * * *", "", "2026-01-02 03:04", []string{"2026-01-02 03:20", "2026-01-02 03:40", "2026-01-02 04:00"}},
		{"CJ-003 a question mark", "*/1 * * * ?", "", "2026-01-02 03:04:59", []string{"2026-01-02 03:05"}},
		{"CJ-003 ranges, lists, names", "0,30 8-9 * jan mon-tue", "", "2026-01-02 03:04", []string{
			"2026-01-05 08:00", "2026-01-05 08:30", "2026-01-05 09:00", "2026-01-05 09:30", "2026-01-06 08:00",
		}},
		{"CJ-004 yearly", "@yearly", "", "2026-01-02 03:04", []string{"2027-01-01 00:00"}},
		{"CJ-004 annually", "@annually", "", "2026-01-02 03:04", []string{"2027-01-01 00:00"}},
		{"CJ-005 monthly", "@monthly", "", "2026-01-02 03:04", []string{"2026-02-01 00:00"}},
		{"CJ-006 weekly", "@weekly", "", "2026-01-02 03:04", []string{"2026-01-04 00:00"}},
		{"CJ-007 daily", "@daily", "", "2026-01-02 03:04", []string{"2026-01-03 00:00"}},
		{"CJ-007 midnight", "@midnight", "", "2026-01-02 03:04", []string{"2026-01-03 00:00"}},
		{"CJ-008 hourly", "@hourly", "", "2026-01-02 03:04", []string{"2026-01-02 04:00"}},
		{"CJ-009 either day", "0 0 13 * 5", "", "2026-02-01 00:00", []string{
			"2026-02-06 00:00", "2026-02-13 00:00", "2026-02-20 00:00", "2026-02-27 00:00", "2026-03-06 00:00",
		}},
		{"CJ-009 the 13th on another day", "0 0 13 * 5", "", "2026-01-09 00:00", []string{"2026-01-13 00:00", "2026-01-16 00:00"}},
		{"CJ-024 once a year", "30 14 3 7 *", "", "2026-01-02 03:04", []string{"2026-07-03 14:30"}},
		{"a leap day", "0 0 29 2 *", "", "2026-01-02 03:04", []string{"2028-02-29 00:00"}},
		{"a day that never comes", "0 0 30 2 *", "", "2026-01-02 03:04", []string{""}},
		{"every ninety minutes", "@every 90m", "", "2026-01-02 03:04:05", []string{"2026-01-02 04:34:05", "2026-01-02 06:04:05"}},
		{"a zone", "0 9 * * *", "Asia/Tokyo", "2026-01-02 03:04", []string{"2026-01-03 00:00"}},
		{"an hour that is left out", "30 1 29 3 *", "Europe/Lisbon", "2026-03-28 12:00", []string{"2027-03-29 00:30"}},
		{"an hour that comes twice", "30 1 * * *", "Europe/Lisbon", "2026-10-24 12:00", []string{"2026-10-25 00:30", "2026-10-25 01:30", "2026-10-26 01:30"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, since := parse(t, tt.text, tt.zone), at(t, tt.after)
			after := since
			for _, want := range tt.want {
				next := s.Between(since, after, after).Next
				if want == "" && next.IsZero() {
					continue
				}
				if !next.Equal(at(t, want)) {
					t.Fatalf("after %s it is due at %s, want %s", after, next, want)
				}
				after = next
			}
		})
	}
}

func TestBetween(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, since, after, now string
		missed                        int
		latest, next                  string
	}{
		{"nothing is due", "0 * * * *", "2026-01-02 03:04", "2026-01-02 03:04", "2026-01-02 03:59:59", 0, "", "2026-01-02 04:00"},
		{"now is due", "0 * * * *", "2026-01-02 03:04", "2026-01-02 03:04", "2026-01-02 04:00", 1, "2026-01-02 04:00", "2026-01-02 05:00"},
		{"it has just run", "0 * * * *", "2026-01-02 04:00", "2026-01-02 04:00", "2026-01-02 04:00", 0, "", "2026-01-02 05:00"},
		{"CJ-017 112 minutes", "* * * * *", "2026-01-02 08:29", "2026-01-02 08:29", "2026-01-02 10:21", 101, "2026-01-02 10:21", "2026-01-02 10:22"},
		{"CJ-018 of 200 seconds", "* * * * *", "2026-01-02 08:29", "2026-01-02 10:17:55", "2026-01-02 10:21:15", 4, "2026-01-02 10:21", "2026-01-02 10:22"},
		{"a minute less", "* * * * *", "2026-01-02 08:29", "2026-01-02 08:29", "2026-01-02 10:10", 101, "2026-01-02 10:10", "2026-01-02 10:11"},
		{"half an hour more", "* * * * *", "2026-01-02 08:29", "2026-01-02 08:29", "2026-01-02 10:41:30", 101, "2026-01-02 10:41", "2026-01-02 10:42"},
		{"a hundred", "* * * * *", "2026-01-02 08:29", "2026-01-02 08:29", "2026-01-02 10:09", 100, "2026-01-02 10:09", "2026-01-02 10:10"},
		{"a year of minutes in January", "* * * 1 *", "2026-01-02 03:04", "2026-01-02 03:04", "2026-12-24 18:00", 101, "2026-01-31 23:59", "2027-01-01 00:00"},
		{"minutes of an hour, a day later", "* 9 * * *", "2026-01-02 09:57", "2026-01-02 09:57", "2026-01-03 09:00", 3, "2026-01-03 09:00", "2026-01-03 09:01"},
		{"never", "0 0 31 4 *", "2026-01-02 03:04", "2026-01-02 03:04", "2036-01-02 03:04", 0, "", ""},
		{"every from the last run", "@every 10m", "2026-01-02 08:25:30", "2026-01-02 08:25:30", "2026-01-02 09:00", 3, "2026-01-02 08:55:30", "2026-01-02 09:05:30"},
		{"every with a deadline", "@every 10m", "2026-01-02 08:25:30", "2026-01-02 08:56:40", "2026-01-02 09:00", 0, "", "2026-01-02 09:05:30"},
		{"every second of a year", "@every 1s", "2026-01-02 03:04", "2026-01-02 03:04", "2027-01-02 03:04", 101, "2027-01-02 03:04", "2027-01-02 03:04:01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := schedule.Due{Missed: tt.missed}
			if tt.latest != "" {
				want.Latest = at(t, tt.latest)
			}
			if tt.next != "" {
				want.Next = at(t, tt.next)
			}
			got := parse(t, tt.text, "").Between(at(t, tt.since), at(t, tt.after), at(t, tt.now))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParse_Refuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                  "empty spec string",
		"error":             "expected exactly 5 fields, found 1: [error]",
		"60 * * * *":        "end of range (60) above maximum (59): 60",
		"* 24 * * *":        "end of range (24) above maximum (23): 24",
		"* * 0 * *":         "beginning of range (0) below minimum (1): 0",
		"* * * 13 *":        "end of range (13) above maximum (12): 13",
		"* * * * 7":         "end of range (7) above maximum (6): 7",
		"*/0 * * * *":       "step of range should be a positive number: */0",
		"@fortnightly":      "unrecognized descriptor: @fortnightly",
		"@every soon":       `failed to parse duration @every soon: time: invalid duration "soon"`,
		"TZ=0":              "invalid schedule format: runtime error: slice bounds out of range [:-1]",
		"TZ=Mars * * * * *": "provided bad location Mars: unknown time zone Mars",
	} {
		if _, err := schedule.Parse(text, nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := schedule.Zone("Mars/Olympus"); err == nil || err.Error() != "unknown time zone Mars/Olympus" {
		t.Errorf("Mars/Olympus: %v", err)
	}
}

// Between finds the same times as stepping from each time to the next.
func TestBetween_IsWhatNextSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{
			"* * * * *", "*/7 3-5 * * *", "0 0 13 * 5", "15 * 29 2 *", "@every 61s", "30 6-16/4 * * 1-5", "* * * 1 *", "0 0 31 4 *",
		}).Draw(t, "schedule")
		zone := rapid.SampledFrom([]string{"UTC", "Europe/Lisbon", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"}).Draw(t, "zone")
		s := parse(t, text, zone)
		since := time.Unix(rapid.Int64Range(1_400_000_000, 2_400_000_000).Draw(t, "since"), 0).UTC()
		now := since.Add(time.Duration(rapid.Int64Range(0, 10_000).Draw(t, "minutes")) * time.Minute)
		var want schedule.Due
		for want.Next = s.Between(since, since, since).Next; !want.Next.IsZero() && !want.Next.After(now); want.Next = s.Between(since, want.Next, want.Next).Next {
			want.Latest = want.Next
			want.Missed = min(want.Missed+1, schedule.Many+1)
		}
		if diff := cmp.Diff(want, s.Between(since, since, now)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzParse shows that no schedule, in any zone, panics or loops for ever.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"* * * * *", "TZ=0", "CRON_TZ=UTC * * * * *", "0 0 30 2 *", "@every 1ns", "*/0 * * * *", "0 0 15 * *", "1-59/59 ? * */12 sun"} {
		f.Add(text, "Pacific/Apia", int64(1_325_000_000), int64(2_000_000_000))
		f.Add(text, "America/Sao_Paulo", int64(-62135596800), int64(253402300799))
	}
	f.Fuzz(func(t *testing.T, text, zone string, since, now int64) {
		location, err := schedule.Zone(zone)
		if err != nil {
			return
		}
		s, err := schedule.Parse(text, location)
		if err != nil {
			return
		}
		from, to := time.Unix(since, 0).UTC(), time.Unix(now, 0).UTC()
		d := s.Between(from, from, to)
		if d.Latest.After(to) || d.Missed < 0 || d.Missed > schedule.Many+1 {
			t.Errorf("%q in %s from %s to %s: %+v", text, zone, from, to, d)
		}
	})
}
