package sed

import "github.com/rowlock/rowlock/internal/emulator/utility"

// rangeState is the state of a command with two addresses.
type rangeState struct {
	In    bool  `json:"in,omitempty"`
	Until int64 `json:"until,omitempty"` // its last line; 0: until the second pattern matches
}

// sed edits its input line by line.
type sed struct {
	Feed   utility.Feed  `json:"feed"`
	Lines  utility.Lines `json:"lines"`
	Ahead  [][]byte      `json:"ahead,omitempty"` // lines that were read but not started
	Bare   bool          `json:"bare,omitempty"`  // the last line of the input has no newline
	Ended  bool          `json:"ended,omitempty"` // no more lines will come, of this file or at all
	Number int64         `json:"number,omitempty"`

	Space   []byte       `json:"space,omitempty"` // the pattern space
	Hold    []byte       `json:"hold,omitempty"`
	At      int          `json:"at"`              // the next command; -1: a new cycle
	Waits   bool         `json:"waits,omitempty"` // n or N waits for a line
	Keep    bool         `json:"keep,omitempty"`  // after D: start the cycle without a new line
	Flag    bool         `json:"flag,omitempty"`  // a substitution was made, for t
	Ranges  []rangeState `json:"ranges,omitempty"`
	Queue   []queued     `json:"queue,omitempty"`   // output of a and r after the line
	Out     []byte       `json:"out,omitempty"`     // with -i: the new content
	Missing bool         `json:"missing,omitempty"` // the last output lacks its newline
	Exit    int          `json:"exit,omitempty"`
	Quit    bool         `json:"quit,omitempty"`
	Failed  bool         `json:"failed,omitempty"`
	LastRE  int          `json:"lastRE,omitempty"` // the last pattern used, from 1

	o       *utility.Options
	script  *script
	files   []string
	inPlace bool
	quiet   bool
}

// queued is a text or a file to write at the end of a cycle.
type queued struct {
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"`
}

func (u *sed) separate() bool { return u.inPlace || u.o.Has('s') }

func (u *sed) newline() byte {
	if u.o.Has('z') {
		return 0
	}
	return '\n'
}

// ready reports whether a line can be started: if the script asks for the last line, only when it
// is known whether this is it.
func (u *sed) ready() bool {
	if u.Ended || !u.script.last {
		return len(u.Ahead) > 0
	}
	return len(u.Ahead) > 1
}

func (u *sed) isLast() bool { return u.Ended && len(u.Ahead) == 0 }

func (u *sed) next() []byte {
	text := u.Ahead[0]
	u.Ahead = u.Ahead[1:]
	u.Number++
	return text
}
