package utility

import "github.com/rowlock/rowlock/internal/emulator/vfs"

// OutFile is a file that a utility writes to. Its fields are its state.
type OutFile struct {
	Name   string    `json:"name"`
	File   *vfs.File `json:"file,omitempty"`
	Broken bool      `json:"broken,omitempty"` // a write failed
}

// Create opens a file for writing, from its start or at its end.
func (c *Call) Create(file string, atEnd bool) (*OutFile, error) {
	flags := vfs.Write | vfs.Create | vfs.Truncate
	if atEnd {
		flags = vfs.Append | vfs.Create
	}
	f, err := c.FS.Open(c.Abs(file), flags, 0o666)
	if err != nil {
		return nil, err
	}
	return &OutFile{Name: file, File: f}, nil
}

// Write appends to the file, or to the call's own output if the file is its device.
func (f *OutFile) Write(c *Call, p []byte) error {
	switch f.File.Device {
	case "stdout":
		c.Put(c.Stdout, p)
		return nil
	case "stderr":
		c.Put(c.Stderr, p)
		return nil
	}
	_, err := c.FS.Write(f.File, p)
	return err
}

// Close closes the file.
func (f *OutFile) Close(c *Call) { c.FS.Close(f.File) }

// WriteFile replaces the content of a file.
func (c *Call) WriteFile(file string, data []byte) error {
	f, err := c.Create(file, false)
	if err != nil {
		return err
	}
	defer f.Close(c)
	return f.Write(c, data)
}
