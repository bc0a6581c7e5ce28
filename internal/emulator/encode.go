package emulator

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// format is the first byte of an encoded machine. Every other format uses another byte.
const format = 1

// sizeLimit bounds an encoded machine before compression, in bytes. Share bounds each part of a
// machine, so this limit is rarely reached.
const sizeLimit = 48 << 20

// Errors of Decode and Encode.
var (
	ErrFormat = errors.New("not a machine of a known format")
	ErrSize   = errors.New("the machine is too large")
)

// Encode implements Runtime. The bytes are JSON, compressed with s2.
func (m *machine) Encode() ([]byte, error) {
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

// Size is the number of bytes of an encoded machine before compression; 0 if b is not an encoded
// machine.
func Size(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	n, err := s2.DecodedLen(b[1:])
	if err != nil {
		return 0 // Decode reports what is wrong
	}
	return n
}

// Bases holds the files of images, which are not stored with a machine.
type Bases interface {
	// Base returns the files of that name; nil if there are none.
	Base(name string) *vfs.Base
}

func decode(b []byte, images Bases) (*machine, error) {
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
	m := &machine{}
	if err := json.Unmarshal(plain, m); err != nil {
		return nil, fmt.Errorf("decoding a machine: %w", err)
	}
	if err := m.bind(images); err != nil {
		return nil, fmt.Errorf("decoding a machine: %w", err)
	}
	return m, nil
}

// Validate implements Machine.
func (m *machine) Validate() error {
	for _, t := range m.Trees {
		if err := t.Validate(); err != nil {
			return err
		}
	}
	for _, v := range m.Volumes {
		if err := v.Tree.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// bind restores the references that JSON does not keep: from trees to the images' files, views to
// trees, and sandboxes to views.
func (m *machine) bind(images Bases) error {
	if m.Kernel == nil {
		return errors.New("no kernel")
	}
	for name, t := range m.Trees {
		switch {
		case t == nil:
			return fmt.Errorf("tree %q is null", name)
		case t.BaseName == devTree && name == devTree:
			t.SetBase(devices)
		case t.BaseName == sysctlTree && name == sysctlTree:
			t.SetBase(sysctls)
		case t.BaseName != "":
			t.SetBase(images.Base(t.BaseName))
		}
	}
	for name, v := range m.Volumes {
		if v == nil || v.Tree == nil {
			return fmt.Errorf("volume %q has no files", name)
		}
		if v.Tree.BaseName != "" { // from an image
			v.Tree.SetBase(images.Base(v.Tree.BaseName))
		}
	}
	for i, c := range m.Containers {
		switch {
		case c == nil:
			return fmt.Errorf("container %d is null", i)
		case c.Run == nil || c.Run.Live == nil:
			continue
		case c.Run.Live.View == nil || c.Run.Live.Message == nil || m.Kernel.Sandbox(c.Run.Live.Sandbox) == nil:
			return fmt.Errorf("container %s runs in no sandbox", c.Name)
		}
		live := c.Run.Live
		if err := live.View.Bind(m.tree); err != nil {
			return err
		}
		m.Kernel.SetFS(live.Sandbox, live.View)
	}
	return nil
}
