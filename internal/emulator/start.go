package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// runcError begins the message of containerd and runc for a program that cannot be run.
const runcError = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: " +
	"unable to start container process: error during container init: "

// Start implements Runtime. The last run becomes the previous one. The new run gets new files and
// mounts; volumes stay as they are.
func (m *machine) Start(at time.Time, s Spec) error {
	m.Kernel.Advance(at)
	c := m.Container(s.Name)
	if c == nil {
		c = &Container{Name: s.Name}
		m.Containers = append(m.Containers, c)
	}
	if c.Run != nil {
		m.end(c, kernel.Exit{Code: 137})
		c.Previous = c.Run
	}
	c.Run = &Run{ID: s.ID, Started: m.Now()}
	c.Run.Log.Limit = m.Share.Log
	if s.Said != "" {
		c.Run.Log.write(m.Now(), Stdout, []byte(s.Said+"\n"))
	}
	err := m.launch(c, s)
	if err == nil {
		return nil
	}
	if c.Run.Live != nil {
		m.release(c.Run.Live)
	}
	c.Run.Live, c.Run.Ended, c.Run.ExitCode = nil, m.Now(), 128
	var start *kernel.StartError
	if errors.As(err, &start) {
		err = &StartError{runcError + start.Reason}
	} else {
		err = &StartError{runcError + err.Error()}
	}
	c.Run.Message = err.Error()
	return err
}

// launch creates the sandbox of a run and starts its main process.
func (m *machine) launch(c *Container, s Spec) error {
	m.Serial++
	name := s.Name + "/" + strconv.Itoa(m.Serial)
	root := vfs.NewTree(name, s.Base, m.Now())
	root.MaxBytes = m.Share.Tree
	if m.Trees == nil {
		m.Trees = map[string]*vfs.Tree{}
	}
	m.Trees[name] = root
	live := &Live{
		Sandbox: name, View: vfs.NewView(root, m.Seed+"/"+name, m.Now()), Env: s.Env, Dir: cmp.Or(s.Dir, "/"),
		PreStop: s.PreStop, Signal: int(cmp.Or(s.StopSignal, kernel.SIGTERM)),
		Message: &Message{Path: s.TerminationPath, FromLog: s.LogsAsMessage},
	}
	c.Run.Live = live
	if err := m.furnish(live, s); err != nil {
		return err
	}
	if kernel.Getenv(s.Env, "HOME") == "" {
		live.Env = append(s.Env[:len(s.Env):len(s.Env)], "HOME="+home(live.View, s.UID))
	}
	namespace, err := m.namespaceOf(s)
	if err != nil {
		return err
	}
	box := kernel.Sandbox{
		Name: name, Namespace: namespace, Hostname: m.Hostname, IP: m.IP, UID: s.UID, GID: s.GID, Groups: s.Groups, FS: live.View, BusyBox: s.BusyBox,
		Limits: kernel.Limits{Bytes: memory(s.Resources.MemoryLimit, m.Share.Memory)},
	}
	if s.StandIn != nil {
		own := *s.StandIn
		box.StandIn.Program = &own
	}
	m.Kernel.AddSandbox(box)
	argv := s.Argv
	if s.Opaque != nil {
		var err error
		if argv, err = m.opaque(live, argv); err != nil {
			m.Kernel.RemoveSandbox(name)
			return err
		}
	}
	live.View.Root.ReadOnly = s.ReadOnlyRoot
	_, ends, err := m.Kernel.SpawnJoined(name, argv, live.Env, live.Dir, kernel.Stdio{Held: s.Stdin, TTY: s.TTY})
	if err != nil {
		m.Kernel.RemoveSandbox(name)
		return err
	}
	live.Stdin, live.StdinOnce = ends.In, s.StdinOnce
	if s.Opaque != nil {
		own := *s.Opaque
		m.main(name).Run.Program = &own
	}
	m.beginProbes(c, s)
	if s.PostStart != nil {
		live.Post = &Hook{Action: *s.PostStart}
		m.begin(c, live.Post, forPostStart)
	}
	return nil
}

// namespaceOf returns the pid namespace of a run; empty means one of its own.
func (m *machine) namespaceOf(s Spec) (string, error) {
	if s.Target == "" {
		if s.SharesProcesses {
			return kernel.Shared, nil
		}
		return "", nil
	}
	c := m.Container(s.Target)
	if c == nil || c.Run == nil || c.Run.Live == nil {
		return "", fmt.Errorf("invalid target container: container %q is not running", s.Target)
	}
	target := m.Kernel.Sandbox(c.Run.Live.Sandbox)
	return cmp.Or(target.Namespace, target.Name), nil
}

// main returns the first process of a sandbox.
func (m *machine) main(sandbox string) *kernel.Process {
	for _, p := range m.Kernel.Processes {
		if p.Sandbox == sandbox && p.PID == m.Kernel.Main(sandbox) {
			return p
		}
	}
	return nil
}

// opaque writes an executable in place of the program that the command line names, and returns the
// command line that runs it. The root must still be writable. An existing file, such as /bin/sh,
// stays as it is. So does a path in a volume, where other containers would see the file: there the
// executable is opaqueFile.
func (m *machine) opaque(live *Live, argv []string) ([]string, error) {
	if len(argv) == 0 {
		argv = []string{"/entrypoint"}
	}
	at := path.Join("/", argv[0])
	if !strings.Contains(argv[0], "/") {
		at = "/usr/local/bin/" + argv[0]
	}
	v := live.View
	write := func(file string) error { return v.WriteFile(file, kernel.Binary(opaqueProgram), 0o755) }
	_, err := v.Lstat(at)
	free := errors.Is(err, fs.ErrNotExist) && v.MountOf(at).Path == v.Root.Path
	if !free || v.MkdirAll(path.Dir(at), 0o755) != nil || write(at) != nil {
		at = opaqueFile
		if err := write(at); err != nil {
			return nil, err
		}
	}
	return append([]string{at}, argv[1:]...), nil
}

// home returns the user's directory, as the container runtime finds it in the image's /etc/passwd;
// "/" for an unknown user.
func home(v *vfs.View, uid int) string {
	text, err := v.ReadFile("/etc/passwd")
	if err != nil {
		return "/"
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), ":"); len(f) > 5 && f[2] == strconv.Itoa(uid) && f[5] != "" {
			return f[5]
		}
	}
	return "/"
}
