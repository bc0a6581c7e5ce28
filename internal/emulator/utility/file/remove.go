package file

import (
	"errors"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// rm removes files.
func rm(c *utility.Call, _ []byte) int {
	// -i is refused: there is no user to ask.
	o := c.Parse(utility.Syntax{Short: "rRfdv", Long: map[string]byte{"recursive": 'r', "force": 'f', "dir": 'd', "verbose": 'v'}})
	recursive := o.Has('r') || o.Has('R')
	if len(o.Rest) == 0 && !o.Has('f') {
		c.CheckOperands(o, 1, -1)
	}
	failed := false
	for _, file := range o.Rest {
		if err := remove(c, file, recursive, o); err != nil {
			if o.Has('f') && (errors.Is(err, vfs.ENOENT) || errors.Is(err, vfs.ENOTDIR)) {
				continue
			}
			failed = true
		}
	}
	return utility.ExitIf(failed)
}

// remove removes a file, and prints an error if it cannot.
func remove(c *utility.Call, file string, recursive bool, o *utility.Options) error {
	i, err := c.FS.Lstat(c.Abs(file))
	if err != nil {
		if !o.Has('f') || !errors.Is(err, vfs.ENOENT) && !errors.Is(err, vfs.ENOTDIR) {
			c.Cant("remove", file, err)
		}
		return err
	}
	switch base := utility.LastElement(file); {
	case (recursive || !c.GNU) && (base == "." || base == ".."):
		if c.GNU {
			c.Complain("refusing to remove '.' or '..' directory: skipping '%s'", file)
		} else {
			c.Complain("can't remove '.' or '..'")
		}
		return vfs.EINVAL
	case i.IsDir() && recursive:
		err = removeTree(c, file, o)
	case i.IsDir() && o.Has('d'):
		err = c.FS.RemoveDir(c.Abs(file))
	case i.IsDir():
		if c.GNU {
			c.Cant("remove", file, vfs.EISDIR)
		} else {
			c.Complain("'%s' is a directory", file)
		}
		return vfs.EISDIR
	default:
		err = c.FS.Remove(c.Abs(file))
	}
	if err != nil && !errors.Is(err, errTold) {
		c.Cant("remove", file, err)
	} else if err == nil && o.Has('v') {
		c.Printf("removed '%s'\n", file)
	}
	return err
}

// errTold is an error that was already printed.
var errTold = errors.New("told")

func removeTree(c *utility.Call, dir string, o *utility.Options) error {
	entries, err := c.FS.ReadDir(c.Abs(dir))
	if err != nil {
		return err
	}
	told := false
	for _, e := range entries {
		c.Step(1)
		told = remove(c, dir+"/"+e.Name, true, o) != nil || told
	}
	if told {
		return errTold
	}
	return c.FS.RemoveDir(c.Abs(dir))
}

// rmdir removes empty directories.
func rmdir(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "pv", Long: map[string]byte{"parents": 'p', "verbose": 'v', "ignore-fail-on-non-empty": 'I'}})
	c.CheckOperands(o, 1, -1)
	failed := false
	for _, dir := range o.Rest {
		for ; dir != "" && dir != "." && dir != "/"; dir = utility.Parent(dir) {
			err := c.FS.RemoveDir(c.Abs(dir))
			if err != nil && !(o.Has('I') && errors.Is(err, vfs.ENOTEMPTY)) {
				rmdirFailed(c, dir, err)
				failed = true
			}
			if err != nil || !o.Has('p') {
				break
			}
		}
	}
	return utility.ExitIf(failed)
}

func rmdirFailed(c *utility.Call, dir string, err error) {
	if c.GNU {
		c.Complain("failed to remove '%s': %s", dir, vfs.Reason(err))
		return
	}
	c.Complain("'%s': %s", dir, vfs.Reason(err))
}
