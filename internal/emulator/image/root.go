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

// built is when all emulated images were built.
var built = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// executable is a file that runs the emulated program of that name, or says that it is not emulated.
func executable(path, program string) vfs.Entry {
	if kernel.Provided(program) == nil {
		program = application.NotEmulatedProgram
	}
	return vfs.Entry{Path: path, Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary(program)}
}

// Base is the image's files. It is made when it is first asked for, and shared by all images of the repository.
func (i *Image) Base() *vfs.Base { return i.model.files() }

// Base is the files of the images with such a Base, by its name; nil if the catalogue has none.
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
		if m.err != nil { // Check has refused it where users wrote it, and a test where it is built in
			m.base, _ = vfs.NewBase(m.Repository, built, nil)
		}
	})
	return m.base
}

// IsKnown says whether the catalogue has a model of the image. The program of one that is not known runs until it is
// stopped, as does any command line that names no file of it.
func (i *Image) IsKnown() bool { return !i.model.unknown }

// Argv is the container's command line in this image: command replaces entrypoint and cmd, args replaces cmd alone.
// It is empty for an image whose program is not known.
func (i *Image) Argv(c *corev1.Container) []string { return i.model.argv(c) }

// Env is what the image adds to a container's environment, NAME=value.
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

// Version is the version that the tag tells, or that of the newest image of the repository; "" where neither is known.
func (i *Image) Version() string { return i.model.version(i.tag) }

// BusyBox is the release of BusyBox that the tag names; "" if it names none.
func (i *Image) BusyBox() string {
	if !i.model.busyBox || !leadingVersion.MatchString(i.tag) {
		return ""
	}
	return i.Version()
}

// WorkingDir is where the image's program starts.
func (i *Image) WorkingDir() string {
	if i.model.WorkingDir == "" {
		return "/"
	}
	return i.model.WorkingDir
}

// StopSignal is what asks the image's program to end.
func (i *Image) StopSignal() kernel.Signal {
	return i.model.stopSignal()
}

// User is whom the image's program runs as: numbers, and the name where the image names one; then kubelet cannot tell
// whether that is root. A name that /etc/passwd does not have is root's.
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

// Ports are the TCP ports that the image exposes.
func (i *Image) Ports() []int32 { return i.model.Ports }
