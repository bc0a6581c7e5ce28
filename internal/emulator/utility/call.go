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

// The limits of one call unless it says otherwise.
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
	Started  time.Time // of the node, for uptime
	Seed     string    // decides names that are drawn; another for each call

	// IsTerminal says whether a descriptor is a terminal; nil for none.
	IsTerminal func(fd int) bool

	// GNU lets the utility speak as coreutils does, and not as busybox.
	GNU bool

	Stdout io.Writer
	Stderr io.Writer

	// MaxOutput bounds the bytes written to Stdout and Stderr together, MaxSteps the work, and MaxMemory the bytes held
	// at once, all of one call (of a Stream: of one Chunk). Zero stands for the default.
	//
	// A step of work takes at most about StepNanos of CPU time: an operation of a script, a few visited states of a
	// regular expression, some tens of bytes that are gone through.
	MaxOutput int64
	MaxSteps  int64
	MaxMemory int64

	// Child is what a Stream that answers Exec wants to be run, and Status is for the next Chunk how that ended.
	Child  []string
	Status int

	written  int64
	steps    int64
	files    int64 // steps of work in the file system
	programs int   // instructions of the patterns that were compiled

	// untaken is what a consumer that answers later has not taken of its piece.
	untaken []byte
}

// StepNanos is how much CPU time a step of work stands for; StepsPerMicro of them make a step of the kernel.
const (
	StepNanos     = 64
	StepsPerMicro = 16
)

// isTerminal says whether a descriptor, which has been read as a word, is a terminal.
func (c *Call) isTerminal(word string) bool {
	fd, err := strconv.Atoi(word)
	return err == nil && c.IsTerminal != nil && c.IsTerminal(fd)
}

// Whole is a utility that is called once. stdin is all of standard input, or nil if it does not read it.
type Whole func(c *Call, stdin []byte) (exit int)

// Next is what a Stream wants.
type Next int

// What a Stream may want.
const (
	Done  Next = iota // to be called no more
	Input             // standard input: a piece of it, or its end
	Again             // to go on, without input, once there is room for more output
	Exec              // Call.Child to be run, with its own output, and then to go on without input
)

// Stream is a utility that is called for each piece of its input. The first call has no input. Its exported fields are
// its state, written as JSON between calls; Call.Args stay the same. The exit code counts with Done.
type Stream interface {
	Chunk(c *Call, in []byte, eof bool) (next Next, exit int)
}

// Utility is either a Whole or a Stream.
type Utility struct {
	name   string
	whole  Whole
	stream func() Stream
	stdin  func(args []string) bool // nil: never
}

// Lookup finds a utility by its name.
func Lookup(name string) (Utility, bool) {
	u, ok := utilities[name]
	u.name = name
	return u, ok
}

// Names are the names of all utilities, in no order.
func Names() []string {
	names := make([]string, 0, len(utilities))
	for name := range utilities {
		names = append(names, name)
	}
	return names
}

// IsStream says whether it is a Stream.
func (u Utility) IsStream() bool { return u.stream != nil }

// ReadsStdin says whether a Whole reads standard input when it is called so.
func (u Utility) ReadsStdin(args []string) bool { return u.stdin != nil && u.stdin(args) }

// Run calls a Whole.
func (u Utility) Run(c *Call, stdin []byte) (exit int) {
	defer c.contain(&exit)
	c.begin()
	c.pass(len(stdin))
	return u.whole(c, stdin)
}

// Stream makes a fresh Stream, to be read from JSON or to be started.
func (u Utility) Stream() Stream { return &guarded{u.stream()} }

// guarded is a Stream whose Chunk ends when a limit is met.
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

// stopped is thrown by what cannot go on, from however deep, and caught by contain: output that nobody takes, a limit
// that was met, an option that is wrong.
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

// Steps is how much work the last call did, without what the file system did for it: see vfs.View.TakeWork.
func (c *Call) Steps() int64 { return c.steps }

// Write writes to standard output. The utility ends where that fails: as with SIGPIPE where nobody reads any more.
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

// name is what the utility calls itself in messages.
func (c *Call) name() string {
	if len(c.Args) == 0 {
		return ""
	}
	return path.Base(c.Args[0])
}

// complain writes a line to standard error, with the utility's name before it.
func (c *Call) complain(format string, a ...any) {
	c.put(c.Stderr, []byte(c.name()+": "+fmt.Sprintf(format, a...)+"\n"))
}

// fatal is complain, and ends the utility.
func (c *Call) fatal(exit int, format string, a ...any) {
	c.complain(format, a...)
	panic(stopped{exit})
}

// cant complains that something cannot be done to a file.
func (c *Call) cant(what, file string, err error) {
	word := "can't"
	if c.GNU {
		word = "cannot"
	}
	c.complain("%s %s '%s': %s", word, what, file, vfs.Reason(err))
}

// cantOpen complains that a file cannot be read.
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

// step counts work, and ends the utility when it is too much.
func (c *Call) step(n int64) {
	if c.steps += n; c.steps+c.files > c.MaxSteps {
		c.exhausted()
	}
}

// pass counts a pass over so many bytes: the fastest kind, such as a search or a copy.
func (c *Call) pass(bytes int) { c.step(1 + int64(bytes)/128) }

// scan counts a pass that does something with each of so many bytes.
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
	c.MaxSteps = math.MaxInt64 / 2 // the message is written in any case
	c.fatal(exitLimit, "stopped after %d steps", most)
}

// tired says that a Stream has had its share of work: it ends its Chunk as soon as it can, and goes on in the next.
func (c *Call) tired() bool { return c.steps+c.files > c.MaxSteps/8 }

// again forgets the steps since before: of what a Stream only does again because it was read from JSON.
func (c *Call) again(before int64) { c.steps = before }

// need ends the utility if it wants to hold more bytes than it may.
func (c *Call) need(bytes int64) {
	if bytes > c.MaxMemory {
		c.fatal(exitLimit, "out of memory")
	}
}

// abs is the absolute form of a path that counts from the working directory. What is left of the path stays as it is:
// ".." goes up from where links led.
func (c *Call) abs(p string) string {
	if p == "" || path.IsAbs(p) {
		return p
	}
	if c.Cwd == "/" {
		return "/" + p
	}
	return c.Cwd + "/" + p
}

// read is the content of a file, or of standard input for "-".
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
