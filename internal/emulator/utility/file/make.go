package file

import (
	"errors"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/date"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// mkdir creates directories.
func mkdir(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "pm:v", Long: map[string]byte{"parents": 'p', "mode:": 'm', "verbose": 'v'}})
	c.CheckOperands(o, 1, -1)
	mode, hasMode := o.Last('m')
	perm := uint32(0o777)
	if hasMode {
		var ok bool
		if perm, ok = ChangeMode(mode, vfs.ModeDir|0o777, 0); !ok {
			c.Fatal(1, "invalid mode '%s'", mode)
		}
	}
	failed := false
	for _, dir := range o.Rest {
		if err := makeDir(c, dir, o); err != nil {
			c.Cant("create directory", dir, err)
			failed = true
			continue
		}
		if hasMode {
			_ = c.FS.Chmod(c.Abs(dir), perm) // cannot fail: the user has just created it
		}
		if o.Has('v') {
			c.Printf("created directory: '%s'\n", dir)
		}
	}
	return utility.ExitIf(failed)
}

func makeDir(c *utility.Call, dir string, o *utility.Options) error {
	if o.Has('p') {
		// For "a/../b", mkdir -p creates a and b; MkdirAll goes name by name.
		return c.FS.MkdirAll(c.Abs(dir), 0o777)
	}
	return c.FS.Mkdir(c.Abs(dir), 0o777)
}

// touch creates empty files, and sets the times of existing ones.
func touch(c *utility.Call, _ []byte) int {
	// -a and -m have the same effect, because a file has one time. -f has none.
	o := c.Parse(utility.Syntax{Short: "camfhr:d:t:", Long: map[string]byte{
		"no-create": 'c', "reference:": 'r', "no-dereference": 'h', "date:": 'd',
	}})
	c.CheckOperands(o, 1, -1)
	at := c.Now
	if text, ok := o.Last('d'); ok {
		if at, ok = date.Parse(text, c.Now.In(date.Zone(c.Env["TZ"]))); !ok {
			c.Fatal(1, "invalid date '%s'", text)
		}
	}
	if text, ok := o.Last('t'); ok {
		if at, ok = date.ParseStamp(text, c.Now.In(date.Zone(c.Env["TZ"]))); !ok {
			c.Fatal(1, "invalid date '%s'", text)
		}
	}
	if reference, ok := o.Last('r'); ok {
		i, err := c.FS.Stat(c.Abs(reference))
		if err != nil {
			c.Fatal(1, "%s: %s", reference, vfs.Reason(err))
		}
		at = i.MTime
	}
	failed := false
	for _, file := range o.Rest {
		err := c.FS.Chtimes(c.Abs(file), at, !o.Has('h'))
		if errors.Is(err, vfs.ENOENT) {
			if o.Has('c') {
				continue
			}
			if err = c.FS.AppendFile(c.Abs(file), nil, 0o666); err == nil {
				err = c.FS.Chtimes(c.Abs(file), at, true)
			}
		}
		if err != nil {
			failed = true
			if c.GNU {
				c.Complain("cannot touch '%s': %s", file, vfs.Reason(err))
			} else {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
		}
	}
	return utility.ExitIf(failed)
}
