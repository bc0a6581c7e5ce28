package utility

import (
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// openFile is a file that a utility writes to. Its fields are its state.
type openFile struct {
	Name   string    `json:"name"`
	File   *vfs.File `json:"file,omitempty"`
	Broken bool      `json:"broken,omitempty"` // a write failed
}

// create opens a file for writing, from its start or at its end.
func (c *Call) create(file string, atEnd bool) (*openFile, error) {
	flags := vfs.Write | vfs.Create | vfs.Truncate
	if atEnd {
		flags = vfs.Append | vfs.Create
	}
	f, err := c.FS.Open(c.abs(file), flags, 0o666)
	if err != nil {
		return nil, err
	}
	return &openFile{Name: file, File: f}, nil
}

func (f *openFile) write(c *Call, p []byte) error {
	switch f.File.Device {
	case "stdout":
		c.put(c.Stdout, p)
		return nil
	case "stderr":
		c.put(c.Stderr, p)
		return nil
	}
	_, err := c.FS.Write(f.File, p)
	return err
}

func (f *openFile) close(c *Call) { c.FS.Close(f.File) }

func reason(err error) string { return vfs.Reason(err) }

// cantOpenOut prints that a file cannot be written.
func (c *Call) cantOpenOut(file string, err error) { c.complain("%s: %s", file, reason(err)) }

// writeFile replaces the content of a file.
func (c *Call) writeFile(file string, data []byte) error {
	f, err := c.create(file, false)
	if err != nil {
		return err
	}
	defer f.close(c)
	return f.write(c, data)
}
