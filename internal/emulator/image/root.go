package image

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	_ "github.com/rowlock/rowlock/internal/emulator/program" // provides what the executables run
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// built is the build time of all emulated images.
var built = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// executable returns a file that runs the emulated program of that name, or one that reports that
// it is not emulated.
func executable(path, program string) vfs.Entry {
	if kernel.Provided(program) == nil {
		program = application.NotEmulatedProgram
	}
	return vfs.Entry{Path: path, Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary(program)}
}

// Base returns the image's files. They are made at the first call, and shared by all images of the
// repository.
func (i *Image) Base() *vfs.Base { return i.model.files() }

// Base returns the files of the images whose Base has that name; nil if the catalogue has none.
func (c *Catalogue) Base(name string) *vfs.Base {
	if m := c.models[name]; m != nil {
		return m.files()
	}
	if name == unknown.Repository {
		return unknown.files()
	}
	return nil
}

func (m *entry) files() *vfs.Base {
	m.once.Do(func() {
		m.base, m.err = vfs.NewBase(m.Repository, built, m.entries())
		if m.err != nil { // Check refuses such models from users, and a test built-in ones
			m.base, _ = vfs.NewBase(m.Repository, built, nil)
		}
	})
	return m.base
}

// IsKnown reports whether the catalogue has a model of the image. An unknown image's program runs
// until it is stopped, and so does any command line that does not name one of its files.
func (i *Image) IsKnown() bool { return !i.model.unknown }

// Argv returns the container's command line in this image: command replaces entrypoint and cmd;
// args replaces only cmd. It is empty for an image whose program is not known.
func (i *Image) Argv(c *corev1.Container) []string { return i.model.argv(c) }

// Env returns what the image adds to a container's environment, NAME=value.
func (i *Image) Env() []string {
	env := i.model.Env
	if len(env) == 0 && i.model.Distribution != Scratch {
		return []string{DefaultPath}
	}
	expanded := make([]string, len(env))
	for n, e := range env {
		expanded[n] = strings.ReplaceAll(e, "{version}", i.Version())
	}
	return expanded
}

// Version returns the version that the tag names, or that of the newest image of the repository; ""
// if neither is known.
func (i *Image) Version() string { return i.model.version(i.tag) }

// BusyBox returns the release of BusyBox that the tag names; "" if it names none.
func (i *Image) BusyBox() string {
	if !i.model.busyBox || !leadingVersion.MatchString(i.tag) {
		return ""
	}
	return i.Version()
}

// WorkingDir returns the directory in which the image's program starts.
func (i *Image) WorkingDir() string {
	if i.model.WorkingDir == "" {
		return "/"
	}
	return i.model.WorkingDir
}

// StopSignal returns the signal that asks the image's program to end.
func (i *Image) StopSignal() kernel.Signal {
	return i.model.stopSignal()
}

// User returns the user and group that the image's program runs as, and the user's name if the
// image gives a name; then the kubelet cannot know whether the user is root. A name that is not in
// /etc/passwd means root.
func (i *Image) User() (uid, gid int, name string) {
	user, group, _ := strings.Cut(i.model.User, ":")
	if user == "" {
		return 0, 0, ""
	}
	passwd := distributions[i.model.Distribution].passwd + lines(i.model.Users)
	uid, err := strconv.Atoi(user)
	if err != nil {
		name = user
	}
	for _, line := range strings.Split(passwd, "\n") {
		f := strings.Split(line, ":")
		if len(f) > 3 && (f[0] == user || f[2] == user) {
			uid, _ = strconv.Atoi(f[2])
			gid, _ = strconv.Atoi(f[3])
		}
	}
	if g, err := strconv.Atoi(group); err == nil {
		gid = g
	}
	return uid, gid, name
}

// Ports returns the TCP ports that the image exposes.
func (i *Image) Ports() []int32 { return i.model.Ports }
