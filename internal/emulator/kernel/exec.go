package kernel

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// binaryMark begins the executable files that stand for an emulated program.
const binaryMark = "\x7fELF\x02\x01\x01\x00rowlock:"

// Binary returns the content of an executable file that runs the program provided under a name.
func Binary(program string) []byte { return []byte(binaryMark + program + "\n") }

// BinaryName returns the name of the program that an executable file stands for; "" for any other
// file.
func BinaryName(content []byte) string {
	rest, ok := bytes.CutPrefix(content, []byte(binaryMark))
	if !ok || len(rest) > 100 {
		return ""
	}
	return strings.TrimSuffix(string(rest), "\n")
}

// Errors of executing a file, besides those of vfs.
var (
	ErrFormat = errors.New("Exec format error")
	ErrTooBig = errors.New("Argument list too long")
)

// maxArgs bounds the arguments and the environment of a process, in bytes.
const maxArgs = 128 << 10

// loaded is a program that is ready to run.
type loaded struct {
	program Program
	args    []string
}

// load returns the program of an executable file. For a script that is its interpreter, which gets
// the path as given.
func load(v *vfs.View, file, given string, args []string, depth int) (loaded, error) {
	info, err := v.Stat(file)
	switch {
	case err != nil:
		return loaded{}, err
	case !info.IsRegular():
		return loaded{}, vfs.EACCES
	case v.Access(file, 1) != nil:
		return loaded{}, vfs.EACCES
	case depth > 4:
		return loaded{}, vfs.ELOOP
	}
	content, err := v.ReadFile(file)
	if err != nil {
		return loaded{}, err
	}
	if name := BinaryName(content); name != "" {
		if start := Provided(name); start != nil {
			return loaded{start(args), args}, nil
		}
		return loaded{}, ErrFormat
	}
	line, ok := bytes.CutPrefix(content, []byte("#!"))
	if !ok {
		return loaded{}, ErrFormat
	}
	line, _, _ = bytes.Cut(line[:min(len(line), 256)], []byte("\n"))
	interpreter, arg, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	if interpreter == "" {
		return loaded{}, ErrFormat
	}
	next := []string{interpreter}
	if arg = strings.TrimSpace(arg); arg != "" {
		next = append(next, arg)
	}
	next = append(append(next, given), args[1:]...)
	return load(v, path.Join("/", interpreter), interpreter, next, depth+1)
}

func tooBig(args, env []string) bool {
	n := 0
	for _, s := range args {
		n += len(s) + 1
	}
	for _, s := range env {
		n += len(s) + 1
	}
	return n > maxArgs
}

// DefaultPath is where programs are searched if there is no PATH.
const DefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// LookPath finds the file of a command in the directories of a PATH; a name with a slash is
// returned unchanged. If no directory has an executable file of that name, LookPath fails with what
// is wrong with the first file of that name, or with vfs.ENOENT.
func LookPath(v *vfs.View, name, list, cwd string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	if name == "" {
		return "", vfs.ENOENT
	}
	var found error = vfs.ENOENT
	for _, dir := range strings.Split(list, ":") {
		file := absolute(path.Join("./"+dir, name), cwd)
		if strings.HasPrefix(dir, "/") {
			file = path.Join(dir, name)
		}
		info, err := v.Stat(file)
		switch {
		case err != nil || info.IsDir():
		case v.Access(file, 1) == nil:
			return file, nil
		case found == vfs.ENOENT:
			found = vfs.EACCES
		}
	}
	return "", found
}

// Exec replaces the process's program with that of a file, with other arguments and another
// environment. It closes saved descriptors and gives handled signals their default effect. If it
// fails, with an error of vfs, ErrFormat or ErrTooBig, the process stays as it was. A Step that has
// called Exec must return its result.
func (p *Process) Exec(file string, args, env []string) (Wait, error) {
	if tooBig(args, env) {
		return Wait{}, ErrTooBig
	}
	l, err := load(p.FS(), p.Path(file), file, args, 0)
	if err != nil {
		return Wait{}, err
	}
	p.become(l.program, l.args, env)
	return Wait{Steps: execSteps}, nil
}

// execSteps is the cost of starting a program, besides the step itself.
const execSteps = 20

// become replaces the process's program with one that is not in a file.
func (p *Process) become(program Program, args, env []string) {
	p.Run, p.Args, p.Env = Stored{program}, slices.Clone(args), slices.Clone(env)
	p.Handled, p.Pending = 0, 0
	for fd, id := range p.FDs {
		if id < 0 {
			_ = p.Close(fd)
		}
	}
	p.Use(-p.Bytes)
}

// Start is Fork and Exec in the child.
func (p *Process) Start(file string, args, env []string) (*Process, error) {
	if tooBig(args, env) {
		return nil, ErrTooBig
	}
	l, err := load(p.FS(), p.Path(file), file, args, 0)
	if err != nil {
		return nil, err
	}
	child, err := p.Fork(l.program)
	if err != nil {
		return nil, err
	}
	child.become(l.program, l.args, env)
	return child, nil
}
