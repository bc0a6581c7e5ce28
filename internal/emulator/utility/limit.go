package utility

import "math"

// The default limits of a call.
const (
	DefaultMaxOutput = 16 << 20
	DefaultMaxSteps  = 3 << 19
	DefaultMaxMemory = 16 << 20
)

// StepNanos is the CPU time of a step of work; StepsPerMicro of them make a step of the kernel.
const (
	StepNanos     = 64
	StepsPerMicro = 16
)

// MaxDepth bounds how deeply expressions, blocks and directories may be nested.
const MaxDepth = 500

// MaxScript bounds the length of a script, in bytes.
const MaxScript = 64 << 10

// Step counts work, and ends the utility if there is too much.
func (c *Call) Step(n int64) {
	if c.steps += n; c.steps+c.files > c.MaxSteps {
		c.exhausted()
	}
}

// Pass counts a pass over that many bytes of the fastest kind, such as a search or a copy.
func (c *Call) Pass(bytes int) { c.Step(1 + int64(bytes)/128) }

// Scan counts a pass that processes each of that many bytes.
func (c *Call) Scan(bytes int) { c.Step(1 + int64(bytes)/8) }

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
	c.Fatal(exitLimit, "stopped after %d steps", most)
}

// Tired reports that a Stream has used its share of work: it ends its Chunk as soon as it can, and
// continues in the next.
func (c *Call) Tired() bool { return c.steps+c.files > c.MaxSteps/8 }

// ResetSteps resets the steps to those before: for work that a Stream only repeats because it was
// read from JSON.
func (c *Call) ResetSteps(before int64) { c.steps = before }

// Need ends the utility if it would hold more bytes than it may.
func (c *Call) Need(bytes int64) {
	if bytes > c.MaxMemory {
		c.Fatal(exitLimit, "out of memory")
	}
}

// Steps returns the work of the last call, without that of the file system: see vfs.View.TakeWork.
func (c *Call) Steps() int64 { return c.steps }

// CountProgram counts the instructions of a compiled pattern.
func (c *Call) CountProgram(instructions int) { c.compiled += instructions }

// Programs returns the instructions of all patterns that the call has compiled.
func (c *Call) Programs() int { return c.compiled }
