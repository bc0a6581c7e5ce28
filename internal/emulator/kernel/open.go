package kernel

import (
	"cmp"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// OpenKind says what an open description refers to.
type OpenKind uint8

// The kinds of open descriptions.
const (
	OpenNull   OpenKind = iota // /dev/null
	OpenFile                   // a file of the sandbox
	OpenRead                   // the read end of a pipe
	OpenWrite                  // the write end of a pipe
	OpenOutput                 // the output from Spawn: the container's log, or the output of an executed command
)

// Open is an open description, which several descriptors can share.
type Open struct {
	ID      int
	Refs    int
	Kind    OpenKind
	File    *vfs.File `json:",omitempty"`
	Pipe    int       `json:",omitempty"`
	Sandbox string    `json:",omitempty"` // the owner of the file or output
	PID     int       `json:",omitempty"` // the process whose output it is
	Stderr  bool      `json:",omitempty"`
	CRLF    bool      `json:",omitempty"` // a terminal's screen, where lines end with CR LF
}

// PipeSize is how many bytes a pipe holds.
const PipeSize = 64 << 10

// Pipe holds what was written to a pipe and not read yet. Readers and Writers count its open ends.
type Pipe struct {
	ID      int
	Buffer  []byte `json:",omitempty"`
	Readers int
	Writers int
	Held    bool `json:",omitempty"` // a writer may come from outside

	Terminal *Terminal `json:",omitempty"` // of the pipe that a terminal's processes read
}

// takeEOF reports whether the end of file was typed, and clears it.
func (p *Pipe) takeEOF() bool {
	if p.Terminal == nil || !p.Terminal.EOF {
		return false
	}
	p.Terminal.EOF = false
	return true
}

// atEnd reports whether nothing more will be written.
func (p *Pipe) atEnd() bool { return p.Writers == 0 && !p.Held }

// byID finds an element of a list that is ordered by ID.
func byID[T any](all []*T, id int, of func(*T) int) (int, *T) {
	i, ok := slices.BinarySearchFunc(all, id, func(t *T, id int) int { return cmp.Compare(of(t), id) })
	if !ok {
		return i, nil
	}
	return i, all[i]
}

func openID(o *Open) int { return o.ID }
func pipeID(p *Pipe) int { return p.ID }

// Terminal is the line discipline of a pipe that is a process's terminal: typed input becomes
// readable line by line, and is echoed.
type Terminal struct {
	Edit       []byte `json:",omitempty"` // the unfinished line
	EOF        bool   `json:",omitempty"` // Ctrl-D was typed on an empty line: one read finds the end of file
	Rows, Cols int    `json:",omitempty"`

	// NoEcho turns the echo off. With NoLines, input is readable at once; with NoSignals, Ctrl-C
	// and Ctrl-\ are ordinary characters.
	NoEcho, NoLines, NoSignals bool `json:",omitempty"`

	// Echo is the pipe that shows typed input; 0 is the output of the process that Spawn started.
	Echo    int `json:",omitempty"`
	Sandbox string
	PID     int
}

// Ends are the IDs of the pipes that connect a process to a client outside the Pod; 0 means none.
// On a terminal, Out is its screen and there is no Err.
type Ends struct {
	In  int `json:"in,omitempty"`
	Out int `json:"out,omitempty"`
	Err int `json:"err,omitempty"`
}

// has reports whether a pipe is one of them.
func (e Ends) has(pipe int) bool {
	return pipe != 0 && (pipe == e.In || pipe == e.Out || pipe == e.Err)
}
