package program

import (
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("tail", &Tail{})
	kernel.Register("watch", &Watch{})
	kernel.Provide("tail", func(args []string) kernel.Program {
		for _, a := range args[1:] {
			short := len(a) > 1 && a[0] == '-' && a[1] != '-'
			if a == "--follow" || strings.HasPrefix(a, "--follow=") || short && strings.ContainsAny(a, "fF") {
				return &Tail{}
			}
		}
		return &Tool{Name: "tail"}
	})
	kernel.Provide("watch", func([]string) kernel.Program { return &Watch{} })
}

// Tail is tail -f: it prints the last lines of files, and then what is added to them, which it
// checks every second. It does nothing while nothing changes, so that "tail -f /dev/null" costs
// nothing. With -F it waits for files that are missing.
// Differs: if a file is replaced by another, the new one is followed from its beginning only if it
// is shorter.
type Tail struct {
	Begun bool
	Files []tailed
	Head  int `json:",omitempty"` // the file of the last lines, from 1
	Out   Tool
}

type tailed struct {
	Name kernel.Text
	Size int64
	Seen string

	Missing bool `json:",omitempty"` // the file does not exist yet
}

// Step implements kernel.Program.
func (t *Tail) Step(p *kernel.Process) kernel.Wait {
	if !t.Begun {
		return t.begin(p)
	}
	if t.Out.Child != 0 {
		if child, found := p.Reap(t.Out.Child); child == nil && found {
			return t.wait(p)
		}
		t.Out.Child = 0
	}
	if w, ok := t.Out.flush(p); !ok {
		return w
	}
	steps := 0
	for i := range t.Files {
		steps += t.look(p, i)
	}
	if w, ok := t.Out.flush(p); !ok {
		w.Steps += steps
		return w
	}
	if len(t.Files) == 1 {
		return kernel.Wait{For: kernel.Changed, Path: t.Files[0].Name, Seen: t.Files[0].Seen, Steps: steps}
	}
	return kernel.Wait{For: kernel.Time, Until: p.In(time.Second), Steps: steps}
}

// look prints what was added to a file.
func (t *Tail) look(p *kernel.Process, i int) int {
	f := &t.Files[i]
	seen := p.Look(string(f.Name))
	if seen == f.Seen {
		return 0
	}
	f.Seen = seen
	data, err := p.FS().ReadFile(p.Path(string(f.Name)))
	if err != nil {
		return 1
	}
	if f.Missing {
		f.Missing = false
		if p.GNU() {
			complain(p, "'"+string(f.Name)+"' has appeared;  following new file")
		} else {
			complain(p, string(f.Name)+" has appeared; following end of new file")
		}
	}
	if int64(len(data)) < f.Size {
		f.Size = 0
	}
	added := data[f.Size:]
	f.Size = int64(len(data))
	if len(added) == 0 {
		return 1
	}
	if len(t.Files) > 1 && t.Head != i+1 {
		t.Head = i + 1
		added = append([]byte("\n==> "+string(f.Name)+" <==\n"), added...)
	}
	p.Use(int64(len(added)))
	t.Out.Out = append(t.Out.Out, piece{1, append([]byte(nil), added...)})
	return len(added) / 64
}

// begin prints the last lines as tail without -f does, and records the files' sizes.
func (t *Tail) begin(p *kernel.Process) kernel.Wait {
	t.Begun = true
	given, retry := t.options(p.Args[1:])
	args, opened := []string{p.Args[0]}, 0
	takesValue := false
	for _, a := range given {
		isFile := !takesValue && !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+")
		takesValue = !takesValue && (a == "-n" || a == "-c" || a == "-s")
		if !isFile {
			args = append(args, a)
			continue
		}
		info, err := p.FS().Stat(p.Path(a))
		if err != nil {
			if p.GNU() {
				complain(p, "cannot open '"+a+"' for reading: "+vfs.Reason(err))
			} else {
				complain(p, "can't open '"+a+"': "+vfs.Reason(err))
			}
			if retry {
				t.Files = append(t.Files, tailed{Name: kernel.Text(a), Missing: true})
			}
			continue
		}
		args, opened = append(args, a), opened+1
		t.Files = append(t.Files, tailed{Name: kernel.Text(a), Size: info.Size, Seen: p.Look(a)})
	}
	switch {
	case len(t.Files) == 0 && p.GNU():
		return fail(p, "no files remaining")
	case len(t.Files) == 0:
		return fail(p, "no files")
	case opened == 0:
		return t.Step(p)
	}
	first := &Tool{Name: "tail"}
	child, err := p.Fork(first)
	if err != nil {
		return fail(p, "can't fork: "+err.Error())
	}
	child.Args = args
	t.Out.Child = child.PID
	return t.wait(p)
}

// options returns the command line without the options to follow files; retry says that missing
// files are waited for.
func (t *Tail) options(args []string) (given []string, retry bool) {
	for _, a := range args {
		switch {
		case a == "-F" || a == "--retry":
			retry = true
			continue
		case a == "-f" || a == "--follow" || strings.HasPrefix(a, "--follow="):
			continue
		case len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "fF"):
			retry = retry || strings.Contains(a, "F")
			a = strings.NewReplacer("f", "", "F", "").Replace(a)
		}
		given = append(given, a)
	}
	return given, retry
}

func (t *Tail) wait(*kernel.Process) kernel.Wait {
	return kernel.Wait{For: kernel.Child, PID: t.Out.Child}
}

// Watch runs a command repeatedly.
type Watch struct {
	Child int
	Next  time.Duration
}

// Step implements kernel.Program.
func (w *Watch) Step(p *kernel.Process) kernel.Wait {
	if w.Child != 0 {
		child, found := p.Reap(w.Child)
		if child == nil && found {
			return kernel.Wait{For: kernel.Child, PID: w.Child}
		}
		w.Child = 0
		return kernel.Wait{For: kernel.Time, Until: w.Next}
	}
	args, every := p.Args[1:], 2*time.Second
	title := true
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "-t":
			title = false
		case strings.HasPrefix(arg, "-n"):
			value := arg[2:]
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			d, ok := parseSeconds(value)
			if !ok || d <= 0 {
				return fail(p, "invalid number '"+value+"'")
			}
			every = d
		default:
			return fail(p, "rowlock: option "+arg+" is not emulated")
		}
	}
	if len(args) == 0 {
		return fail(p, "missing command")
	}
	command := strings.Join(args, " ")
	head := "\x1b[H\x1b[J"
	if title {
		head += "Every " + strings.TrimSuffix(every.String(), "s") + "s: " + command + "\n\n"
	}
	_, _ = p.Write(1, []byte(head))
	w.Next = p.In(every)
	child, status := start(p, []string{"sh", "-c", command}, p.Env)
	if child == nil {
		return kernel.Done(status)
	}
	w.Child = child.PID
	return kernel.Wait{For: kernel.Child, PID: w.Child}
}
