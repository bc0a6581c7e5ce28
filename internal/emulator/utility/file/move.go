package file

import (
	"errors"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// mv renames files, or moves them between file systems.
func mv(c *utility.Call, _ []byte) int {
	// -f has no effect: mv never asks.
	o := c.Parse(utility.Syntax{Short: "fnvTt:u", Long: map[string]byte{
		"force": 'f', "no-clobber": 'n', "verbose": 'v', "no-target-directory": 'T', "target-directory:": 't', "update": 'u',
	}})
	sources, to, into := destination(c, o)
	failed := false
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		failed = !move(c, source, target, o) || failed
	}
	return utility.ExitIf(failed)
}

func move(c *utility.Call, from, to string, o *utility.Options) bool {
	i, err := c.FS.Lstat(c.Abs(from))
	if err != nil {
		if c.GNU {
			c.Complain("cannot stat '%s': %s", from, vfs.Reason(err))
		} else {
			c.Complain("can't rename '%s': %s", from, vfs.Reason(err))
		}
		return false
	}
	if there, err := c.FS.Lstat(c.Abs(to)); err == nil {
		if o.Has('n') || o.Has('u') && !i.MTime.After(there.MTime) {
			return true
		}
		if there.Same(i) && i.Tree != "" {
			c.Complain("'%s' and '%s' are the same file", from, to)
			return false
		}
	}
	err = c.FS.Rename(c.Abs(from), c.Abs(to))
	if errors.Is(err, vfs.EXDEV) {
		k := &copier{Call: c, recursive: true, preserve: true, links: true, force: true}
		if !k.copy(from, to, 0) {
			return false
		}
		err = c.FS.RemoveAll(c.Abs(from))
	}
	if err != nil {
		switch {
		case c.GNU && errors.Is(err, vfs.EINVAL):
			c.Complain("cannot move '%s' to a subdirectory of itself, '%s'", from, to)
		case c.GNU:
			c.Complain("cannot move '%s' to '%s': %s", from, to, vfs.Reason(err))
		default:
			c.Complain("can't rename '%s': %s", from, vfs.Reason(err))
		}
		return false
	}
	if o.Has('v') {
		c.Printf("'%s' -> '%s'\n", from, to)
	}
	return true
}

// ln gives files more names, or creates symbolic links to them.
func ln(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "sfnvTt:r", Long: map[string]byte{
		"symbolic": 's', "force": 'f', "no-dereference": 'n', "verbose": 'v', "no-target-directory": 'T', "target-directory:": 't',
	}})
	if o.Has('r') {
		c.Fatal(1, "unrecognized option: r")
	}
	c.CheckOperands(o, 1, -1)
	if len(o.Rest) == 1 && !o.Has('t') {
		o.Rest = append(o.Rest, ".")
	}
	to := o.Rest[len(o.Rest)-1]
	if i, err := c.FS.Lstat(c.Abs(to)); err == nil && i.IsLink() && o.Has('n') {
		o.Given = append(o.Given, utility.Option{Name: 'T'})
	}
	sources, to, into := destination(c, o)
	failed := false
	for _, source := range sources {
		target := to
		if into {
			target = inside(to, source)
		}
		if err := link(c, source, target, o); err != nil {
			kind := "hard "
			if o.Has('s') {
				kind = "symbolic "
			}
			if c.GNU {
				c.Complain("failed to create %slink '%s': %s", kind, target, vfs.Reason(err))
			} else {
				c.Complain("%s: %s", target, vfs.Reason(err))
			}
			failed = true
		}
	}
	return utility.ExitIf(failed)
}

func link(c *utility.Call, source, target string, o *utility.Options) error {
	if o.Has('f') {
		if i, err := c.FS.Lstat(c.Abs(target)); err == nil && !i.IsDir() {
			if err := c.FS.Remove(c.Abs(target)); err != nil {
				return err
			}
		}
	}
	if o.Has('s') {
		return c.FS.Symlink(source, c.Abs(target))
	}
	return c.FS.Link(c.Abs(source), c.Abs(target))
}
