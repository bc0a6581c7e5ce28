package archive

import (
	"errors"
	"fmt"
)

const (
	// MaxKept is how many snapshots there may be.
	MaxKept = 100
	// MaxBytes is how large a file may be.
	MaxBytes = 1 << 30
)

// Errors.
var (
	ErrExists   = errors.New("a snapshot of that name exists, or is being saved")
	ErrNotFound = errors.New("the snapshot does not exist")
	ErrTooMany  = fmt.Errorf("there are already %d snapshots, the maximum", MaxKept)
	ErrTooLarge = fmt.Errorf("the snapshot has more than %d bytes", MaxBytes)
)
