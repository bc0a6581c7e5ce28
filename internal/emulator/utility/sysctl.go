package utility

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

const sysctlRoot = "/proc/sys"

// sysctl reads and sets kernel parameters. It prints the usual name of a parameter, however that
// was named.
//
// Source: busybox 1.35 procps/sysctl.c
func sysctl(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "aAeNnqw"})
	if o.has('a') || o.has('A') {
		return exitIf(!c.eachSysctl(o, sysctlRoot))
	}
	failed := false
	for _, word := range o.rest {
		name, value, sets := strings.Cut(word, "=")
		at := sysctlRoot + "/" + slashed(name)
		shown := swapped(slashed(name))
		switch {
		case o.has('w') && !sets:
			c.complain("error: '%s' must be of the form name=value", shown)
			failed = true
		case sets:
			failed = !c.setSysctl(o, at, shown, value) || failed
		default:
			failed = !c.showSysctl(o, at, shown) || failed
		}
	}
	return exitIf(failed)
}

// slashed returns the path of a parameter: if its name uses dots as separators, slashes stand for
// dots.
func slashed(name string) string {
	if first := strings.IndexAny(name, "./"); first >= 0 && name[first] == '.' {
		return swapped(name)
	}
	return name
}

// swapped replaces dots by slashes, and slashes by dots.
func swapped(name string) string { return strings.NewReplacer(".", "/", "/", ".").Replace(name) }

// eachSysctl prints all parameters below a directory, by name.
func (c *Call) eachSysctl(o *options, dir string) bool {
	entries, err := c.FS.ReadDir(dir)
	if err != nil {
		c.complain("can't open '%s': %s", dir, vfs.Reason(err))
		return false
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	well := true
	for _, name := range names {
		at := path.Join(dir, name)
		if info, err := c.FS.Stat(at); err == nil && info.IsDir() {
			well = c.eachSysctl(o, at) && well
			continue
		}
		well = c.showSysctl(o, at, swapped(strings.TrimPrefix(at, sysctlRoot+"/"))) && well
	}
	return well
}

// showSysctl prints a parameter; it returns false if the parameter cannot be read. For a directory
// it prints all parameters in it.
func (c *Call) showSysctl(o *options, at, shown string) bool {
	if info, err := c.FS.Stat(at); err == nil && info.IsDir() {
		return c.eachSysctl(o, at)
	}
	text, err := c.FS.ReadFile(at)
	if err != nil {
		return c.unknownSysctl(o, "read", shown, err)
	}
	value := strings.TrimSuffix(string(text), "\n")
	switch {
	case o.has('N'):
		c.print(shown + "\n")
	case o.has('n'):
		c.print(value + "\n")
	default:
		c.print(shown + " = " + value + "\n")
	}
	return true
}

// setSysctl sets a parameter and prints the new value.
func (c *Call) setSysctl(o *options, at, shown, value string) bool {
	if _, err := c.FS.Stat(at); err != nil {
		return c.unknownSysctl(o, "sett", shown, err)
	}
	if err := c.FS.WriteFile(at, []byte(value+"\n"), 0o644); err != nil {
		return c.unknownSysctl(o, "sett", shown, err)
	}
	switch {
	case o.has('q'):
	case o.has('n'):
		c.print(value + "\n")
	default:
		c.print(shown + " = " + value + "\n")
	}
	return true
}

// unknownSysctl prints why a parameter can be neither read nor set; -e ignores parameters that do
// not exist.
func (c *Call) unknownSysctl(o *options, doing, shown string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		if o.has('e') {
			return true
		}
		c.complain("error: '%s' is an unknown key", shown)
		return false
	}
	c.complain("error %sing key '%s': %s", doing, shown, vfs.Reason(err))
	return false
}
