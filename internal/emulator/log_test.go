package emulator

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// TestLog writes pieces and reads lines.
func TestLog(t *testing.T) {
	t.Parallel()
	after := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	var l Log
	l.write(after(0), Stdout, []byte("one\ntw"))
	l.write(after(1), Stderr, []byte("oops\n"))
	l.write(after(2), Stdout, []byte("o\n\n"))
	l.write(after(3), Stdout, []byte("\xff\xfe\nend"))
	l.write(after(4), Stderr, []byte(strings.Repeat("x", lineLimit)+"\n"))
	l.write(after(5), Stderr, []byte(strings.Repeat("y", lineLimit+1)+"\n"))
	l.close(after(6))
	want := []Line{
		{after(0), Stdout, "one", false},
		{after(1), Stderr, "oops", false},
		{after(2), Stdout, "two", false},
		{after(2), Stdout, "", false},
		{after(3), Stdout, "\xff\xfe", false},
		{after(4), Stderr, strings.Repeat("x", lineLimit), false},
		{after(5), Stderr, strings.Repeat("y", lineLimit), true},
		{after(5), Stderr, "y", false},
		{after(6), Stdout, "end", true},
	}
	if diff := cmp.Diff(want, l.all()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got := l.tail(2, 100); got != "y\nend" {
		t.Errorf("tail %q", got)
	}
	if got := l.tail(80, 2); got != "nd" {
		t.Errorf("short tail %q", got)
	}
}

// TestLogIsBounded writes more than a log keeps.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	var l Log
	for range 100_000 {
		l.write(noon, Stdout, []byte("\n"))
	}
	if l.Size > logLimit || len(l.Lines) != logLimit/lineCost || l.Dropped != 100_000-len(l.Lines) {
		t.Errorf("%d lines of %d bytes, %d dropped", len(l.Lines), l.Size, l.Dropped)
	}
}
