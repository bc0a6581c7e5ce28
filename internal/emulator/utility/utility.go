package utility

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
	Whole Whole                    // nil for a Stream
	New   func() Stream            // nil for a Whole
	Stdin func(args []string) bool // whether a Whole reads standard input; nil means never
}

// IsStream reports whether it is a Stream.
func (u Utility) IsStream() bool { return u.New != nil }

// ReadsStdin reports whether a Whole reads standard input when it is called with these arguments.
func (u Utility) ReadsStdin(args []string) bool { return u.Stdin != nil && u.Stdin(args) }

// Run calls a Whole.
func (u Utility) Run(c *Call, stdin []byte) (exit int) {
	defer c.contain(&exit)
	c.begin()
	c.Pass(len(stdin))
	return u.Whole(c, stdin)
}

// Stream returns a new Stream, to read from JSON or to start.
func (u Utility) Stream() Stream { return &guarded{u.New()} }

// guarded is a Stream whose Chunk ends when it reaches a limit.
type guarded struct{ Stream }

func (g *guarded) Chunk(c *Call, in []byte, eof bool) (next Next, exit int) {
	defer c.contain(&exit)
	c.begin()
	c.Child = nil
	return g.Stream.Chunk(c, in, eof)
}
