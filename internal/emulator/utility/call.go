package utility

import (
	"cmp"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"path"
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
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
	compiled int   // instructions of the compiled patterns

	// untaken is the rest of its piece that a consumer takes later.
	untaken []byte
}

// HasTerminal is IsTerminal for a descriptor that is given as a word.
func (c *Call) HasTerminal(word string) bool {
	fd, err := strconv.Atoi(word)
	return err == nil && c.IsTerminal != nil && c.IsTerminal(fd)
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
	c.written, c.steps, c.files, c.compiled = 0, 0, 0, 0
	c.MaxOutput = cmp.Or(c.MaxOutput, DefaultMaxOutput)
	c.MaxSteps = cmp.Or(c.MaxSteps, DefaultMaxSteps)
	c.MaxMemory = cmp.Or(c.MaxMemory, DefaultMaxMemory)
}

// Exit ends the utility, at any depth.
func (c *Call) Exit(code int) { panic(stopped{code}) }

// Name returns the utility's name in messages.
func (c *Call) Name() string {
	if len(c.Args) == 0 {
		return ""
	}
	return path.Base(c.Args[0])
}

// ExitIf returns the exit code of a utility that has failed in part.
func ExitIf(failed bool) int {
	if failed {
		return 1
	}
	return 0
}

// Random returns random numbers that the seed of the call decides.
func (c *Call) Random() *rand.Rand { return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(c.Seed)))) }
