package utility

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// The default limits of a call.
const (
	DefaultMaxOutput = 16 << 20
	DefaultMaxSteps  = 3 << 19
	DefaultMaxMemory = 16 << 20
)

// Call is one use of a utility.
type Call struct {
	Args     []string // Args[0] is the name by which it was called
	Env      map[string]string
	Cwd      string // absolute
	FS       *vfs.View
	Now      time.Time
	Hostname string
	IP       string // the Pod's
	UID      int
	GID      int
	Groups   []int
	Umask    uint32
	Started  time.Time // when the node started, for uptime
	Seed     string    // decides random names; each call has another

	// IsTerminal reports whether a descriptor is a terminal; nil means that none is.
	IsTerminal func(fd int) bool

	// GNU makes the utility behave like that of coreutils instead of busybox.
	GNU bool

	Stdout io.Writer
	Stderr io.Writer

	// MaxOutput bounds the bytes written to Stdout and Stderr together, MaxSteps the work, and
	// MaxMemory the bytes held at once, each for one call (of a Stream: for one Chunk). Zero means
	// the default.
	//
	// A step of work takes at most about StepNanos of CPU time: an operation of a script, a few
	// visited states of a regular expression, or a pass over some tens of bytes.
	MaxOutput int64
	MaxSteps  int64
	MaxMemory int64

	// Child is the command that a Stream runs with Exec. In the next Chunk, Status is the command's
	// exit code.
	Child  []string
	Status int

	written  int64
	steps    int64
	files    int64 // steps of work in the file system
	programs int   // instructions of the compiled patterns

	// untaken is the rest of its piece that a consumer takes later.
	untaken []byte
}

// StepNanos is the CPU time of a step of work; StepsPerMicro of them make a step of the kernel.
const (
	StepNanos     = 64
	StepsPerMicro = 16
)

// isTerminal reports whether a descriptor, given as a word, is a terminal.
func (c *Call) isTerminal(word string) bool {
	fd, err := strconv.Atoi(word)
	return err == nil && c.IsTerminal != nil && c.IsTerminal(fd)
}

// Whole is a utility that is called once. stdin is the whole standard input, or nil if it does not
// read it.
type Whole func(c *Call, stdin []byte) (exit int)

// Next is what a Stream needs next.
type Next int

// The possible needs.
const (
	Done  Next = iota // nothing: it has ended
	Input             // standard input: a piece of it, or its end
	Again             // another call without input, once there is room for more output
	Exec              // to run Call.Child, with its own output, and then another call without input
)

// Stream is a utility that is called for each piece of its input. The first call has no input. Its
// exported fields are its state, written as JSON between calls; Call.Args stay the same. The exit
// code is only used with Done.
type Stream interface {
	Chunk(c *Call, in []byte, eof bool) (next Next, exit int)
}

// Utility is either a Whole or a Stream.
type Utility struct {
	name   string
	whole  Whole
	stream func() Stream
	stdin  func(args []string) bool // nil means never
}

// Lookup finds a utility by its name.
func Lookup(name string) (Utility, bool) {
	u, ok := utilities[name]
	u.name = name
	return u, ok
}

// Names returns the names of all utilities, in no particular order.
func Names() []string {
	names := make([]string, 0, len(utilities))
	for name := range utilities {
		names = append(names, name)
	}
	return names
}

// IsStream reports whether it is a Stream.
func (u Utility) IsStream() bool { return u.stream != nil }

// ReadsStdin reports whether a Whole reads standard input when it is called with these arguments.
func (u Utility) ReadsStdin(args []string) bool { return u.stdin != nil && u.stdin(args) }

// Run calls a Whole.
func (u Utility) Run(c *Call, stdin []byte) (exit int) {
	defer c.contain(&exit)
	c.begin()
	c.pass(len(stdin))
	return u.whole(c, stdin)
}

// Stream returns a new Stream, to read from JSON or to start.
func (u Utility) Stream() Stream { return &guarded{u.stream()} }

// guarded is a Stream whose Chunk ends when it reaches a limit.
type guarded struct{ Stream }

func (g *guarded) Chunk(c *Call, in []byte, eof bool) (next Next, exit int) {
	defer c.contain(&exit)
	c.begin()
	c.Child = nil
	return g.Stream.Chunk(c, in, eof)
}

// The exit codes of a utility that was stopped.
const (
	exitBrokenPipe = 128 + 13
	exitLimit      = 1
)

// stopped is the panic value of a utility that cannot continue, at any depth; contain recovers it.
// The reason is a closed output, a limit, or a wrong option.
type stopped struct{ exit int }

func (c *Call) contain(exit *int) {
	switch r := recover().(type) {
	case nil:
	case stopped:
		*exit = r.exit
	default:
		panic(r)
	}
}

func (c *Call) begin() {
	c.FS = c.FS.As(vfs.Cred{UID: c.UID, GID: c.GID, Groups: c.Groups, Umask: c.Umask}, c.Now).Metered(c.filed)
	c.written, c.steps, c.files, c.programs = 0, 0, 0, 0
	c.MaxOutput = cmp.Or(c.MaxOutput, DefaultMaxOutput)
	c.MaxSteps = cmp.Or(c.MaxSteps, DefaultMaxSteps)
	c.MaxMemory = cmp.Or(c.MaxMemory, DefaultMaxMemory)
}

