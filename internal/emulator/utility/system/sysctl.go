package system

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

const sysctlRoot = "/proc/sys"

// sysctl reads and sets kernel parameters. It prints the usual name of a parameter, however that
// was named.
//
// Source: busybox 1.35 procps/sysctl.c
func sysctl(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "aAeNnqw"})
	if o.Has('a') || o.Has('A') {
		return utility.ExitIf(!eachSysctl(c, o, sysctlRoot))
	}
	failed := false
	for _, word := range o.Rest {
		name, value, sets := strings.Cut(word, "=")
		at := sysctlRoot + "/" + slashed(name)
		shown := swapped(slashed(name))
		switch {
		case o.Has('w') && !sets:
			c.Complain("error: '%s' must be of the form name=value", shown)
			failed = true
		case sets:
			failed = !setSysctl(c, o, at, shown, value) || failed
		default:
			failed = !showSysctl(c, o, at, shown) || failed
		}
	}
	return utility.ExitIf(failed)
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
func eachSysctl(c *utility.Call, o *utility.Options, dir string) bool {
	entries, err := c.FS.ReadDir(dir)
	if err != nil {
		c.Complain("can't open '%s': %s", dir, vfs.Reason(err))
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
			well = eachSysctl(c, o, at) && well
			continue
		}
		well = showSysctl(c, o, at, swapped(strings.TrimPrefix(at, sysctlRoot+"/"))) && well
	}
	return well
}

// showSysctl prints a parameter; it returns false if the parameter cannot be read. For a directory
// it prints all parameters in it.
func showSysctl(c *utility.Call, o *utility.Options, at, shown string) bool {
	if info, err := c.FS.Stat(at); err == nil && info.IsDir() {
		return eachSysctl(c, o, at)
	}
	text, err := c.FS.ReadFile(at)
	if err != nil {
		return unknownSysctl(c, o, "read", shown, err)
	}
	value := strings.TrimSuffix(string(text), "\n")
	switch {
	case o.Has('N'):
		c.Print(shown + "\n")
	case o.Has('n'):
		c.Print(value + "\n")
	default:
		c.Print(shown + " = " + value + "\n")
	}
	return true
}

// setSysctl sets a parameter and prints the new value.
func setSysctl(c *utility.Call, o *utility.Options, at, shown, value string) bool {
	if _, err := c.FS.Stat(at); err != nil {
		return unknownSysctl(c, o, "sett", shown, err)
	}
	if err := c.FS.WriteFile(at, []byte(value+"\n"), 0o644); err != nil {
		return unknownSysctl(c, o, "sett", shown, err)
	}
	switch {
	case o.Has('q'):
	case o.Has('n'):
		c.Print(value + "\n")
	default:
		c.Print(shown + " = " + value + "\n")
	}
	return true
}

// unknownSysctl prints why a parameter can be neither read nor set; -e ignores parameters that do
// not exist.
func unknownSysctl(c *utility.Call, o *utility.Options, doing, shown string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		if o.Has('e') {
			return true
		}
		c.Complain("error: '%s' is an unknown key", shown)
		return false
	}
	c.Complain("error %sing key '%s': %s", doing, shown, vfs.Reason(err))
	return false
}
