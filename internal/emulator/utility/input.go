package utility

import "github.com/rowlock/rowlock/internal/emulator/vfs"

// ReadInput returns the content of a file, or of standard input for "-".
func (c *Call) ReadInput(file string, stdin []byte) ([]byte, error) {
	if file == "-" {
		return stdin, nil
	}
	f, err := c.FS.Open(c.Abs(file), vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	defer c.FS.Close(f)
	if f.Device == "stdin" {
		return stdin, nil
	}
	if c.FS.FileInfo(f).IsDir() {
		return nil, vfs.EISDIR
	}
	data, err := c.FS.ReadFile(c.Abs(file))
	c.Need(int64(len(data)))
	c.Pass(len(data))
	return data, err
}

// OpenForReading opens a file that is not a directory.
func (c *Call) OpenForReading(file string) (*vfs.File, error) {
	f, err := c.FS.Open(c.Abs(file), vfs.ReadOnly, 0)
	if err != nil {
		return nil, err
	}
	if c.FS.FileInfo(f).IsDir() {
		c.FS.Close(f)
		return nil, vfs.EISDIR
	}
	return f, nil
}

// OrStdin returns the operands of a utility that reads standard input if it has none.
func OrStdin(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}
