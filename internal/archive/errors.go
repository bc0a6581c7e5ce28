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
	ErrExists   = errors.New("there is a snapshot of that name, or one is being saved")
	ErrNotFound = errors.New("there is no such snapshot")
	ErrTooMany  = fmt.Errorf("there are %d snapshots, and there may be no more", MaxKept)
	ErrTooLarge = fmt.Errorf("it has more than %d bytes", MaxBytes)
)
