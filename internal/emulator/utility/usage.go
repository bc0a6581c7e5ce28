package utility

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// du prints how much space files take.
func du(c *Call, _ []byte) int {
	// -k and -x have no effect: the unit is KiB anyway, and mounts count as part of the directory
	// that they are in.
	o := c.parse(syntax{short: "sahkmcd:xb", long: map[string]byte{
		"summarize": 's', "all": 'a', "human-readable": 'h', "total": 'c', "max-depth:": 'd', "bytes": 'b', "apparent-size": 'b',
	}})
	deepest := -1
	if text, ok := o.last('d'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.fatal(1, "invalid maximum depth '%s'", text)
		}
		deepest = n
	}
	if o.has('s') {
		deepest = 0
	}
	show := func(size int64, name string) {
		switch {
		case o.has('h'):
			c.printf("%s\t%s\n", humanBlocks(size), name)
		case o.has('b'):
			c.printf("%d\t%s\n", size, name)
		case o.has('m'):
			c.printf("%d\t%s\n", (size+1<<20-1)>>20, name)
		default:
			c.printf("%d\t%s\n", (size+1023)/1024, name)
		}
	}
	failed := false
	var visit func(file string, depth int) int64
	visit = func(file string, depth int) int64 {
		c.step(1)
		i, err := c.FS.Lstat(c.abs(file))
		if err != nil {
			failed = true
			if c.GNU {
				c.complain("cannot access '%s': %s", file, reason(err))
			} else {
				c.complain("%s: %s", file, reason(err))
			}
			return 0
		}
		sum := kibibytes(i) * 1024
		if o.has('b') {
			sum = i.Size
		}
		if i.IsDir() {
			entries, err := c.FS.ReadDir(c.abs(file))
			if err != nil {
				failed = true
				c.cantOpen(file, err)
			}
			for _, e := range entries {
				sum += visit(strings.TrimSuffix(file, "/")+"/"+e.Name, depth+1)
			}
		}
		if (i.IsDir() || o.has('a') || depth == 0) && (deepest < 0 || depth <= deepest) {
			show(sum, file)
		}
		return sum
	}
	files := o.rest
	if len(files) == 0 {
		files = []string{"."}
	}
	total := int64(0)
	for _, file := range files {
		total += visit(file, 0)
	}
	if o.has('c') {
		show(total, "total")
	}
	return exitIf(failed)
}

func humanBlocks(size int64) string {
	if size == 0 {
		return "0"
	}
	return human(size)
}

// df prints how full the container's file systems are.
func df(c *Call, _ []byte) int {
	// -k and -P have no effect: KiB and one line for each file system are the default.
	o := c.parse(syntax{short: "hkPTa", long: map[string]byte{"human-readable": 'h', "portability": 'P'}})
	if o.has('T') {
		c.fatal(1, "unrecognized option: T")
	}
	mounts := append([]vfs.Mount{c.FS.Root}, c.FS.Mounts...)
	if len(o.rest) > 0 {
		mounts = nil
		for _, file := range o.rest {
			at, err := c.FS.Resolve(c.abs(file))
			if err == nil {
				_, err = c.FS.Stat(at)
			}
			if err != nil {
				c.fatal(1, "%s: %s", file, reason(err))
			}
			mounts = append(mounts, c.FS.MountOf(at))
		}
	}
	unit := "1K-blocks"
	show := func(n int64) string { return strconv.FormatInt((n+1023)/1024, 10) }
	if o.has('h') {
		unit, show = "Size", humanBlocks
	}
	c.printf("%-20s %10s %9s %9s %3s %s\n", "Filesystem", unit, "Used", "Available", "Use%", "Mounted on")
	for _, m := range mounts {
		used, size := c.FS.Usage(m)
		device := "overlay"
		if m.Path != "/" {
			device = "/dev/vda1"
		}
		c.printf("%-20s %10s %9s %9s %3d%% %s\n", device, show(size), show(used), show(size-used), used*100/max(1, size), m.Path)
	}
	return 0
}

// truncate sets the length of files.
func truncate(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "cs:", long: map[string]byte{"no-create": 'c', "size:": 's'}})
	text, ok := o.last('s')
	if !ok {
		c.fatal(1, "you must specify '-s'")
	}
	c.operands(o, 1, -1)
	relative := strings.IndexByte("+-<>/%", (text + " ")[0])
	n, ok := size(strings.TrimLeft(text, "+-"))
	if !ok || relative > 1 {
		c.fatal(1, "invalid number '%s'", text)
	}
	failed := false
	for _, file := range o.rest {
		i, err := c.FS.Stat(c.abs(file))
		if errors.Is(err, vfs.ENOENT) {
			if o.has('c') {
				continue
			}
			err = c.FS.WriteFile(c.abs(file), nil, 0o666)
		}
		to := n
		switch relative {
		case 0:
			to = i.Size + n
		case 1:
			to = max(0, i.Size-n)
		}
		if err == nil {
			err = c.FS.Truncate(c.abs(file), to)
		}
		if err != nil {
			failed = true
			c.complain("%s: %s", file, reason(err))
		}
	}
	return exitIf(failed)
}
