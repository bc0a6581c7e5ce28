package shell

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
)

// Shell is a running shell.
type Shell struct {
	Dialect dialect
	Name    kernel.Text  `json:",omitempty"` // $0
	Args    kernel.Texts `json:",omitempty"` // $1 …
	Begun   bool         `json:",omitempty"`
	Input   *input       `json:",omitempty"` // nil unless its commands come from standard input

	// Units are the sources in use, by number. Unit and PC are the position of the next
	// instruction.
	Units    map[int]*unit
	LastUnit int
	Unit     int
	PC       int
	Line     int `json:",omitempty"`

	Vars  map[string]*variable
	Funcs map[string]function `json:",omitempty"`

	// Foreign holds the parts of the environment whose names no variable can have; dash drops them.
	Foreign kernel.Texts `json:",omitempty"`
	Opts    options      `json:",omitzero"`

	Status   int     `json:",omitempty"` // $?
	Frames   []frame `json:",omitempty"` // the loops, functions, redirections … that it is in
	Calls    int     `json:",omitempty"` // how many of the frames are functions, sources and evals
	Careless int     `json:",omitempty"` // above 0: a status that is not 0 is not fatal

	// The unfinished words, the finished values and fields, and the command's assignments.
	Words     []word       `json:",omitempty"`
	Values    kernel.Texts `json:",omitempty"`
	Fields    kernel.Texts `json:",omitempty"`
	Prefix    []assignment `json:",omitempty"`
	SubStatus int          `json:",omitempty"` // of the command's last substitution

	Busy *busy   `json:",omitempty"` // the unfinished instruction; nil for none
	Out  []piece `json:",omitempty"` // output that is still to write

	Traps   map[int]kernel.Text `json:",omitempty"` // by signal; 0 is EXIT
	Leaving bool                `json:",omitempty"` // the trap for EXIT has started
	Sub     int                 `json:",omitempty"` // the depth of subshells
	Jobs    []job               `json:",omitempty"`
	LastJob int                 `json:",omitempty"` // $!
	PID     int                 `json:",omitempty"` // $$
	Since   time.Duration       `json:",omitempty"` // when $SECONDS was 0
	Times   []time.Duration     `json:",omitempty"` // the starts of the current time commands
	Pipes   []int               `json:",omitempty"` // PIPESTATUS
	OptAt   int                 `json:",omitempty"` // of getopts: the position in a word
	Bytes   int64               `json:",omitempty"` // memory counted so far

	p        *kernel.Process // during a step
	code     *code.Code      // of Unit
	before   int             // lines before Unit
	extra    int             // what the step costs in addition
	unbilled int64           // work of the file system, which the kernel counts
	spent    int             // the step's units of work: see spend
}

// unit is a source in use.
type unit struct {
	Source kernel.Text
	Before int  `json:",omitempty"` // lines of the script before it
	Tail   bool `json:",omitempty"`
	Keep   bool `json:",omitempty"` // it defines a function

	code *code.Code
}

type function struct{ Unit, PC int }

// assignment is one of NAME=value before a command.
type assignment struct {
	Name  string
	Value kernel.Text
}

// piece is output that waits for room.
type piece struct {
	FD   int
	Data []byte
}

// job is a process in the background.
type job struct {
	PID    int
	Done   bool        `json:",omitempty"`
	Status int         `json:",omitempty"`
	Text   kernel.Text `json:",omitempty"`
	Hidden bool        `json:",omitempty"` // of <( ): wait and jobs ignore it
}

// busy is the state of an unfinished instruction.
type busy struct {
	Kind  busyKind
	FD    int           `json:",omitempty"`
	PID   int           `json:",omitempty"`
	PIDs  []int         `json:",omitempty"`
	Codes []int         `json:",omitempty"`
	Data  []byte        `json:",omitempty"`
	Until time.Duration `json:",omitempty"`
	Text  kernel.Text   `json:",omitempty"`

	Silent bool `json:",omitempty"` // read -s has turned the terminal's echo off
}

type busyKind uint8

const (
	busyChild busyKind = iota + 1 // waiting for a program or a subshell
	busySub                       // reading the output of a substitution
	busyPipe                      // waiting for the stages of a pipeline
	busyRead                      // the builtin read
	busyWait                      // the builtin wait
	busyInput                     // a utility that needs all of its input
)

// frame is a construct that the shell is in, and that must be undone when the shell leaves it.
type frame struct {
	Kind frameKind

	// For a loop: the targets of break and continue, the remaining fields, and the status so far.
	Break    int          `json:",omitempty"`
	Continue int          `json:",omitempty"`
	Items    kernel.Texts `json:",omitempty"`
	Status   int          `json:",omitempty"`

	// For a function, a source, an eval or a trap: where to continue afterwards.
	Unit int `json:",omitempty"`
	PC   int `json:",omitempty"`
	Own  int `json:",omitempty"` // the unit that is dropped at its end

	// The values to restore: variables (null: unset), positional parameters, descriptors (the saved
	// one; −1: closed), and for a trap the unfinished words.
	Vars   map[string]*variable `json:",omitempty"`
	Args   *kernel.Texts        `json:",omitempty"`
	FDs    []savedFD            `json:",omitempty"`
	Fail   int                  `json:",omitempty"` // where to continue if a redirection fails
	Fields kernel.Texts         `json:",omitempty"`
	Prefix []assignment         `json:",omitempty"`
	Name   kernel.Text          `json:",omitempty"` // of a function

	Careless int `json:",omitempty"`
	Words    int `json:",omitempty"` // how many words and values there were
	Values   int `json:",omitempty"`
}

type savedFD struct{ FD, Saved int }

type frameKind uint8

const (
	frameLoop frameKind = iota + 1
	frameRedir
	frameVars // variables during a command
	frameFunc
	frameSource
	frameEval
	frameTrap
	frameExit // the trap for EXIT
)

func (f *frame) isCall() bool { return f.Kind >= frameFunc }

// input is the state of a shell that reads its commands from standard input. It reads them line by
// line, and runs each as soon as it is complete, so that the command reads the input that follows
// it.
type input struct {
	Text    []byte `json:",omitempty"` // of the incomplete command
	Lines   int    `json:",omitempty"` // read so far, without those of Text
	Until   string `json:",omitempty"` // the line that ends a here-document in Text
	Reading bool   `json:",omitempty"` // no command is running

	Prompts  bool `json:",omitempty"` // the shell is interactive
	Prompted bool `json:",omitempty"` // for the current line
}

// word is an unfinished word.
type word struct {
	Parts []part `json:",omitempty"`
}

// part is a piece of a word.
type part struct {
	Text  kernel.Text `json:",omitempty"`
	Quote bool        `json:",omitempty"` // its characters are literal
	Split bool        `json:",omitempty"` // it is split at IFS
	Break bool        `json:",omitempty"` // a new field begins here, as between the arguments of "$@"
}

func (w *word) size() int {
	n := 0
	for i := range w.Parts {
		n += 16 + len(w.Parts[i].Text)
	}
	return n
}

// dialect is the kind of a shell.
type dialect = code.Dialect

// The dialects.
const (
	ash  = code.Ash
	dash = code.Dash
	bash = code.Bash
)
