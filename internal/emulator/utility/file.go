package utility

import (
	"errors"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var fileUtilities = map[string]Utility{
	"rm": {whole: rm}, "rmdir": {whole: rmdir},
}

// rm removes files.
func rm(c *Call, _ []byte) int {
	// -i is refused: there is no user to ask.
	o := c.parse(syntax{short: "rRfdv", long: map[string]byte{"recursive": 'r', "force": 'f', "dir": 'd', "verbose": 'v'}})
	recursive := o.has('r') || o.has('R')
	if len(o.rest) == 0 && !o.has('f') {
		c.operands(o, 1, -1)
	}
	failed := false
	for _, file := range o.rest {
		if err := c.remove(file, recursive, o); err != nil {
			if o.has('f') && (errors.Is(err, vfs.ENOENT) || errors.Is(err, vfs.ENOTDIR)) {
				continue
			}
			failed = true
		}
	}
	return exitIf(failed)
}

// remove removes a file, and prints an error if it cannot.
func (c *Call) remove(file string, recursive bool, o *options) error {
	i, err := c.FS.Lstat(c.abs(file))
	if err != nil {
		if !o.has('f') || !errors.Is(err, vfs.ENOENT) && !errors.Is(err, vfs.ENOTDIR) {
			c.cant("remove", file, err)
		}
		return err
	}
	switch base := lastElement(file); {
	case (recursive || !c.GNU) && (base == "." || base == ".."):
		if c.GNU {
			c.complain("refusing to remove '.' or '..' directory: skipping '%s'", file)
		} else {
			c.complain("can't remove '.' or '..'")
		}
		return vfs.EINVAL
	case i.IsDir() && recursive:
		err = c.removeTree(file, o)
	case i.IsDir() && o.has('d'):
		err = c.FS.RemoveDir(c.abs(file))
	case i.IsDir():
		if c.GNU {
			c.cant("remove", file, vfs.EISDIR)
		} else {
			c.complain("'%s' is a directory", file)
		}
		return vfs.EISDIR
	default:
		err = c.FS.Remove(c.abs(file))
	}
	if err != nil && !errors.Is(err, errTold) {
		c.cant("remove", file, err)
	} else if err == nil && o.has('v') {
		c.printf("removed '%s'\n", file)
	}
	return err
}

// errTold is an error that was already printed.
var errTold = errors.New("told")

func (c *Call) removeTree(dir string, o *options) error {
	entries, err := c.FS.ReadDir(c.abs(dir))
	if err != nil {
		return err
	}
	told := false
	for _, e := range entries {
		c.step(1)
		told = c.remove(dir+"/"+e.Name, true, o) != nil || told
	}
	if told {
		return errTold
	}
	return c.FS.RemoveDir(c.abs(dir))
}

// rmdir removes empty directories.
func rmdir(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "pv", long: map[string]byte{"parents": 'p', "verbose": 'v', "ignore-fail-on-non-empty": 'I'}})
	c.operands(o, 1, -1)
	failed := false
	for _, dir := range o.rest {
		for ; dir != "" && dir != "." && dir != "/"; dir = parentOf(dir) {
			err := c.FS.RemoveDir(c.abs(dir))
			if err != nil && !(o.has('I') && errors.Is(err, vfs.ENOTEMPTY)) {
				c.rmdirFailed(dir, err)
				failed = true
			}
			if err != nil || !o.has('p') {
				break
			}
		}
	}
	return exitIf(failed)
}

func (c *Call) rmdirFailed(dir string, err error) {
	if c.GNU {
		c.complain("failed to remove '%s': %s", dir, vfs.Reason(err))
		return
	}
	c.complain("'%s': %s", dir, vfs.Reason(err))
}
