package image

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Model describes the images of one repository.
type Model struct {
	// Repository is the full name, "docker.io/library/nginx". A name that ends in "/*" stands for
	// everything below it.
	Repository string

	// About describes the image's own program, for people.
	About string

	// Absent says that no image of the repository can be pulled; so does Denied, where the registry
	// asks for a login, and Unreachable, where its host has no address. MissingTags are the tags
	// that do not exist, as patterns of path.Match; all other tags exist.
	Absent, Denied, Unreachable bool
	MissingTags                 []string

	// Distribution is what its files are built on. Commands are the additional executables, with
	// the program for each path: "/usr/sbin/nginx": "nginx". Files are the other files, Links
	// symbolic links, and Dirs empty directories.
	Distribution Distribution
	Commands     map[string]string
	Files        map[string]string
	Links        map[string]string
	Dirs         []string
	// writable are directories that the group root may write to, as in images that run as any user.
	writable []string

	// Users are additional lines of /etc/passwd, Groups of /etc/group.
	Users, Groups []string

	// Env is what the image adds to the environment, including PATH. "{version}" in it stands for
	// the tag's version, or for Version if the tag has none.
	Env     []string
	Version string
	// unversioned says that the tags number builds of the image, not versions of its content.
	unversioned bool
	// busyBox says that the tags are releases of BusyBox.
	busyBox bool
	// alpine says that tags with this word are built on Alpine.
	alpine bool

	WorkingDir string
	User       string // like USER in a Dockerfile; empty is root

	// Entrypoint and Cmd are what runs if a container sets neither command nor args, by the same
	// rules as Docker's. If both are empty, the program is not known: it runs until it is stopped.
	Entrypoint []string
	Cmd        []string

	// StopSignal asks the image's program to end, such as "SIGQUIT"; empty is SIGTERM.
	StopSignal string

	// Ports are the TCP ports on which the image's own program listens; nil if they are not known:
	// then every port answers. Paths are the paths that HTTP answers with 200; nil for all.
	Ports []int32
	Paths []string
}

// pullError returns containerd's error for a reference, "" for none. An empty tag stands for a
// digest, which always exists.
func (m *Model) pullError(ref, repository, tag string) string {
	failed := fmt.Sprintf("failed to pull and unpack image %q: failed to resolve reference %q: ", ref, ref)
	host, rest, _ := strings.Cut(repository, "/")
	switch {
	case m.Unreachable:
		return fmt.Sprintf("rpc error: code = Unknown desc = %sfailed to do request: Head %q: dial tcp: lookup %s: no such host",
			failed, "https://"+host+"/v2/"+rest+"/manifests/"+tag, host)
	case m.Denied:
		return fmt.Sprintf("rpc error: code = Unknown desc = %sunexpected status from HEAD request to https://%s/v2/%s/manifests/%s: 403 Forbidden",
			failed, host, rest, tag)
	case m.Absent:
		return "rpc error: code = Unknown desc = " + failed + "pull access denied, repository does not exist or " +
			"may require authorization: server message: insufficient_scope: authorization failed"
	}
	for _, pattern := range m.MissingTags {
		if ok, _ := path.Match(pattern, tag); ok && tag != "" { // a malformed pattern matches nothing
			return "rpc error: code = NotFound desc = " + failed + ref + ": not found"
		}
	}
	return ""
}

var leadingVersion = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)`)

// version returns the version that a tag names, "1.14.2" for "1.14.2-alpine".
func (m *Model) version(tag string) string {
	if found := leadingVersion.FindStringSubmatch(tag); found != nil && !m.unversioned {
		return found[1]
	}
	return m.Version
}

// entries returns the files of the images.
func (m *Model) entries() []vfs.Entry {
	d := distributions[m.Distribution]
	d.passwd += lines(m.Users)
	d.group += lines(m.Groups)
	all := d.entries()
	for _, dir := range m.Dirs {
		all = append(all, vfs.Entry{Path: dir, Mode: vfs.ModeDir | 0o755})
	}
	for _, dir := range m.writable {
		all = append(all, vfs.Entry{Path: dir, Mode: vfs.ModeDir | 0o775})
	}
	for at, name := range m.Commands {
		all = append(all, executable(at, name))
	}
	for at, content := range m.Files {
		mode := uint32(0o644)
		if strings.HasPrefix(content, "#!") {
			mode = 0o755
		}
		if slices.Contains(m.writable, path.Dir(at)) {
			mode |= 0o020
		}
		all = append(all, vfs.Entry{Path: at, Mode: vfs.ModeRegular | mode, Data: []byte(content)})
	}
	for at, target := range m.Links {
		all = append(all, vfs.Entry{Path: at, Mode: vfs.ModeLink | 0o777, Target: target})
	}
	return all
}

// Check returns an error if the files of the images cannot be made.
func (m *Model) Check() error {
	_, err := vfs.NewBase(m.Repository, built, m.entries())
	return err
}

func lines(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "\n") + "\n"
}

// in returns the model for a repository, with tags that do not exist there, besides those that
// exist nowhere.
func (m Model) in(repository string, missing ...string) Model {
	m.Repository = repository
	m.MissingTags = append(missing[:len(missing):len(missing)], neverTagged...)
	return m
}
