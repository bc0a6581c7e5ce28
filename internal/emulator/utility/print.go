package utility

import (
	"errors"
	"fmt"
	"io"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Write writes to standard output. If that fails, the utility ends: as with SIGPIPE if the output
// has no reader.
func (c *Call) Write(p []byte) (int, error) {
	c.Put(c.Stdout, p)
	return len(p), nil
}

// Put is Write to one of the call's two outputs.
func (c *Call) Put(w io.Writer, p []byte) {
	if len(p) == 0 {
		return
	}
	if c.written+int64(len(p)) > max(c.MaxOutput, 256) {
		c.written = 0 // there is room for the message
		c.Fatal(exitLimit, "output limit of %d bytes exceeded", c.MaxOutput)
	}
	c.written += int64(len(p))
	c.steps += int64(len(p)/128) + 1
	_, err := w.Write(p)
	switch {
	case err == nil:
	case errors.Is(err, vfs.EPIPE), errors.Is(err, io.ErrClosedPipe), w == c.Stderr:
		c.Exit(exitBrokenPipe)
	default:
		c.Fatal(1, "write error: %s", vfs.Reason(err))
	}
}

// Print writes a text to standard output.
func (c *Call) Print(s string) {
	c.steps++
	c.Put(c.Stdout, []byte(s))
}

// Printf writes a formatted text to standard output.
func (c *Call) Printf(format string, a ...any) {
	c.Step(4)
	c.Put(c.Stdout, fmt.Appendf(nil, format, a...))
}

// Complain writes a line to standard error, after the utility's name.
func (c *Call) Complain(format string, a ...any) {
	c.Put(c.Stderr, []byte(c.Name()+": "+fmt.Sprintf(format, a...)+"\n"))
}

// Fatal is Complain, and ends the utility with an exit code.
func (c *Call) Fatal(exit int, format string, a ...any) {
	c.Complain(format, a...)
	c.Exit(exit)
}

// Cant prints that something cannot be done to a file.
func (c *Call) Cant(what, file string, err error) {
	word := "can't"
	if c.GNU {
		word = "cannot"
	}
	c.Complain("%s %s '%s': %s", word, what, file, vfs.Reason(err))
}

// CantOpen prints that a file cannot be read.
func (c *Call) CantOpen(file string, err error) {
	switch {
	case c.GNU:
		c.Complain("%s: %s", file, vfs.Reason(err))
	case errors.Is(err, vfs.EISDIR):
		c.Complain("read error: %s", vfs.Reason(err))
	default:
		c.Complain("can't open '%s': %s", file, vfs.Reason(err))
	}
}