// Steps returns the work of the last call, without that of the file system: see vfs.View.TakeWork.
func (c *Call) Steps() int64 { return c.steps }

// Write writes to standard output. If that fails, the utility ends: as with SIGPIPE if the output
// has no reader.
func (c *Call) Write(p []byte) (int, error) {
	c.put(c.Stdout, p)
	return len(p), nil
}

func (c *Call) put(w io.Writer, p []byte) {
	if len(p) == 0 {
		return
	}
	if c.written+int64(len(p)) > max(c.MaxOutput, 256) {
		c.written = 0 // there is room for the message
		c.fatal(exitLimit, "output limit of %d bytes exceeded", c.MaxOutput)
	}
	c.written += int64(len(p))
	c.steps += int64(len(p)/128) + 1
	_, err := w.Write(p)
	switch {
	case err == nil:
	case errors.Is(err, vfs.EPIPE), errors.Is(err, io.ErrClosedPipe), w == c.Stderr:
		panic(stopped{exitBrokenPipe})
	default:
		c.fatal(1, "write error: %s", vfs.Reason(err))
	}
}

func (c *Call) print(s string) {
	c.steps++
	c.put(c.Stdout, []byte(s))
}

func (c *Call) printf(format string, a ...any) {
	c.step(4)
	c.put(c.Stdout, fmt.Appendf(nil, format, a...))
}

// name returns the utility's name in messages.
func (c *Call) name() string {
	if len(c.Args) == 0 {
		return ""
	}
	return path.Base(c.Args[0])
}

// complain writes a line to standard error, after the utility's name.
func (c *Call) complain(format string, a ...any) {
	c.put(c.Stderr, []byte(c.name()+": "+fmt.Sprintf(format, a...)+"\n"))
}

// fatal is complain, and ends the utility.
func (c *Call) fatal(exit int, format string, a ...any) {
	c.complain(format, a...)
	panic(stopped{exit})
}

// cant prints that something cannot be done to a file.
func (c *Call) cant(what, file string, err error) {
	word := "can't"
	if c.GNU {
		word = "cannot"
	}
	c.complain("%s %s '%s': %s", word, what, file, vfs.Reason(err))
}

// cantOpen prints that a file cannot be read.
func (c *Call) cantOpen(file string, err error) {
	switch {
	case c.GNU:
		c.complain("%s: %s", file, vfs.Reason(err))
	case errors.Is(err, vfs.EISDIR):
		c.complain("read error: %s", vfs.Reason(err))
	default:
		c.complain("can't open '%s': %s", file, vfs.Reason(err))
	}
}

// step counts work, and ends the utility if there is too much.
func (c *Call) step(n int64) {
	if c.steps += n; c.steps+c.files > c.MaxSteps {
		c.exhausted()
	}
}

// pass counts a pass over that many bytes of the fastest kind, such as a search or a copy.
func (c *Call) pass(bytes int) { c.step(1 + int64(bytes)/128) }

// scan counts a pass that processes each of that many bytes.
func (c *Call) scan(bytes int) { c.step(1 + int64(bytes)/8) }

// filed counts work of the file system.
func (c *Call) filed(n int64) {
	if c.files += n; c.steps+c.files > c.MaxSteps {
		c.exhausted()
	}
}

func (c *Call) exhausted() {
	c.steps, c.files = min(c.steps, c.MaxSteps), min(c.files, c.MaxSteps)
	most := c.MaxSteps
	c.MaxSteps = math.MaxInt64 / 2 // the message must be written in any case
	c.fatal(exitLimit, "stopped after %d steps", most)
}

// tired reports that a Stream has used its share of work: it ends its Chunk as soon as it can, and
// continues in the next.
func (c *Call) tired() bool { return c.steps+c.files > c.MaxSteps/8 }

// again resets the steps to before: for work that a Stream only repeats because it was read from
// JSON.
func (c *Call) again(before int64) { c.steps = before }

// need ends the utility if it would hold more bytes than it may.
func (c *Call) need(bytes int64) {
	if bytes > c.MaxMemory {
		c.fatal(exitLimit, "out of memory")
	}
}

// abs returns the absolute form of a path relative to the working directory. The rest of the path
// stays as it is: ".." goes up from the target of a link.
func (c *Call) abs(p string) string {
	if p == "" || path.IsAbs(p) {
		return p
	}
	if c.Cwd == "/" {
		return "/" + p
	}
	return c.Cwd + "/" + p
}

// read returns the content of a file, or of standard input for "-".
func (c *Call) read(file string, stdin []byte) ([]byte, error) {
	if file == "-" {
		return stdin, nil
	}
	f, err := c.FS.Open(c.abs(file), vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	defer c.FS.Close(f)
	if f.Device == "stdin" {
		return stdin, nil
	}
	if c.FS.FileInfo(f).IsDir() {
		return nil, vfs.EISDIR
	}
	data, err := c.FS.ReadFile(c.abs(file))
	c.need(int64(len(data)))
	c.pass(len(data))
	return data, err
}
