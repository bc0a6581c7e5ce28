package machine

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"

	"github.com/rowlock/rowlock/internal/image"
)

// format is the first byte of an encoded machine. Another format is another byte.
const format = 1

// sizeLimit bounds an encoded machine before it is compressed. What a machine may hold is bounded piece by piece far
// below this: files, processes and logs.
const sizeLimit = 32 << 20

// Errors of Decode and Encode.
var (
	ErrFormat = errors.New("not a machine of a known format")
	ErrSize   = errors.New("the machine is too large")
)

// Encode makes bytes of the machine, JSON in s2. The error is ErrSize.
func (m *Machine) Encode() ([]byte, error) {
	plain, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("machine %s: %w", m.Seed, err)
	}
	if len(plain) > sizeLimit {
		return nil, fmt.Errorf("machine %s of %d bytes: %w", m.Seed, len(plain), ErrSize)
	}
	packed := make([]byte, 1+s2.MaxEncodedLen(len(plain)))
	packed[0] = format
	return packed[:1+len(s2.Encode(packed[1:], plain))], nil
}

// Decode makes the machine that was encoded; images are where it finds its images' files and programs. The errors are
// ErrFormat and ErrSize, and what the JSON has wrong.
func Decode(b []byte, _ *image.Catalogue) (*Machine, error) {
	if len(b) == 0 || b[0] != format {
		return nil, ErrFormat
	}
	if n, err := s2.DecodedLen(b[1:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	} else if n > sizeLimit {
		return nil, ErrSize
	}
	plain, err := s2.Decode(nil, b[1:])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Machine{}
	if err := json.Unmarshal(plain, m); err != nil {
		return nil, fmt.Errorf("decoding a machine: %w", err)
	}
	return m, nil
}
