package system

import (
	"fmt"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// mount prints the mounts, of one type or of all; a container cannot mount anything. It shows
// programs that control groups are of version 2.
//
// Source: busybox 1.35 util-linux/mount.c, mount_main
func mount(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "arwvnfiFt:O:o:"})
	if len(o.Rest) > 0 || o.Has('a') {
		c.Fatal(1, "permission denied (are you root?)")
	}
	only, chosen := o.Last('t')
	show := func(device, at, kind, options string) {
		if !chosen || only == kind {
			c.Print(fmt.Sprintf("%s on %s type %s (%s)\n", device, at, kind, options))
		}
	}
	show("overlay", "/", "overlay", access(c.FS.Root.ReadOnly)+",relatime")
	show("proc", "/proc", "proc", "rw,nosuid,nodev,noexec,relatime")
	for _, m := range c.FS.Mounts {
		switch m.Path {
		case "/sys/fs/cgroup":
			show("cgroup", m.Path, "cgroup2", access(m.ReadOnly)+",nosuid,nodev,noexec,relatime")
		case "/dev":
			show("tmpfs", m.Path, "tmpfs", access(m.ReadOnly)+",nosuid,size=65536k,mode=755")
		default:
			show("/dev/sda1", m.Path, "ext4", access(m.ReadOnly)+",relatime")
		}
	}
	return 0
}

// access returns the first of a mount's options.
func access(readOnly bool) string {
	if readOnly {
		return "ro"
	}
	return "rw"
}
