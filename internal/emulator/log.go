package emulator

import (
	"bytes"
	"cmp"
	"strings"
	"time"
	"unicode/utf8"
)

// Stream is an output of a process.
type Stream uint8

// The two streams that a container's log keeps.
const (
	Stdout Stream = 1
	Stderr Stream = 2
)

// String returns the stream's name in a log file, "stdout" or "stderr".
func (s Stream) String() string {
	if s == Stderr {
		return "stderr"
	}
	return "stdout"
}

// Line is one line of a container's output.
type Line struct {
	At     time.Time
	Stream Stream
	Text   string // without the newline

	// Partial says that no newline follows the text: the process ended without one, or the line is
	// longer than lineLimit and continues in the next Line.
	Partial bool
}

// RunLog is the output of one run of a container.
type RunLog struct {
	Lines   []Line
	Dropped int  // how many older lines were dropped
	Ended   bool // nothing more will come
}

const (
	// lineLimit is the length in bytes at which a line is cut, as containerd does.
	lineLimit = 16 << 10
	// logLimit is the most bytes that are kept of one run's output; the oldest lines are dropped
	// first.
	logLimit = 256 << 10
	// lineCost is what each line counts besides its text, so that empty lines count as well.
	lineCost = 16
)

// Log is the output of one run of a container. The zero Log is empty.
type Log struct {
	Lines []line `json:"lines,omitempty"`

	// Open holds the unfinished line of each stream.
	Open [2][]byte `json:"open,omitzero"`

	// Limit is the most bytes that are kept; zero means logLimit.
	Limit int `json:"limit,omitempty"`

	// Size is what Lines count against Limit, and Dropped the number of lines that were dropped.
	Size    int `json:"size,omitempty"`
	Dropped int `json:"dropped,omitempty"`
}

// line encodes a Line in few bytes of JSON. Raw holds text that is not UTF-8.
type line struct {
	At      int64  `json:"t"` // nanoseconds since 1970
	Stderr  bool   `json:"e,omitempty"`
	Partial bool   `json:"p,omitempty"`
	Text    string `json:"s,omitempty"`
	Raw     []byte `json:"r,omitempty"`
}

// write appends the output of a process.
func (l *Log) write(at time.Time, s Stream, b []byte) {
	open := &l.Open[s-1]
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		room := lineLimit - len(*open)
		switch {
		case end >= 0 && end <= room:
			l.add(at, s, append(*open, b[:end]...), false)
			*open, b = nil, b[end+1:]
		case end < 0 && len(b) < room:
			*open, b = append(*open, b...), nil
		default:
			l.add(at, s, append(*open, b[:room]...), true)
			*open, b = nil, b[room:]
		}
	}
}

// close ends the unfinished lines.
func (l *Log) close(at time.Time) {
	for i := range l.Open {
		if len(l.Open[i]) > 0 {
			l.add(at, Stream(i+1), l.Open[i], true)
			l.Open[i] = nil
		}
	}
}

func (l *Log) add(at time.Time, s Stream, text []byte, partial bool) {
	entry := line{At: at.UnixNano(), Stderr: s == Stderr, Partial: partial}
	if utf8.Valid(text) {
		entry.Text = string(text)
	} else {
		entry.Raw = bytes.Clone(text)
	}
	l.Lines = append(l.Lines, entry)
	l.Size += len(text) + lineCost
	drop := 0
	for ; l.Size > cmp.Or(l.Limit, logLimit); drop++ {
		l.Size -= len(l.Lines[drop].Text) + len(l.Lines[drop].Raw) + lineCost
	}
	l.Lines, l.Dropped = l.Lines[drop:], l.Dropped+drop
}

// all returns the log's lines in the order in which they were written.
func (l *Log) all() []Line {
	out := make([]Line, len(l.Lines))
	for i, e := range l.Lines {
		out[i] = Line{At: time.Unix(0, e.At).UTC(), Stream: Stdout, Text: e.Text + string(e.Raw), Partial: e.Partial}
		if e.Stderr {
			out[i].Stream = Stderr
		}
	}
	return out
}

// tail returns the end of the log: at most so many lines and bytes, cut at the beginning.
func (l *Log) tail(lines, limit int) string {
	var b strings.Builder
	for _, e := range l.Lines[max(len(l.Lines)-lines, 0):] {
		b.WriteString(e.Text)
		b.Write(e.Raw)
		if !e.Partial {
			b.WriteByte('\n')
		}
	}
	text := b.String()
	return text[max(len(text)-limit, 0):]
}
