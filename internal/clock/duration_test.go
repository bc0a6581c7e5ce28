package clock_test

import (
	"math"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/clock"
)

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want time.Duration
		back string // as it is formatted; "" if unchanged
	}{
		{text: "0s"},
		{text: "90s", want: 90 * time.Second, back: "1m30s"},
		{text: "36h", want: 36 * time.Hour, back: "1d12h"},
		{text: "1d", want: 24 * time.Hour},
		{text: "1.5d", want: 36 * time.Hour, back: "1d12h"},
		{text: ".5d", want: 12 * time.Hour, back: "12h"},
		{text: "2d12h30m", want: 60*time.Hour + 30*time.Minute},
		{text: "30d", want: 720 * time.Hour},
		{text: "1d0.25s", want: 24*time.Hour + 250*time.Millisecond, back: "1d250ms"},
		{text: "-1d12h", want: -36 * time.Hour},
		{text: "+1d", want: 24 * time.Hour, back: "1d"},
		{text: "106751d23h47m16.854775807s", want: math.MaxInt64},
	} {
		got, err := clock.ParseDuration(test.text)
		if err != nil || got != test.want {
			t.Errorf("%q is %v, %v, want %v", test.text, got, err, test.want)
		}
		if test.back == "" {
			test.back = test.text
		}
		if back := clock.FormatDuration(got); back != test.back {
			t.Errorf("%v is written %q, want %q", got, back, test.back)
		}
	}
	for _, text := range []string{"", "1", "d", "1h2d", "1d1d", "1d-1h", "1dd", "1 d", "day", "1d 1h", "--1d", "1e3d", "0x1d", "200000d", "106751d23h48m", "-106752d", "1..5d"} {
		if got, err := clock.ParseDuration(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

// FuzzParseDuration: whatever is parsed is formatted in a way that parses to the same.
func FuzzParseDuration(f *testing.F) {
	for _, text := range []string{"1d", "36h", "2d12h30m", "-1.5d", "1d0.25s", "106751d23h47m16.854775807s", "1h2d", "µ", "9223372036854775807ns"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := clock.ParseDuration(text)
		if err != nil || d == math.MinInt64 {
			return
		}
		back := clock.FormatDuration(d)
		if again, err := clock.ParseDuration(back); err != nil || again != d {
			t.Errorf("%q is %d, written %q, which is %d, %v", text, d, back, again, err)
		}
	})
}
