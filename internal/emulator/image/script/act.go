package script

import (
	"errors"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Act is one action of a script: it writes or it waits.
type Act struct {
	Out   kernel.Text   `json:",omitempty"`
	Err   kernel.Text   `json:",omitempty"`
	Sleep time.Duration `json:",omitempty"`
}

// Outcome is a script's actions and its exit code.
type Outcome struct {
	Acts []Act
	Code int
}

// ErrScript says that a script is not emulated.
var ErrScript = errors.New("script is not emulated")

// The limits of a script.
const (
	MaxSize   = 64 << 10 // of its text, in bytes
	maxActs   = 1000
	maxDepth  = 50
	maxOutput = 256 << 10 // bytes that a script writes or concatenates
	maxString = 64 << 10
)
