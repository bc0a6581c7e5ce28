package file

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// du prints how much space files take.
func du(c *utility.Call, _ []byte) int {
	// -k and -x have no effect: the unit is KiB anyway, and mounts count as part of the directory
	// that they are in.
	o := c.Parse(utility.Syntax{Short: "sahkmcd:xb", Long: map[string]byte{
		"summarize": 's', "all": 'a', "human-readable": 'h', "total": 'c', "max-depth:": 'd', "bytes": 'b', "apparent-size": 'b',
	}})
	deepest := -1
	if text, ok := o.Last('d'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.Fatal(1, "invalid maximum depth '%s'", text)
		}
		deepest = n
	}
	if o.Has('s') {
		deepest = 0
	}
	show := func(size int64, name string) {
		switch {
		case o.Has('h'):
			c.Printf("%s\t%s\n", humanBlocks(size), name)
		case o.Has('b'):
			c.Printf("%d\t%s\n", size, name)
		case o.Has('m'):
			c.Printf("%d\t%s\n", (size+1<<20-1)>>20, name)
		default:
			c.Printf("%d\t%s\n", (size+1023)/1024, name)
		}
	}
	failed := false
	var visit func(file string, depth int) int64
	visit = func(file string, depth int) int64 {
		c.Step(1)
		i, err := c.FS.Lstat(c.Abs(file))
		if err != nil {
			failed = true
			if c.GNU {
				c.Complain("cannot access '%s': %s", file, vfs.Reason(err))
			} else {
				c.Complain("%s: %s", file, vfs.Reason(err))
			}
			return 0
		}
		sum := Kibibytes(i) * 1024
		if o.Has('b') {
			sum = i.Size
		}
		if i.IsDir() {
			entries, err := c.FS.ReadDir(c.Abs(file))
			if err != nil {
				failed = true
				c.CantOpen(file, err)
			}
			for _, e := range entries {
				sum += visit(strings.TrimSuffix(file, "/")+"/"+e.Name, depth+1)
			}
		}
		if (i.IsDir() || o.Has('a') || depth == 0) && (deepest < 0 || depth <= deepest) {
			show(sum, file)
		}
		return sum
	}
	files := o.Rest
	if len(files) == 0 {
		files = []string{"."}
	}
	total := int64(0)
	for _, file := range files {
		total += visit(file, 0)
	}
	if o.Has('c') {
		show(total, "total")
	}
	return utility.ExitIf(failed)
}

func humanBlocks(size int64) string {
	if size == 0 {
		return "0"
	}
	return utility.HumanSize(size)
}

// df prints how full the container's file systems are.
func df(c *utility.Call, _ []byte) int {
	// -k and -P have no effect: KiB and one line for each file system are the default.
	o := c.Parse(utility.Syntax{Short: "hkPTa", Long: map[string]byte{"human-readable": 'h', "portability": 'P'}})
	if o.Has('T') {
		c.Fatal(1, "unrecognized option: T")
	}
	mounts := append([]vfs.Mount{c.FS.Root}, c.FS.Mounts...)
	if len(o.Rest) > 0 {
		mounts = nil
		for _, file := range o.Rest {
			at, err := c.FS.Resolve(c.Abs(file))
			if err == nil {
				_, err = c.FS.Stat(at)
			}
			if err != nil {
				c.Fatal(1, "%s: %s", file, vfs.Reason(err))
			}
			mounts = append(mounts, c.FS.MountOf(at))
		}
	}
	unit := "1K-blocks"
	show := func(n int64) string { return strconv.FormatInt((n+1023)/1024, 10) }
	if o.Has('h') {
		unit, show = "Size", humanBlocks
	}
	c.Printf("%-20s %10s %9s %9s %3s %s\n", "Filesystem", unit, "Used", "Available", "Use%", "Mounted on")
	for _, m := range mounts {
		used, size := c.FS.Usage(m)
		device := "overlay"
		if m.Path != "/" {
			device = "/dev/vda1"
		}
		c.Printf("%-20s %10s %9s %9s %3d%% %s\n", device, show(size), show(used), show(size-used), used*100/max(1, size), m.Path)
	}
	return 0
}

// truncate sets the length of files.
func truncate(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "cs:", Long: map[string]byte{"no-create": 'c', "size:": 's'}})
	text, ok := o.Last('s')
	if !ok {
		c.Fatal(1, "you must specify '-s'")
	}
	c.CheckOperands(o, 1, -1)
	relative := strings.IndexByte("+-<>/%", (text + " ")[0])
	n, ok := utility.ParseSize(strings.TrimLeft(text, "+-"))
	if !ok || relative > 1 {
		c.Fatal(1, "invalid number '%s'", text)
	}
	failed := false
	for _, file := range o.Rest {
		i, err := c.FS.Stat(c.Abs(file))
		if errors.Is(err, vfs.ENOENT) {
			if o.Has('c') {
				continue
			}
			err = c.FS.WriteFile(c.Abs(file), nil, 0o666)
		}
		to := n
		switch relative {
		case 0:
			to = i.Size + n
		case 1:
			to = max(0, i.Size-n)
		}
		if err == nil {
			err = c.FS.Truncate(c.Abs(file), to)
		}
		if err != nil {
			failed = true
			c.Complain("%s: %s", file, vfs.Reason(err))
		}
	}
	return utility.ExitIf(failed)
}
