// Package exit has the exit codes of the program, and errors that carry them.
package exit

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// The program's exit codes, besides 0.
const (
	Failed      = 1   // the request was refused, or not carried out
	Misused     = 2   // the command, flag or argument does not exist
	Interrupted = 130 // Ctrl-C
)

// Error is an error that ends the program with its own exit code.
type Error struct {
	Code int
	Err  error
}

func (e Error) Error() string { return e.Err.Error() }
func (e Error) Unwrap() error { return e.Err }

// Misuse returns an error about a flag, with its own exit code and a pointer to the help.
func Misuse(command *cobra.Command, err error) error {
	if errors.As(err, new(Error)) {
		return err
	}
	return Error{Misused, errors.New(err.Error() + " (see " + command.CommandPath() + " --help)")}
}

// CodeOf returns the program's exit code after an error.
func CodeOf(err error) int {
	var own Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case strings.HasPrefix(err.Error(), "unknown command "): // cobra has no type for it
		return Misused
	}
	return Failed
}
